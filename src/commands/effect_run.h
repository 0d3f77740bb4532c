// Runs what a card says a command does (effect.h) over a store of files. One interpreter for all
// stores: a world, where each question has one answer; a constraint tree or an open world, which
// takes a decision for an answer it does not know, and is run again for the other ones.
//
//   struct Store {
//     int call(EffectCall call, const std::string& a, const std::string& b);  // 0 or -errno
//     bool is(PathTest test, const std::string& path);                // none that is_textual()
//     bool related(PathRelation relation, const std::string& a, const std::string& b);  // not
//     kPlace std::vector<std::string> list(PathList::Kind kind, const std::string& path);
//         // kEntries, kBelow, kChosen: whole paths
//     size_t choose(size_t count);        // which block of `either`
//     std::string fresh(const EffectWords& words);
//     void print(const std::string& text);
//     void failed(const std::string& what, int error);                // for a message; error may
//     be 0
//   };
//   EffectEnd end = run_effect(program, words, store);   // end.status; end.is_known
//
// The order of the questions is the order in which the program asks them; nothing is asked twice
// for the sake of the interpreter alone.
#pragma once

#include <algorithm>
#include <set>

#include "commands/effect_paths.h"
#include "commands/effect_words.h"

namespace nacre::commands {

struct EffectEnd {
  int status = 0;
  bool is_known = true;  // false: `unknown` was reached, and anything may have happened from there
};

template <typename Store>
class EffectRun {
 public:
  EffectRun(const EffectWords& words, Store& store) : words_(words), store_(store) {}

  EffectEnd run(const EffectProgram& program) {
    (void)run_all(program);
    return end_;
  }
  // With the name P for `path`: what a letter of `test` asks.
  bool holds_of(const EffectTest& test, const std::string& path) {
    bind("P", path);
    return holds(test);
  }

 private:
  enum class Flow : uint8_t { kOn, kFailed, kStopped };

  Flow run_all(const EffectProgram& program) {
    for (const Statement& statement : program) {
      if (Flow flow = run_one(statement); flow != Flow::kOn) return flow;
    }
    return Flow::kOn;
  }

  Flow run_one(const Statement& statement) {
    switch (statement.kind) {
      case Statement::kNothing: return Flow::kOn;
      case Statement::kCall: return run_call(statement, true);
      case Statement::kTry: return run_call(statement, false);
      case Statement::kIf: return run_all(statement.blocks[holds(statement.test[0]) ? 0 : 1]);
      case Statement::kEach: return run_each(statement);
      case Statement::kLet: bind(statement.name, path(statement.paths[0])); return Flow::kOn;
      case Statement::kEither:
        return run_all(statement.blocks[store_.choose(statement.blocks.size())]);
      case Statement::kPrint: store_.print(path(statement.paths[0])); return Flow::kOn;
      case Statement::kFail:
        end_.status = statement.status;
        store_.failed("", 0);
        return Flow::kFailed;
      case Statement::kStop:
        end_.status = statement.status;
        if (statement.status != 0) store_.failed("", 0);
        return Flow::kStopped;
      case Statement::kUnknown: end_.is_known = false; return Flow::kStopped;
    }
    return Flow::kOn;
  }

  Flow run_call(const Statement& statement, bool matters) {
    const std::string a = path(statement.paths[0]);
    const std::string b = statement.paths.size() > 1 ? path(statement.paths[1]) : "";
    const int error = store_.call(statement.call, a, b);
    const bool moves =
        statement.call == EffectCall::kRename || statement.call == EffectCall::kCopy ||
        statement.call == EffectCall::kCopyTree || statement.call == EffectCall::kOverTree;
    if (error >= 0 && moves) made_.insert(b);
    if (error >= 0 || !matters) return Flow::kOn;
    end_.status = 1;
    store_.failed(b.empty() ? a : b, error);
    return Flow::kFailed;
  }

  // The habit of the utilities: a failure ends the work on one operand, and the next one follows. A
  // failure at one of the directories above an operand ends the work on that operand.
  Flow run_each(const Statement& statement) {
    const PathList::Kind kind = statement.list.kind;
    const bool is_inner = kind == PathList::kParents || kind == PathList::kAncestors;
    for (const std::string& item : items(statement.list)) {
      bind(statement.name, item);
      const Flow flow = run_all(statement.blocks[0]);
      if (flow == Flow::kStopped || (flow == Flow::kFailed && is_inner)) return flow;
    }
    return Flow::kOn;
  }

  std::vector<std::string> items(const PathList& list) {
    const std::vector<std::string>& operands = words_.operands;
    switch (list.kind) {
      case PathList::kOperands: return operands;
      case PathList::kSources: return sources();
      case PathList::kRest: return {operands.begin() + (operands.empty() ? 0 : 1), operands.end()};
      case PathList::kParents: return parents_of(path(list.of[0]));
      case PathList::kAncestors: {
        std::vector<std::string> result = parents_of(path(list.of[0]));
        std::reverse(result.begin(), result.end());
        return result;
      }
      default: return store_.list(list.kind, path(list.of[0]));
    }
  }

  std::vector<std::string> sources() const {
    std::vector<std::string> result = words_.operands;
    if (result.size() > 1 && !words_.has("-t")) result.pop_back();
    return result;
  }

  bool holds(const EffectTest& test) {
    switch (test.kind) {
      case EffectTest::kNot: return !holds(test.of[0]);
      case EffectTest::kAnd: return holds(test.of[0]) && holds(test.of[1]);
      case EffectTest::kOr: return holds(test.of[0]) || holds(test.of[1]);
      case EffectTest::kGiven: return words_.has(test.option);
      case EffectTest::kMany: return words_.has("-t") || words_.operands.size() > 2;
      case EffectTest::kRelation:
        return are_related(test.relation, path(test.paths[0]), path(test.paths[1]));
      case EffectTest::kProperty: break;
    }
    const std::string subject = path(test.paths[0]);
    if (test.property == PathTest::kMade) return made_.contains(subject);
    return is_textual(test.property) ? holds_of_text(test.property, subject)
                                     : store_.is(test.property, subject);
  }

  bool are_related(PathRelation relation, const std::string& a, const std::string& b) {
    if (relation != PathRelation::kPlace) return store_.related(relation, a, b);
    return base_of(a) == base_of(b) &&
           store_.related(PathRelation::kSame, parent_of(a), parent_of(b));
  }

  std::string path(const PathTerm& term) {
    switch (term.kind) {
      case PathTerm::kText: return std::string(term.word);
      case PathTerm::kName: return value_of(term.word);
      case PathTerm::kFirst: return words_.operands.empty() ? "" : words_.operands.front();
      case PathTerm::kLast: return last();
      case PathTerm::kFresh: return store_.fresh(words_);
      case PathTerm::kOption: {
        auto found = words_.options.find(term.word);
        return found == words_.options.end() ? "" : found->second;
      }
      case PathTerm::kBase: return base_of(path(term.of[0]));
      case PathTerm::kParent: return parent_of(path(term.of[0]));
      case PathTerm::kBare: return bare(path(term.of[0]));
      case PathTerm::kTarget: return target(path(term.of[0]));
    }
    return "";
  }

  std::string last() const {
    if (auto found = words_.options.find("-t"); found != words_.options.end()) return found->second;
    return words_.operands.size() > 1 ? words_.operands.back() : ".";
  }

  std::string target(const std::string& source) {
    const bool goes_in =
        words_.has("-t") || (!words_.has("-T") && store_.is(PathTest::kDirectory, last()));
    return goes_in ? joined_path(last(), base_of(source)) : last();
  }

  void bind(std::string_view name, std::string value) {
    for (auto& [known, old] : names_) {
      if (known == name) {
        old = std::move(value);
        return;
      }
    }
    names_.emplace_back(name, std::move(value));
  }
  std::string value_of(std::string_view name) const {
    for (const auto& [known, value] : names_) {
      if (known == name) return value;
    }
    return "";
  }

  const EffectWords& words_;
  Store& store_;
  EffectEnd end_;
  std::vector<std::pair<std::string_view, std::string>> names_;
  std::set<std::string> made_;
};

template <typename Store>
[[nodiscard]] EffectEnd run_effect(const EffectProgram& program, const EffectWords& words,
                                   Store& store) {
  return EffectRun<Store>(words, store).run(program);
}

}  // namespace nacre::commands
