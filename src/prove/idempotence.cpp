// idempotence: where a run succeeds, a second one succeeds and changes nothing. Refuted by running
// both in the simulated world; proved where every change is one that repeats itself and nothing
// that is changed is read (footprint.h).
#include <algorithm>
#include <fmt/format.h>

#include "explore/findings.h"
#include "explore/scene_file.h"
#include "prove/footprint.h"
#include "prove/subject.h"
#include "prove/temporary.h"
#include "purify/sinks.h"
#include "purify/values.h"
#include "regular/decide.h"

namespace nacre::prove {

namespace {

bool changes_state(const Touch& touch) {
  return touch.kind != TouchKind::kRead && touch.kind != TouchKind::kLook;
}

// The owner can still read and write what has that mode: "644", "u+x", "go-rwx".
bool keeps_rights(std::string_view mode, bool is_directory) {
  if (mode.size() >= 3 && mode.find_first_not_of("01234567") == std::string_view::npos) {
    const char owner = mode[mode.size() - 3];
    return owner == '7' || (owner == '6' && !is_directory);
  }
  while (!mode.empty()) {
    const std::string_view clause = mode.substr(0, mode.find(','));
    mode.remove_prefix(std::min(mode.size(), clause.size() + 1));
    const size_t op = clause.find_first_of("+-=");
    if (op == std::string_view::npos) return false;
    const bool is_of_others = op > 0 && clause.find_first_not_of("go") == op;
    if (clause[op] != '+' && !is_of_others) return false;
  }
  return true;
}

// The symbol names the other one's path, or something above it.
bool holds(const std::string& symbol, const std::string& path) {
  return !symbol.empty() && (path == symbol || path.starts_with(symbol + "/"));
}

// A test that is false once its body has run: if [ ! -f x ]; then ... > x; fi
struct Guard {
  size_t look = 0;  // the touch
  Span body;
};

// Decides whether a second run repeats the first one: what it reads and looks at is not changed by
// it, or was made by the same run before; and no change fails, or goes elsewhere, because it was
// made before. Then the second run makes the same changes in the same order.
class Repetition {
 public:
  Repetition(const Subject& subject, bool is_root)
      : subject_(subject), is_root_(is_root), all_(footprint_of(subject)), temporary_(subject) {
    std::erase_if(all_.touches, [&](const Touch& each) { return temporary_.holds(each.symbol); });
    for (size_t i = 0; i < touches().size(); i++) find_guard(i);
  }

  [[nodiscard]] const Temporaries& temporary() const { return temporary_; }
  [[nodiscard]] const std::vector<Touch>& touches() const { return all_.touches; }
  // Nothing that is known, and no handler, removes or replaces it; what is not known does not name
  // it.
  [[nodiscard]] bool stays(const Touch& touch) const {
    const bool has_handler = std::any_of(subject_.calls.begin(), subject_.calls.end(),
                                         [](const purify::Call& call) { return call.is("trap"); });
    const std::string_view bytes = subject_.file.bytes();
    const std::string text = subject_.script->text(touch.target);
    const bool is_named_once = bytes.find(text) == bytes.rfind(text);
    return !has_handler && (is_named_once || !all_.doubt) &&
           std::none_of(touches().begin(), touches().end(), [&](const Touch& each) {
             const bool replaces =
                 each.kind == TouchKind::kRemove || each.kind == TouchKind::kWrite;
             return &each != &touch && replaces && may_overlap(each, touch);
           });
  }
  [[nodiscard]] bool changes_nothing() const {
    return std::none_of(touches().begin(), touches().end(), changes_state);
  }

  [[nodiscard]] std::optional<Finding> doubt() const {
    if (all_.doubt) return all_.doubt;
    for (const Touch& each : touches()) {
      if (auto finding = doubt_of(each)) return finding;
      if (!changes_state(each)) continue;
      for (const Touch& other : touches()) {
        if (&other == &each) continue;
        if (auto finding = conflict(each, other)) return finding;
      }
    }
    return std::nullopt;
  }

 private:
  // Some earlier touch of that kind of the path, or of a directory above it.
  template <typename Wanted>
  [[nodiscard]] const Touch* made_before(const Touch& touch, Wanted wanted) const {
    for (const Touch& each : touches()) {
      if (&each != &touch && changes_state(each) && wanted(each) &&
          comes_before(subject_, each, touch))
        return &each;
    }
    return nullptr;
  }

  // Between the two, something may undo the first one.
  template <typename Undoes>
  [[nodiscard]] bool is_undone(const Touch& first, const Touch& second, Undoes undoes) const {
    return std::any_of(touches().begin(), touches().end(), [&](const Touch& each) {
      const bool is_between =
          each.place->function != first.place->function || each.place->loops > first.place->loops ||
          (each.span.begin > first.span.begin && each.span.begin < second.span.begin);
      return &each != &first && &each != &second && each.place != second.place && is_between &&
             undoes(each) && may_overlap(each, second);
    });
  }

  // What was there before this run does not matter any more.
  [[nodiscard]] bool is_settled(const Touch& touch) const {
    return made_before(touch, [&](const Touch& each) {
             if (each.kind == TouchKind::kRemove) return holds(each.symbol, touch.symbol);
             if (each.kind == TouchKind::kWrite) return each.symbol == touch.symbol;
             return each.kind == TouchKind::kMake && touch.kind == TouchKind::kLook &&
                    holds(touch.symbol, each.symbol);
           }) != nullptr;
  }

  [[nodiscard]] bool is_guarded(const Touch& touch) const {
    return std::any_of(guards_.begin(), guards_.end(), [&](const Guard& each) {
      return each.body.contains(touch.place->command->span);
    });
  }

  [[nodiscard]] bool meets_need(const Touch& touch) const {
    const auto makes = [](const Touch& each) {
      return each.kind == TouchKind::kWrite || each.kind == TouchKind::kMake;
    };
    const auto removes = [](const Touch& each) { return each.kind == TouchKind::kRemove; };
    const Touch* made = made_before(
        touch, [&](const Touch& each) { return makes(each) && each.symbol == touch.symbol; });
    const Touch* removed = made_before(touch, [&](const Touch& each) {
      return removes(each) && holds(each.symbol, touch.symbol);
    });
    const bool is_there = made != nullptr && is_fatal(*made) && !is_undone(*made, touch, removes);
    const bool is_gone = removed != nullptr && !is_undone(*removed, touch, makes);
    if (is_of_lock(touch)) return true;
    switch (touch.need) {
      case Need::kNothing: return true;
      case Need::kPresent: return is_there;
      case Need::kAbsent: return is_gone;
      case Need::kSettled: return is_gone || (is_there && made->kind == TouchKind::kMake);
    }
    return false;
  }

  [[nodiscard]] std::optional<Finding> doubt_of(const Touch& touch) const {
    if (is_guarded(touch)) return std::nullopt;
    if (touch.kind == TouchKind::kGrow && !is_settled(touch))
      return open_at(touch.span, "adds to a file on each run");
    if (!meets_need(touch))
      return open_at(touch.span,
                     touch.need == Need::kSettled
                         ? fmt::format("where `{}` puts it depends on what is there", touch.command)
                         : fmt::format("a second `{}` may fail", touch.command));
    if (is_root_) return std::nullopt;
    if (touch.kind == TouchKind::kMode && !keeps_rights_at(touch))
      return open_at(touch.span, "takes rights of the owner away");
    const bool removes_copy =
        touch.kind == TouchKind::kRemove &&
        std::any_of(touches().begin(), touches().end(), [&](const Touch& each) {
          return each.kind == TouchKind::kWrite && each.is_tree && may_overlap(each, touch);
        });
    if (removes_copy)
      return open_at(touch.span,
                     "a copy has the modes of its source: directories may be read-only");
    if (touch.takes_mode && !has_mode_later(touch))
      return open_at(touch.span, "a copy has the mode of its source, which may be read-only");
    return std::nullopt;
  }

  [[nodiscard]] bool keeps_rights_at(const Touch& touch) const {
    const bool is_replaced =
        made_before(touch, [&](const Touch& each) {
          return each.kind == TouchKind::kRemove && each.symbol == touch.symbol;
        }) != nullptr;
    if (is_replaced) return true;
    const bool is_directory =
        std::any_of(touches().begin(), touches().end(),
                    [&](const Touch& each) { return may_be_below(each, touch); });
    const auto call =
        std::find_if(subject_.calls.begin(), subject_.calls.end(),
                     [&](const purify::Call& each) { return each.place == touch.place; });
    if (call == subject_.calls.end()) return false;
    const auto operands = call->operands();
    // Another owner or group takes no right that the second run needs, if it could be given.
    const auto invocation = purify::invocation_of(*subject_.script, *call);
    const commands::Property* does =
        invocation ? invocation->property(commands::CardKey::kDoes) : nullptr;
    if (does == nullptr) return false;
    if (does->value.find("chmod") == std::string_view::npos) return true;
    const commands::GivenOption* mode = invocation->last("-m");
    if (mode != nullptr)
      return mode->argument && mode->argument->text &&
             keeps_rights(*mode->argument->text, is_directory);
    return !operands.empty() && operands[0]->is_literal() &&
           keeps_rights(operands[0]->literal(), is_directory);
  }

  [[nodiscard]] bool has_mode_later(const Touch& touch) const {
    if (touch.is_below && touch.need == Need::kSettled) return false;
    return std::any_of(touches().begin(), touches().end(), [&](const Touch& each) {
      const bool is_later = each.kind == TouchKind::kMode && each.symbol == touch.symbol &&
                            comes_before(subject_, touch, each);
      const bool is_before = each.kind == TouchKind::kRemove && holds(each.symbol, touch.symbol) &&
                             comes_before(subject_, each, touch);
      return is_later || is_before;
    });
  }

  // A directory that is made, and is removed by every run that has made it.
  [[nodiscard]] bool is_of_lock(const Touch& touch) const {
    return std::any_of(touches().begin(), touches().end(), [&](const Touch& each) {
      if (each.symbol != touch.symbol || &each == &touch) return false;
      if (each.kind == TouchKind::kMake) return is_lock(each, touch);
      return touch.kind == TouchKind::kMake && is_lock(touch, each);
    });
  }
  [[nodiscard]] bool is_lock(const Touch& make, const Touch& removal) const {
    if (make.need != Need::kAbsent || removal.kind != TouchKind::kRemove) return false;
    const bool is_filled =
        !removal.is_tree && std::any_of(touches().begin(), touches().end(), [&](const Touch& each) {
          return changes_state(each) && each.kind != TouchKind::kRemove && may_be_below(each, make);
        });
    return !is_filled && always_follows(subject_, make, removal);
  }

  // It ends the script if it fails.
  [[nodiscard]] bool is_fatal(const Touch& touch) const {
    return subject_.script->fate(*touch.place) == purify::Fate::kFatal;
  }

  [[nodiscard]] std::optional<Finding> conflict(const Touch& change, const Touch& other) const {
    const bool is_one_command =
        change.place == other.place && !change.command.empty() && !other.command.empty();
    if (is_one_command || is_excused(change, other)) return std::nullopt;
    const auto found = [&](std::string_view what) {
      return open_at(change.span, fmt::format("{} {}", change.symbol, what));
    };
    if (other.kind == TouchKind::kRead || other.kind == TouchKind::kLook) {
      // What is changed before it is read is changed before it is read in the second run, too.
      if (!is_seen(change, other) || is_earlier(subject_, change, other) || is_settled(other))
        return std::nullopt;
      return found("is written and may be read, too");
    }
    // What leads to a path must not change: the directories above it.
    if (change.kind == TouchKind::kRemove) {
      const bool is_lost = may_be_below(other, change) ||
                           (other.kind == TouchKind::kMode && may_be_same(other, change));
      if (!is_lost || is_made_again(other)) return std::nullopt;
      return found("is removed, and something is changed below it");
    }
    if (change.kind == TouchKind::kMake) {
      if (other.kind == TouchKind::kMake || other.kind == TouchKind::kRemove) return std::nullopt;
      if (!may_be_below(other, change) || comes_before(subject_, change, other) ||
          is_fatal(other) || is_made_again(other))
        return std::nullopt;
      return found("is made, and something is changed below it before");
    }
    if (!change.may_lead || !may_be_below(other, change) || comes_before(subject_, change, other))
      return std::nullopt;
    return found("is written, and something is changed below it");
  }

  [[nodiscard]] bool is_made_again(const Touch& touch) const {
    return made_before(touch, [&](const Touch& each) {
             if (each.kind == TouchKind::kWrite) return each.symbol == touch.symbol;
             return each.kind == TouchKind::kMake && holds(each.symbol, touch.symbol);
           }) != nullptr;
  }

  // What `reader` learns may depend on the change.
  [[nodiscard]] static bool is_seen(const Touch& change, const Touch& reader) {
    if (may_be_same(change, reader))
      return reader.kind == TouchKind::kLook || change.kind != TouchKind::kMode;
    const bool removes = change.kind == TouchKind::kRemove || change.is_below;
    if (removes && may_be_below(reader, change)) return true;
    if (change.kind == TouchKind::kMode) return false;
    if (change.may_lead && may_be_below(reader, change)) return true;
    const bool is_tree = reader.kind == TouchKind::kRead && reader.is_below;
    const bool makes_parents = change.kind == TouchKind::kMake;
    return (is_tree || makes_parents) && may_be_below(change, reader);
  }

  // The body of a guard runs once: what it changes is there from then on.
  [[nodiscard]] bool is_excused(const Touch& change, const Touch& other) const {
    for (const Guard& guard : guards_) {
      if (!guard.body.contains(change.place->command->span)) continue;
      if (&other == &touches()[guard.look]) return true;
      if (guard.body.contains(other.place->command->span)) return true;
      const bool is_later = other.span.begin > guard.body.end && other.place->loops == 0 &&
                            other.place->function == change.place->function;
      if (is_later && !changes_state(other)) return true;
    }
    return false;
  }

  void find_guard(size_t index);
  [[nodiscard]] bool flips(const Touch& look, bool runs_if_there, char letter, Span body) const;
  [[nodiscard]] bool is_simple_body(Span body) const;

  const Subject& subject_;
  bool is_root_;
  Footprint all_;
  Temporaries temporary_;
  std::vector<Guard> guards_;
};

// [ -f PATH ], [ ! -f PATH ], [[ -f PATH ]]: its letter, and whether it is true if PATH is there.
std::optional<std::pair<char, bool>> test_of(const purify::Place& place) {
  if (const auto* node = std::get_if<shell::Conditional>(&place.command->node)) {
    const shell::ConditionalExpression* at = node->expression;
    bool is_true = true;
    while (at->kind == shell::ConditionalKind::kNot && at->first != nullptr) {
      is_true = !is_true;
      at = at->first;
    }
    if (at->kind != shell::ConditionalKind::kUnary || at->first != nullptr) return std::nullopt;
    return std::pair(at->letter, is_true);
  }
  const shell::SimpleCommand* simple = place.simple();
  if (simple == nullptr) return std::nullopt;
  auto words = simple->words;
  if (words.empty()) return std::nullopt;
  if (words[0].is_literal() && words[0].literal() == "[") words = words.first(words.size() - 1);
  const bool is_negated = words.size() == 4 && words[1].is_literal() && words[1].literal() == "!";
  if (words.size() != (is_negated ? 4U : 3U)) return std::nullopt;
  const shell::Word& letter = words[is_negated ? 2 : 1];
  if (!letter.is_literal() || letter.literal().size() != 2 || letter.literal()[0] != '-')
    return std::nullopt;
  return std::pair(letter.literal()[1], !is_negated);
}

void Repetition::find_guard(size_t index) {
  const Touch& look = touches()[index];
  if (look.kind != TouchKind::kLook) return;
  const auto test = test_of(*look.place);
  if (!test) return;
  bool runs_if_there = test->second;
  const purify::Script& script = *subject_.script;
  const purify::Place* at = look.place;
  const auto parent = [&] { return at->parent == nullptr ? nullptr : &script.place(*at->parent); };
  if (const purify::Place* up = parent(); up != nullptr) {
    const auto* pipeline = std::get_if<shell::Pipeline>(&up->command->node);
    if (pipeline != nullptr && pipeline->items.size() == 1 && pipeline->is_negated) {
      runs_if_there = !runs_if_there;
      at = up;
    }
  }
  const purify::Place* up = parent();
  if (up == nullptr) return;
  Span body;
  if (const auto* node = std::get_if<shell::If>(&up->command->node)) {
    const bool is_only = node->arms.size() == 1 && node->else_body == nullptr &&
                         node->arms[0].condition.items.size() == 1 &&
                         node->arms[0].condition.items[0].command == at->command;
    if (!is_only) return;
    body = node->arms[0].body.span;
  } else if (const auto* list = std::get_if<shell::AndOr>(&up->command->node)) {
    if (list->items.size() != 2 || list->items[0].command != at->command) return;
    const flow::CommandFact* fact = script.fact(*up);
    if (list->items[1].op == shell::AndOrOp::kOr) {
      runs_if_there = !runs_if_there;
    } else if (fact == nullptr || fact->use.is_result || fact->use.is_tested || fact->use.is_read ||
               up->parent != nullptr) {
      return;  // its status is another one when the body does not run
    }
    body = list->items[1].command->span;
  } else {
    return;
  }
  if (is_simple_body(body) && flips(look, runs_if_there, test->first, body))
    guards_.push_back({index, body});
}

// Nothing outside of it depends on whether it has run, but for files.
bool Repetition::is_simple_body(Span body) const {
  constexpr std::string_view kLasting[] = {"cd",   "exit",  "return", "set",      "export", "unset",
                                           "trap", "eval",  ".",      "source",   "read",   "shift",
                                           "exec", "umask", "break",  "continue", "getopts"};
  const purify::Script& script = *subject_.script;
  for (const purify::WordPlace& at : script.words()) {
    if (at.assignment != nullptr && body.contains(at.word->span)) return false;
  }
  return std::none_of(
      script.places().begin(), script.places().end(), [&](const purify::Place& place) {
        const std::string_view name = script.name_of(place);
        return body.contains(place.command->span) &&
               (script.has_function(name) ||
                std::find(std::begin(kLasting), std::end(kLasting), name) != std::end(kLasting));
      });
}

bool Repetition::flips(const Touch& look, bool runs_if_there, char letter, Span body) const {
  const auto does_it = [&](const Touch& each) {
    if (runs_if_there) return each.kind == TouchKind::kRemove && each.symbol == look.symbol;
    const bool writes = each.kind == TouchKind::kWrite || each.kind == TouchKind::kGrow;
    const bool is_file = std::string_view("efL h").find(letter) != std::string_view::npos;
    const bool is_directory = letter == 'd' || letter == 'e';
    return (writes && is_file && each.symbol == look.symbol) ||
           (each.kind == TouchKind::kMake && is_directory && holds(look.symbol, each.symbol));
  };
  const Touch* flip = nullptr;
  size_t changes = 0;
  for (const Touch& each : touches()) {
    if (!body.contains(each.place->command->span) || !changes_state(each)) continue;
    changes++;
    if (does_it(each)) flip = &each;
  }
  if (flip == nullptr || look.symbol.empty()) return false;
  if (changes > 1 && !is_fatal(*flip) && flip->need == Need::kNothing) {
    const bool is_first_and_only =
        std::all_of(touches().begin(), touches().end(), [&](const Touch& each) {
          return !body.contains(each.place->command->span) || !changes_state(each) ||
                 each.place == flip->place || each.symbol == look.symbol;
        });
    if (!is_first_and_only) return false;
  }
  // What it has made stays, and nothing before has written what it overwrites.
  return std::none_of(touches().begin(), touches().end(), [&](const Touch& each) {
    if (body.contains(each.place->command->span) || !changes_state(each)) return false;
    if (each.kind == TouchKind::kRemove && (may_be_same(each, *flip) || may_be_below(*flip, each)))
      return true;
    if (runs_if_there && may_overlap(each, look)) return true;
    const bool is_later = each.span.begin > body.end && each.place->loops == 0 &&
                          each.place->function == look.place->function;
    return !is_later && each.kind != TouchKind::kMake && each.kind != TouchKind::kMode &&
           std::any_of(touches().begin(), touches().end(), [&](const Touch& inner) {
             return body.contains(inner.place->command->span) && changes_state(inner) &&
                    inner.kind != TouchKind::kMake && may_overlap(each, inner);
           });
  });
}

// A line that is added, or a file that is named, by every run: certain, if a run succeeds.
bool ends_in_failure(const Subject& subject) {
  for (const purify::Place& place : subject.script->places()) {
    if (place.parent != nullptr || subject.script->name_of(place) != "exit") continue;
    const auto words = place.simple()->words;
    if (words.size() == 2 && (!words[1].is_literal() || words[1].literal() != "0")) return true;
  }
  return false;
}

bool tells_time(const Subject& subject, const shell::Part& part) {
  if (part.kind == shell::PartKind::kParameter) return part.parameter().name == "$";
  if (part.kind != shell::PartKind::kCommand || part.command().body.items.size() != 1) return false;
  const shell::Command* command = part.command().body.items[0].command;
  return std::any_of(subject.calls.begin(), subject.calls.end(), [&](const purify::Call& call) {
    return call.place->command == command &&
           knowledge_of(*subject.script, call).varies == Varies::kClock;
  });
}

// The word holds the process id or the time, or a variable that is set to them and nothing else.
bool has_new_value(const Subject& subject, const shell::Word& word) {
  const auto values = purify::values_in(word);
  return std::any_of(values.begin(), values.end(), [&](const shell::Part* part) {
    if (tells_time(subject, *part)) return true;
    if (part->kind != shell::PartKind::kParameter ||
        part->parameter().op != shell::ParameterOp::kNone)
      return false;
    const purify::WordPlace* only = nullptr;
    for (const purify::WordPlace& at : subject.script->words()) {
      if (at.assignment == nullptr || at.assignment->name != part->parameter().name) continue;
      if (only != nullptr) return false;
      only = &at;
    }
    if (only == nullptr || only->place->parent != nullptr || only->place->loops > 0) return false;
    const auto inner = purify::values_in(*only->word);
    return std::any_of(inner.begin(), inner.end(),
                       [&](const shell::Part* each) { return tells_time(subject, *each); });
  });
}

// A file of another name on each run, or one with other contents; empty: nothing new.
std::string novelty_of(const Subject& subject, const purify::Place& place, const Touch& touch) {
  const auto is_written_as = [&](const shell::Word& word) {
    return touch.symbol == path_symbol(subject, word);
  };
  const bool makes = touch.kind == TouchKind::kWrite || touch.kind == TouchKind::kMake;
  const bool is_redirection = touch.command.empty();
  if (is_redirection && touch.kind == TouchKind::kGrow && touch.is_constant)
    return fmt::format("{} grows on each run", touch.symbol);
  if (!makes) return "";
  for (const shell::Redirection& each : place.command->redirections) {
    if (is_redirection && is_written_as(each.target) && has_new_value(subject, each.target))
      return "each run makes a file of another name";
  }
  const shell::SimpleCommand* simple = place.simple();
  if (simple == nullptr) return "";
  for (const shell::Word& word : simple->words.subspan(1)) {
    if (!has_new_value(subject, word)) continue;
    if (!is_redirection && is_written_as(word)) return "each run makes a file of another name";
    if (is_redirection && touch.is_constant && is_printer(subject.script->name_of(place)))
      return fmt::format("{} has other contents after each run", touch.symbol);
  }
  return "";
}

std::optional<Finding> growth(const Subject& subject, const Repetition& repetition) {
  if (ends_in_failure(subject)) return std::nullopt;
  for (const Touch& touch : repetition.touches()) {
    const purify::Place& place = *touch.place;
    const std::string_view name = subject.script->name_of(place);
    const bool prints = is_printer(name) && place.simple()->words.size() > 1;
    const bool is_needed = prints || subject.script->fate(place) == purify::Fate::kFatal;
    if (place.parent != nullptr || place.function != nullptr || !is_needed) continue;
    if (subject.script->fact(place) == nullptr || touch.symbol.starts_with("/dev/")) continue;
    const std::string reason = novelty_of(subject, place, touch);
    if (!reason.empty() && repetition.stays(touch))
      return Finding{{}, Verdict::kRefuted, reason, touch.span, "two runs in a row", false};
  }
  return std::nullopt;
}

// Values that differ between two runs get only into what is printed.
std::optional<Finding> varying_contents(const Subject& subject, const Repetition& repetition) {
  if (repetition.changes_nothing()) return std::nullopt;
  const std::string_view bytes = subject.file.bytes();
  for (std::string_view name : {"$$", "$!", "$PPID", "$RANDOM", "$SECONDS"}) {
    if (bytes.find(name) != std::string_view::npos)
      return open_at({}, fmt::format("{} differs from run to run", name));
  }
  for (const purify::Call& call : subject.calls) {
    // A second run is later and another process, on the same host.
    const Varies varies = knowledge_of(*subject.script, call).varies;
    if (varies == Varies::kNo || varies == Varies::kHost) continue;
    if (repetition.temporary().is_harmless(call)) continue;
    const shell::Part* around = call.place->substitution;
    const purify::WordPlace* at = around == nullptr ? nullptr : subject.script->word_of(*around);
    const bool is_printed = at != nullptr && at->role == purify::WordRole::kArgument &&
                            subject.script->name_of(*at->place) == "echo" &&
                            at->place->command->redirections.empty() &&
                            at->place->parent == nullptr;
    if (!is_printed)
      return open_at(call.span(),
                     fmt::format("what `{}` prints differs from run to run", call.name));
  }
  return std::nullopt;
}

explore::Budget budget_of_second_run() {
  explore::Budget budget;
  budget.runs = 60;
  budget.steps = 2'000'000;
  budget.steps_of_run = 60'000;
  return budget;
}

// A world that the script leaves, in which it fails or changes something once more.
std::optional<Finding> second_run(const Subject& subject, const Explored& explored,
                                  const explore::Budget& budget) {
  size_t worlds = 0;
  for (const explore::Outcome& outcome : explored.report.outcomes) {
    if (!outcome.succeeded() || ++worlds > subject.options.worlds) continue;
    explore::Report one = explored.report;
    one.outcomes = {outcome};
    const auto found = explore::findings_of_second_run(explored.script, one, budget, 1);
    if (found.empty()) continue;
    return Finding{{},
                   Verdict::kRefuted,
                   found[0].message,
                   found[0].place.span,
                   explore::scene_json(explored.script, explored.start, outcome.decisions,
                                       outcome.after.memory),
                   true};
  }
  return std::nullopt;
}

// The same in worlds whose files do not end with a newline, or may only be read by their owner.
std::optional<Finding> second_run_with_odd_files(const Subject& subject, const Explored& explored,
                                                 bool is_root) {
  if (!explored.refusal.empty()) return std::nullopt;
  const explore::Budget budget = budget_of_second_run();
  Explored open = explored;
  open.script.has_open_lines = true;
  open.report = explore::report_on(open.script, open.start, budget);
  if (auto finding = second_run(subject, open, budget)) return finding;
  if (is_root) return std::nullopt;
  Explored locked = explored;
  locked.script.file_mode = 0444;
  locked.report = explore::report_on(locked.script, locked.start, budget);
  return second_run(subject, locked, budget);
}

Finding decide(Subject& subject, const std::string& user, bool is_root) {
  const Explored& explored = subject.explored(user);
  if (explored.refusal.empty()) {
    if (auto finding = second_run(subject, explored, budget_of_second_run())) return *finding;
  }
  const Repetition repetition(subject, is_root);
  const bool has_success =
      !explored.refusal.empty() ||
      std::any_of(explored.report.outcomes.begin(), explored.report.outcomes.end(),
                  [](const explore::Outcome& each) { return each.succeeded(); });
  if (has_success) {
    if (auto finding = growth(subject, repetition)) return *finding;
  }
  const Finding code = injection(subject);
  if (code.verdict == Verdict::kRefuted && code.reason.find("code") != std::string::npos)
    return open_at(code.place, "a value may become code: " + code.reason);
  const bool never_succeeds =
      explored.refusal.empty() && explored.report.is_complete() &&
      std::none_of(explored.report.outcomes.begin(), explored.report.outcomes.end(),
                   [](const explore::Outcome& each) { return each.succeeded(); });
  if (never_succeeds)
    return {{},   Verdict::kProved, "no run succeeds, so there is no second one to compare", {}, {},
            false};
  if (subject.has_unknown_code) return open_at({}, "code that is not known is run");
  if (auto finding = repetition.doubt()) {
    if (auto refuted = second_run_with_odd_files(subject, explored, is_root)) return *refuted;
    return *finding;
  }
  if (auto finding = varying_contents(subject, repetition)) return *finding;
  return {{},
          Verdict::kProved,
          repetition.changes_nothing()
              ? "changes no file, so a second run begins where the first one did"
              : "every change repeats itself, and nothing that is changed is read",
          {},
          {},
          false};
}

}  // namespace

Finding idempotence_root(Subject& subject) { return decide(subject, "root", true); }
Finding idempotence_user(Subject& subject) { return decide(subject, subject.options.user, false); }

}  // namespace nacre::prove
