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

// `mv "$x" "$x.old"`: it stays where it was, under a longer name.
bool is_beside(const Field& target, const Field& source) {
  if (!target.word || !source.word) return false;
  const std::string longer = meaning_of(*target.word), name = meaning_of(*source.word);
  return longer.size() > name.size() && longer.starts_with(name) && longer[name.size()] != '/';
}

// The line `removes WHICH WHAT` of a card.
struct Removes {
  std::string_view which;  // of its operands: all, sources (all but the last), last, paths
  Removal what = Removal::kFiles;
};

Removes removes_of(const commands::Property& property) {
  constexpr std::pair<std::string_view, Removal> kNames[] = {{"files", Removal::kFiles},
                                                             {"tree", Removal::kTree},
                                                             {"chosen", Removal::kChosen},
                                                             {"moved", Removal::kMove}};
  const size_t blank = property.value.find(' ');
  Removes result{property.value.substr(0, blank)};
  for (const auto& [name, removal] : kNames) {
    if (property.value.substr(blank + 1) == name) result.what = removal;
  }
  return result;
}

// Those of the operands that it names, as fields of the call.
std::vector<const Field*> removed_fields(const Removes& removes, std::span<const Field> fields,
                                         const commands::Invocation& invocation) {
  std::vector<const Field*> result;
  for (const commands::Argument& operand : invocation.operands) {
    if (removes.which == "paths" && operand.prefix.starts_with('-')) break;
    const auto field = std::find_if(fields.begin(), fields.end(), [&](const Field& each) {
      return each.argument.span == operand.span && each.argument.text == operand.text;
    });
    if (field != fields.end()) result.push_back(&*field);
  }
  if (result.empty()) return result;
  if (removes.which == "last") return {result.back()};
  if (removes.which != "sources") return result;
  const Field* target = result.back();
  result.pop_back();
  std::erase_if(result, [&](const Field* source) { return is_beside(*target, *source); });
  return result;
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
  const commands::Card* card = cards_.find(base_name(*words[0].argument.text));
  if (!card || !card->has_property("removes")) return;
  std::vector<commands::Argument> arguments;
  for (const Field& field : words.subspan(1)) arguments.push_back(field.argument);
  const auto invocation =
      commands::parse_invocation(*card, words[0].argument.span, std::move(arguments));
  const commands::Property* property = invocation.property("removes");
  if (!property) return;
  const Removes removes = removes_of(*property);
  if (removes.what == Removal::kTree) judge_piped_names(call);
  for (const Field* field : removed_fields(removes, words.subspan(1), invocation))
    judge_removed(call, *field, removes.what);
}

// `echo /usr | xargs rm -rf`
void Interpreter::judge_piped_names(const Call& call) {
  if (!is_model("xargs", call) || !call.io.is_piped) return;
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
  const commands::Card* card = cards_.find(name);
  const auto is_path = [](const auto& spec) { return spec.kind.starts_with("path"); };
  if (!card || std::none_of(card->operands.begin(), card->operands.end(), is_path)) return;
  const bool is_removal = card->has_property("removes") && card->operands.size() == 1;
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
