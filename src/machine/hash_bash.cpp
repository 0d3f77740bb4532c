// hash of bash: -d, -l, -p, -r and -t.
#include <fmt/format.h>

#include "machine/builtin_options.h"
#include "machine/builtins.h"
#include "machine/declare.h"
#include "machine/machine.h"
#include "machine/quote.h"

namespace nacre::machine {
namespace {

struct HashQuery {
  bool deletes = false;
  bool as_commands = false;
  bool forgets = false;
  bool tells = false;
  std::string_view path;
};

int list_hashed(Machine& machine, bool as_commands) {
  if (machine.state.hashed.empty()) {
    machine.out(as_commands ? "" : "hash: hash table empty\n");
    return 0;
  }
  if (!as_commands) machine.out("hits\tcommand\n");
  for (const auto& [id, found] : machine.state.hashed) {
    machine.out(as_commands ? fmt::format("builtin hash -p {} {}\n", quoted_if_needed(found.path),
                                          machine.names().text(id))
                            : fmt::format("{:>4}\t{}\n", found.hits, found.path));
  }
  return 0;
}

// 1 after a message.
int hash_one(Machine& machine, const HashQuery& query, std::string_view name, bool is_only) {
  NameId id = machine.names().intern(name);
  auto& table = machine.state.hashed;
  auto found = table.find(id);
  if (!query.path.empty()) {
    table[id] = {std::string(query.path), 0};
    return 0;
  }
  if ((query.deletes || query.tells) && found == table.end()) {
    return machine.builtin_failure("hash", fmt::format("{}: not found", name));
  }
  if (query.tells) {
    const std::string& path = found->second.path;
    machine.out(query.as_commands ? fmt::format("builtin hash -p {} {}\n", path, name)
                : is_only         ? path + "\n"
                                  : fmt::format("{}\t{}\n", name, path));
    return 0;
  }
  if (found != table.end()) table.erase(found);
  if (query.deletes || name.find('/') != std::string_view::npos) return 0;
  if (find_builtin(name, true) != nullptr || machine.function(id) != nullptr) return 0;
  int failure = 0;
  if (machine.find_command(name, id, failure)) {
    if (auto now = table.find(id); now != table.end()) now->second.hits = 0;
    return 0;
  }
  return machine.builtin_failure("hash", fmt::format("{}: not found", name));
}

}  // namespace

int hash_in_bash(Machine& machine, Args args) {
  if (!machine.state.options.has(Option::kHashAll)) {
    return machine.builtin_failure(args[0], "hashing disabled");
  }
  OptionScanner options(args, "dlp:rt");
  HashQuery query;
  while (char letter = options.next()) {
    switch (letter) {
      case 'd': query.deletes = true; break;
      case 'l': query.as_commands = true; break;
      case 'p': query.path = options.value(); break;
      case 'r': query.forgets = true; break;
      case 't': query.tells = true; break;
      default: return machine.bad_option(args[0], options.letter());
    }
  }
  if (query.forgets) machine.state.hashed.clear();
  if (options.operands() == args.size()) {
    if (query.tells) return machine.builtin_failure(args[0], "-t: option requires an argument");
    return query.forgets ? 0 : list_hashed(machine, query.as_commands);
  }
  int status = 0;
  for (size_t i = options.operands(); i < args.size(); ++i) {
    if (hash_one(machine, query, args[i], options.operands() + 1 == args.size()) != 0) status = 1;
  }
  return status;
}

}  // namespace nacre::machine
