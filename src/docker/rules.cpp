#include "docker/rules.h"

#include "base/codes.h"

namespace nacre::docker {

std::span<const Rule> rules() {
#define NACRE_ENTRY(name) name,
  static constexpr Rule kRules[] = {NACRE_DOCKER_RULES(NACRE_ENTRY)};
#undef NACRE_ENTRY
  return kRules;
}

Diagnostic& Findings::add(std::string_view code, Span span, std::string message,
                          std::vector<std::string> aliases, Confidence confidence) {
  list_.push_back(finding(code, source_, span, std::move(message), confidence));
  list_.back().aliases = std::move(aliases);
  return list_.back();
}

}  // namespace nacre::docker
