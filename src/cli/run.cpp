#include "cli/run.h"

#include <cerrno>
#include <cstdio>
#include <fmt/format.h>
#include <string_view>
#include <unistd.h>

#include "base/nearest.h"
#include "base/path.h"
#include "base/system_error.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/parse.h"
#include "cli/verb.h"
#include "cli/watchdog.h"

namespace nacre::cli {

namespace {

// A login shell is called with a dash before its name.
bool is_called_as_shell(std::string_view program) {
  std::string_view name = base_name(program);
  if (name.starts_with('-')) name.remove_prefix(1);
  return name == "sh" || name == "nash" || name == "bash";
}

// A shell that starts itself once more (`/proc/self/exe -c ...`) has lost its name.
bool is_called_as_itself(std::string_view program) {
  return program.starts_with("/proc/") && program.ends_with("/exe");
}

// A verb that parses its own arguments (`run_raw`), and the index of the word that named it.
const Verb* find_raw_verb(int argc, char** argv, int& at) {
  if (argc > 0 && is_called_as_shell(argv[0])) {
    at = 0;
    return find_verb("sh");
  }
  for (const std::string_view name :
       {"hadolint", "checkmake"}) {  // linters that nacre replaces under their own names
    if (argc == 0 || base_name(argv[0]) != name) continue;
    at = 0;
    return find_verb(name);
  }
  at = 1;
  const Verb* verb = argc > 1 ? find_verb(argv[1]) : nullptr;
  if (verb == nullptr && argc > 0 && is_called_as_itself(argv[0])) {
    at = 0;
    return find_verb("sh");
  }
  return verb != nullptr && verb->run_raw != nullptr ? verb : nullptr;
}

int run_parsed(const Verb& verb, int argc, char** argv) {
  auto arguments = parse(verb, argc, argv);
  if (!arguments) return complain_about_usage(verb.name, arguments.error().message);
  if (*arguments) return verb.run(**arguments);
  fmt::print("{}", help_of(verb));
  return kClean;
}

// The verb nearest to a misspelled one, if this is neither an option nor a file.
std::optional<std::string> meant_verb(const std::string& word) {
  if (word.starts_with('-') || ::access(word.c_str(), F_OK) == 0) return std::nullopt;
  std::vector<std::string_view> names;
  for (const Verb* verb : verbs()) names.push_back(verb->name);
  return nearest(word, names);
}

int dispatch(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "{}", overview());
    return kUsage;
  }
  const std::string first = argv[1];
  if (const Verb* verb = find_verb(first)) return run_parsed(*verb, argc - 1, argv + 1);
  if (first == "-h" || first == "--help") {
    fmt::print("{}", overview());
    return kClean;
  }
  if (first == "-V" || first == "--version") {
    fmt::print("nacre {}\n", NACRE_VERSION);
    return kClean;
  }
  if (auto verb = meant_verb(first)) {
    return complain("",
                    fmt::format("no such command or file: '{}'; did you mean '{}'?", first, *verb));
  }
  return run_parsed(*find_verb("check"), argc, argv);
}

// A report that did not reach its reader must not look like success.
int flush_output(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  return complain("", "cannot write the output: " + system_message(errno), kUnfinished);
}

}  // namespace

int run(int argc, char** argv) {
  int at = 0;
  if (const Verb* raw = find_raw_verb(argc, argv, at)) return raw->run_raw(argc - at, argv + at);
  watchdog::start(argc, argv);
  try {
    return flush_output(dispatch(argc, argv));
  } catch (const std::bad_alloc&) {
    return complain("", "not enough memory", kUnfinished);
  } catch (const std::exception& error) {  // fmt throws when it cannot write
    return complain("", error.what(), kUnfinished);
  }
}

}  // namespace nacre::cli
