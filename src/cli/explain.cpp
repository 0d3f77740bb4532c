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

// The codes that begin with `beginning`, by family; a family without such codes is left out.
void list_codes(std::string_view beginning) {
  for (const Family& family : families()) {
    bool is_first = true;
    for (const Code& code : codes()) {
      if (code.name[0] != family.letter || !code.name.starts_with(beginning)) continue;
      if (is_first) fmt::print("{}: {}\n", family.letter, family.name);
      is_first = false;
      const std::string verb = code.verb == "check" ? "" : fmt::format(" (nacre {})", code.verb);
      fmt::print("  {}  {:<8} {}{}\n", code.name, name_of(code.severity), code.title, verb);
    }
  }
}

// "M" or "T1": a family or a part of one.
bool begins_codes(std::string_view name) {
  const auto all = codes();
  return std::any_of(all.begin(), all.end(),
                     [&](const Code& code) { return code.name.starts_with(name); });
}

int say_unknown(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Code& code : codes()) names.push_back(code.name);
  auto meant = nearest(name, names);
  return complain("explain", fmt::format("unknown code '{}'{}", name,
                                         meant ? fmt::format("; did you mean '{}'?", *meant) : ""));
}

int run_explain(const Arguments& arguments) {
  if (arguments.operands().empty()) list_codes("");
  for (const std::string& operand : arguments.operands()) {
    const std::string name = upper_case(operand);
    const auto pages = find_pages(name);
    if (pages.empty() && !begins_codes(name)) return say_unknown(name);
    if (pages.empty()) list_codes(name);
    for (const Code* code : pages) fmt::print("{}", code->page);
  }
  return kClean;
}

constexpr Verb kVerb = {.name = "explain",
                        .summary = "explain a finding code, or list the codes that begin with CODE",
                        .operands = "[CODE...]",
                        .run = run_explain};

}  // namespace

const Verb& explain_verb() { return kVerb; }

}  // namespace nacre::cli
