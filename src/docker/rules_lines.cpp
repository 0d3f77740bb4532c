// Rules about the text itself: what the builder refuses, continued lines, letter case, order.
#include <algorithm>
#include <fmt/format.h>

#include "docker/rules.h"
#include "docker/text.h"

namespace nacre::docker {

namespace {

enum class Casing : uint8_t { kUpper, kLower, kMixed };

Casing casing_of(std::string_view word) {
  if (word == upper_case(word)) return Casing::kUpper;
  return word == lower_case(word) ? Casing::kLower : Casing::kMixed;
}

Span last_line(const Facts& facts, const Instruction& instruction) {
  const SourceFile& source = facts.file.source;
  const uint32_t end = instruction.line->span.end;
  return source.line_span(source.line_of(end > 0 ? end - 1 : 0));
}

void report_instruction_casing(const Facts& facts, Findings& findings) {
  size_t upper = 0, lower = 0;
  for (const Instruction& each : facts.file.instructions) {
    upper += casing_of(each.name) == Casing::kUpper ? 1 : 0;
    lower += casing_of(each.name) == Casing::kLower ? 1 : 0;
  }
  const Casing common = lower > upper ? Casing::kLower : Casing::kUpper;
  for (const Instruction& each : facts.file.instructions) {
    if (each.keyword == Keyword::kUnknown || casing_of(each.name) == common) continue;
    const std::string wanted =
        common == Casing::kLower ? lower_case(each.name) : upper_case(each.name);
    Diagnostic& made = findings.add(
        "D003", each.name_span, fmt::format("the other instructions are written like {}", wanted),
        {"ConsistentInstructionCasing"}, Confidence::kCertain);
    made.fixes = {{fmt::format("write {}", wanted), {{each.name_span, wanted}}, true}};
  }
}

void report_casing_of_as(const Instruction& from, Findings& findings) {
  if (from.words.size() != 3) return;
  const Casing wanted = casing_of(from.name);
  const Word& as = from.words[1];
  if (wanted == Casing::kMixed || casing_of(as.text) == wanted) return;
  const std::string text = wanted == Casing::kLower ? "as" : "AS";
  Diagnostic& made =
      findings.add("D003", as.span, fmt::format("{} is not written like {}", as.text, from.name),
                   {"FromAsCasing"}, Confidence::kCertain);
  made.fixes = {{fmt::format("write {}", text), {{as.span, text}}, true}};
}

void report_protocol_casing(const Instruction& expose, Findings& findings) {
  for (const Word& word : expose.words) {
    const size_t slash = word.text.find('/');
    if (slash == std::string::npos) continue;
    const std::string protocol = word.text.substr(slash + 1);
    if (protocol.find('$') != std::string::npos || protocol == lower_case(protocol)) continue;
    findings.add("D003", word.span, fmt::format("write the protocol as {}", lower_case(protocol)),
                 {"ExposeProtoCasing"}, Confidence::kCertain);
  }
}

}  // namespace

// RNU true                 # reported
// RUN true                 # not
void report_problems(const Facts& facts, Findings& findings) {
  for (const Problem& problem : facts.file.problems)
    findings.add("D001", problem.span, problem.message, {"DL1000"}, Confidence::kCertain);
  if (facts.file.instructions.empty())
    findings.add("D001", {0, 0}, "there is no instruction", {"DL1000"}, Confidence::kCertain);
}

// COPY a \ + blank line + b          # reported, at the last line, as BuildKit does
// COPY a \ + comment line + b        # not
void report_empty_continuations(const Facts& facts, Findings& findings) {
  for (const Instruction& each : facts.file.instructions) {
    if (each.line->empty_lines.empty()) continue;
    const uint32_t end = each.line->span.end;
    std::vector<Edit> edits;
    for (const Span line : each.line->empty_lines) {
      if (line.begin > end) continue;
      const bool has_newline = line.end < facts.file.source.bytes().size();
      edits.push_back({{line.begin, line.end + (has_newline ? 1 : 0)}, ""});
    }
    Diagnostic& made = findings.add("D002", last_line(facts, each),
                                    "an empty line inside a continued instruction is deprecated; "
                                    "future builders will reject it",
                                    {"NoEmptyContinuation"}, Confidence::kCertain);
    made.notes.push_back({facts.file.source, each.line->empty_lines[0], "the blank line"});
    made.fixes = {{"remove the blank lines", std::move(edits), true}};
  }
}

// FROM a as b              # reported
// FROM a AS B              # reported
// from a as b              # not
void report_casing(const Facts& facts, Findings& findings) {
  report_instruction_casing(facts, findings);
  for (const Instruction& each : facts.file.instructions) {
    if (each.keyword == Keyword::kFrom) report_casing_of_as(each, findings);
    if (each.keyword == Keyword::kExpose) report_protocol_casing(each, findings);
  }
  for (const Stage& stage : facts.stages.stages) {
    if (stage.name == lower_case(stage.name)) continue;
    findings.add("D003", stage.name_span, "names of stages are written in lower case",
                 {"StageNameCasing"}, Confidence::kCertain);
  }
}

// RUN true + FROM a        # reported
// ARG x=1 + FROM a:$x      # not
void report_order(const Facts& facts, Findings& findings) {
  if (facts.file.instructions.empty() || facts.stages.stages[0].from != nullptr) return;
  const auto& steps = facts.stages.steps;
  if (steps.empty()) {
    findings.add("D004", facts.file.instructions[0].name_span, "there is no FROM", {},
                 Confidence::kCertain);
    return;
  }
  const Instruction& first = *steps[0].instruction;
  findings.add(
      "D004", first.name_span,
      fmt::format("{} is before the first FROM: only ARG is allowed there", upper_case(first.name)),
      {"DL3061"}, Confidence::kCertain);
}

// ENV name value           # reported
// ENV name=value           # not
void report_legacy_pairs(const Facts& facts, Findings& findings) {
  for (const Instruction& each : facts.file.instructions) {
    if (!each.is_legacy || each.pairs.empty()) continue;
    const Pair& pair = each.pairs[0];
    Diagnostic& made =
        findings.add("D005", each.span,
                     fmt::format("the form `{0} {1} value` is deprecated; write {0} {1}=value",
                                 name_of(each.keyword), pair.key.text),
                     {"LegacyKeyValueFormat"}, Confidence::kCertain);
    const bool is_plain = pair.value.text.find_first_of(" \t\"'\\`") == std::string::npos;
    if (!is_plain) continue;
    made.fixes = {{"write it with =", {{{pair.key.span.end, pair.value.span.begin}, "="}}, true}};
  }
}

// ONBUILD FROM debian      # reported
// ONBUILD RUN true         # not
void report_triggers(const Facts& facts, Findings& findings) {
  for (const Instruction& each : facts.file.instructions) {
    if (each.keyword != Keyword::kOnbuild || !each.inner) continue;
    const Keyword inner = each.inner->keyword;
    const bool is_refused =
        inner == Keyword::kOnbuild || inner == Keyword::kFrom || inner == Keyword::kMaintainer;
    if (!is_refused) continue;
    findings.add("D007", each.inner->name_span,
                 fmt::format("ONBUILD cannot hold {}", name_of(inner)), {"DL3043"},
                 Confidence::kCertain);
  }
}

// # check=experimental=all, then "# version" above ARG tag     # reported
// the same with "# tag of the image"                           # not
void report_descriptions(const Facts& facts, Findings& findings) {
  if (!facts.pragmas.is_experimental) return;
  const auto& items = facts.file.items;
  for (size_t i = 1; i < items.size(); i++) {
    if (items[i].kind != ItemKind::kInstruction || items[i - 1].kind != ItemKind::kComment)
      continue;
    const Instruction& each = facts.file.instructions[items[i].index];
    std::vector<std::string> names;
    if (each.keyword == Keyword::kArg) {
      for (const Pair& pair : each.pairs) names.push_back(pair.key.text);
    } else if (each.keyword == Keyword::kFrom && each.words.size() == 3) {
      names.push_back(each.words[2].text);
    }
    const auto words = split_blanks(trim_left(facts.file.source.text(items[i - 1].span)).substr(1));
    const bool is_fine = names.empty() || words.empty() ||
                         std::find(names.begin(), names.end(), words[0]) != names.end();
    if (is_fine) continue;
    findings.add("D008", each.span,
                 fmt::format("the comment above should begin with the name: # {} ...", names[0]),
                 {"InvalidDefinitionDescription"});
  }
}

}  // namespace nacre::docker
