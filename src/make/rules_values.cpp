// Rules about variables and their values.
#include <algorithm>
#include <fmt/format.h>

#include "make/rules.h"

namespace nacre::make {

namespace {

// `$(shell ...)` in a text, with what it runs.
struct ShellCall {
  Span span;  // in the file
  std::string_view command;
};

std::vector<ShellCall> shell_calls(const Facts& facts, Span span) {
  std::vector<ShellCall> found;
  const std::string_view text = facts.of(span);
  for (const Span& each : references_in(text)) {
    if (each.size() < 4) continue;
    const std::string_view inside = text.substr(each.begin + 2, each.size() - 3);
    const Function* function = called_function(inside);
    if (function == nullptr || function->name != "shell") continue;
    found.push_back({{span.begin + each.begin, span.begin + each.end}, strip(inside.substr(6))});
  }
  return found;
}

// The commands of a shell text, roughly: the first words of its pieces.
bool runs(std::string_view text, std::string_view command) {
  bool at_start = true;
  for (std::string_view word : words_of(text)) {
    while (!word.empty() && (word[0] == '(' || word[0] == '`' || word[0] == '$'))
      word.remove_prefix(1);
    if (at_start && file_part(word) == command) return true;
    at_start = word.find_first_of("|;&(`") != std::string_view::npos;
  }
  return false;
}

bool has_word(std::string_view text, std::string_view wanted) {
  const auto words = words_of(text);
  return std::find(words.begin(), words.end(), wanted) != words.end();
}

size_t uses_of(const Facts& facts, std::string_view name) {
  const auto found = facts.use_counts.find(name);
  return found == facts.use_counts.end() ? 0 : found->second;
}

bool is_set_here(const Facts& facts, const AssignedAt& each) {
  return each.is_own && each.syntax.kind == Kind::kAssign && facts.is_here(each.place);
}

// The functions around a reference, from the inside out: `$(sort $(wildcard *))` has "sort".
std::vector<std::string_view> functions_around(std::string_view text, size_t at) {
  std::vector<std::string_view> names;
  for (const Span& each : references_in(text)) {
    if (each.begin >= at || each.end <= at || each.size() < 4) continue;
    const Function* function = called_function(text.substr(each.begin + 2, each.size() - 3));
    if (function != nullptr) names.insert(names.begin(), function->name);
  }
  return names;
}

// Those whose result does not depend on the order of the words.
bool forgets_order(std::string_view function) {
  return function == "sort" || function == "words" || function == "if" || function == "and" ||
         function == "or" || function == "findstring" || function == "shell";
}

// The environment has these, or the rules that are built in use them.
bool is_from_outside(std::string_view name) {
  constexpr std::string_view kNames[] = {
      "ARFLAGS",   "ASFLAGS",       "CFLAGS",      "COFLAGS",      "CPPFLAGS",  "CXXFLAGS",
      "DESTDIR",   "FFLAGS",        "GFLAGS",      "HOME",         "LDFLAGS",   "LDLIBS",
      "LFLAGS",    "LOADLIBES",     "LIBS",        "MAKECMDGOALS", "MAKEFILES", "MAKEFLAGS",
      "MAKELEVEL", "OUTPUT_OPTION", "PATH",        "PFLAGS",       "PREFIX",    "PWD",
      "RFLAGS",    "TARGET_ARCH",   "TARGET_MACH", "TMPDIR",       "USER",      "VPATH",
      "YFLAGS",    "DEBUG",         "VERBOSE"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames) ||
         builtin_variables().find(name) != builtin_variables().end();
}

// What follows a reference makes one word with it.
bool is_joined(std::string_view text, uint32_t end) {
  return end < text.size() &&
         (text[end] == '/' || text[end] == '.' || text[end] == '_' ||
          (text[end] >= 'a' && text[end] <= 'z') || (text[end] >= 'A' && text[end] <= 'Z'));
}

// One letter within the name too many, too few, wrong or swapped with its neighbour. Names that
// differ in their first or last letter are rather names of a series.
bool is_one_slip(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > 1 || a == b || a.front() != b.front() || a.back() != b.back())
    return false;
  size_t at = 0;
  while (at < a.size() && a[at] == b[at]) at++;
  if (a.size() < b.size()) return a.substr(at) == b.substr(at + 1);
  if (a.substr(at + 1) == b.substr(at + 1)) return true;
  return at + 1 < a.size() && a[at] == b[at + 1] && a[at + 1] == b[at] &&
         a.substr(at + 2) == b.substr(at + 2);
}

// The variables of $(foreach ...).
void add_loop_names(std::string_view text, std::set<std::string, std::less<>>& names) {
  constexpr std::string_view kFunction = "foreach ";
  for (size_t at = text.find(kFunction); at != std::string_view::npos;
       at = text.find(kFunction, at + 1)) {
    const std::string_view rest = text.substr(at + kFunction.size());
    names.emplace(strip(rest.substr(0, rest.find(','))));
  }
}

// Whether a value, or one that is made of it, stands in a line that may write something, names a
// target or is given to other programs. One that is only printed or compared does not.
bool gets_into_files(const Facts& facts, std::string_view name) {
  std::set<std::string_view> names = {name};
  std::vector<Span> silent;  // lines that write nothing
  for (const RecipeFacts& each : facts.recipe_facts) {
    for (size_t i = 0; i < each.lines.size(); i++) {
      const ShellLine& line = each.recipe->lines[i];
      if (!each.lines[i].may_write() && facts.is_here(line.place))
        silent.push_back(line.place.span);
    }
  }
  for (size_t size = 0; size != names.size();) {
    size = names.size();
    for (const VariableUse& use : facts.uses) {
      if (!names.contains(use.name)) continue;
      if (use.in_recipe) {
        const bool is_silent = std::any_of(silent.begin(), silent.end(), [&](const Span& line) {
          return line.contains(use.span);
        });
        if (!is_silent) return true;
        continue;
      }
      const auto assigned =
          std::find_if(facts.database->assignments.begin(), facts.database->assignments.end(),
                       [&](const AssignedAt& each) {
                         return is_set_here(facts, each) && each.syntax.value.contains(use.span);
                       });
      if (assigned == facts.database->assignments.end()) {
        const std::string_view line =
            strip(facts.of(facts.file.line_span(facts.file.line_of(use.span.begin))));
        const bool is_condition =
            line.starts_with("ifeq") || line.starts_with("ifneq") || line.starts_with("else if");
        const bool is_message = line.starts_with("$(info") || line.starts_with("$(warning");
        if (!is_condition && !is_message) return true;
        continue;
      }
      if (!assigned->syntax.targets.empty()) return true;
      names.insert(assigned->name);
    }
  }
  return std::any_of(names.begin(), names.end(), [&](std::string_view each) {
    const auto variable = facts.database->variables.find(each);
    return variable != facts.database->variables.end() &&
           variable->second.is_exported.value_or(false);
  });
}

}  // namespace

// V = $(shell git describe)   used twice -> M103         V := $(shell git describe) -> nothing
void report_repeated_shell(const Facts& facts, const Demands&, Findings& findings) {
  for (const AssignedAt& each : facts.database->assignments) {
    if (!is_set_here(facts, each) || each.syntax.op != AssignOp::kRecursive) continue;
    if (!each.syntax.targets.empty()) continue;
    const auto calls = shell_calls(facts, each.syntax.value);
    const size_t uses = uses_of(facts, each.name);
    if (calls.empty() || uses < 2) continue;
    // Values that need `$@` or an argument of `call` have to be computed each time.
    const std::string_view value = facts.of(each.syntax.value);
    bool is_late = false;
    for (const Span& reference : references_in(value)) {
      const char next = value[reference.begin + 1];
      is_late |= next != '(' && next != '{';
      if (reference.size() > 3)
        is_late |= std::string_view("@<^?*+|%0123456789").find(value[reference.begin + 2]) !=
                   std::string_view::npos;
    }
    if (is_late) continue;
    Diagnostic& found = findings.add(
        "M103", each.syntax.operation,
        fmt::format(
            "'{}' is used {} times, and each time the shell is run again; `:=` runs it once",
            each.name, uses));
    found.fixes.push_back({"use `:=`", {{each.syntax.operation, ":="}}, false});
  }
}

// S := $(shell find . -name '*.c')   -> M104         S := $(sort $(shell find . -name '*.c')) ->
// nothing
void report_unsorted_lists(const Facts& facts, const Demands&, Findings& findings) {
  for (const AssignedAt& each : facts.database->assignments) {
    if (!is_set_here(facts, each)) continue;
    const std::string_view value = facts.of(each.syntax.value);
    for (const ShellCall& call : shell_calls(facts, each.syntax.value)) {
      const bool lists =
          runs(call.command, "find") || (runs(call.command, "ls") && has_word(call.command, "-U"));
      if (!lists || runs(call.command, "sort")) continue;
      // What the shell itself lists is sorted.
      const auto words = words_of(call.command);
      const bool starts_at_files =
          std::any_of(words.begin(), words.end(), [](std::string_view word) {
            return word.find('*') != std::string_view::npos && word[0] != '\'' && word[0] != '"';
          });
      if (starts_at_files) continue;
      // head, wc and the like: not a list of files.
      if (call.command.find('|') != std::string_view::npos || has_word(call.command, "-quit"))
        continue;
      const auto around = functions_around(value, call.span.begin - each.syntax.value.begin);
      if (std::any_of(around.begin(), around.end(), forgets_order)) continue;
      // A use within $(sort) is enough where all of them are.
      size_t sorted = 0, uses = 0;
      for (const VariableUse& use : facts.uses) {
        if (use.name != each.name) continue;
        uses++;
        const Span line = facts.file.line_span(facts.file.line_of(use.span.begin));
        const auto outer = functions_around(facts.of(line), use.span.begin - line.begin);
        sorted += std::any_of(outer.begin(), outer.end(), forgets_order) ? 1U : 0U;
      }
      if (uses > 0 && sorted == uses) continue;
      Diagnostic& found = findings.add(
          "M104", call.span,
          "the order of the output of `find` differs between file systems; use $(sort ...)");
      found.fixes.push_back(
          {"sort the list",
           {{{call.span.begin, call.span.begin}, "$(sort "}, {{call.span.end, call.span.end}, ")"}},
           false});
    }
  }
}

// CFLAGZ is set, $(CFLAGS_) is used: names one letter apart -> M114
void report_misspelt_variables(const Facts& facts, const Demands&, Findings& findings) {
  const Database& database = *facts.database;
  if (database.has_unknown_parts || database.is_exhausted) return;
  constexpr size_t kLeast = 5;  // shorter names are too near to each other
  std::set<std::string, std::less<>> known;
  for (const AssignedAt& each : database.assignments) known.insert(each.name);
  add_loop_names(facts.file.bytes(), known);
  std::vector<std::string_view> candidates;
  for (const std::string& name : known) {
    if (name.size() >= kLeast - 1) candidates.push_back(name);
  }
  std::set<std::string, std::less<>> told;
  for (const VariableUse& use : facts.uses) {
    if (use.name.size() < kLeast || known.contains(use.name) || is_from_outside(use.name)) continue;
    if (use.name.find_first_of("<@^?*+|% ,()-=\\'\"") != std::string::npos ||
        !told.emplace(use.name).second)
      continue;
    const auto meant =
        std::find_if(candidates.begin(), candidates.end(),
                     [&](std::string_view each) { return is_one_slip(use.name, each); });
    // A slip is made once; what is used again and again comes from elsewhere.
    if (meant == candidates.end() || uses_of(facts, use.name) > 1) continue;
    // Two names of a series, or one and many.
    const bool differs_in_digit =
        std::any_of(use.name.begin(), use.name.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (differs_in_digit) continue;
    Diagnostic& found = findings.add("M114", use.span,
                                     fmt::format("nothing sets '{}' here, so it is empty unless "
                                                 "the environment has it; did you mean '{}'?",
                                                 use.name, *meant));
    std::string text(facts.of(use.span));
    const size_t at = text.find(use.name);
    if (at != std::string::npos) text.replace(at, use.name.size(), *meant);
    found.fixes.push_back({fmt::format("write '{}'", *meant), {{use.span, text}}, false});
  }
}

// D = /srv   # data      $(D)/x -> M115         D = /srv      $(D)/x -> nothing
void report_trailing_blanks(const Facts& facts, const Demands&, Findings& findings) {
  for (const AssignedAt& each : facts.database->assignments) {
    if (!is_set_here(facts, each) || each.syntax.value.empty()) continue;
    const std::string_view value = facts.of(each.syntax.value);
    const size_t end = value.find_last_not_of(" \t");
    if (end == std::string_view::npos || end + 1 == value.size() || value[end] == '\\') continue;
    // A list may end with blanks, a part of a name may not.
    const auto use =
        std::find_if(facts.uses.begin(), facts.uses.end(), [&](const VariableUse& one) {
          return one.name == each.name && is_joined(facts.file.bytes(), one.span.end);
        });
    if (use == facts.uses.end()) continue;
    const Span blanks{each.syntax.value.begin + static_cast<uint32_t>(end) + 1,
                      each.syntax.value.end};
    Diagnostic& found = findings.add(
        "M115", blanks,
        fmt::format(
            "the value of '{}' ends with spaces, and `{}` puts them into the middle of a name",
            each.name,
            facts.of(
                {use->span.begin, std::min<uint32_t>(use->span.end + 1, facts.file.whole().end)})));
    found.notes.push_back({facts.file, use->span, "used here"});
    if (each.syntax.comment.empty()) {
      found.fixes.push_back({"remove the blanks", {{blanks, ""}}, true});
    } else {
      const Span line = facts.file.line_span(facts.file.line_of(each.syntax.span.begin));
      found.fixes.push_back(
          {"put the comment on a line of its own",
           {{{line.begin, line.begin}, std::string(facts.of(each.syntax.comment)) + "\n"},
            {{blanks.begin, each.syntax.comment.end}, ""}},
           false});
    }
  }
}

// NOW := $(shell date)   -> M116         NOW := $(shell date)   -> nothing
// v.h: ; echo $(NOW) > $@                all: ; echo $(NOW)
void report_clock(const Facts& facts, const Demands& demands, Findings& findings) {
  for (const AssignedAt& each : facts.database->assignments) {
    if (!is_set_here(facts, each)) continue;
    if (facts.of(each.syntax.value).find("SOURCE_DATE_EPOCH") != std::string_view::npos) continue;
    for (const ShellCall& call : shell_calls(facts, each.syntax.value)) {
      if (!runs(call.command, "date")) continue;
      const auto words = words_of(call.command);
      const bool is_fixed = std::any_of(words.begin(), words.end(), [](std::string_view word) {
        return word.starts_with("-d") || word.starts_with("--date") || word.starts_with("-r") ||
               word.starts_with("--reference") || word.starts_with("-f");
      });
      if (is_fixed || !(demands.no_clock || gets_into_files(facts, each.name))) continue;
      findings.add(
          "M116", call.span,
          "the time of the build becomes part of the output, so no two builds are equal; use "
          "SOURCE_DATE_EPOCH");
    }
  }
}

// CC ?= gcc         -> M119         CC = gcc                    -> nothing
void report_vain_default(const Facts& facts, const Demands&, Findings& findings) {
  std::set<std::string, std::less<>> set;
  for (const AssignedAt& each : facts.database->assignments) {
    const bool is_first = set.insert(each.name).second;
    if (!is_set_here(facts, each) || !is_first || each.syntax.op != AssignOp::kConditional)
      continue;
    const auto builtin = builtin_variables().find(each.name);
    if (builtin == builtin_variables().end() || !is_known(builtin->second.value)) continue;
    const std::string_view value = strip(facts.of(each.syntax.value));
    if (value == builtin->second.value || builtin->second.origin != Origin::kDefault) continue;
    if (each.name == "MAKE") continue;  // whatever it is called, it is this one
    findings.add(
        "M119", each.syntax.operation,
        fmt::format(
            "make has '{} = {}' built in, so this `?=` never takes effect; use `=`, which the "
            "command line still overrides",
            each.name, builtin->second.value),
        Confidence::kCertain);
  }
}

}  // namespace nacre::make
