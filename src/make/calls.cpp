#include "make/calls.h"

#include <algorithm>

#include "base/path.h"
#include "commands/effect_paths.h"
#include "commands/effect_words.h"
#include "shell/builtins.h"
#include "shell/checked_commands.h"
#include "shell/visitor.h"

namespace nacre::make {

namespace {

using commands::EffectCall;
using commands::PathTerm;

void add_parts(std::span<const shell::Part> parts, std::string& text) {
  for (const shell::Part& part : parts) {
    if (part.kind == shell::PartKind::kDoubleQuoted) {
      add_parts(part.parts(), text);
    } else if (part.is_text() && part.kind != shell::PartKind::kGlob &&
               part.kind != shell::PartKind::kTilde) {
      text += part.text();
    } else {
      text += kHole;
    }
  }
}

// The paths that an effect program writes on some way through it; tests are not decided.
class EffectReader {
 public:
  EffectReader(const commands::Effect& effect, size_t call, Span span, LineFacts& facts)
      : effect_(effect), call_(call), span_(span), facts_(facts) {}

  void read() { read_block(effect_.program); }

 private:
  void read_block(const commands::EffectProgram& block) {
    for (const commands::Statement& statement : block) {
      using Kind = commands::Statement::Kind;
      switch (statement.kind) {
        case Kind::kCall:
        case Kind::kTry: read_call(statement); break;
        case Kind::kLet: names_[std::string(statement.name)] = paths_of(statement.paths[0]); break;
        case Kind::kEach: read_each(statement); break;
        case Kind::kUnknown: facts_.is_understood = false; break;
        default:
          for (const auto& inner : statement.blocks) read_block(inner);
      }
    }
  }

  void read_each(const commands::Statement& statement) {
    std::vector<std::string> list;
    const auto& operands = effect_.words.operands;
    using Kind = commands::PathList::Kind;
    switch (statement.list.kind) {
      case Kind::kOperands: list = operands; break;
      case Kind::kSources:
        list.assign(operands.begin(), operands.size() > 1 && !effect_.words.has("-t")
                                          ? operands.end() - 1
                                          : operands.end());
        break;
      case Kind::kRest:
        if (!operands.empty()) list.assign(operands.begin() + 1, operands.end());
        break;
      default: return;  // of directories on the way: not what the call is for
    }
    const std::string name(statement.name);
    for (const std::string& each : list) {
      names_[name] = {each};
      for (const auto& inner : statement.blocks) read_block(inner);
    }
  }

  // Where a term may lead; several where that depends on the files.
  std::vector<std::string> paths_of(const PathTerm& term) {
    const auto& operands = effect_.words.operands;
    const auto given = [&](std::string_view option) {
      const auto found = effect_.words.options.find(option);
      return found == effect_.words.options.end() ? std::string(1, kHole) : found->second;
    };
    switch (term.kind) {
      case PathTerm::kName: {
        const auto found = names_.find(term.word);
        return found == names_.end() ? std::vector<std::string>{} : found->second;
      }
      case PathTerm::kText: return {std::string(term.word)};
      case PathTerm::kFirst:
        return operands.empty() ? std::vector<std::string>{} : std::vector{operands.front()};
      case PathTerm::kLast:
        if (effect_.words.has("-t")) return {given("-t")};
        return {operands.size() > 1 ? operands.back() : "."};
      case PathTerm::kOption: return {given(term.word)};
      case PathTerm::kFresh: return {std::string(1, kHole)};
      case PathTerm::kTarget: {
        std::vector<std::string> result;
        const std::string last = paths_of({PathTerm::kLast, {}, {}}).front();
        if (!effect_.words.has("-t") && operands.size() == 2) result.push_back(last);
        for (const std::string& source : paths_of(term.of[0])) {
          result.push_back(commands::joined_path(last, commands::base_of(source)));
        }
        return result;
      }
      default: {
        std::vector<std::string> result;
        for (const std::string& path : paths_of(term.of[0])) {
          result.push_back(term.kind == PathTerm::kBase     ? commands::base_of(path)
                           : term.kind == PathTerm::kParent ? commands::parent_of(path)
                                                            : commands::bare(path));
        }
        return result;
      }
    }
  }

  void add(PathUse::Kind kind, const PathTerm& term) {
    const auto paths = paths_of(term);
    for (const std::string& path : paths) {
      facts_.uses.push_back({kind, path, span_, call_, false, paths.size() > 1});
    }
  }

  void read_call(const commands::Statement& statement) {
    const auto& paths = statement.paths;
    switch (statement.call) {
      case EffectCall::kMkdir:
        add(PathUse::kMade, paths[0]);
        facts_.uses.back().fails_if_there = !effect_.words.has("-p");
        break;
      case EffectCall::kCreate:
      case EffectCall::kWrite:
      case EffectCall::kMkfifo: return add(PathUse::kWritten, paths[0]);
      case EffectCall::kAppend: return add(PathUse::kAppended, paths[0]);
      case EffectCall::kStamp: return add(PathUse::kStamped, paths[0]);
      case EffectCall::kUnlink:
      case EffectCall::kRmdir:
      case EffectCall::kRemove: return add(PathUse::kRemoved, paths[0]);
      case EffectCall::kRename:
        add(PathUse::kRemoved, paths[0]);
        return add(PathUse::kWritten, paths[1]);
      case EffectCall::kSymlink:
      case EffectCall::kLink:
      case EffectCall::kCopy:
      case EffectCall::kCopyTree:
      case EffectCall::kOverTree: return add(PathUse::kWritten, paths[1]);
      default: return;
    }
  }

  const commands::Effect& effect_;
  size_t call_;
  Span span_;
  LineFacts& facts_;
  std::map<std::string, std::vector<std::string>, std::less<>> names_;
};

class CallReader {
 public:
  explicit CallReader(const commands::CardLibrary& cards) : cards_(cards) {}

  LineFacts read(const shell::Sequence& program) {
    checked_ = shell::checked_commands(program);
    shell::walk(program, shell::Visitor{[&](const shell::Command& command) { add(command); }});
    return std::move(facts_);
  }

 private:
  void add(const shell::Command& command) {
    const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
    size_t index = std::string::npos;
    if (simple != nullptr && !simple->words.empty()) {
      index = facts_.calls.size();
      add_call(command, *simple);
    }
    for (const shell::Redirection& each : command.redirections) add_redirection(each, index);
  }

  void add_call(const shell::Command& command, const shell::SimpleCommand& simple) {
    Call call;
    call.command = &command;
    call.is_checked = checked_.contains(&command);
    for (const shell::Word& word : simple.words) {
      call.words.push_back(word_text(word));
      call.spans.push_back(word.span);
    }
    call.words[0] = base_name(call.words[0]);
    facts_.calls.push_back(call);
    add_effects(call);
  }

  void add_effects(const Call& call) {
    const size_t index = facts_.calls.size() - 1;
    const std::string& name = call.words[0];
    // A file that is named by the option that nearly every program has for it.
    bool names_output = false;
    for (size_t i = 1; i + 1 < call.words.size(); i++) {
      if (call.words[i] != "-o") continue;
      facts_.uses.push_back(
          {PathUse::kWritten, call.words[i + 1], call.spans[i + 1], index, false, false});
      names_output |= is_known(call.words[i + 1]);
    }
    if (!is_known(name)) {
      facts_.is_understood = false;
      return;
    }
    const commands::Card* card = cards_.find(name);
    const bool only_prints = card != nullptr && card->echoes;
    const bool has_operands = std::any_of(
        call.words.begin() + 1, call.words.end(),
        [](const std::string& word) { return word.empty() || (word[0] != '-' && word[0] != '+'); });
    facts_.calls.back().needs_input =
        !only_prints && (has_operands || card == nullptr ||
                         !card->has_property(commands::CardKey::kReads, "nothing"));
    const auto effect = commands::find_effect(cards_, call.words);
    if (effect && effect->kind == commands::Effect::kDoes) {
      return EffectReader(*effect, index, call.command->span, facts_).read();
    }
    const shell::BuiltinInfo* builtin = shell::builtin_named(name);
    const bool is_harmless = only_prints || (builtin != nullptr && name != "." &&
                                             name != "source" && name != "eval" && name != "exec");
    facts_.is_understood &= is_harmless || names_output;
  }

  void add_redirection(const shell::Redirection& each, size_t call) {
    using Op = shell::RedirectOp;
    const bool appends = each.op == Op::kAppend || each.op == Op::kAppendAll;
    const bool writes =
        each.op == Op::kOutput || each.op == Op::kClobber || each.op == Op::kOutputAll;
    if (!appends && !writes) return;
    std::string path = word_text(each.target);
    if (path == "/dev/null" || path == "/dev/stderr" || path == "/dev/stdout") return;
    facts_.uses.push_back({appends ? PathUse::kAppended : PathUse::kWritten, std::move(path),
                           each.span, call, false, false});
  }

  const commands::CardLibrary& cards_;
  LineFacts facts_;
  shell::CheckedCommands checked_;
};

}  // namespace

std::string word_text(const shell::Word& word) {
  std::string text;
  add_parts(word.parts(), text);
  return text;
}

bool LineFacts::may_write() const {
  return !is_understood || std::any_of(uses.begin(), uses.end(), [](const PathUse& use) {
    return use.kind != PathUse::kRemoved;
  });
}

bool LineFacts::only_removes() const {
  return is_understood && std::all_of(uses.begin(), uses.end(), [](const PathUse& use) {
           return use.kind == PathUse::kRemoved;
         });
}

LineFacts facts_of(const ShellLine& line, const commands::CardLibrary& cards) {
  LineFacts facts;
  if (line.program == nullptr || !line.program->is_valid()) {
    facts.is_understood = false;
    return facts;
  }
  facts = CallReader(cards).read(line.program->tree.program());
  for (PathUse& use : facts.uses) {
    while (use.path.size() > 2 && use.path.starts_with("./")) use.path.erase(0, 2);
  }
  return facts;
}

}  // namespace nacre::make
