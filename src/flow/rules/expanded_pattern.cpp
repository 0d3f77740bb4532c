// X216: the shell replaces an unquoted pattern of find by the files of the current directory.
//
//   X216: find . -name *.txt
//   X216: find /srv -type f -iname log-* -delete
//   X216: sudo find . -path ./a/* -prune
//   quiet: find . -name '*.txt'
//   quiet: find . -name \*.txt
//   quiet: find *.d -type f
//   quiet: find . -name "$1"
#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "base/path.h"
#include "flow/call_words.h"
#include "flow/rules/advice.h"
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

constexpr std::string_view kTakePatterns[] = {"-name",      "-iname", "-path",
                                              "-wholename", "-ipath", "-lname"};

bool has_pattern(const Field& field) {
  return std::any_of(field.fragments.begin(), field.fragments.end(), [](const Fragment& each) {
    return each.kind == FragmentKind::kGlob && each.part &&
           each.part->kind == shell::PartKind::kGlob && each.part->text() == "*";
  });
}

}  // namespace

void expanded_pattern(const CallEvent& event, RuleContext& in) {
  const auto words = event.words;
  if (words.empty() || !has_model("find", words[0], in.cards)) return;
  for (size_t i = 2; i < words.size(); i++) {
    const auto& option = words[i - 1].argument.text;
    const bool takes_pattern =
        option && std::find(std::begin(kTakePatterns), std::end(kTakePatterns), *option) !=
                      std::end(kTakePatterns);
    if (!takes_pattern || !has_pattern(words[i]) || words[i].word == nullptr) continue;
    const Span place = words[i].word->span;
    Diagnostic result = in.finding(
        "X216", place,
        fmt::format("the shell replaces {} by the names of files in the current directory before "
                    "find sees it; quote it",
                    in.text(place)));
    if (!words[i].word->is_quoted() && !words[i].word->has(shell::kWordHasExpansion))
      result.fixes.push_back(
          {"quote it", {{{place.begin, place.begin}, "'"}, {{place.end, place.end}, "'"}}, false});
    in.report(std::move(result));
  }
}

}  // namespace nacre::flow::rules
