// type of bash: -a, -f, -P, -p and -t.
#include <algorithm>
#include <fmt/format.h>

#include "machine/builtin_options.h"
#include "machine/declare.h"
#include "machine/machine.h"

namespace nacre::machine {
namespace {

constexpr std::string_view kKeywords[] = {
    "if", "then", "else", "elif",     "fi",   "case", "esac", "for", "select", "while", "until",
    "do", "done", "in",   "function", "time", "{",    "}",    "!",   "[[",     "]]",    "coproc"};

struct TypeQuery {
  bool all = false;
  bool skips_functions = false;
  bool only_files = false;    // -P: also where a builtin has the name
  bool only_if_file = false;  // -p
  bool only_kind = false;     // -t
};

class Type {
 public:
  Type(Machine& machine, const TypeQuery& query) : machine_(machine), query_(query) {}

  // Whether the name means anything.
  bool describe(std::string_view name) {
    name_ = name;
    found_ = false;
    if (!query_.only_files) {
      if (!names()) return found_;
    }
    files();
    return found_;
  }

 private:
  bool wants_more() const { return query_.all || !found_; }

  // False when the first meaning was all that was asked for.
  bool names() {
    auto alias = machine_.state.aliases.find(name_);
    bool expands = machine_.is_interactive() || machine_.state.options.has(Option::kExpandAliases);
    if (alias != machine_.state.aliases.end() && expands) {
      say("alias", fmt::format("aliased to `{}'", alias->second));
    }
    bool is_keyword =
        std::find(std::begin(kKeywords), std::end(kKeywords), name_) != std::end(kKeywords);
    if (is_keyword && wants_more()) say("keyword", "a shell keyword");
    NameId id = machine_.names().find(name_);
    bool is_function = id != kNoName && machine_.function(id) != nullptr;
    if (is_function && !query_.skips_functions && wants_more()) {
      say("function", "a function");
      if (!query_.only_kind && !query_.only_if_file) {
        machine_.out(function_text(machine_, id));
      }
    }
    bool is_builtin =
        find_builtin(name_, true) != nullptr && !machine_.state.disabled.contains(name_);
    if (is_builtin && wants_more()) say("builtin", "a shell builtin");
    return wants_more();
  }

  void say(std::string_view kind, std::string_view words) {
    found_ = true;
    if (query_.only_kind) {
      machine_.out(fmt::format("{}\n", kind));
    } else if (!query_.only_if_file) {
      machine_.out(fmt::format("{} is {}\n", name_, words));
    }
  }

  void files() {
    if (name_.find('/') != std::string_view::npos) return file(std::string(name_));
    const std::string* path = machine_.state.variables.get("PATH");
    std::string_view rest = path == nullptr ? std::string_view() : std::string_view(*path);
    while (true) {
      size_t end = std::min(rest.find(':'), rest.size());
      std::string directory(rest.substr(0, end));
      if (wants_more()) file((directory.empty() ? "." : directory) + "/" + std::string(name_));
      if (end == rest.size()) return;
      rest.remove_prefix(end + 1);
    }
  }

  void file(const std::string& path) {
    world::FileStatus status;
    if (machine_.os->status(path.c_str(), true, status) < 0 ||
        status.kind == world::FileKind::kDirectory ||
        !machine_.os->may(path.c_str(), world::Access::kExecute)) {
      return;
    }
    found_ = true;
    if (query_.only_kind) {
      machine_.out("file\n");
    } else if (query_.only_files || query_.only_if_file) {
      machine_.out(path + "\n");
    } else {
      machine_.out(fmt::format("{} is {}\n", name_, path));
    }
  }

  Machine& machine_;
  TypeQuery query_;
  std::string_view name_;
  bool found_ = false;
};

}  // namespace

int type_in_bash(Machine& machine, Args args) {
  OptionScanner options(args, "afPpt");
  TypeQuery query;
  while (char letter = options.next()) {
    switch (letter) {
      case 'a': query.all = true; break;
      case 'f': query.skips_functions = true; break;
      case 'P': query.only_files = true; break;
      case 'p': query.only_if_file = true; break;
      case 't': query.only_kind = true; break;
      default: return machine.bad_option(args[0], options.letter());
    }
  }
  int status = 0;
  for (size_t i = options.operands(); i < args.size(); ++i) {
    if (Type(machine, query).describe(args[i])) continue;
    bool is_silent = query.only_files || query.only_if_file || query.only_kind;
    if (!is_silent) machine.builtin_error(args[0], fmt::format("{}: not found", args[i]));
    status = 1;
  }
  return status;
}

}  // namespace nacre::machine
