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

// By its own name, or by that of a ShellCheck twin.
std::vector<const Code*> find_pages(std::string_view name) {
  std::vector<const Code*> pages;
  for (const Code& code : codes()) {
    const auto& twins = code.shellcheck_twins;
    bool is_twin = std::find(twins.begin(), twins.end(), name) != twins.end();
    if (code.name == name || is_twin) pages.push_back(&code);
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
  for (std::string name : arguments.operands()) {
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    auto pages = find_pages(name);
    if (pages.empty()) return say_unknown(name);
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
