#include "terminal/completion.h"

#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>

#include "machine/machine.h"
#include "system/system_os.h"

namespace nacre::terminal {
namespace {

using machine::Names;
using machine::Rule;
using machine::Source;
using machine::Variables;

// A shell with some names, in a directory with some files.
struct Setting {
  Setting() : machine(os, std::make_shared<Names>()) {
    char name[] = "/tmp/nacre-completion-XXXXXX";
    directory = mkdtemp(name);
    std::filesystem::create_directory(directory + "/sub");
    for (const char* file : {"alpha", "alpine", "a b", "sub/inner", ".hidden"}) {
      std::ofstream(directory + "/" + file) << "";
    }
    Variables& variables = machine.state.variables;
    variables.set(variables.id("NACRE_ONE"), "1");
    variables.set(variables.id("NACRE_TWO"), "2");
    variables.set(variables.id("HOME"), directory);
    machine.state.aliases["zz_alias"] = "echo";
    run_in(machine, "zz_function() { :; }");
  }
  ~Setting() { std::filesystem::remove_all(directory); }

  static void run_in(Machine& machine, std::string script) {
    machine.push_source(Source::of_text("test", std::move(script)), false);
    run(machine, [](const Machine&, Rule) {});
  }
  std::string inserted(const std::string& line) { return complete(machine, line).insertion; }
  size_t count(const std::string& line) { return complete(machine, line).candidates.size(); }

  system::SystemOs os;
  Machine machine;
  std::string directory;
};

}  // namespace

TEST_CASE("commands are completed where a command stands") {
  Setting setting;
  CHECK(setting.inserted("getop") == "ts ");
  CHECK(setting.inserted("x=1 getop") == "ts ");
  CHECK(setting.inserted("echo a; getop") == "ts ");
  CHECK(setting.inserted("if getop") == "ts ");
  CHECK(setting.inserted("echo \"$(getop") == "ts ");
  CHECK(setting.inserted("echo getop") == "");
  CHECK(setting.inserted("zz_a") == "lias ");
  CHECK(setting.inserted("zz_f") == "unction ");
  CHECK(setting.count("zz_") == 2);
}

TEST_CASE("variables are completed after a dollar sign") {
  Setting setting;
  CHECK(setting.inserted("echo $NACRE_O") == "NE");
  CHECK(setting.inserted("echo \"${NACRE_T") == "WO}");
  CHECK(setting.inserted("echo $NACR") == "E_");
  CHECK(setting.inserted("echo '$NACRE_O") == "");
}

TEST_CASE("file names are completed elsewhere") {
  Setting setting;
  CHECK(setting.inserted("cat ~/alph") == "a ");
  CHECK(setting.inserted("cat ~/alp") == "");
  CHECK(setting.count("cat ~/alp") == 2);
  CHECK(setting.inserted("cat ~/a\\ ") == "b ");
  CHECK(setting.inserted("cat >~/s") == "ub/");
  CHECK(setting.inserted("x=~/sub/") == "inner ");
  CHECK(setting.inserted("cat '" + setting.directory + "/alph") == "a' ");
  CHECK(setting.count("ls ~/") == 4);
  CHECK(setting.count("ls ~/.h") == 1);
  CHECK(setting.inserted("~/s") == "ub/");
  CHECK(setting.inserted("~/alph") == "");  // not executable
}

}  // namespace nacre::terminal
