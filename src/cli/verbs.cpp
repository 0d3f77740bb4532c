#include <array>
#include <cassert>

#include "cli/verb.h"

namespace nacre::cli {

#define VERB(name) const Verb& name##_verb();
#include "cli/verbs.inc"
#undef VERB

std::span<const Verb* const> verbs() {
  static const std::array kVerbs = {
#define VERB(name) &name##_verb(),
#include "cli/verbs.inc"
#undef VERB
  };
  return kVerbs;
}

const Verb* find_verb(std::string_view name) {
  for (const Verb* verb : verbs()) {
    if (verb->name == name) return verb;
  }
  return nullptr;
}

const std::vector<std::string>& Arguments::all(std::string_view option) const {
  auto found = values_.find(option);
  assert(found != values_.end() && "not an option of this command");
  return found->second;
}

std::string Arguments::value(std::string_view option, std::string_view otherwise) const {
  const auto& given = all(option);
  return given.empty() ? std::string(otherwise) : given.back();
}

std::optional<unsigned> Arguments::number(std::string_view option) const {
  const auto& given = all(option);
  if (given.empty()) return std::nullopt;
  return static_cast<unsigned>(std::stoul(given.back()));  // the parser checked it
}

std::vector<std::string> Arguments::list(std::string_view option) const {
  std::vector<std::string> items;
  for (const std::string& value : all(option)) {
    for (size_t begin = 0; begin <= value.size();) {
      size_t end = std::min(value.find(',', begin), value.size());
      if (end > begin) items.push_back(value.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  return items;
}

}  // namespace nacre::cli
