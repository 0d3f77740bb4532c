#include "prove/footprint.h"

#include <algorithm>
#include <fmt/format.h>

#include "commands/effect.h"
#include "prove/temporary.h"
#include "purify/quoting.h"
#include "purify/values.h"
#include "regular/decide.h"
#include "shell/visitor.h"

namespace nacre::prove {

using commands::EffectCall;
using commands::Statement;
using regular::Lang;
using shell::Part;
using shell::PartKind;
using shell::Word;

namespace {

struct Path {
  std::string symbol;
  Lang texts;
  bool is_constant = false;
  bool is_below = false;
  // A target that may lie within the directory that `symbol` is.
  bool may_be_within = false;
};

Touch touch_of(TouchKind kind, const Path& path, const purify::Place& place, Span span) {
  return {.kind = kind,
          .symbol = path.symbol,
          .paths = path.texts,
          .place = &place,
          .span = span,
          .target = span,
          .is_constant = path.is_constant,
          .is_below = path.is_below,
          .need = Need::kNothing,
          .takes_mode = false,
          .is_tree = false,
          .may_lead = false,
          .command = {}};
}

// One slash between names, none at the end, no `./` in front.
std::string normal(std::string_view path) {
  std::string result;
  for (char c : path) {
    if (c != '/' || !result.ends_with('/')) result += c;
  }
  while (result.size() > 1 && result.ends_with('/')) result.pop_back();
  while (result.starts_with("./") && result.size() > 2) result.erase(0, 2);
  return result;
}

bool has_dots(std::string_view path) {
  return (fmt::format("/{}/", path)).find("/../") != std::string::npos ||
         (fmt::format("/{}/", path)).find("/./") != std::string::npos;
}

// Words as languages of paths.
class Paths {
 public:
  explicit Paths(const Subject& subject)
      : subject_(subject),
        cx_(subject.script->facts().languages()),
        slash_(cx_.literal("/")),
        odd_((cx_.all() + cx_.literal("//") + cx_.all()) |
             (regular::optional(cx_.all() + slash_) + (cx_.literal(".") | cx_.literal("..")) +
              regular::optional(slash_ + cx_.all())) |
             (cx_.all() + slash_) | cx_.epsilon()) {}

  [[nodiscard]] regular::Context& languages() const { return cx_; }
  void forget_directory() { has_moved_ = true; }

  [[nodiscard]] Path any() const { return {"", cx_.all(), false, true, false}; }
  [[nodiscard]] Path constant(std::string_view text) const {
    const std::string path = normal(text);
    if (has_dots(path) && path != ".") return {path, cx_.all(), false, true, false};
    return {path, moved(path.starts_with("/"), cx_.literal(path)), true, false, false};
  }

  [[nodiscard]] Path of(const Word& word) const {
    if (const auto text = purify::constant_of(*subject_.script, word)) return constant(*text);
    State state{cx_.epsilon()};
    for (const Part& part : word.parts()) add(part, false, state);
    if (state.is_unknown) return {symbol_of(subject_, word), cx_.all(), false, false, false};
    return {normal(symbol_of(subject_, word)), moved(state.is_absolute, state.texts), false, false,
            false};
  }

 private:
  struct State {
    Lang texts;
    bool is_first = true;
    bool is_absolute = false;
    bool is_unknown = false;
    bool waits_for_slash = false;  // what was before may be anything
  };

  [[nodiscard]] Lang moved(bool is_absolute, Lang texts) const {
    if (!has_moved_ || is_absolute) return texts;
    return regular::optional(cx_.all() + slash_) + texts;
  }

  void add_text(std::string_view text, State& state) const {
    if (state.is_first && text.starts_with("./")) text.remove_prefix(2);
    if (state.is_first && text.starts_with("/")) state.is_absolute = true;
    state.is_first = state.is_first && text.empty();
    if (state.waits_for_slash) {
      const size_t at = text.rfind('/');
      if (at == std::string_view::npos) {
        state.texts = state.texts + cx_.literal(text);
      } else {
        state.texts = regular::optional(cx_.all() + slash_) + cx_.literal(text.substr(at + 1));
        state.waits_for_slash = false;
      }
      return;
    }
    state.texts = state.texts + cx_.literal(text);
  }

  void add(const Part& part, bool is_quoted, State& state) const {
    if (part.kind == PartKind::kDoubleQuoted) {
      for (const Part& each : part.parts()) add(each, true, state);
    } else if (part.kind == PartKind::kGlob) {
      state.is_first = false;
      state.texts =
          state.texts +
          regular::star(cx_.set(regular::CharSet::all(cx_.alphabet()) - regular::CharSet::of('/')));
    } else if (part.is_text() && part.kind != PartKind::kTilde) {
      add_text(part.text(), state);
    } else {
      add_value(part, is_quoted, state);
    }
  }

  void add_value(const Part& part, bool is_quoted, State& state) const {
    const flow::ExpansionFact* fact =
        part.is_expansion() ? purify::expansion_of(*subject_.script, part) : nullptr;
    const bool is_one = is_quoted || (fact != nullptr && !fact->is_split()) ||
                        (fact != nullptr && purify::is_one_field(*subject_.script, part));
    if (!is_one) {
      state.is_unknown = true;
      return;
    }
    const bool is_plain = fact != nullptr && regular::covers(fact->strings.bound()) &&
                          regular::disjoint(fact->strings, odd_).yes();
    if (is_plain) {
      if (state.is_first) {
        state.is_absolute = regular::included(fact->strings, slash_ + cx_.all()).yes();
      }
      state.texts = state.texts + fact->strings;
    } else {
      state.texts = cx_.all();
      state.waits_for_slash = true;
    }
    state.is_first = false;
  }

  const Subject& subject_;
  regular::Context& cx_;
  Lang slash_, odd_;
  bool has_moved_ = false;
};

bool changes_directory(const Subject& subject) {
  return std::any_of(subject.calls.begin(), subject.calls.end(), [&](const purify::Call& call) {
    const auto invocation = purify::invocation_of(*subject.script, call);
    const commands::Property* does =
        invocation ? invocation->property(commands::CardKey::kDoes) : nullptr;
    return (does != nullptr && does->value.find("enter") != std::string_view::npos) ||
           call.is("pushd") || call.is("popd");
  });
}

// What a card's program may do with the words of one call, whichever way its tests go.
class Reader {
 public:
  Reader(const Paths& paths, const purify::Call& call, const commands::Invocation& invocation,
         Again again, std::vector<Touch>& touches)
      : paths_(paths),
        call_(call),
        invocation_(invocation),
        again_(again),
        touches_(touches),
        last_(paths.constant(".")) {
    for (const commands::Argument& each : invocation.operands) {
      const Word* word = word_at(each.span);
      operands_.push_back(word == nullptr ? paths.any() : paths.of(*word));
    }
    const commands::GivenOption* target = invocation.last("-t");
    has_target_ = target != nullptr && target->argument;
    if (has_target_) {
      const Word* word = word_at(target->argument->span);
      last_ = word == nullptr ? paths.any() : paths.of(*word);
    } else if (operands_.size() > 1) {
      last_ = operands_.back();
    }
  }

  // False if something is not on the card.
  bool run(const std::vector<Statement>& program) {
    for (const Statement& each : program) run(each, false);
    return !is_unknown_;
  }

 private:
  [[nodiscard]] const Word* word_at(Span span) const {
    for (const Word& word : call_.words) {
      if (word.span == span) return &word;
    }
    return nullptr;
  }

  [[nodiscard]] Path path_of(const commands::PathTerm& term) const {
    using Term = commands::PathTerm;
    switch (term.kind) {
      case Term::kName: {
        const auto found = names_.find(term.word);
        return found == names_.end() ? paths_.any() : found->second;
      }
      case Term::kText: return paths_.constant(term.word);
      case Term::kFirst: return operands_.empty() ? paths_.any() : operands_[0];
      case Term::kLast: return last_;
      case Term::kBare: return path_of(term.of[0]);
      case Term::kTarget: {
        Path result = last_;
        result.may_be_within = true;
        return result;
      }
      default: return paths_.any();
    }
  }

  [[nodiscard]] std::vector<Path> list_of(const commands::PathList& list) const {
    using List = commands::PathList;
    switch (list.kind) {
      case List::kOperands: return operands_;
      case List::kRest:
        return operands_.empty() ? operands_
                                 : std::vector<Path>(operands_.begin() + 1, operands_.end());
      case List::kSources:
        if (has_target_ || operands_.size() < 2) return operands_;
        return {operands_.begin(), operands_.end() - 1};
      case List::kParents:
      case List::kAncestors: return {};  // made or left with what is below
      default: {
        Path path = path_of(list.of[0]);
        path.is_below = true;
        return {path};
      }
    }
  }

  // The value of a test that the words alone decide.
  [[nodiscard]] std::optional<bool> decided(const commands::EffectTest& test) const {
    using Test = commands::EffectTest;
    switch (test.kind) {
      case Test::kGiven: return invocation_.has(test.option);
      case Test::kMany: return has_target_ || operands_.size() > 2;
      case Test::kNot: {
        const auto inner = decided(test.of[0]);
        return inner ? std::optional(!*inner) : std::nullopt;
      }
      case Test::kAnd:
      case Test::kOr: {
        const bool strong = test.kind == Test::kOr;
        std::optional<bool> result = !strong;
        for (const Test& each : test.of) {
          const auto inner = decided(each);
          if (inner && *inner == strong) return strong;
          if (!inner) result = std::nullopt;
        }
        return result;
      }
      default: return std::nullopt;
    }
  }

  void run(const std::vector<Statement>& block, bool is_guarded) {
    for (const Statement& each : block) run(each, is_guarded);
  }

  void run(const Statement& each, bool is_guarded) {
    switch (each.kind) {
      case Statement::kCall:
      case Statement::kTry: call(each, is_guarded); break;
      case Statement::kIf: {
        const auto value = each.test.empty() ? std::nullopt : decided(each.test[0]);
        for (size_t i = 0; i < each.blocks.size(); i++) {
          if (!value || *value == (i == 0)) run(each.blocks[i], is_guarded || (!value && i == 0));
        }
        break;
      }
      case Statement::kEach:
        for (const Path& path : list_of(each.list)) {
          names_.insert_or_assign(each.name, path);
          run(each.blocks[0], is_guarded);
        }
        break;
      case Statement::kLet: names_.insert_or_assign(each.name, path_of(each.paths[0])); break;
      case Statement::kEither:
        for (const auto& block : each.blocks) run(block, is_guarded);
        break;
      case Statement::kUnknown: is_unknown_ = true; break;
      default: break;
    }
  }

  // `need` is what a second call of the command asks for, unless the card says that it repeats
  // itself, or the program has looked first.
  void add(TouchKind kind, const Path& path, Need need, bool is_guarded) {
    Touch touch = touch_of(kind, path, *call_.place, call_.span());
    touch.is_below = path.is_below || path.may_be_within || kind == TouchKind::kRemove;
    const bool is_safe = again_ == Again::kSame || (is_guarded && again_ != Again::kFails);
    touch.need = is_safe ? Need::kNothing : need;
    touch.command = std::string(call_.name);
    touches_.push_back(std::move(touch));
  }

  void call(const Statement& each, bool is_guarded) {
    const Path first = path_of(each.paths[0]);
    const bool has_two = each.paths.size() > 1;
    const Path second = has_two ? path_of(each.paths[1]) : first;
    const Need within = second.may_be_within ? Need::kSettled : Need::kNothing;
    switch (each.call) {
      case EffectCall::kMkdir: add(TouchKind::kMake, first, Need::kAbsent, is_guarded); break;
      case EffectCall::kMkfifo: add(TouchKind::kWrite, first, Need::kAbsent, is_guarded); break;
      case EffectCall::kCreate:
      case EffectCall::kWrite: add(TouchKind::kWrite, first, Need::kNothing, is_guarded); break;
      case EffectCall::kAppend: add(TouchKind::kGrow, first, Need::kNothing, is_guarded); break;
      case EffectCall::kRead: add(TouchKind::kRead, first, Need::kNothing, is_guarded); break;
      case EffectCall::kUnlink:
      case EffectCall::kRmdir:
      case EffectCall::kRemove:
        add(TouchKind::kRemove, first, Need::kPresent, is_guarded);
        touches_.back().is_tree = each.call == EffectCall::kRemove;
        break;
      case EffectCall::kStamp:
      case EffectCall::kEnter: break;
      case EffectCall::kRename:
        add(TouchKind::kRead, first, Need::kNothing, is_guarded);
        add(TouchKind::kRemove, first, Need::kPresent, false);
        add(TouchKind::kWrite, second, is_file(first) ? Need::kNothing : within, false);
        touches_.back().may_lead = !is_file(first);
        break;
      case EffectCall::kSymlink:
        add(TouchKind::kWrite, second, symlink_need(second), is_guarded);
        touches_.back().may_lead = true;
        break;
      case EffectCall::kLink: is_unknown_ = true; break;
      case EffectCall::kChmod:
      case EffectCall::kChown:
      case EffectCall::kChgrp:
      case EffectCall::kChmodTree: add(TouchKind::kMode, second, Need::kNothing, true); break;
      case EffectCall::kCopy:
        add(TouchKind::kRead, first, Need::kNothing, is_guarded);
        add(TouchKind::kWrite, second, Need::kNothing, is_guarded);
        touches_.back().takes_mode = !unlinks_first();
        break;
      case EffectCall::kCopyTree:
      case EffectCall::kOverTree:
        add(TouchKind::kRead, first, Need::kNothing, is_guarded);
        add(TouchKind::kWrite, second, copies_inside(first) ? Need::kNothing : within, false);
        touches_.back().takes_mode = true;
        touches_.back().is_tree = touches_.back().may_lead = true;
        touches_.back().is_below = true;
        break;
    }
  }

  // The script itself has made this file: it is no directory.
  [[nodiscard]] bool is_file(const Path& path) const {
    return std::any_of(touches_.begin(), touches_.end(), [&](const Touch& each) {
      return each.kind == TouchKind::kWrite && each.symbol == path.symbol && !each.is_below;
    });
  }
  static Need symlink_need(const Path& path) {
    return path.may_be_within ? Need::kSettled : Need::kAbsent;
  }
  // cp -R A/. B: what is in A, whether B is there or not.
  static bool copies_inside(const Path& source) {
    return source.symbol == "." || source.symbol.ends_with("/.");
  }
  // The touch before this one removes what is there.
  [[nodiscard]] bool unlinks_first() const {
    return std::any_of(touches_.begin(), touches_.end(), [&](const Touch& each) {
      return each.place == call_.place && each.kind == TouchKind::kRemove;
    });
  }

  const Paths& paths_;
  const purify::Call& call_;
  const commands::Invocation& invocation_;
  Again again_;
  std::vector<Touch>& touches_;
  std::vector<Path> operands_;
  Path last_;
  bool has_target_ = false;
  bool is_unknown_ = false;
  std::map<std::string_view, Path> names_;
};

bool is_null(std::string_view path) {
  return path == "/dev/null" || path == "/dev/stderr" || path == "/dev/stdout";
}

class Collector {
 public:
  explicit Collector(const Subject& subject)
      : subject_(subject), paths_(subject), temporary_(subject) {
    if (changes_directory(subject)) paths_.forget_directory();
  }

  Footprint take() {
    for (const purify::Place& place : subject_.script->places()) {
      add_redirections(place);
      if (const auto* node = std::get_if<shell::Conditional>(&place.command->node))
        add_tests(*node->expression, place);
      if (const auto* loop = std::get_if<shell::For>(&place.command->node)) {
        for (const Word& word : loop->words()) {
          if (word.has(shell::kWordMayGlob))
            add(TouchKind::kLook, paths_.of(word), place, word.span);
        }
      }
      const auto call =
          std::find_if(subject_.calls.begin(), subject_.calls.end(),
                       [&](const purify::Call& each) { return each.place == &place; });
      if (call != subject_.calls.end()) add_call(*call);
      note_unknown(place);
    }
    spell_out_loops();
    const bool changes =
        std::any_of(result_.touches.begin(), result_.touches.end(), [](const Touch& each) {
          return each.kind != TouchKind::kRead && each.kind != TouchKind::kLook;
        });
    if (beside_ && changes) doubt(*beside_, "runs in the background");
    return std::move(result_);
  }

 private:
  void doubt(Span place, std::string reason) {
    if (!result_.doubt) result_.doubt = open_at(place, std::move(reason));
  }

  Touch& add(TouchKind kind, const Path& path, const purify::Place& place, Span span) {
    result_.touches.push_back(touch_of(kind, path, place, span));
    return result_.touches.back();
  }

  void note_unknown(const purify::Place& place) {
    const bool is_computed = place.simple() != nullptr && !place.simple()->words.empty() &&
                             subject_.script->name_of(place).empty();
    if (is_computed || place.is_in_backquotes || place.is_in_here_document)
      doubt(place.command->span, "a command that is not known");
    if (std::holds_alternative<shell::Coproc>(place.command->node))
      doubt(place.command->span, "a coprocess");
    const bool is_beside =
        place.item != nullptr && place.item->terminator == shell::Terminator::kBackground;
    if (is_beside && !beside_) beside_ = place.command->span;
  }

  // A path that holds the variable of `for d in a b` is one path for each word.
  void spell_out_loops() {
    std::vector<Touch> all;
    for (Touch& touch : result_.touches) {
      const shell::For* loop = touch.is_constant ? nullptr : loop_of(touch);
      if (loop == nullptr) {
        match_pattern(touch);
        all.push_back(std::move(touch));
        continue;
      }
      const std::string name = "$" + std::string(loop->name->text);
      for (const Word& word : loop->words()) {
        Touch one = touch;
        for (size_t at = one.symbol.find(name); at != std::string::npos; at = one.symbol.find(name))
          one.symbol.replace(at, name.size(), word.literal());
        if (one.symbol.find('$') == std::string::npos) {
          const Path path = paths_.constant(one.symbol);
          one.symbol = path.symbol;
          one.paths = path.texts;
          one.is_constant = path.is_constant;
        }
        all.push_back(std::move(one));
      }
    }
    result_.touches = std::move(all);
  }

  // for f in *.conf: "$f" and "$f.bak" are what the patterns match.
  void match_pattern(Touch& touch) const {
    if (touch.is_constant) return;
    for (const purify::Place* at = touch.place; at != nullptr;
         at = at->parent == nullptr ? nullptr : &subject_.script->place(*at->parent)) {
      if (std::holds_alternative<shell::Function>(at->command->node)) return;
      const auto* loop = std::get_if<shell::For>(&at->command->node);
      if (loop == nullptr || loop->words().empty() || is_set_elsewhere(*loop)) continue;
      const std::string name = "$" + std::string(loop->name->text);
      if (!touch.symbol.starts_with(name)) continue;
      const std::string rest = touch.symbol.substr(name.size());
      const bool is_whole = rest.empty() || rest[0] == '.' || rest[0] == '/';
      if (!is_whole || rest.find('$') != std::string::npos || has_dots("x" + rest)) return;
      std::optional<Lang> texts;
      for (const Word& word : loop->words()) {
        if (word.has(shell::kWordHasExpansion) || word.has(shell::kWordHasTilde)) return;
        const Lang one = paths_.of(word).texts + paths_.languages().literal(rest);
        texts = texts ? *texts | one : one;
      }
      touch.paths = *texts;
      return;
    }
  }

  // By an assignment, a command that sets variables, or a loop within this one.
  [[nodiscard]] bool is_set_elsewhere(const shell::For& loop) const {
    const std::string_view name = loop.name->text;
    const bool is_assigned =
        std::any_of(subject_.script->words().begin(), subject_.script->words().end(),
                    [&](const purify::WordPlace& at) {
                      return at.assignment != nullptr && at.assignment->name == name;
                    });
    const bool is_looped =
        std::any_of(subject_.script->places().begin(), subject_.script->places().end(),
                    [&](const purify::Place& at) {
                      const auto* other = std::get_if<shell::For>(&at.command->node);
                      return other != nullptr && other != &loop && other->name->text == name &&
                             loop.body->span.contains(at.command->span);
                    });
    const bool is_read =
        std::any_of(subject_.calls.begin(), subject_.calls.end(), [&](const purify::Call& call) {
          const bool sets = call.is("read") || call.is("getopts") || call.is("mapfile") ||
                            call.is("readarray") || call.is("printf");
          return sets &&
                 std::any_of(call.words.begin() + 1, call.words.end(), [&](const Word& word) {
                   return word.is_literal() && word.literal() == name;
                 });
        });
    return is_assigned || is_looped || is_read;
  }

  // The loop around the touch whose variable its path holds, if its words are written out.
  [[nodiscard]] const shell::For* loop_of(const Touch& touch) const {
    for (const purify::Place* at = touch.place; at != nullptr;
         at = at->parent == nullptr ? nullptr : &subject_.script->place(*at->parent)) {
      if (std::holds_alternative<shell::Function>(at->command->node)) return nullptr;
      const auto* loop = std::get_if<shell::For>(&at->command->node);
      if (loop == nullptr || loop->is_select || !is_spelt_out(*loop)) continue;
      const size_t found = touch.symbol.find("$" + std::string(loop->name->text));
      if (found == std::string::npos || touch.symbol.find('*') != std::string::npos) continue;
      const std::string rest = touch.symbol.substr(found + 1 + loop->name->text.size());
      if (rest.empty() || !purify::is_identifier("x" + rest.substr(0, 1))) return loop;
    }
    return nullptr;
  }

  // No word is a path above another one, and nothing else sets the variable.
  [[nodiscard]] bool is_spelt_out(const shell::For& loop) const {
    constexpr size_t kMaxWords = 12;
    const auto words = loop.words();
    if (words.empty() || words.size() > kMaxWords) return false;
    for (const Word& word : words) {
      if (!word.is_literal() || word.has(shell::kWordMayGlob) || word.has(shell::kWordHasTilde) ||
          word.literal().find('$') != std::string_view::npos)
        return false;
      for (const Word& other : words) {
        if (&other != &word && other.is_literal() &&
            fmt::format("{}/", other.literal()).starts_with(fmt::format("{}/", word.literal())))
          return false;
      }
    }
    return !is_set_elsewhere(loop);
  }

  void add_redirections(const purify::Place& place) {
    for (const shell::Redirection& each : place.command->redirections) {
      TouchKind kind = TouchKind::kRead;
      switch (each.op) {
        case shell::RedirectOp::kInput: break;
        case shell::RedirectOp::kOutput:
        case shell::RedirectOp::kClobber:
        case shell::RedirectOp::kOutputAll: kind = TouchKind::kWrite; break;
        case shell::RedirectOp::kAppend:
        case shell::RedirectOp::kAppendAll:
        case shell::RedirectOp::kReadWrite: kind = TouchKind::kGrow; break;
        default: continue;
      }
      const Path path = paths_.of(each.target);
      if (!is_null(path.symbol)) add(kind, path, place, each.span).target = each.target.span;
    }
  }

  void add_tests(const shell::ConditionalExpression& node, const purify::Place& place) {
    if (node.first != nullptr) add_tests(*node.first, place);
    if (node.second != nullptr) add_tests(*node.second, place);
    if (node.first != nullptr) return;
    const bool is_file =
        node.kind == shell::ConditionalKind::kUnary &&
        std::string_view("bcdefghkprsuwxLSONG").find(node.letter) != std::string_view::npos;
    const bool is_newer =
        node.op == shell::ConditionalOp::kNewer || node.op == shell::ConditionalOp::kOlder;
    if (!is_file && !is_newer) return;
    if (is_newer) doubt(place.command->span, "it depends on the times of files");
    add(TouchKind::kLook, paths_.of(node.left), place, place.command->span);
  }

  void add_call(const purify::Call& call) {
    if (temporary_.is_harmless(call) || is_plain_trap(subject_, call)) return;
    const Knowledge known = knowledge_of(*subject_.script, call);
    const auto invocation = purify::invocation_of(*subject_.script, call);
    const commands::Property* does = invocation && !invocation->is_foreign &&
                                             !invocation->is_uncertain &&
                                             invocation->problems.empty()
                                         ? invocation->property(commands::CardKey::kDoes)
                                         : nullptr;
    const bool changes = known.again != Again::kNothing;
    if (does != nullptr && changes) {
      const auto program = commands::parse_effect(does->value);
      if (program && Reader(paths_, call, *invocation, known.again, result_.touches).run(*program))
        return;
    }
    if (known.again == Again::kUnknown)
      doubt(call.span(), fmt::format("what a second `{}` does is not known", call.name));
    if (known.again == Again::kFails)
      doubt(call.span(), fmt::format("a second `{}` may fail", call.name));
    if (known.again == Again::kGrows)
      doubt(call.span(), fmt::format("`{}` adds something on each run", call.name));
    add_operands(call, known, invocation);
  }

  void add_operands(const purify::Call& call, const Knowledge& known,
                    const std::optional<commands::Invocation>& invocation) {
    const bool is_test = invocation && invocation->property(commands::CardKey::kChecks) != nullptr;
    if (is_test) {
      for (size_t i = 1; i + 1 < call.words.size(); i++) {
        const bool is_letter =
            call.words[i].is_plain() && call.words[i].literal().size() == 2 &&
            call.words[i].literal()[0] == '-' &&
            std::string_view("nz").find(call.words[i].literal()[1]) == std::string_view::npos;
        if (is_letter)
          add(TouchKind::kLook, paths_.of(call.words[i + 1]), *call.place, call.span());
        const bool is_time = call.words[i].is_plain() &&
                             (call.words[i].literal() == "-nt" || call.words[i].literal() == "-ot");
        if (is_time) doubt(call.span(), "it depends on the times of files");
      }
      return;
    }
    const bool writes = known.again == Again::kSame;
    if (!writes && !known.reads_files) return;
    for (const Word* word : call.operands()) {
      const bool is_removal = call.is("find") && writes;
      Touch& touch =
          add(writes ? (is_removal ? TouchKind::kRemove : TouchKind::kWrite) : TouchKind::kRead,
              paths_.of(*word), *call.place, word->span);
      touch.is_below |= is_removal || !writes;
      touch.command = std::string(call.name);
    }
  }

  const Subject& subject_;
  Paths paths_;
  Temporaries temporary_;
  std::optional<Span> beside_;
  Footprint result_;
};

Lang below(const Touch& touch) {
  regular::Context& cx = touch.paths.context();
  return touch.paths + cx.literal("/") + cx.all();
}

bool meets(Lang a, Lang b) { return !regular::disjoint(a, b).yes(); }

// The variables of a path that a command between the two places may set.
bool may_change(const Subject& subject, const std::string& symbol, Span between) {
  if (symbol.find('$') == std::string::npos) return false;
  for (const purify::WordPlace& at : subject.script->words()) {
    const bool is_set = at.assignment != nullptr && between.contains(at.word->span) &&
                        symbol.find("$" + std::string(at.assignment->name)) != std::string::npos;
    if (is_set) return true;
  }
  for (const purify::Place& place : subject.script->places()) {
    if (!between.contains(place.command->span)) continue;
    const std::string_view name = subject.script->name_of(place);
    if (std::holds_alternative<shell::For>(place.command->node) || name == "read" ||
        name == "shift" || name == "set" || name == "getopts" || name == "unset" ||
        name == "eval" || subject.script->has_function(name))
      return true;
  }
  return false;
}

// Nothing but && up to that item.
bool is_and_list(const shell::AndOr& list, size_t last) {
  for (size_t i = 1; i <= last; i++) {
    if (list.items[i].op == shell::AndOrOp::kOr) return false;
  }
  return true;
}

// A part that ends before it has run all of its commands may leave the script running: a subshell,
// and each command of a pipeline, by `exit` or a failure under `set -e`. There the first one alone
// counts.
enum class Extent : uint8_t { kAll, kFirst };
bool runs_within(const shell::Sequence& sequence, const shell::Command& wanted, Extent extent);

// break or continue
bool has_jumps(const shell::Sequence& body) {
  bool result = false;
  shell::walk(body, shell::Visitor{[&](const shell::Command& command) {
                const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
                if (simple == nullptr || simple->words.empty() || !simple->words[0].is_literal())
                  return true;
                const std::string_view name = simple->words[0].literal();
                result |= name == "break" || name == "continue";
                return true;
              }});
  return result;
}

// `command` does not end without having run `wanted`, if the script goes on after it.
bool runs_within(const shell::Command& command, const shell::Command& wanted,
                 Extent extent = Extent::kAll) {
  if (&command == &wanted) return true;
  if (!command.span.contains(wanted.span)) return false;
  if (const auto* node = std::get_if<shell::Pipeline>(&command.node)) {
    if (node->items.size() > 1) extent = Extent::kFirst;
    return std::any_of(node->items.begin(), node->items.end(), [&](const auto& each) {
      return runs_within(*each.command, wanted, extent);
    });
  }
  if (const auto* node = std::get_if<shell::AndOr>(&command.node))
    return runs_within(*node->items[0].command, wanted, extent);
  if (const auto* node = std::get_if<shell::BraceGroup>(&command.node))
    return runs_within(node->body, wanted, extent);
  if (const auto* node = std::get_if<shell::Subshell>(&command.node))
    return runs_within(node->body, wanted, Extent::kFirst);
  if (const auto* node = std::get_if<shell::If>(&command.node))
    return runs_within(node->arms[0].condition, wanted, extent);
  if (const auto* node = std::get_if<shell::For>(&command.node)) {
    // Each word is there, and each round is done.
    const auto words = node->words();
    const bool has_rounds =
        !words.empty() && std::all_of(words.begin(), words.end(), [](const Word& word) {
          return word.is_literal() && !word.has(shell::kWordMayGlob);
        });
    return has_rounds && !has_jumps(*node->body) && runs_within(*node->body, wanted, extent);
  }
  return false;
}

bool runs_within(const shell::Sequence& sequence, const shell::Command& wanted, Extent extent) {
  const size_t count =
      extent == Extent::kFirst ? std::min<size_t>(1, sequence.items.size()) : sequence.items.size();
  return std::any_of(sequence.items.begin(),
                     sequence.items.begin() + static_cast<std::ptrdiff_t>(count),
                     [&](const shell::Item& item) {
                       return item.terminator != shell::Terminator::kBackground &&
                              runs_within(*item.command, wanted, extent);
                     });
}

}  // namespace

Footprint footprint_of(const Subject& subject) { return Collector(subject).take(); }

std::string path_symbol(const Subject& subject, const Word& word) {
  return normal(symbol_of(subject, word));
}

bool is_earlier(const Subject& subject, const Touch& earlier, const Touch& later) {
  if (earlier.span.begin >= later.span.begin || earlier.place == later.place) return false;
  if (earlier.place->function != nullptr || later.place->function != nullptr) return false;
  for (const purify::Place* at = later.place; at != nullptr;
       at = at->parent == nullptr ? nullptr : &subject.script->place(*at->parent)) {
    const auto& node = at->command->node;
    const bool is_together = std::holds_alternative<shell::While>(node) ||
                             std::holds_alternative<shell::For>(node) ||
                             std::holds_alternative<shell::ArithmeticFor>(node) ||
                             std::holds_alternative<shell::Pipeline>(node) ||
                             std::holds_alternative<shell::SimpleCommand>(node);
    if (is_together && at->command->span.contains(earlier.span)) return false;
  }
  return true;
}

namespace {

bool leaves(const Subject& subject, const purify::Place& place) {
  const std::string_view name = subject.script->name_of(place);
  return name == "exit" || name == "return" || name == "exec" || name == "break" ||
         name == "continue";
}

// Between the two, the script may end without an error.
bool may_leave_between(const Subject& subject, Span between) {
  return std::any_of(subject.script->places().begin(), subject.script->places().end(),
                     [&](const purify::Place& each) {
                       return between.contains(each.command->span) &&
                              (leaves(subject, each) ||
                               subject.script->has_function(subject.script->name_of(each)));
                     });
}

// exit 1: the only thing that runs where `first` has failed.
bool ends_in_exit(const Subject& subject, const shell::Command& command) {
  const purify::Place& place = subject.script->place(command);
  if (const auto* group = std::get_if<shell::BraceGroup>(&command.node))
    return !group->body.items.empty() && ends_in_exit(subject, *group->body.items.back().command);
  const std::string_view name = subject.script->name_of(place);
  return name == "exit" && place.simple()->words.size() == 2 &&
         place.simple()->words[1].is_literal() && place.simple()->words[1].literal() != "0";
}

}  // namespace

bool always_follows(const Subject& subject, const Touch& first, const Touch& second) {
  if (first.place->function != second.place->function || first.span.begin > second.span.begin)
    return false;
  // The condition that it is; whether what follows runs where it has succeeded.
  const purify::Place* at = first.place;
  const auto parent = [&] {
    return at->parent == nullptr ? nullptr : &subject.script->place(*at->parent);
  };
  bool is_negated = false;
  if (const purify::Place* up = parent(); up != nullptr) {
    const auto* pipeline = std::get_if<shell::Pipeline>(&up->command->node);
    if (pipeline != nullptr && pipeline->items.size() == 1) {
      is_negated = pipeline->is_negated;
      at = up;
    }
  }
  Span between{at->command->span.end, second.span.begin};
  bool is_certain = !is_negated && subject.script->fate(*at) == purify::Fate::kFatal;
  if (const purify::Place* up = parent(); up != nullptr) {
    if (const auto* node = std::get_if<shell::If>(&up->command->node)) {
      const shell::IfArm& arm = node->arms[0];
      if (arm.condition.items.size() != 1 || arm.condition.items[0].command != at->command)
        return false;
      if (!is_negated)
        return runs_within(arm.body, *second.place->command, Extent::kAll) &&
               !may_leave_between(subject, between);
      is_certain = node->arms.size() == 1 && node->else_body == nullptr &&
                   !arm.body.items.empty() && ends_in_exit(subject, *arm.body.items.back().command);
    } else if (const auto* loop = std::get_if<shell::While>(&up->command->node)) {
      is_certain = loop->is_until != is_negated && loop->condition->items.size() == 1 &&
                   loop->condition->items[0].command == at->command &&
                   !may_leave_between(subject, loop->body->span);
    } else if (const auto* list = std::get_if<shell::AndOr>(&up->command->node)) {
      is_certain = !is_negated && list->items.size() == 2 &&
                   list->items[0].command == at->command &&
                   list->items[1].op == shell::AndOrOp::kOr &&
                   ends_in_exit(subject, *list->items[1].command);
    }
    between.begin = up->command->span.end;
    at = up;
  }
  if (!is_certain || at->sequence == nullptr || may_leave_between(subject, between)) return false;
  bool is_later = false;
  for (const shell::Item& item : at->sequence->items) {
    if (is_later && runs_within(*item.command, *second.place->command)) return true;
    is_later |= item.command == at->command;
  }
  return false;
}

bool may_be_same(const Touch& a, const Touch& b) {
  if (a.is_constant && b.is_constant) return a.symbol == b.symbol;
  return meets(a.paths, b.paths);
}

bool may_be_below(const Touch& a, const Touch& b) {
  if (a.is_constant && b.is_constant)
    return a.symbol.starts_with(b.symbol == "/" ? b.symbol : b.symbol + "/");
  return meets(a.paths, below(b));
}

bool may_overlap(const Touch& a, const Touch& b) {
  return may_be_same(a, b) || may_be_below(a, b) || may_be_below(b, a);
}

bool comes_before(const Subject& subject, const Touch& earlier, const Touch& later) {
  if (earlier.place == later.place || earlier.span.begin > later.span.begin) return false;
  if (earlier.place->function != later.place->function) return false;
  if (may_change(subject, earlier.symbol, {earlier.span.end, later.span.begin})) return false;
  // Upwards from the later one: an item of the same sequence or list has run before.
  for (const purify::Place* at = later.place; at != nullptr;
       at = at->parent == nullptr ? nullptr : &subject.script->place(*at->parent)) {
    if (at->sequence != nullptr) {
      for (const shell::Item& item : at->sequence->items) {
        if (item.command == at->command) break;
        if (item.terminator != shell::Terminator::kBackground &&
            runs_within(*item.command, *earlier.place->command))
          return true;
      }
    }
    // The redirections of a command are done before what is within it.
    if (at->command == earlier.place->command) return earlier.command.empty();
    if (at->function != nullptr && at->parent == nullptr) return false;
    if (at->parent == nullptr) continue;
    if (const auto* list = std::get_if<shell::AndOr>(&at->parent->node)) {
      const size_t index = static_cast<size_t>(
          std::find_if(list->items.begin(), list->items.end(),
                       [&](const auto& each) { return each.command == at->command; }) -
          list->items.begin());
      // What stands left of `a && b` has run; of `a && b || c`, only the first is certain.
      const size_t certain = is_and_list(*list, index) ? index : std::min<size_t>(index, 1);
      for (size_t i = 0; i < certain; i++) {
        if (runs_within(*list->items[i].command, *earlier.place->command)) return true;
      }
    }
    if (const auto* node = std::get_if<shell::If>(&at->parent->node)) {
      const bool is_in_first_condition =
          node->arms[0].condition.items.empty() ||
          node->arms[0].condition.items[0].command->span.contains(at->command->span);
      if (!is_in_first_condition &&
          runs_within(node->arms[0].condition, *earlier.place->command, Extent::kAll))
        return true;
    }
  }
  return false;
}

}  // namespace nacre::prove
