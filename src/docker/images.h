// What is known of base images: the shell that RUN starts in them. The facts are a dated table,
// images.table; of an image that is not in it nothing is claimed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nacre::docker {

// `registry/repository:tag@digest`, taken apart.
struct ImageName {
  std::string registry;  // empty: Docker Hub
  std::string repository;
  std::string tag;
  std::string digest;
};

ImageName split_image(std::string_view reference);

enum class ImageShell : uint8_t { kDash, kBusybox, kBash, kCmd, kNone };

// Nothing: the image is not in the table.
std::optional<ImageShell> shell_of_image(const ImageName& image);

}  // namespace nacre::docker
