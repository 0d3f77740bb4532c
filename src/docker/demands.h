// What a project demands of its images, from .hadolint.yaml.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace nacre::docker {

enum class LabelType : uint8_t { kText, kUrl, kTime, kLicense, kHash, kVersion, kEmail };

struct Demands {
  std::vector<std::string> trusted_registries;  // empty: all are
  std::map<std::string, LabelType, std::less<>> labels;
  bool allows_only_these_labels = false;
};

}  // namespace nacre::docker
