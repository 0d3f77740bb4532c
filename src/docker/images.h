// What is known of base images: the shell that RUN starts in them, a version to name, an account
// that is not root, the working directory. The facts are a dated table, images.table; of an image
// that is not in it nothing is claimed.
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

// Pieces of the table. What is empty is not known.
struct KnownImage {
  ImageShell shell = ImageShell::kDash;
  std::string_view pin;        // a tag to name where none is
  std::string_view user;       // not root
  std::string_view group;      // of that user
  std::string_view directory;  // where the image begins
};

// Nothing: the image is not in the table.
std::optional<KnownImage> find_image(const ImageName& image);

}  // namespace nacre::docker
