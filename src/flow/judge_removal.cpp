// What a removal can hit: `rm -rf "$x/"*` with an empty x, `cd "$d"; rm -rf *` when cd fails.
//
// A path is looked at as a language in which an expansion that nothing is known of is either empty
// or some harmless name: that it could be "/" is the user's business, that it could be missing is
// not. Of a value that is known every string counts.
#include <algorithm>
#include <fmt/format.h>

#include "base/codes.h"
#include "base/path.h"
#include "flow/interpreter.h"
#include "flow/same_command.h"
#include "regular/decide.h"
#include "shell/visitor.h"

namespace nacre::flow {

using regular::CharSet;

namespace {

// A symbol that no script's path holds stands for a wildcard.
constexpr std::string_view kAnyFile = "\x02";

constexpr std::string_view kSystemDirectories[] = {
    "/bin",       "/boot",    "/dev",       "/etc",           "/home",
    "/lib",       "/lib32",   "/lib64",     "/opt",           "/proc",
    "/root",      "/sbin",    "/srv",       "/sys",           "/usr",
    "/var",       "/usr/bin", "/usr/sbin",  "/usr/lib",       "/usr/include",
    "/usr/share", "/var/lib", "/usr/local", "/usr/local/bin", "/usr/local/lib"};

// The paths whose removal destroys a system: its directories, or everything in one of them.
Lang system_paths(Context& context, Removal removal) {
  const Lang directory = context.words(kSystemDirectories);
  const Lang slashes = plus(context.literal("/"));
  const Lang all_in = slashes + context.literal(kAnyFile);
  if (removal == Removal::kFiles) return directory + all_in;
  const Lang moved = all_in | (directory + optional(slashes)) | (directory + all_in);
  return removal == Removal::kMove ? moved : moved | slashes;
}

Lang risky_language(const Fragment& fragment) {
  Context& context = fragment.value.strings.context();
  if (fragment.kind == FragmentKind::kGlob) return context.literal(kAnyFile);
  return skeleton_of(fragment.value);
}

std::string readable(std::string_view path) {
  std::string result;
  for (const char c : path) {
    if (c == kAnyFile[0])
      result += '*';
    else if (c == kSomeName[0])
      result += "...";
    else
      result += c;
  }
  return result;
}

bool is_option(const Field& field) {
  return field.argument.text && field.argument.text->starts_with("-") &&
         field.argument.text->size() > 1;
}

bool has_letter(const Field& field, std::string_view letters) {
  if (!is_option(field) || field.argument.text->starts_with("--")) return false;
  return field.argument.text->find_first_of(letters, 1) != std::string::npos;
}

bool has_text(std::span<const Field> fields, std::string_view text) {
  return std::any_of(fields.begin(), fields.end(),
                     [&](const Field& field) { return field.argument.text == text; });
}

// `mv "$x" "$x.old"`: it stays where it was, under a longer name.
bool is_beside(const Field& target, const Field& source) {
  if (!target.word || !source.word) return false;
  const std::string longer = meaning_of(*target.word), name = meaning_of(*source.word);
  return longer.size() > name.size() && longer.starts_with(name) && longer[name.size()] != '/';
}

// find -exec rm
bool runs_removal(std::span<const Field> fields) {
  for (size_t i = 0; i + 1 < fields.size(); i++) {
    const auto& text = fields[i].argument.text;
    if ((text == "-exec" || text == "-execdir") && fields[i + 1].argument.text == "rm") return true;
  }
  return false;
}

// find -name x -delete
bool chooses_names(std::span<const Field> fields) {
  return has_text(fields, "-name") || has_text(fields, "-iname") || has_text(fields, "-path") ||
         has_text(fields, "-wholename") || has_text(fields, "-regex");
}

// `rm -rf /usr/include/*`: whoever writes two names and a wildcard means it.
bool is_written_out(const Field& field) {
  const auto is_text = [](const Fragment& part) {
    return part.kind == FragmentKind::kLiteral || part.kind == FragmentKind::kGlob;
  };
  const std::string_view text = field.argument.prefix;
  return !field.fragments.empty() && !field.argument.text &&
         std::all_of(field.fragments.begin(), field.fragments.end(), is_text) &&
         text.starts_with('/') && text.find('/', 1) != std::string_view::npos &&
         text.find('/', text.find('/', 1) + 1) != std::string_view::npos;
}

// `$a/$b` or `$(a)/$(b)`, and nothing is known of what the script put into them: that both are
// empty at once is far-fetched.
bool is_guess(const Field& field, const Environment& environment) {
  const auto is_unknown = [&](const Fragment& part) {
    const bool is_own = part.value.is_assigned || environment.has_unknown_code ||
                        part.value.source != Source::kEnvironment;
    return part.kind == FragmentKind::kExpansion && part.value.is_opaque && is_own &&
           !part.value.skeleton;
  };
  uint32_t captured = 0;
  for (const Fragment& part : field.fragments) captured += part.value.captured;
  return captured > 1 ||
         std::count_if(field.fragments.begin(), field.fragments.end(), is_unknown) > 1;
}

// `path=$dir/etc`, of which dir may be empty.
void show_empty_part(Diagnostic& result, const SourceFile& file, const Values& values,
                     const Value& value) {
  if (value.copied.empty()) return;
  const Value& part = values[value.from];
  if (!may_be_empty(part)) return show_empty_part(result, file, values, part);
  result.path.push_back({file, part.origin.empty() ? value.origin : part.origin,
                         fmt::format("{} may be empty", value.copied)});
}

}  // namespace

Lang Interpreter::risky_path(const Field& field) {
  if (field.fragments.empty() || field.argument.text) return field.argument.value;
  Lang result = context_.literal("");
  for (const Fragment& fragment : field.fragments) result = result + risky_language(fragment);
  return result;
}

void Interpreter::judge_removal(const Call& call, std::span<const Field> words) {
  if (words.empty() || !words[0].argument.text || findings_.is_muted()) return;
  const std::string_view name = base_name(*words[0].argument.text);
  const auto operands = words.subspan(1);
  if (name == "rm") {
    const bool is_recursive = has_text(operands, "--recursive") ||
                              std::any_of(operands.begin(), operands.end(), [](const Field& field) {
                                return has_letter(field, "rR");
                              });
    if (is_recursive) judge_piped_names(call);
    bool are_options = true;
    for (const Field& field : operands) {
      if (are_options && field.argument.text == "--") are_options = false;
      if (are_options && is_option(field)) continue;
      judge_removed(call, field, is_recursive ? Removal::kTree : Removal::kFiles);
    }
  } else if (name == "find" && (has_text(operands, "-delete") || runs_removal(operands))) {
    const auto removal = chooses_names(operands) ? Removal::kChosen : Removal::kTree;
    for (const Field& field : operands) {
      if (field.argument.prefix.starts_with("-")) break;
      judge_removed(call, field, removal);
    }
  } else if (name == "mv" && operands.size() > 1) {
    for (const Field& field : operands.first(operands.size() - 1)) {
      if (!is_option(field) && !is_beside(operands.back(), field))
        judge_removed(call, field, Removal::kMove);
    }
  } else if (name == "rsync" && operands.size() > 1) {
    const bool deletes = std::any_of(operands.begin(), operands.end(), [](const Field& field) {
      return field.argument.prefix.starts_with("--delete");
    });
    if (deletes) judge_removed(call, operands.back(), Removal::kTree);
  }
}

// `echo /usr | xargs rm -rf`
void Interpreter::judge_piped_names(const Call& call) {
  if (call.fields[0].argument.text != "xargs" || !call.io.is_piped) return;
  // A missing value in `echo "$x/" | xargs rm -r` is as bad as in the command itself.
  const bool is_told = !call.stages.empty() && call.stages.back().skeleton.has_value();
  if (call.io.input.choice == commands::Choice::kOpaque && !is_told) return;
  const Lang names = is_told ? *call.stages.back().skeleton : commands::any_line(call.io.input);
  if (!is_told && contains(names, kSomeName)) return;  // `ls | xargs rm -r`: any name at all
  const auto hit = regular::disjoint(names, known_system_paths(Removal::kTree));
  if (!hit.no() || !hit.is_certain) return;
  Diagnostic result =
      finding("X101", tree_.file(), call.node.span, fmt::format("this can remove {}", hit.witness));
  result.counterexample = hit.witness;
  findings_.add(std::move(result));
}

Lang Interpreter::known_system_paths(Removal removal) {
  const auto known = system_paths_.find(removal);
  if (known != system_paths_.end()) return known->second;
  return system_paths_.emplace(removal, system_paths(context_, removal)).first->second;
}

void Interpreter::judge_removed(const Call& call, const Field& field, Removal removal) {
  const bool is_recursive = removal != Removal::kFiles;
  const Lang path = risky_path(field);
  const Directory& directory = call.environment.directory;
  const Lang relative_all = optional(context_.literal("./")) + context_.literal(kAnyFile);
  const Lang all_here = is_recursive ? relative_all | context_.literal(".") : relative_all;
  if (regular::included(path, all_here).yes() && !directory.is_start) {
    if (is_recursive && (directory.path == "~" || directory.path == "/")) {
      Diagnostic result = finding("X101", tree_.file(), field.argument.span,
                                  fmt::format("this removes everything in {}", directory.path));
      result.path.push_back({tree_.file(), directory.changed_by, "the directory is changed here"});
      return findings_.add(std::move(result));
    }
    if (directory.may_have_failed || directory.may_be_wrong)
      return report_wrong_directory(call, field);
    if (!is_recursive) return;
  }
  const auto hit = regular::disjoint(path, known_system_paths(removal));
  if (is_written_out(field)) return;
  if (!hit.no() || is_guess(field, call.environment)) return;
  const std::string victim = readable(hit.witness);
  const std::string_view what = removal == Removal::kMove ? "move away" : "remove";
  Diagnostic result = finding("X101", tree_.file(), field.argument.span,
                              fmt::format("this can {} {}", what, victim));
  result.counterexample = victim;
  if (field.argument.text) result.confidence = Confidence::kCertain;
  if (removal == Removal::kChosen) {
    result.severity = Severity::kInfo;
    result.message = fmt::format("this can remove files of these names anywhere in {}", victim);
  }
  show_empty(result, field);
  findings_.add(std::move(result));
}

// Which of the expansions in it may be empty, and why.
void Interpreter::show_empty(Diagnostic& diagnostic, const Field& field) {
  for (const Fragment& fragment : field.fragments) {
    if (fragment.kind != FragmentKind::kExpansion) continue;
    if (!may_be_empty(fragment.value)) {
      show_origin(diagnostic, fragment.value);
      show_empty_part(diagnostic, tree_.file(), values_, fragment.value);
      continue;
    }
    diagnostic.path.push_back(
        {tree_.file(), fragment.value.origin.empty() ? fragment.span : fragment.value.origin,
         fmt::format("{} may be empty", tree_.text(fragment.span))});
    add_guard(diagnostic, fragment);
  }
}

void Interpreter::report_wrong_directory(const Call& call, const Field& field) {
  const Span cd = call.environment.directory.changed_by;
  Diagnostic result = finding("X105", tree_.file(), field.argument.span,
                              "this removes the files of another directory if cd fails");
  if (call.environment.directory.may_have_failed) {
    result.path.push_back({tree_.file(), cd, "nobody looks whether this succeeds"});
    result.fixes.push_back({"stop if cd fails", {{{cd.end, cd.end}, " || exit"}}, false});
  } else {
    result.message = "this removes the files of another directory if cd is given an empty path";
    result.path.push_back({tree_.file(), cd, "without a path this succeeds, and goes nowhere"});
    const shell::Word* given = call.environment.directory.given;
    for (const Field& path : given ? fields_again(*given, call.environment) : std::vector<Field>{})
      show_empty(result, path);
  }
  findings_.add(std::move(result));
}

// ${x:?} for $x: only runs that would have gone wrong are stopped.
void Interpreter::add_guard(Diagnostic& diagnostic, const Fragment& fragment) {
  if (!fragment.part || fragment.part->kind != shell::PartKind::kParameter) return;
  const shell::Parameter& parameter = fragment.part->parameter();
  if (parameter.op != shell::ParameterOp::kNone || parameter.subscript) return;
  if (parameter.kind == shell::ParameterKind::kSpecial) return;
  diagnostic.fixes.push_back(
      {"stop if it is empty", {{fragment.span, fmt::format("${{{}:?}}", parameter.name)}}, true});
}

// An unquoted value in a path to be removed: a blank in it names other files. Of other commands
// that are given paths, only names that are known to hold blanks at times are worth a word.
void Interpreter::judge_split(const Call& call, std::span<const Field> words) {
  if (words.empty() || !words[0].argument.text || findings_.is_muted()) return;
  const std::string_view name = base_name(*words[0].argument.text);
  const bool is_removal = name == "rm";
  const commands::Card* card = cards_.find(name);
  const auto is_path = [](const auto& spec) { return spec.kind.starts_with("path"); };
  if (!is_removal && !(card && std::any_of(card->operands.begin(), card->operands.end(), is_path)))
    return;
  const std::string separators = ifs(call.environment);
  for (const Field& field : words.subspan(1)) {
    for (const Fragment& fragment : field.fragments) {
      if (!may_split(fragment, separators)) continue;
      if (fragment.value.is_list && !(is_removal && is_one_name(fragment))) continue;
      if (!is_removal && (fragment.value.is_opaque || fragment.value.source == Source::kScript))
        continue;
      report_split(fragment, name);
      break;
    }
  }
}

// `d="My Files"; mkdir "$d"; rm -r $d`: what is quoted elsewhere, where a path is wanted, is no
// list.
bool Interpreter::is_one_name(const Fragment& fragment) const {
  if (!fragment.part || fragment.part->kind != shell::PartKind::kParameter) return false;
  const std::string_view name = fragment.part->parameter().name;
  const auto is_quoted_use = [&](const shell::Word& word) {
    if (word.parts().empty() || word.parts()[0].kind != shell::PartKind::kDoubleQuoted)
      return false;
    const auto inner = word.parts()[0].parts();
    return !inner.empty() && inner[0].kind == shell::PartKind::kParameter &&
           inner[0].parameter().name == name;
  };
  const auto takes_path = [&](const shell::SimpleCommand& simple) {
    if (simple.words.empty() || !simple.words[0].is_literal()) return false;
    const commands::Card* card = cards_.find(simple.words[0].literal());
    return simple.words[0].literal() == "cd" ||
           (card && std::any_of(card->operands.begin(), card->operands.end(), [](const auto& spec) {
              return spec.kind.starts_with("path") || spec.kind == "file";
            }));
  };
  bool result = false;
  walk(tree_.program(), shell::Visitor{[&](const Command& command) {
         const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
         result |= simple && takes_path(*simple) &&
                   std::any_of(simple->words.begin(), simple->words.end(), is_quoted_use);
       }});
  return result;
}

void Interpreter::report_split(const Fragment& fragment, std::string_view command) {
  const Span span = fragment.span;
  Diagnostic result =
      finding("X103", tree_.file(), span,
              fmt::format("without quotes {} is split at blanks: {} gets other names",
                          tree_.text(span), command));
  result.counterexample = "a b";
  show_origin(result, fragment.value);
  result.fixes.push_back(
      {"quote it", {{{span.begin, span.begin}, "\""}, {{span.end, span.end}, "\""}}, false});
  findings_.add(std::move(result));
}

}  // namespace nacre::flow
