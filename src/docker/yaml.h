// The part of YAML that configuration files of linters use: maps and lists by indentation or in
// brackets, plain and quoted scalars, comments. Anchors, tags, block scalars and several documents
// are refused, never guessed at.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/source_file.h"

namespace nacre::docker {

struct YamlNode {
  enum class Kind : uint8_t { kScalar, kList, kMap } kind = Kind::kScalar;
  std::string scalar;           // empty also for a key without a value
  std::string key;              // in the map that holds it
  std::vector<YamlNode> items;  // of a list or a map
  Span span;

  [[nodiscard]] const YamlNode* find(std::string_view wanted) const;
};

// An empty text is an empty map.
Result<YamlNode> parse_yaml(const SourceFile& file);

}  // namespace nacre::docker
