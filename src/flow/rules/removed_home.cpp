// F103: a home directory is removed.
//
//   F103: rm -rf build cd ~ && make
//   quiet: rm -rf build && cd ~ && make
//   F103: sudo rm -r /home/alice
//   quiet: sudo rm -r /home/alice/cache
//   F103: rm -rf "$HOME"/*
//   quiet: HOME=$(mktemp -d)\nrm -rf "$HOME"
//   quiet: rm -f ~/notes
//   quiet: u=$1\nrm -rf "/home/$u"
#include <algorithm>
#include <fmt/format.h>

#include "base/path.h"
#include "flow/call_words.h"
#include "flow/place_names.h"
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

// `~`, `~bob`, /home/bob, /Users/bob, or everything in one of them. The directories of the system
// itself, /root and /home, are X101's.
bool is_home(std::string_view key) {
  if (key.size() > 2 && key.ends_with(kAnyPlaceName) && key[key.size() - 2] == '/')
    key.remove_suffix(2);
  if (names_several(key) || key.find("${") != key.npos) return false;
  if (key.starts_with('~')) return key.find('/') == key.npos;
  for (const std::string_view parent : {"/home/", "/Users/"}) {
    if (key.starts_with(parent) && key.size() > parent.size())
      return key.find('/', parent.size()) == key.npos;
  }
  return false;
}

}  // namespace

void removed_home(const CallEvent& event, RuleContext& in) {
  const auto words = event.words;
  if (words.empty() || !words[0].argument.text) return;
  const commands::Card* card = in.cards.find(base_name(*words[0].argument.text));
  if (!card || !card->has_property(commands::CardKey::kRemoves)) return;
  std::vector<commands::Argument> arguments;
  for (const Field& field : words.subspan(1)) arguments.push_back(field.argument);
  const auto invocation =
      commands::parse_invocation(*card, words[0].argument.span, std::move(arguments));
  const commands::Property* removes = invocation.property(commands::CardKey::kRemoves);
  if (!removes || removes->value != "all tree") return;
  for (const Field& field : words.subspan(1)) {
    if (field.argument.text && field.argument.text->starts_with('-')) continue;
    // `cd ~; rm -rf *` is X101's.
    const std::string_view text = in.text(field.argument.span);
    if (text.find_first_of("~$/") == text.npos || text.starts_with("./")) continue;
    const auto key = place_named_by(field, event.call.environment, in);
    if (!key || !is_home(*key)) continue;
    in.report(in.finding("F103", field.argument.span,
                         fmt::format("this removes a home directory: {}", readable_place(*key))));
  }
}

}  // namespace nacre::flow::rules
