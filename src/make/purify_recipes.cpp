// Rewrites within recipes.
#include <algorithm>
#include <fmt/format.h>

#include "base/again.h"
#include "make/purify.h"
#include "shell/visitor.h"

namespace nacre::make {

namespace {

// One call in a recipe line that stands in the file.
struct Site {
  const RecipeFacts& recipe;
  const ShellLine& line;
  const Call& call;
};

template <typename F>
void for_each_call(const Facts& facts, F f) {
  std::set<uint32_t> seen;  // a recipe of several targets is one text
  for (const RecipeFacts& recipe : facts.recipe_facts) {
    for (size_t i = 0; i < recipe.lines.size(); i++) {
      const ShellLine& line = recipe.recipe->lines[i];
      if (!line.is_own || !facts.is_here(line.place)) continue;
      for (const Call& call : recipe.lines[i].calls) {
        if (seen.insert(call.spans[0].begin).second) f(Site{recipe, line, call});
      }
    }
  }
}

// The word stands in the file as it is: nothing of it comes from a reference.
bool is_copy(const Facts& facts, const ShellLine& line, Span span, std::string_view text) {
  return line.place.span.contains(span) && facts.of(span) == text;
}

// A directory that is made and removed again is a lock: that it fails is its use.
bool is_lock(const RecipeFacts& recipe, const Call& call) {
  const auto removes = [&](const Call& other) {
    return other.words[0] == "rmdir" && other.words.size() > 1 && call.words.size() > 1 &&
           other.words.back() == call.words.back();
  };
  return std::any_of(recipe.lines.begin(), recipe.lines.end(), [&](const LineFacts& line) {
    return std::any_of(line.calls.begin(), line.calls.end(), removes);
  });
}

void offer_again(const Facts& facts, const Site& site, std::vector<Rewrite>& rewrites) {
  const Call& call = site.call;
  std::vector<WrittenWord> words;
  for (size_t i = 0; i < call.words.size(); i++) {
    words.push_back(
        {call.words[i], call.spans[i], is_copy(facts, site.line, call.spans[i], call.words[i])});
  }
  auto again = edit_for_again(words);
  if (!again || !words[0].is_own) return;
  Rewrite rewrite{.name = again->name, .place = call.command->span};
  rewrite.message = again->message;
  rewrite.differs_when = again->differs_when;
  const bool is_tested = call.is_checked || is_lock(site.recipe, call);
  rewrite.needs.push_back({ObligationKind::kStatus, call.command->span, !is_tested,
                           is_tested ? "its status is tested" : "its failure only stops make"});
  rewrite.needs.push_back({ObligationKind::kCopy, call.spans[0], true, "stands in the file"});
  rewrite.edits.push_back(std::move(again->edit));
  rewrites.push_back(std::move(rewrite));
}

bool is_clock(const Call& call) {
  if (call.words[0] != "date") return false;
  return std::none_of(call.words.begin() + 1, call.words.end(), [](const std::string& word) {
    return word.starts_with("-d") || word.starts_with("--date") || word.starts_with("-r") ||
           word.starts_with("--reference") || word.starts_with("-s") || word.starts_with("-f") ||
           !is_known(word);
  });
}

bool is_host(const Call& call) {
  const bool asks_uname =
      call.words.size() == 2 && call.words[0] == "uname" && call.words[1] == "-n";
  return asks_uname || (call.words.size() == 1 && call.words[0] == "hostname");
}

// `$$(date ...)` that stands in the words of a command; null if the call is none.
const shell::Part* substitution_around(const ShellLine& line, const Call& call) {
  const shell::Part* found = nullptr;
  shell::walk(line.program->tree.program(), shell::Visitor{[&](const shell::Part& part) {
                if (part.kind != shell::PartKind::kCommand) return true;
                const auto& items = part.command().body.items;
                if (items.size() == 1 && items[0].command == call.command) found = &part;
                return true;
              }});
  return found;
}

// A value that decides something must stay what it is.
bool is_label(const RecipeFacts& recipe, const ShellLine& line) {
  const LineFacts& facts = recipe.lines[static_cast<size_t>(&line - recipe.recipe->lines.data())];
  return std::none_of(facts.calls.begin(), facts.calls.end(), [](const Call& call) {
    return call.words[0] == "[" || call.words[0] == "test" || call.words[0] == "expr" ||
           call.words[0] == "sleep" || call.words[0] == "kill" || call.words[0] == "touch";
  });
}

void offer_constant(const Facts& facts, const Site& site, std::string_view name,
                    std::string_view value, std::string_view assumption,
                    std::vector<Rewrite>& rewrites) {
  const Call& call = site.call;
  Rewrite rewrite{.name = name, .kind = RewriteClass::kAssuming, .place = call.command->span};
  rewrite.message = fmt::format("{} instead of `{}`", value, facts.of(call.command->span));
  rewrite.differs_when = assumption;
  const bool is_text = is_label(site.recipe, site.line);
  rewrite.needs.push_back(
      {ObligationKind::kLabel, call.command->span, is_text,
       is_text ? "only gets into texts and names" : "a condition depends on it"});
  const shell::Part* part = substitution_around(site.line, call);
  const Span whole = cover(call.spans.front(), call.spans.back());
  const bool is_own = std::none_of(site.line.references.begin(), site.line.references.end(),
                                   [&](Span each) { return whole.contains(each); });
  rewrite.needs.push_back({ObligationKind::kCopy, whole, is_own, "stands in the file"});
  if (part != nullptr) {
    rewrite.edits.push_back({part->span, std::string(value)});
  } else {
    rewrite.edits.push_back({whole, fmt::format("echo \"{}\"", value)});
  }
  rewrites.push_back(std::move(rewrite));
}

}  // namespace

void offer_idempotent_commands(const Facts& facts, std::vector<Rewrite>& rewrites) {
  for_each_call(facts, [&](const Site& site) { offer_again(facts, site, rewrites); });
}

void offer_fixed_clock(const Facts& facts, std::vector<Rewrite>& rewrites) {
  for_each_call(facts, [&](const Site& site) {
    if (is_clock(site.call)) {
      offer_constant(facts, site, "clock", "$${SOURCE_DATE_EPOCH:-0}",
                     "SOURCE_DATE_EPOCH gives the time, in seconds", rewrites);
    } else if (is_host(site.call)) {
      offer_constant(facts, site, "host", "$${HOST_NAME:-localhost}",
                     "the name is given by HOST_NAME", rewrites);
    }
  });
}

// > /tmp/name.$$$$: a name that nothing else uses.
void offer_temporary_files(const Facts& facts, std::vector<Rewrite>& rewrites) {
  for (const RecipeFacts& recipe : facts.recipe_facts) {
    for (size_t i = 0; i < recipe.lines.size(); i++) {
      const ShellLine& line = recipe.recipe->lines[i];
      if (!line.is_own || !facts.is_here(line.place) || line.program == nullptr) continue;
      const std::string_view text = facts.of(line.place.span);
      const size_t first = text.find("$$$$");
      if (first == std::string_view::npos) continue;
      const bool is_once = text.find("$$$$", first + 4) == std::string_view::npos;
      for (const PathUse& use : recipe.lines[i].uses) {
        const std::string_view written = facts.of(use.span);
        const size_t begin = written.find_first_not_of("> ");
        if (begin == std::string_view::npos || !written.starts_with('>')) continue;
        const std::string_view path = written.substr(begin);
        const size_t pid = path.find("$$$$");
        if (pid == std::string_view::npos || !path.starts_with("/tmp/")) continue;
        Rewrite rewrite{.name = "mktemp", .place = use.span};
        rewrite.message = "mktemp instead of a name with the process id";
        rewrite.differs_when = "something looks for the file by its name";
        rewrite.needs.push_back(
            {ObligationKind::kOneUse, use.span, is_once,
             is_once ? "the name is used once" : "the name is used again in this line"});
        const std::string stem(path.substr(5, pid - 5));
        const std::string suffix(path.substr(pid + 4));
        if (!suffix.empty()) continue;
        rewrite.edits.push_back(
            {{use.span.begin + static_cast<uint32_t>(begin), use.span.end},
             fmt::format("\"$$(mktemp \"$${{TMPDIR:-/tmp}}/{}XXXXXX\")\"", stem)});
        rewrites.push_back(std::move(rewrite));
      }
    }
  }
}

// What no rewrite has removed: values that differ from run to run.
std::vector<Rewrite> find_refusals(const Facts& facts) {
  std::vector<Rewrite> refused;
  for (const Statement& statement : facts.statements) {
    // In a definition `$$$$` may be what is left of a `$` after two expansions.
    if (statement.kind != Kind::kRecipe) continue;
    const std::string_view text = facts.of(statement.span);
    for (std::string_view source : {"$$RANDOM", "$${RANDOM", "$$$$"}) {
      const size_t at = text.find(source);
      if (at == std::string_view::npos) continue;
      const uint32_t begin = statement.span.begin + static_cast<uint32_t>(at);
      Rewrite refusal{.name = "varies",
                      .place = {begin, begin + static_cast<uint32_t>(source.size())}};
      refusal.message =
          fmt::format("`{}` differs at each run, and what depends on it is not known", source);
      refused.push_back(std::move(refusal));
    }
  }
  return refused;
}

}  // namespace nacre::make
