#include "make/rules.h"

#include "base/codes.h"

namespace nacre::make {

Diagnostic& Findings::add(std::string_view code, Span span, std::string message,
                          Confidence confidence) {
  list_.push_back(finding(code, file_, span, std::move(message), confidence));
  return list_.back();
}

std::span<const RuleFunction> rules() {
#define NACRE_NAME(name) name,
  static constexpr RuleFunction kRules[] = {NACRE_MAKE_RULES(NACRE_NAME)};
#undef NACRE_NAME
  return kRules;
}

}  // namespace nacre::make
