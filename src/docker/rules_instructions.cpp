// Rules about single instructions and their arguments.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>

#include "base/ascii.h"
#include "docker/dockerignore.h"
#include "docker/rules.h"
#include "docker/text.h"
#include "shell/builtins.h"

namespace nacre::docker {

namespace {

bool has_drive(std::string_view path) {
  const auto is_letter = [](char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; };
  return path.size() >= 2 && is_letter(path[0]) && path[1] == ':';
}

// Absolute on Linux or Windows, or perhaps so: a variable.
bool may_be_absolute(std::string_view path) {
  path = unquote(path);
  return path.starts_with('/') || path.starts_with('\\') || path.starts_with('$') ||
         has_drive(path);
}

// For each step whether its stage, or one that it is built on, has had a WORKDIR that is absolute.
std::vector<bool> steps_with_workdir(const Facts& facts) {
  std::vector<bool> at_step;
  std::vector<bool> at_end(facts.stages.stages.size());
  for (size_t i = 0; i < at_end.size(); i++) {
    const Stage& stage = facts.stages.stages[i];
    bool has_one = stage.base && at_end[*stage.base];
    for (size_t k = stage.first_step; k < stage.end_step; k++) {
      const Instruction& each = *facts.stages.steps[k].instruction;
      at_step.push_back(has_one);
      if (each.keyword == Keyword::kWorkdir && !each.words.empty())
        has_one |= may_be_absolute(each.words[0].text);
    }
    at_end[i] = has_one;
  }
  return at_step;
}

constexpr std::string_view kArchives[] = {".tar", ".Z",   ".bz2", ".gz",   ".lz",  ".lzma",
                                          ".tZ",  ".tb2", ".tbz", ".tgz",  ".tlz", ".tpz",
                                          ".txz", ".xz",  ".zst", ".tzst", ".tbz2"};

bool is_archive(std::string_view path) {
  path = unquote(path);
  return std::any_of(std::begin(kArchives), std::end(kArchives),
                     [&](std::string_view suffix) { return path.ends_with(suffix); });
}

bool is_remote(std::string_view source) {
  source = unquote(source);
  return source.starts_with("http://") || source.starts_with("https://") ||
         source.starts_with("git@") || source.starts_with("git://") ||
         source.starts_with("ssh://") || source.ends_with(".git") ||
         source.find(".git#") != std::string_view::npos;
}

// On both systems.
std::string_view last_component(std::string_view path) {
  path = unquote(path);
  return path.substr(path.find_last_of("/\\") + 1);
}

bool unpacks(const Call& call) {
  if (call.name != "tar" && call.name != "bsdtar") return false;
  for (const Argument& word : call.words) {
    if (word.text == "--extract" || word.text == "--get") return true;
    const bool is_cluster = &word == &call.words[0] || word.text.starts_with('-');
    if (is_cluster && !word.text.starts_with("--") && word.text.find('x') != std::string::npos)
      return word.text.find('/') == std::string::npos;
  }
  return false;
}

// The name under which a copied archive lies in the image.
std::string copied_name(const Instruction& copy, const Word& source) {
  const std::string_view target = copy.words.back().text;
  const bool is_renamed = copy.words.size() == 2 && is_archive(target);
  return std::string(last_component(is_renamed ? target : std::string_view(source.text)));
}

bool is_unpacked_later(const Facts& facts, const Step& step, const std::string& name) {
  for (const auto& script : facts.scripts) {
    if (script->step->stage != step.stage || script->step->index < step.index) continue;
    for (const Call& call : script->calls) {
      if (!unpacks(call)) continue;
      for (const Argument& word : call.words) {
        if (last_component(word.text) == name) return true;
      }
    }
  }
  return false;
}

bool is_context_root(std::string_view path) {
  return path.find_first_not_of("./") == std::string_view::npos &&
         path.find("..") == std::string_view::npos;
}

std::optional<uint64_t> number_of(std::string_view text) {
  uint64_t value = 0;
  if (!is_digits(text)) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end != nullptr ? value : UINT64_MAX;
}

void judge_port(const Facts& facts, const Step& step, const Word& word, Findings& findings) {
  const Expanded value = facts.stages.expand_at(word.text, step);
  const std::string_view text = value.text;
  if (value.is_known && text.find(':') != std::string_view::npos) {
    findings.add(
        "D306", word.span,
        fmt::format("EXPOSE names a port of the container; {} is a mapping for docker run", text),
        {"ExposeInvalidFormat"}, Confidence::kCertain);
    return;
  }
  if (!value.is_known) return;
  constexpr uint64_t kLast = 65535;
  for (const std::string_view part : split(text.substr(0, text.find('/')), '-')) {
    const auto port = number_of(part);
    if (!port || *port <= kLast) continue;
    findings.add("D306", word.span,
                 fmt::format("there is no port {}: the last one is {}", part, kLast), {"DL3011"},
                 Confidence::kCertain);
    return;
  }
}

bool needs_shell(std::string_view command) {
  return command.find_first_of("|&;<>()$`\\\"'*?[]#~=%!{}\n") != std::string_view::npos;
}

std::string json_list(const std::vector<Word>& words) {
  std::string list = "[";
  for (const Word& word : words) {
    if (list.size() > 1) list += ", ";
    list += "\"" + word.text + "\"";
  }
  return list + "]";
}

// ['a', 'b']: a list, with the quotes of another language. Nothing: it is not one.
std::optional<std::string> as_json(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
  std::string list;
  for (std::string_view word : split(text.substr(1, text.size() - 2), ',')) {
    const bool is_quoted = word.size() >= 2 && word.front() == '\'' && word.back() == '\'';
    word = unquote(word);
    if (!is_quoted || word.find_first_of("'\"\\") != std::string_view::npos) return std::nullopt;
    list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", word);
  }
  return list.empty() ? std::nullopt : std::optional("[" + list + "]");
}

// Only a shell can do it: there is no such program.
bool is_of_shell(std::string_view name) {
  const shell::BuiltinInfo* builtin = shell::builtin_named(name);
  return builtin != nullptr && !builtin->is(shell::kIsProgram);
}

void judge_form(const Instruction& command, bool is_check, Findings& findings) {
  std::vector<std::string> aliases = {"DL3025"};
  if (!is_check) aliases.emplace_back("JSONArgsRecommended");
  const std::string_view text = trim(command.arguments());
  const bool is_broken_json = text.starts_with('[') && text.ends_with(']') && text.size() > 1 &&
                              !text.starts_with("[[") && !text.starts_with("[ -");
  Diagnostic& made = findings.add(
      "D308", command.arguments_span(),
      is_broken_json
          ? "this is no valid JSON (strings need double quotes), so it is passed to a shell as text"
          : fmt::format("{} in shell form runs below a shell, which does not pass signals on; "
                        "write a JSON list",
                        name_of(command.keyword)),
      std::move(aliases), Confidence::kCertain);
  if (is_check) return;  // no one sends it signals
  auto list = as_json(text);
  if (!list && !needs_shell(text) && !is_of_shell(command.words[0].text))
    list = json_list(command.words);
  if (!list) return;
  const Span place = cover(command.words.front().span, command.words.back().span);
  made.fixes = {{"write it as a JSON list", {{place, *std::move(list)}}, false}};
}

struct Once {
  Keyword keyword;
  std::string_view alias;
};
constexpr Once kOnce[] = {
    {Keyword::kCmd, "DL4003"}, {Keyword::kEntrypoint, "DL4004"}, {Keyword::kHealthcheck, "DL3012"}};

// With its newline.
Span line_of(const File& file, Span instruction) {
  const std::string_view rest = file.source.bytes().substr(instruction.end);
  const bool has_return = rest.starts_with("\r\n");
  const uint32_t size = has_return ? 2 : rest.starts_with('\n') ? 1 : 0;
  return {instruction.begin, instruction.end + size};
}

void judge_repeated(const Facts& facts, const Stage& stage, const Once& once, Findings& findings) {
  const Instruction* last = nullptr;
  for (size_t i = stage.end_step; i-- > stage.first_step;) {
    const Step& step = facts.stages.steps[i];
    if (step.is_trigger || step.instruction->keyword != once.keyword) continue;
    if (last != nullptr) {
      Diagnostic& made = findings.add(
          "D307", step.instruction->span,
          fmt::format("only the last {} of a stage counts: this one does nothing",
                      name_of(once.keyword)),
          {std::string(once.alias), "MultipleInstructionsDisallowed"}, Confidence::kCertain);
      made.notes.push_back({facts.file.source, last->name_span, "the last one"});
      made.fixes = {{"remove it", {{line_of(facts.file, step.instruction->span), ""}}, true}};
    } else {
      last = step.instruction;
    }
  }
}

template <typename F>
void for_each_step(const Facts& facts, std::initializer_list<Keyword> keywords, F&& f) {
  for (const Step& step : facts.stages.steps) {
    if (std::find(keywords.begin(), keywords.end(), step.instruction->keyword) != keywords.end())
      f(step, *step.instruction);
  }
}

}  // namespace

// WORKDIR app                      # reported
// WORKDIR /srv + WORKDIR app       # not
void report_relative_workdir(const Facts& facts, Findings& findings) {
  const std::vector<bool> has_workdir = steps_with_workdir(facts);
  for_each_step(facts, {Keyword::kWorkdir}, [&](const Step& step, const Instruction& each) {
    if (each.words.empty() || may_be_absolute(each.words[0].text) || has_workdir[step.index])
      return;
    findings.add("D301", each.words[0].span,
                 fmt::format("{} is relative to the working directory of the base image; write an "
                             "absolute path",
                             unquote(each.words[0].text)),
                 {"DL3000", "WorkdirRelativePath"}, Confidence::kCertain);
  });
}

// COPY a b                         # reported
// WORKDIR /app + COPY a b          # not
void report_relative_copy(const Facts& facts, Findings& findings) {
  const std::vector<bool> has_workdir = steps_with_workdir(facts);
  for_each_step(facts, {Keyword::kCopy}, [&](const Step& step, const Instruction& each) {
    if (each.words.size() < 2 || has_workdir[step.index]) return;
    const Word& target = each.words.back();
    if (may_be_absolute(target.text)) return;
    findings.add(
        "D302", target.span,
        fmt::format("{} is relative, and there is no WORKDIR before it", unquote(target.text)),
        {"DL3045"});
  });
}

// COPY a b dir                     # reported
// COPY a b dir/                    # not
void report_copy_of_many(const Facts& facts, Findings& findings) {
  for_each_step(
      facts, {Keyword::kCopy, Keyword::kAdd}, [&](const Step& step, const Instruction& each) {
        if (each.words.size() < 3 || each.lacks_value) return;
        const Word& target = each.words.back();
        const Expanded value = facts.stages.expand_at(target.text, step);
        const std::string_view path = unquote(target.text);
        const bool is_directory = path.ends_with('/') || path.ends_with('\\') || path == "." ||
                                  path == ".." || path.ends_with("/.") || path.ends_with("/..");
        const bool may_be = path.find('$') != std::string_view::npos &&
                            (!value.is_known || value.text.ends_with('/'));
        if (is_directory || may_be) return;
        Diagnostic& made =
            findings.add("D303", target.span,
                         fmt::format("{} sources need a directory: end {} with a slash",
                                     each.words.size() - 1, path),
                         each.keyword == Keyword::kCopy ? std::vector<std::string>{"DL3021"}
                                                        : std::vector<std::string>{},
                         Confidence::kCertain);
        if (path.size() != target.span.size()) return;
        made.fixes = {{"add a slash", {{{target.span.end, target.span.end}, "/"}}, true}};
      });
}

// ADD file /app/                   # reported
// ADD file.tar /app/               # not
void report_add(const Facts& facts, Findings& findings) {
  for_each_step(facts, {Keyword::kAdd}, [&](const Step&, const Instruction& each) {
    if (each.words.size() < 2) return;
    const bool is_needed =
        std::any_of(each.words.begin(), each.words.end() - 1, [](const Word& word) {
          return is_archive(word.text) || is_remote(word.text) || word.text.starts_with("<<") ||
                 unquote(word.text).starts_with('$');
        });
    if (is_needed) return;
    Diagnostic& made =
        findings.add("D304", each.name_span,
                     "ADD unpacks archives and loads URLs; COPY is enough for files", {"DL3020"});
    const bool has_own_flags = each.flag("checksum") != nullptr || each.flag("unpack") != nullptr ||
                               each.flag("keep-git-dir") != nullptr;
    const bool may_unpack = std::any_of(each.words.begin(), each.words.end(), [](const Word& word) {
      return word.text.find_first_of("*?[$") != std::string::npos;
    });
    if (!has_own_flags) made.fixes = {{"write COPY", {{each.name_span, "COPY"}}, !may_unpack}};
  });
}

// COPY a.tar / + RUN tar xf a.tar  # reported
// ADD a.tar /                      # not
void report_archives(const Facts& facts, Findings& findings) {
  for_each_step(facts, {Keyword::kCopy}, [&](const Step& step, const Instruction& each) {
    if (each.words.size() < 2 || each.flag("from") != nullptr) return;
    for (size_t i = 0; i + 1 < each.words.size(); i++) {
      if (!is_archive(each.words[i].text) && !is_archive(each.words.back().text)) continue;
      if (!is_unpacked_later(facts, step, copied_name(each, each.words[i]))) continue;
      findings.add("D305", each.words[i].span,
                   "ADD unpacks this archive itself, without a layer that holds it", {"DL3010"});
    }
  });
}

// EXPOSE 80000, EXPOSE 80:80       # reported
// EXPOSE 80 443/tcp                # not
void report_ports(const Facts& facts, Findings& findings) {
  for_each_step(facts, {Keyword::kExpose}, [&](const Step& step, const Instruction& each) {
    for (const Word& word : each.words) judge_port(facts, step, word, findings);
  });
}

// CMD ["a"] + CMD ["b"]            # reported, at the first one
void report_repeated(const Facts& facts, Findings& findings) {
  for (const Stage& stage : facts.stages.stages) {
    for (const Once& once : kOnce) judge_repeated(facts, stage, once, findings);
  }
}

// CMD serve                        # reported
// CMD ["serve"]                    # not
void report_shell_form(const Facts& facts, Findings& findings) {
  for_each_step(facts, {Keyword::kCmd, Keyword::kEntrypoint, Keyword::kHealthcheck},
                [&](const Step& step, const Instruction& each) {
                  const bool is_check = each.keyword == Keyword::kHealthcheck;
                  const Instruction* command = is_check ? each.inner.get() : &each;
                  if (command == nullptr || command->form == Form::kJson || command->words.empty())
                    return;
                  // A file that sets SHELL wants the shell; a check with || needs one.
                  if (facts.shell_of(step).is_explicit) return;
                  if (is_check && needs_shell(command->arguments())) return;
                  judge_form(*command, is_check, findings);
                });
}

// MAINTAINER me                    # reported
void report_maintainer(const Facts& facts, Findings& findings) {
  for_each_step(facts, {Keyword::kMaintainer}, [&](const Step& step, const Instruction& each) {
    Diagnostic& made =
        findings.add("D310", each.span,
                     "MAINTAINER is deprecated; use LABEL org.opencontainers.image.authors=\"...\"",
                     {"DL4000", "MaintainerDeprecated"}, Confidence::kCertain);
    if (step.is_trigger || each.words.empty()) return;
    const std::string_view name = unquote(each.words[0].text);
    if (name.find_first_of("\"\\$`") != std::string_view::npos) return;
    made.fixes = {
        {"write a label",
         {{each.span, fmt::format("LABEL org.opencontainers.image.authors=\"{}\"", name)}},
         false}};
  });
}

// .dockerignore holds secret; COPY secret /        # reported
void report_ignored_files(const Facts& facts, Findings& findings) {
  if (!facts.ignore_file) return;
  const IgnorePatterns patterns(*facts.ignore_file);
  for_each_step(
      facts, {Keyword::kCopy, Keyword::kAdd}, [&](const Step& step, const Instruction& each) {
        if (each.flag("from") != nullptr) return;
        for (size_t i = 0; i + 1 < each.words.size(); i++) {
          const Expanded source = facts.stages.expand_at(each.words[i].text, step);
          const bool is_local = source.is_known && !is_remote(source.text) &&
                                !source.text.starts_with("<<") &&
                                source.text.find_first_of("*?[") == std::string::npos;
          const bool is_root = is_context_root(source.text);
          if (!is_local || !(is_root ? patterns.ignores_all() : patterns.ignores(source.text)))
            continue;
          findings.add("D312", each.words[i].span,
                       fmt::format("{} is left out of the build context by .dockerignore",
                                   is_root ? "everything" : source.text),
                       {"CopyIgnoredFile"}, Confidence::kCertain);
        }
      });
}

// FROM a:1                         # reported, if it is asked for
// FROM a:1 + HEALTHCHECK NONE      # not
void report_health(const Facts& facts, Findings& findings) {
  std::vector<bool> has_check(facts.stages.stages.size());
  for (size_t i = 0; i < has_check.size(); i++) {
    const Stage& stage = facts.stages.stages[i];
    has_check[i] = stage.base && has_check[*stage.base];
    for (size_t k = stage.first_step; k < stage.end_step; k++)
      has_check[i] =
          has_check[i] || facts.stages.steps[k].instruction->keyword == Keyword::kHealthcheck;
    if (has_check[i] || stage.is_base || stage.is_copied || stage.from == nullptr) continue;
    findings.add("D313", stage.from->span, "the image has no HEALTHCHECK", {"DL3057"});
  }
}

}  // namespace nacre::docker
