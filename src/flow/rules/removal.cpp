// X101, X105: what a removal can hit.
//
// A path is looked at as a language in which an expansion that nothing is known of is either empty
// or some harmless name: that it could be "/" is up to the user, that it could be missing is not.
// For a known value every possible string counts.
//
//   X101: rm -rf "$STEAMROOT/"*
//   quiet: rm -rf "${STEAMROOT:?}/"*
//   X105: cd /srv/cache\nrm -rf *
//   quiet: cd /srv/cache || exit\nrm -rf *
#include <algorithm>
#include <fmt/format.h>

#include "base/path.h"
#include "flow/call_words.h"
#include "flow/rules/advice.h"
#include "flow/rules/publish.h"
#include "flow/same_command.h"
#include "regular/decide.h"

namespace nacre::flow::rules {

namespace {

// rm without -r refuses directories, mv refuses the root; find may remove only some files of a
// tree.
enum class Removal : uint8_t { kFiles, kMove, kTree, kChosen };

constexpr std::string_view kSystemDirectories[] = {
    "/bin",       "/boot",    "/dev",       "/etc",           "/home",
    "/lib",       "/lib32",   "/lib64",     "/opt",           "/proc",
    "/root",      "/sbin",    "/srv",       "/sys",           "/usr",
    "/var",       "/usr/bin", "/usr/sbin",  "/usr/lib",       "/usr/include",
    "/usr/share", "/var/lib", "/usr/local", "/usr/local/bin", "/usr/local/lib"};

// The paths whose removal destroys a system: its directories, or everything in one of them.
Lang make_system_paths(Context& context, Removal removal) {
  const Lang directory = context.words(kSystemDirectories);
  const Lang slashes = plus(context.literal("/"));
  const Lang all_in = slashes + context.literal(kAnyFile);
  if (removal == Removal::kFiles) return directory + all_in;
  const Lang moved = all_in | (directory + optional(slashes)) | (directory + all_in);
  return removal == Removal::kMove ? moved : moved | slashes;
}

Lang system_paths(Removal removal, RuleContext& in) {
  const int key = static_cast<int>(removal);
  const auto known = in.system_paths.find(key);
  if (known != in.system_paths.end()) return known->second;
  return in.system_paths.emplace(key, make_system_paths(in.languages, removal)).first->second;
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

// `rm -rf /usr/include/*`: an author who writes two names and a wildcard means it.
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

// `echo /usr | xargs rm -rf`
void check_piped_names(const Call& call, RuleContext& in) {
  if (!has_model("xargs", call.fields[0], in.cards) || !call.io.is_piped) return;
  // A missing value in `echo "$x/" | xargs rm -r` is as bad as in the command itself.
  const bool is_told = !call.stages.empty() && call.stages.back().skeleton.has_value();
  if (call.io.input.choice == commands::Choice::kOpaque && !is_told) return;
  const Lang names = is_told ? *call.stages.back().skeleton : commands::any_line(call.io.input);
  if (!is_told && contains(names, kSomeName)) return;  // `ls | xargs rm -r`: any name at all
  const auto hit = regular::disjoint(names, system_paths(Removal::kTree, in));
  if (!hit.no() || !hit.is_certain) return;
  Diagnostic result =
      in.finding("X101", call.node.span, fmt::format("this can remove {}", hit.witness));
  result.counterexample = hit.witness;
  in.report(std::move(result));
}

void report_wrong_directory(const Call& call, const Field& field, RuleContext& in) {
  const Directory& directory = call.environment.directory;
  const Span cd = directory.changed_by;
  Diagnostic result = in.finding("X105", field.argument.span,
                                 "if cd fails, this removes files of the wrong directory");
  if (directory.may_have_failed) {
    result.path.push_back(in.note(cd, "the exit status of this is not checked"));
    result.fixes.push_back({"stop if cd fails", {{{cd.end, cd.end}, " || exit"}}, false});
  } else {
    result.message = "if cd gets an empty path, this removes files of the wrong directory";
    result.path.push_back(in.note(cd, "with an empty path, cd succeeds and changes nothing"));
    if (directory.given) {
      for (const Field& path : in.evaluator.fields_again(*directory.given, call.environment))
        show_empty(result, path, in);
    }
  }
  in.report(std::move(result));
}

// `rm -rf *` after a `cd`. True if there is nothing more to be found.
bool check_directory(const Call& call, const Field& field, bool is_recursive, RuleContext& in) {
  const Directory& directory = call.environment.directory;
  if (is_recursive && (directory.path == "~" || directory.path == "/")) {
    Diagnostic result = in.finding("X101", field.argument.span,
                                   fmt::format("this removes everything in {}", directory.path));
    result.path.push_back(in.note(directory.changed_by, "the directory is changed here"));
    in.report(std::move(result));
    return true;
  }
  if (directory.may_have_failed || directory.may_be_wrong) {
    report_wrong_directory(call, field, in);
    return true;
  }
  return !is_recursive;
}

void check_removed(const Call& call, const Field& field, Removal removal, RuleContext& in) {
  const bool is_recursive = removal != Removal::kFiles;
  const Lang path = possible_path(field);
  const Lang relative_all = optional(in.languages.literal("./")) + in.languages.literal(kAnyFile);
  const Lang all_here = is_recursive ? relative_all | in.languages.literal(".") : relative_all;
  if (regular::included(path, all_here).yes() && !call.environment.directory.is_start &&
      check_directory(call, field, is_recursive, in))
    return;
  const auto hit = regular::disjoint(path, system_paths(removal, in));
  if (is_written_out(field)) return;
  if (!hit.no() || is_guess(field, call.environment)) return;
  const std::string victim = readable(hit.witness);
  const std::string_view what = removal == Removal::kMove ? "move away" : "remove";
  Diagnostic result =
      in.finding("X101", field.argument.span, fmt::format("this can {} {}", what, victim));
  result.counterexample = victim;
  if (field.argument.text) result.confidence = Confidence::kCertain;
  if (removal == Removal::kChosen) {
    result.severity = Severity::kInfo;
    result.message = fmt::format("this can remove files of these names anywhere in {}", victim);
  }
  show_empty(result, field, in);
  in.report(std::move(result));
}

}  // namespace

void removal(const CallEvent& event, RuleContext& in) {
  const auto words = event.words;
  if (words.empty() || !words[0].argument.text) return;
  const commands::Card* card = in.cards.find(base_name(*words[0].argument.text));
  if (!card || !card->has_property(commands::CardKey::kRemoves)) return;
  std::vector<commands::Argument> arguments;
  for (const Field& field : words.subspan(1)) arguments.push_back(field.argument);
  const auto invocation =
      commands::parse_invocation(*card, words[0].argument.span, std::move(arguments));
  const commands::Property* property = invocation.property(commands::CardKey::kRemoves);
  if (!property) return;
  const Removes removes = removes_of(*property);
  if (removes.what == Removal::kTree) check_piped_names(event.call, in);
  for (const Field* field : removed_fields(removes, words.subspan(1), invocation))
    check_removed(event.call, *field, removes.what, in);
}

}  // namespace nacre::flow::rules
