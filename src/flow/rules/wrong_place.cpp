// F101, F106: a command that can only fail, by what the script has done to its files or operands.
//
//   F101: t=$(mktemp)\ncd "$t" || exit
//   quiet: t=$(mktemp -d)\ncd "$t" || exit
//   F101: rm -f a.txt\ncat a.txt
//   quiet: rm -f a.txt\nmake a.txt\ncat a.txt
//   F101: mkdir out\nmkdir out
//   quiet: mkdir out\nmkdir -p out
//   quiet: mkdir out\nmkdir out 2>/dev/null
//   F101: if [ ! -f .env ]; then cp .env .env; fi
//   quiet: if [ ! -f .env ]; then cp env.example .env; fi
//   F101: mkdir ~
//   quiet: for l in *; do [ -e "$l" ] || rm "$l"; done
//   quiet: mv new.conf app.conf\nchmod 600 new.conf
//   quiet: if [ -d /srv/a ] && [ -L /srv/a ]; then rm /srv/a; fi
//   quiet: [ -d a ] && mv a b\nmkdir a
//   quiet: rmdir d\ncat d/x
//   quiet: t=$(mktemp -d)\nif ! mv -T "$t" /srv/x; then rmdir "$t"; fi
//   quiet: if mv -T ... ... 2>&1 | grep -q same; then echo; fi
//   quiet: rm -rf w\n(mkdir w)\ncd w
//   F106: if [ -z "$dir" ]; then mkdir $dir; fi
//   quiet: if [ -n "$dir" ]; then mkdir "$dir"; fi
//   F106: d=\nif [ "$1" ]; then d=$1; fi\n[ "$d" ] || rmdir $d
//   quiet: if [ -z "$dir" ]; then rm -f $dir; fi
#include <algorithm>
#include <fmt/format.h>

#include "flow/place_names.h"
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

std::string why_wrong(const Place& place) {
  if ((place.kinds & ~(kAbsentPlace | kDanglingPlace)) == 0) {
    switch (place.told) {
      case Place::Told::kRemoved: return "was removed";
      case Place::Told::kMoved: return "was moved away";
      default: return "is not there";
    }
  }
  if (place.told == Place::Told::kTemporary && place.kinds == kFilePlace)
    return "is a file: mktemp without -d made it";
  if (place.kinds == kFilePlace) return "is a file";
  if (place.kinds == kDirectoryPlace) return "is a directory";
  return (place.kinds & kAbsentPlace) == 0 ? "is there already" : "is not what it needs";
}

std::optional<Diagnostic> wrong_file(const EffectEvent& event, std::string_view name,
                                     RuleContext& in) {
  const Places& places = *event.call.environment.places;
  if (event.is_same_name) {
    return in.finding("F101", event.call.node.span,
                      fmt::format("{} can only fail: both operands are the same file", name));
  }
  if (event.consulted.empty() || names_several(event.consulted)) return std::nullopt;
  const Place* place = telling_place(places, event.consulted);
  if (!place) {
    // That rm refuses to remove "/" is not what is wrong with it.
    if (event.consulted != "~" || name == "rm") return std::nullopt;
    return in.finding("F101", event.call.node.span,
                      fmt::format("{} can only fail: the home directory is there already", name));
  }
  const bool is_above = !places.contains(event.consulted) || &places.at(event.consulted) != place;
  const std::string shown = is_above ? "the directory it is in" : readable_place(event.consulted);
  Diagnostic result =
      in.finding("F101", event.call.node.span,
                 fmt::format("{} can only fail: {} {}", name, shown, why_wrong(*place)));
  result.path.push_back(
      in.note(place->by, place->told == Place::Told::kTested ? "tested here" : "changed here"));
  return result;
}

// An expansion that is always empty stands where the operand is meant to be.
std::optional<Diagnostic> no_operand(const EffectEvent& event, std::string_view name,
                                     RuleContext& in) {
  for (const shell::Word& word : event.call.simple.words.subspan(1)) {
    if (!word.has(shell::kWordHasExpansion) || word.parts().size() != 1) continue;
    const shell::Part& part = word.parts()[0];
    if (part.kind != shell::PartKind::kParameter ||
        part.parameter().kind != shell::ParameterKind::kVariable)
      continue;
    const Value& value = in.value(part.parameter().name, event.call.environment);
    // A setting that is empty today is not a mistake; one that was found to be empty is.
    if (value.is_array || (value.text && value.is_assigned && !value.may_be_foreign &&
                           in.text(value.origin).ends_with('=')))
      continue;
    return in.finding(
        "F106", event.call.node.span,
        fmt::format("{} can only fail: {} is always empty here, so there is no operand", name,
                    in.text(word.span)));
  }
  return std::nullopt;
}

}  // namespace

void wrong_place(const EffectEvent& event, RuleContext& in) {
  const Span place = event.call.node.span;
  const std::string_view name = event.invocation.card->name;
  std::optional<Diagnostic> wrong, empty;
  // A script that hides the message or ignores the status expects that the command may fail.
  const auto takes_errors = [](const shell::Redirection& each) { return each.descriptor == 2; };
  const auto& redirections = event.call.node.redirections;
  const bool is_expected = event.call.io.drops_errors || in.where.ignored > 0 ||
                           std::any_of(redirections.begin(), redirections.end(), takes_errors);
  if (!event.can_succeed && !is_expected) {
    if (event.invocation.operands.empty())
      empty = no_operand(event, name, in);
    else
      wrong = wrong_file(event, name, in);
  }
  in.pass("F101", place, std::move(wrong));
  in.pass("F106", place, std::move(empty));
}

}  // namespace nacre::flow::rules
