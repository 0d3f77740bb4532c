#include "explore/expectations.h"

#include <algorithm>

#include "commands/effect_words.h"
#include "shell/visitor.h"
#include "simulate/scene.h"

namespace nacre::explore {

using commands::EffectCall;
using shell::PartKind;

namespace {

constexpr size_t kMaxNames = 3;
constexpr size_t kMaxContents = 3;
constexpr std::string_view kNotLiteral = "$";  // stands for a word with an expansion
// How deep the directory is in which relative paths begin.
constexpr size_t kStartDepth = 3;

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// What the first call of the program that takes an operand makes of it, or needs.
Expectations::Kind operand_kind(const commands::EffectProgram& program) {
  for (const commands::Statement& statement : program) {
    for (const auto& block : statement.blocks) {
      if (auto kind = operand_kind(block); kind != Expectations::kUnknown) return kind;
    }
    if (statement.kind != commands::Statement::kCall) continue;
    switch (statement.call) {
      case EffectCall::kMkdir:
      case EffectCall::kRmdir:
      case EffectCall::kEnter: return Expectations::kDirectory;
      case EffectCall::kCreate:
      case EffectCall::kWrite:
      case EffectCall::kAppend:
      case EffectCall::kRead:
      case EffectCall::kUnlink: return Expectations::kFile;
      default: return Expectations::kUnknown;
    }
  }
  return Expectations::kUnknown;
}

class Reader {
 public:
  explicit Reader(const shell::Tree& tree) : tree_(tree) {}

  Expectations run() {
    shell::walk(tree_.program(),
                shell::Visitor{[&](const shell::Command& command) { read(command); },
                               [&](const shell::Word& word) { read(word); }});
    result_.max_depth = std::max(result_.max_depth, kStartDepth);
    return std::move(result_);
  }

 private:
  void read(const shell::Command& command) {
    for (const shell::Redirection& redirection : command.redirections) {
      const bool names_file = redirection.op != shell::RedirectOp::kDuplicateInput &&
                              redirection.op != shell::RedirectOp::kDuplicateOutput;
      if (names_file && redirection.target.is_literal() && redirection.here_document == nullptr)
        learn(redirection.target.literal(), Expectations::kFile);
    }
    if (const auto* condition = std::get_if<shell::Conditional>(&command.node))
      return read_condition(*condition->expression);
    const auto* simple = std::get_if<shell::SimpleCommand>(&command.node);
    if (simple == nullptr || simple->words.empty() || !simple->words[0].is_literal()) return;
    std::vector<std::string> words;
    for (const shell::Word& word : simple->words)
      words.emplace_back(word.is_literal() ? word.literal() : kNotLiteral);
    if (is_one_of(words[0], {"command", "which", "type", "hash"})) return read_question(words);
    if (is_one_of(words[0], {"test", "["})) return read_test(words);
    if (is_one_of(words[0], {"grep", "egrep", "fgrep"})) read_search(words);
    read_operands(words);
  }

  // `command -v NAME`
  void read_question(const std::vector<std::string>& words) {
    for (size_t i = 1; i < words.size(); ++i) {
      if (words[i].starts_with('-')) continue;
      const bool asks = words[0] != "command" || (i > 1 && words[i - 1].starts_with('-'));
      if (asks) is_optional(words[i]);
    }
  }

  void is_optional(std::string_view program) {
    result_.optional_commands.emplace(program.substr(program.rfind('/') + 1));
  }

  void read_test(const std::vector<std::string>& words) {
    for (size_t i = 1; i + 1 < words.size(); ++i) {
      if (words[i].size() == 2 && words[i][0] == '-') read_question(words[i][1], words[i + 1]);
    }
  }

  // [[ ... ]]
  void read_condition(const shell::ConditionalExpression& condition) {
    if (condition.kind == shell::ConditionalKind::kUnary && condition.left.is_literal())
      read_question(condition.letter, condition.left.literal());
    if (condition.first != nullptr) read_condition(*condition.first);
    if (condition.second != nullptr) read_condition(*condition.second);
  }

  // -d PATH
  void read_question(char letter, std::string_view path) {
    if (letter == 'x') is_optional(path);
    if (letter == 'd') learn(path, Expectations::kDirectory);
    if (std::string_view("fsrx").find(letter) != std::string_view::npos)
      learn(path, Expectations::kFile);
  }

  // A literal pattern: a line that has it.
  void read_search(const std::vector<std::string>& words) {
    auto pattern = std::find_if(words.begin() + 1, words.end(),
                                [](const std::string& word) { return !word.starts_with('-'); });
    if (pattern == words.end() || result_.contents.size() >= kMaxContents) return;
    std::string text = *pattern;
    if (text.starts_with('^')) text.erase(0, 1);
    if (text.ends_with('$')) text.pop_back();
    if (text.empty() || text.find_first_of("\\[]*.?+()|{}^$") != std::string::npos) return;
    text += '\n';
    auto& known = result_.contents;
    if (std::find(known.begin(), known.end(), text) == known.end()) known.push_back(text);
  }

  void read_operands(const std::vector<std::string>& words) {
    auto effect = commands::find_effect(simulate::builtin_library(), words);
    if (!effect || effect->kind != commands::Effect::kDoes) return;
    const Expectations::Kind kind = operand_kind(effect->program);
    if (kind == Expectations::kUnknown) return;
    for (const std::string& operand : effect->words.operands) {
      learn(operand, kind);
    }
  }

  void read(const shell::Word& word) {
    if (word.is_literal())
      learn(word.literal(), Expectations::kUnknown);
    else if (word.has(shell::kWordMayGlob))
      read_pattern(word);
  }

  // The last name of `/etc/foo/*.conf`, with x for what may be anything.
  void read_pattern(const shell::Word& word) {
    std::string name;
    for (const shell::Part& part : word.parts()) {
      if (part.kind == PartKind::kGlob) {
        const std::string_view text = part.text();
        const bool is_negated = text.starts_with("[!") || text.starts_with("[^");
        name += text.starts_with('[') && !is_negated ? text.substr(1, 1) : "x";
      } else if (part.is_text()) {
        name += part.text();
      } else {
        name += '$';
      }
      if (const size_t slash = name.rfind('/'); slash != std::string::npos)
        name = name.substr(slash + 1);
    }
    const bool is_new =
        std::find(result_.names.begin(), result_.names.end(), name) == result_.names.end();
    const bool is_useful = !name.empty() && name != "x" && name.find('$') == std::string::npos;
    if (is_new && is_useful && result_.names.size() < kMaxNames) result_.names.push_back(name);
  }

  void learn(std::string_view path, Expectations::Kind kind) {
    const bool is_path = !path.empty() && path != "." && path != ".." && path != kNotLiteral &&
                         path.find_first_of(" \t\n*?$") == std::string_view::npos;
    if (!is_path) return;
    if (path.find('/') == std::string_view::npos) {
      if (kind == Expectations::kUnknown) return;
      set(path, kind);
      result_.relative_names.emplace(path);
      return;
    }
    if (!path.starts_with('/')) learn_components(path);
    if (path.starts_with('/')) learn_program(path);
    if (path.ends_with('/')) kind = Expectations::kDirectory;
    while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
    const auto slashes = static_cast<size_t>(std::count(path.begin(), path.end(), '/'));
    const size_t start = path.starts_with('/') ? 0 : kStartDepth;
    result_.max_depth = std::max(result_.max_depth, start + slashes);
    set(path, kind);
    // A relative word may be anything that has a slash in it.
    if (!path.starts_with('/')) return;
    for (size_t slash = path.rfind('/'); slash != std::string_view::npos && slash > 0;
         slash = path.rfind('/', slash - 1)) {
      set(path.substr(0, slash), Expectations::kDirectory);
    }
  }

  void learn_components(std::string_view path) {
    for (size_t at = 0; at < path.size();) {
      const size_t end = std::min(path.find('/', at), path.size());
      const std::string_view name = path.substr(at, end - at);
      if (!name.empty() && name != "." && name != "..") result_.relative_names.emplace(name);
      at = end + 1;
    }
  }

  void set(std::string_view path, Expectations::Kind kind) {
    auto& known = result_.paths[std::string(path)];
    if (known == Expectations::kUnknown) known = kind;
  }

  void learn_program(std::string_view path) {
    const size_t slash = path.rfind('/');
    const std::string_view directory = path.substr(0, slash);
    if (is_one_of(directory, {"/usr/bin", "/usr/sbin", "/bin", "/sbin", "/usr/games"})) {
      std::string place(directory.starts_with("/usr") ? "" : "/usr");
      result_.program_dirs.emplace(path.substr(slash + 1), place.append(directory));
    }
  }

  const shell::Tree& tree_;
  Expectations result_;
};

}  // namespace

Expectations::Kind Expectations::kind_of(std::string_view path) const {
  if (auto found = paths.find(path); found != paths.end() && found->second != kUnknown)
    return found->second;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (auto found = paths.find(name); found != paths.end() && found->second != kUnknown)
    return found->second;
  if (name.ends_with(".d")) return kDirectory;
  return name.find('.', 1) != std::string_view::npos ? kFile : kUnknown;
}

std::vector<std::string> Expectations::names_in(std::string_view directory) const {
  std::vector<std::string> result(relative_names.begin(), relative_names.end());
  const std::string prefix = std::string(directory) + (directory.ends_with('/') ? "" : "/");
  for (auto path = paths.lower_bound(prefix); path != paths.end(); ++path) {
    if (!path->first.starts_with(prefix)) break;
    std::string name = path->first.substr(prefix.size());
    const bool is_child = !name.empty() && name.find('/') == std::string::npos;
    if (is_child && !relative_names.contains(name)) result.push_back(std::move(name));
  }
  return result;
}

void Expectations::add(const Expectations& other) {
  paths.insert(other.paths.begin(), other.paths.end());
  optional_commands.insert(other.optional_commands.begin(), other.optional_commands.end());
  program_dirs.insert(other.program_dirs.begin(), other.program_dirs.end());
  for (const std::string& name : other.names) {
    if (names.size() < kMaxNames && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  }
  for (const std::string& text : other.contents) {
    if (contents.size() < kMaxContents &&
        std::find(contents.begin(), contents.end(), text) == contents.end())
      contents.push_back(text);
  }
  relative_names.insert(other.relative_names.begin(), other.relative_names.end());
  max_depth = std::max(max_depth, other.max_depth);
}

Expectations expectations_of(const shell::Tree& tree) { return Reader(tree).run(); }

}  // namespace nacre::explore
