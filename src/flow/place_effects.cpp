#include "flow/place_effects.h"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>

#include "commands/effect_run.h"
#include "flow/call_words.h"
#include "flow/place_names.h"
#include "flow/rules/publish.h"
#include "regular/decide.h"

namespace nacre::flow {

using commands::EffectCall;
using commands::PathTest;

namespace {

constexpr uint8_t kTherePlace = kFilePlace | kDirectoryPlace;
constexpr size_t kMaxWays = 48;  // in which the questions of one command are answered

// The kinds of which the answer to a question is yes; none if they do not tell.
std::optional<uint8_t> kinds_with(PathTest test) {
  switch (test) {
    case PathTest::kThere: return kTherePlace;
    case PathTest::kLthere: return kTherePlace | kDanglingPlace;
    case PathTest::kMissing:
    case PathTest::kAbsent: return kAbsentPlace;
    case PathTest::kDirectory:
    case PathTest::kLdirectory: return kDirectoryPlace;
    case PathTest::kFile: return kFilePlace;
    default: return std::nullopt;
  }
}

// A store for commands::run_effect over what is known of places. Paths are keys. What is not known
// is answered by `answers`, in the order of the questions; the last one is then known.
class PlaceStore {
 public:
  PlaceStore(Places places, Span command, std::vector<bool>& answers)
      : places_(std::move(places)), command_(command), answers_(answers) {}

  int call(EffectCall call, const std::string& a, const std::string& b) {
    switch (call) {
      case EffectCall::kMkdir:
      case EffectCall::kMkfifo:
        if (!holds(a, kAbsentPlace)) return -EEXIST;
        return make(a, call == EffectCall::kMkdir ? kDirectoryPlace : kFilePlace);
      case EffectCall::kCreate: return holds(a, kDirectoryPlace) ? 0 : make(a, kFilePlace);
      case EffectCall::kWrite:
      case EffectCall::kAppend: return holds(a, kDirectoryPlace) ? -EISDIR : make(a, kFilePlace);
      case EffectCall::kRead: return read(a, kFilePlace) ? 0 : -ENOENT;
      case EffectCall::kUnlink: return is_entry(a) ? remove(a, Place::Told::kRemoved) : -ENOENT;
      case EffectCall::kRmdir:  // it may be not empty
        return holds(a, kDirectoryPlace) && decide() ? remove(a, Place::Told::kRemoved) : -ENOTDIR;
      case EffectCall::kRemove:
        return holds(a, kAnyPlace - kAbsentPlace) ? remove(a, Place::Told::kRemoved) : -ENOENT;
      case EffectCall::kRename: return move(a, b);
      case EffectCall::kCopy:
        if (!read(a, kFilePlace)) return -ENOENT;
        return holds(b, kDirectoryPlace) ? -EISDIR : make(b, kFilePlace);
      case EffectCall::kCopyTree:
      case EffectCall::kOverTree:
        if (!read(a, kTherePlace)) return -ENOENT;
        return is_below(b, a) ? -EINVAL : make(b, kinds(a) & kTherePlace);
      case EffectCall::kSymlink:
      case EffectCall::kLink:
        return holds(b, kAbsentPlace) ? make(b, kAnyPlace - kAbsentPlace) : -EEXIST;
      case EffectCall::kEnter: return holds(a, kDirectoryPlace) ? 0 : -ENOTDIR;
      case EffectCall::kChmod:
      case EffectCall::kChown:
      case EffectCall::kChgrp:
      case EffectCall::kChmodTree: return holds(b, kTherePlace) ? 0 : -ENOENT;
      case EffectCall::kStamp: return 0;
    }
    return 0;
  }

  bool is(PathTest test, const std::string& key) {
    if (test == PathTest::kLdirectory && (kinds(key) & kDirectoryPlace) != 0) return !is_entry(key);
    const auto wanted = kinds_with(test);
    if (wanted) return holds(key, *wanted);
    if ((kinds(key) & kTherePlace) != 0) return decide();
    consulted_ = key;
    return false;
  }

  // Links are not known; two keys that differ lead to two files.
  bool related(commands::PathRelation, const std::string& a, const std::string& b) {
    if (a == b && !names_several(a)) return is_same_name_ = true;
    return false;
  }
  std::vector<std::string> list(commands::PathList::Kind, const std::string&) {
    is_known_ = false;
    return {};
  }
  size_t choose(size_t count) {
    if (count != 2) is_known_ = false;
    return decide() ? 1 : 0;
  }
  std::string fresh(const commands::EffectWords&) { return std::string(1, kAnyPlaceName); }
  void print(const std::string&) {}
  void failed(const std::string&, int) {}

  [[nodiscard]] bool is_known() const { return is_known_; }
  [[nodiscard]] const std::string& consulted() const { return consulted_; }
  [[nodiscard]] bool is_same_name() const { return is_same_name_; }
  Places take() { return std::move(places_); }

 private:
  [[nodiscard]] uint8_t kinds(const std::string& key) const { return kinds_at(places_, key); }
  bool decide() {
    if (at_ == answers_.size()) answers_.push_back(false);
    return answers_[at_++];
  }
  // Whether it is one of these; if that is not known, it is an answer, and known from now on.
  bool holds(const std::string& key, int wanted) {
    const uint8_t present = kinds(key);
    if ((present & wanted) != 0 && (present & ~wanted) != 0) {
      const bool answer = decide();
      narrow(key, static_cast<uint8_t>(answer ? present & wanted : present & ~wanted));
      return answer;
    }
    consulted_ = key;
    return (present & wanted) != 0;
  }
  // Not a directory itself: what `[ -d x ]` has found may be a link to one.
  bool is_entry(const std::string& key) {
    const auto known = places_.find(key);
    if (known != places_.end() && known->second.kinds == kDirectoryPlace &&
        known->second.told == Place::Told::kTested)
      return decide();
    return holds(key, kFilePlace | kDanglingPlace);
  }
  bool read(const std::string& key, int wanted) {
    if (const auto known = places_.find(key); known != places_.end()) known->second.written = {};
    return holds(key, wanted);
  }
  void narrow(const std::string& key, uint8_t to) {
    const auto known = places_.find(key);
    if (known != places_.end())
      known->second.kinds = to;
    else
      set_place(places_, key, {to, Place::Told::kTested, command_, {}});
  }
  int make(const std::string& key, uint8_t as) {
    const size_t end = key.rfind('/');
    const std::string above = end == key.npos || end == 0 ? "" : key.substr(0, end);
    if (!above.empty() && (kinds(above) & kDirectoryPlace) == 0) {
      consulted_ = above;
      return -ENOENT;
    }
    const auto known = places_.find(key);
    const bool stays = known != places_.end() && known->second.kinds == as;
    if (stays && as == kDirectoryPlace) return 0;
    forget_place(places_, key);
    set_place(places_, key, {as, Place::Told::kMade, command_, {}});
    return 0;
  }
  int remove(const std::string& key, Place::Told told) {
    forget_place(places_, key);
    set_place(places_, key, {kAbsentPlace, told, command_, {}});
    return 0;
  }
  int move(const std::string& a, const std::string& b) {
    if (!read(a, kAnyPlace - kAbsentPlace)) return -ENOENT;
    if (is_below(b, a)) return -EINVAL;
    const uint8_t moved = kinds(a);
    if (!holds(a, kDirectoryPlace) && holds(b, kDirectoryPlace)) return -EISDIR;
    if (const int error = make(b, moved); error < 0) return error;
    return remove(a, Place::Told::kMoved);
  }

  Places places_;
  Span command_;
  std::vector<bool>& answers_;
  size_t at_ = 0;
  bool is_known_ = true;
  std::string consulted_;
  bool is_same_name_ = false;
};

// The next way to answer; false if there is none.
bool advance(std::vector<bool>& answers) {
  while (!answers.empty() && answers.back()) answers.pop_back();
  if (answers.empty()) return false;
  answers.back() = true;
  return true;
}

struct PlaceOutcome {
  bool is_known = true;
  bool can_succeed = false;
  std::string consulted;  // what its failure depends on
  bool is_same_name = false;
  Places after;  // if it succeeds
};

PlaceOutcome outcome_of(const commands::EffectProgram& program, const commands::EffectWords& words,
                        const Places& before, Span command) {
  PlaceOutcome result;
  std::vector<bool> answers;
  size_t ways = 0;
  do {
    PlaceStore store(before, command, answers);
    const commands::EffectEnd end = commands::run_effect(program, words, store);
    if (!end.is_known || !store.is_known() || ++ways > kMaxWays)
      return {false, true, "", false, {}};
    result.can_succeed |= end.status == 0;
    if (end.status != 0) {
      if (!store.consulted().empty()) result.consulted = store.consulted();
      result.is_same_name |= store.is_same_name();
    }
    Places after = store.take();
    if (ways == 1)
      result.after = std::move(after);
    else
      join_places(result.after, after);
  } while (advance(answers));
  return result;
}

// A command that does the same to each of its operands: one after the other, so that the ways do
// not multiply.
PlaceOutcome outcome_of_each(const commands::EffectProgram& program, commands::EffectWords words,
                             const Places& before, Span command) {
  const bool is_each = program.size() == 1 && program[0].kind == commands::Statement::kEach &&
                       program[0].list.kind == commands::PathList::kOperands;
  if (!is_each || words.operands.size() < 2) return outcome_of(program, words, before, command);
  PlaceOutcome result{true, true, "", false, before};
  for (const std::string& operand : std::vector(words.operands)) {
    words.operands = {operand};
    PlaceOutcome one = outcome_of(program, words, result.after, command);
    if (!one.is_known) return one;
    if (!one.can_succeed && result.can_succeed) result.consulted = one.consulted;
    result.can_succeed &= one.can_succeed;
    result.after = std::move(one.after);
  }
  return result;
}

// The words of the command with keys for its operands; nothing if some may be no word, or an
// option.
std::optional<std::vector<commands::Argument>> keyed_words(Run& run, const Call& call) {
  std::vector<commands::Argument> result;
  size_t unknown = 0;
  for (const Field& field : std::span(call.fields).subspan(1)) {
    commands::Argument word{field.argument.span, run.languages.epsilon(), {}, {}, false};
    const auto& text = field.argument.text;
    if (text && (text->starts_with('-') || text->starts_with('+'))) {
      word.text = text;
    } else {
      const bool is_glob = field.word && field.word->has(shell::kWordMayGlob);
      if (field.may_vanish && !field.may_repeat && !is_glob &&
          regular::included(field.argument.value, run.languages.literal("")).yes())
        continue;  // it is not a word at all
      if ((field.may_vanish || field.may_repeat) && !is_glob) {
        const bool is_one = field.fragments.size() == 1 && field.fragments[0].value.is_opaque &&
                            field.fragments[0].kind != FragmentKind::kList;
        if (!is_one) return std::nullopt;
      }
      word.text = place_named_by(field, call.environment, run.rules);
      if (!word.text) word.text = fmt::format("{}{}", kAnyPlaceName, unknown++);
    }
    word.prefix = *word.text;
    result.push_back(std::move(word));
  }
  return result;
}

const commands::EffectProgram* program_of(Run& run, const commands::Property& does) {
  const auto [known, is_new] = run.memo.effects.try_emplace(&does);
  if (is_new) {
    if (auto program = commands::parse_effect(does.value)) known->second = std::move(*program);
  }
  return known->second.empty() ? nullptr : &known->second;
}

// It reads files, if at all, and changes none but those that it is told to.
bool only_reads(const commands::Card& card) {
  const auto writes = [](const commands::OperandSpec& spec) {
    return spec.kind == commands::OperandKind::kPathWritten ||
           spec.kind == commands::OperandKind::kPathRemoved;
  };
  return card.echoes || (!card.model.empty() && !runs_operands(card) &&
                         std::none_of(card.operands.begin(), card.operands.end(), writes));
}

void forget_all_places(Environment& environment) {
  if (!environment.places->empty()) environment.places = {};
}

// A command that has no `does` line.
void act_unknown(Run& run, Call& call, const commands::Card& card) {
  if (card.echoes) return;
  if (runs_operands(card) && card.model.empty()) {
    const auto inner = innermost(call.fields, run.cards);
    if (inner.size() < call.fields.size() && !inner.empty() && inner[0].argument.text) return;
  }
  if (!only_reads(card)) return forget_all_places(call.environment);
  forget_unread(call.environment);
  Places& places = call.environment.places.edit();
  for (const Field& field : std::span(call.fields).subspan(1)) {
    if (!field.argument.text) continue;
    std::erase_if(places, [&](const auto& entry) {  // `awk '{print > "out"}'`
      const std::string_view name =
          std::string_view(entry.first).substr(entry.first.rfind('/') + 1);
      return field.argument.text->find_first_of(" >") != std::string::npos &&
             field.argument.text->find(name) != std::string::npos;
    });
  }
}

}  // namespace

void act_on_places(Run& run, Call& call, const commands::Card& card) {
  Environment& environment = call.environment;
  if (!card.has_property(commands::CardKey::kDoes)) {
    if (!environment.places->empty()) act_unknown(run, call, card);
    return;
  }
  auto words = keyed_words(run, call);
  if (!words) return forget_all_places(environment);
  const auto invocation =
      commands::parse_invocation(card, call.fields[0].argument.span, std::move(*words));
  const bool is_certain = !invocation.is_uncertain && !invocation.is_foreign;
  const commands::Property* does = invocation.property(commands::CardKey::kDoes);
  const commands::EffectProgram* program =
      does && is_certain && invocation.problems.empty() ? program_of(run, *does) : nullptr;
  if (!program) return forget_all_places(environment);
  PlaceOutcome outcome = outcome_of_each(*program, commands::effect_words(invocation),
                                         *environment.places, call.node.span);
  publish(
      EffectEvent{call, invocation, outcome.can_succeed, outcome.consulted, outcome.is_same_name},
      run.rules);
  if (!outcome.is_known) return forget_all_places(environment);
  if (!(outcome.after.empty() && environment.places->empty()))
    environment.places.edit() = std::move(outcome.after);
}

void enter_place(Run& run, Call& call, Directory& directory) {
  Environment& environment = call.environment;
  const bool is_option =
      call.fields.size() > 1 && call.fields.back().argument.text.value_or("").starts_with('-');
  if (const commands::Card* card = run.cards.find("cd");
      card && call.fields.size() == 2 && !is_option)
    act_on_places(run, call, *card);
  std::optional<std::string> target = "~";
  if (call.fields.size() > 1) target = place_named_by(call.fields.back(), environment, run.rules);
  directory.place = target && !names_several(*target) && !is_option && !target->starts_with("${")
                        ? *target
                        : fmt::format("#{}", call.node.span.begin);
  if (environment.places->empty()) return;
  Places& places = environment.places.edit();
  // In a loop it is another directory each time; and a relative path in a variable leads elsewhere.
  if (directory.place.starts_with('#'))
    std::erase_if(places, [&](const auto& entry) {
      return place_root(entry.first) == place_root(directory.place);
    });
  std::erase_if(places, [](const auto& entry) { return entry.first.starts_with("${"); });
}

void write_place(const shell::Redirection& redirection, const std::string& key, bool prints_own,
                 Environment& environment) {
  if (!environment.is_reachable || is_device_place(key) || names_several(key)) return;
  Places& places = environment.places.edit();
  const auto known = places.find(key);
  const Span before = known == places.end() ? Span{} : known->second.written;
  forget_place(places, key);
  const bool appends = redirection.op == shell::RedirectOp::kAppend;
  set_place(places, key,
            {kFilePlace, Place::Told::kMade, redirection.span,
             prints_own ? redirection.span
             : appends  ? before
                        : Span{}});
}

void forget_unread(Environment& environment) {
  const auto is_unread = [](const auto& entry) { return !entry.second.written.empty(); };
  if (std::none_of(environment.places->begin(), environment.places->end(), is_unread)) return;
  for (auto& [key, place] : environment.places.edit()) place.written = {};
}

void forget_unread(Environment& environment, std::string_view key) {
  const auto known = environment.places->find(key);
  if (known == environment.places->end() || known->second.written.empty()) return;
  environment.places.edit().find(key)->second.written = {};
}

void learn_place(const std::string& key, char letter, Span by, Branches& branches) {
  if (names_several(key)) return;
  uint8_t wanted = 0, other = kAnyPlace;
  switch (letter) {
    case 'e':
      wanted = kTherePlace;
      other = kAbsentPlace | kDanglingPlace;
      break;
    case 'f':
      wanted = kFilePlace;
      other = kAnyPlace - kFilePlace;
      break;
    case 's': wanted = kTherePlace; break;
    case 'd':
      wanted = kDirectoryPlace;
      other = kAnyPlace - kDirectoryPlace;
      break;
    case 'r':
    case 'w':
    case 'x': wanted = kTherePlace; break;
    case 'L':
    case 'h':  // what was known may have been known of what the link leads to
      for (Environment* each : {&branches.success, &branches.failure}) {
        if (each->places->contains(key)) each->places.edit().erase(key);
      }
      return;
    default: return;
  }
  const auto learn = [&](Environment& environment, uint8_t kinds) {
    if (!environment.is_reachable) return;
    forget_unread(environment, key);
    const auto known = environment.places->find(key);
    const uint8_t before =
        known == environment.places->end() ? uint8_t{kAnyPlace} : known->second.kinds;
    const auto both = static_cast<uint8_t>(before & kinds);
    if (both == before) return;
    // What contradicts itself was changed by something that is not known here.
    const uint8_t now = both == 0 ? kinds : both;
    set_place(environment.places.edit(), key, {now, Place::Told::kTested, by, {}});
  };
  learn(branches.success, wanted);
  learn(branches.failure, other);
}

void note_temporary(Run& run, const shell::Assignment& assignment, Environment& environment) {
  const shell::Part* part =
      assignment.value.parts().size() == 1 ? &assignment.value.parts()[0] : nullptr;
  if (part && part->kind == shell::PartKind::kDoubleQuoted)
    part = part->parts().size() == 1 ? &part->parts()[0] : nullptr;
  if (!part || part->kind != shell::PartKind::kCommand) return;
  const shell::Sequence& body = part->command().body;
  const auto* simple = body.items.size() == 1 && body.items[0].command
                           ? std::get_if<shell::SimpleCommand>(&body.items[0].command->node)
                           : nullptr;
  if (!simple || simple->words.empty() || !simple->words[0].is_literal()) return;
  const std::string_view name = simple->words[0].literal();
  const commands::Card* card =
      run.function_named(name, environment) ? nullptr : run.cards.find(name);
  if (!card || !card->has_property(commands::CardKey::kMakes)) return;
  const auto invocation = literal_invocation(run.languages, *card, *simple);
  const commands::Property* makes = invocation.property(commands::CardKey::kMakes);
  if (!makes || invocation.is_uncertain || makes->value == "nothing") return;
  const uint8_t kinds = makes->value == "directory" ? kDirectoryPlace : kFilePlace;
  set_place(environment.places.edit(), place_variable(assignment.name),
            {kinds, Place::Told::kTemporary, body.items[0].command->span, {}});
}

}  // namespace nacre::flow
