// `nacre explain`: the page of a code.
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

#include "base/codes.h"
#include "base/nearest.h"
#include "cli/output.h"
#include "cli/verb.h"

namespace nacre::cli {

namespace {

std::string upper_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return result;
}

// By its own name, or by what another tool calls it: SC2086, DL3008, JSONArgsRecommended.
std::vector<const Code*> find_pages(std::string_view name) {
  const auto is_meant = [&](std::string_view other) { return upper_case(other) == name; };
  std::vector<const Code*> pages;
  for (const Code& code : codes()) {
    const bool is_named =
        code.name == name ||
        std::any_of(code.shellcheck_twins.begin(), code.shellcheck_twins.end(), is_meant) ||
        std::any_of(code.aliases.begin(), code.aliases.end(), is_meant);
    if (is_named) pages.push_back(&code);
  }
  return pages;
}

// By family; a family without codes is left out.
int list_codes() {
  for (const Family& family : families()) {
    bool is_first = true;
    for (const Code& code : codes()) {
      if (code.name[0] != family.letter) continue;
      if (is_first) fmt::print("{}: {}\n", family.letter, family.name);
      is_first = false;
      const std::string verb = code.verb == "check" ? "" : fmt::format(" (nacre {})", code.verb);
      fmt::print("  {}  {:<8} {}{}\n", code.name, name_of(code.severity), code.title, verb);
    }
  }
  return kClean;
}

int say_unknown(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Code& code : codes()) names.push_back(code.name);
  auto meant = nearest(name, names);
  return complain("explain", fmt::format("unknown code '{}'{}", name,
                                         meant ? fmt::format("; did you mean '{}'?", *meant) : ""));
}

int run_explain(const Arguments& arguments) {
  if (arguments.operands().empty()) return list_codes();
  for (const std::string& name : arguments.operands()) {
    const auto pages = find_pages(upper_case(name));
    if (pages.empty()) return say_unknown(upper_case(name));
    for (const Code* code : pages) fmt::print("{}", code->page);
  }
  return kClean;
}

constexpr Verb kVerb = {.name = "explain",
                        .summary = "explain a finding code; without CODE, list all codes",
                        .operands = "[CODE...]",
                        .run = run_explain};

}  // namespace

const Verb& explain_verb() { return kVerb; }

}  // namespace nacre::cli
