#include "flow/findings.h"

#include <doctest/doctest.h>

#include "base/edits.h"
#include "base/memory_files.h"
#include "flow/testing/codes.h"

using namespace nacre;
using flow::testing::check;
using flow::testing::codes;

namespace {

// The script with the first fix of each finding applied, one after the other.
std::string fixed(std::string script) {
  for (int rounds = 0; rounds < 5; rounds++) {
    std::vector<Edit> edits;
    for (const Diagnostic& found : check(script, shell::Dialect::kBash).findings) {
      if (edits.empty() && !found.fixes.empty()) edits = found.fixes[0].edits;
    }
    if (edits.empty()) break;
    for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit)
      script.replace(edit->span.begin, edit->span.size(), edit->text);
  }
  return script;
}

}  // namespace

TEST_CASE("a variable that was unset") {
  CHECK(codes("dir=/srv\nunset dir\necho \"$dir\"\n") == "X102:3");
  CHECK(codes("dir=/srv\nunset dir\necho \"${dir:-none}\"\n[ -n \"$dir\" ] && echo\n").empty());
  CHECK(codes("dir=/srv\nunset dir\n[ -f a ] && dir=a\necho \"$dir\"\n").empty());
  CHECK(codes("unset dir\nsplit_into dir a:b\necho \"$dir\"\n").empty());
  CHECK(codes("for f in a b; do echo \"$last\"; last=$f; done\nunset last\n").empty());
}

TEST_CASE("in double quotes a list is one word") {
  CHECK(codes("for i in \"{1..9}\"; do echo \"$i\"; done\n") == "X107:1");
  CHECK(codes("for i in \"*.txt\"; do echo \"$i\"; done\n") == "X107:1");
  CHECK(codes("for i in \"/srv/\"*; do echo \"$i\"; done\n").empty());
  CHECK(codes("for i in '*.txt' \"*\"; do echo \"$i\"; done\n").empty());
  CHECK(codes("for i in \"*\"; do echo \"$i\"; done\n").empty());
}

TEST_CASE("without a file the input of the script is read") {
  const auto warned = [](const std::string& script) {
    return codes(script, shell::Dialect::kBash, Severity::kWarning);
  };
  const std::string find = "logs=$(find /var/log -name '*.err')\n";
  CHECK(warned(find + "cat $logs\n") == "T306:2");
  CHECK(warned(find + "grep -h error $logs\n") == "T306:2");
  CHECK(warned(find + "cat $logs /dev/null\ncat \"$logs\"\nls $logs\n").empty());
  CHECK(warned(find + "[ -n \"$logs\" ] && cat $logs\n").empty());
  CHECK(warned(find + "for log in $logs; do cat $log; done\n").empty());
  CHECK(warned(find + "echo | cat $logs\ncat $logs < /dev/null\n").empty());
  CHECK(warned("cat $1\nsort $FILES\nf=$(mktemp)\ncat $f\n").empty());
  CHECK(warned("word=$(sed -n 1p words)\ngrep $word /etc/hosts\n") == "T306:2");
  CHECK(warned("word=$(sed -n 1p words)\ngrep \"$word\" /etc/hosts\n").empty());
  CHECK(warned("word=$(sed -n 1p words)\ngrep $word alpha\n").empty());  // an option?
}

TEST_CASE("a function that prints nothing is captured") {
  CHECK(codes("f() { name=a; }\nx=$(f)\necho \"$x\"\n") == "T303:2");
  CHECK(codes("f() { if [ -f a ]; then echo \"$1\" >&2; fi; }\nx=$(f a)\necho \"$x\"\n") ==
        "T303:2");
  CHECK(codes("quiet=1\nf() { [ \"$quiet\" ] || echo a; }\nx=$(f)\necho \"$x\"\n").empty());
  CHECK(codes("f() { name=a; echo \"$name\"; }\nx=$(f)\necho \"$x\"\n").empty());
  CHECK(codes("f() { make; }\nx=$(f)\necho \"$x\"\n").empty());
}

TEST_CASE("a directory is no command") {
  CHECK(codes("java=/opt/java\n\"$java/bin/\" -version\n") == "T304:2");
  CHECK(codes("[ -n \"$1\" ] || exit\n\"$1/bin/\" -version\n") == "T304:2");
  CHECK(codes("eval \"dir=${1:?}/\"\n") == "J105:1");
}

TEST_CASE("an argument that no call gives") {
  CHECK(codes("f() { cp \"$1\" /srv; }\nf\n") == "X102:1");
  CHECK(codes("f() { cp \"$1\" \"$2\"; }\nf a\n") == "X102:1");
  CHECK(codes("f() { cp \"$1\" /srv; }\nf a\n[ -f b ] && f\n").empty());
  CHECK(codes("f() { cp \"$1\" /srv; }\nf \"$@\"\n").empty());
  CHECK(codes("f() { [ -n \"$1\" ] && cp \"$1\" /srv; }\nf\n").empty());
  CHECK(codes("f() { echo \"${1:-}\"; local mode=$1; }\nf\n").empty());
  CHECK(codes("f() { cp \"$1\" /srv; }\n. ./lib\nf\n").empty());
}

TEST_CASE("guards silence a removal") {
  const std::string removal = "rm -rf \"$DIR/\"*\n";
  CHECK(codes(removal) == "X101:1");
  CHECK(codes("#!/bin/sh\n" + removal) == "X110:2 X101:2");
  CHECK(codes("[ -n \"$DIR\" ] || exit 1\n" + removal).empty());
  CHECK(codes("[ -z \"$DIR\" ] && exit 1\n" + removal).empty());
  CHECK(codes("if [ -z \"$DIR\" ]; then exit 1; fi\n" + removal).empty());
  CHECK(codes("case $DIR in '') exit 1 ;; esac\n" + removal).empty());
  CHECK(codes("[[ -n $DIR ]] || exit 1\n" + removal).empty());
  CHECK(codes("test -d \"$DIR\" || exit 1\n" + removal).empty());
  CHECK(codes(": \"${DIR:?}\"\n" + removal).empty());
  CHECK(codes(": \"${DIR:=/srv/data}\"\n" + removal).empty());
  CHECK(codes("f() { [ -n \"$DIR\" ]; }\nf || exit 1\n" + removal).empty());
}

TEST_CASE("a search for a pattern is a guard") {
  const std::string removal = "rm -rf \"$DIR/\"*\n";
  CHECK(codes("echo \"$DIR\" | grep -q . || exit 1\n" + removal).empty());
  CHECK(codes("echo $DIR | grep -q /srv || exit 1\n" + removal).empty());
  CHECK(codes("if ! echo \"$DIR\" | grep -q '^/srv/'; then exit 1; fi\n" + removal).empty());
  CHECK(codes("printf %s \"$DIR\" | grep -Eq '^(a|b)+$' || exit 1\n" + removal).empty());
  CHECK(codes("printf '%s\\n' \"$DIR\" | grep -q '^$' && exit 1\n" + removal).empty());
  CHECK(codes("grep -q '^/srv/.' <<< \"$DIR\" || exit 1\n" + removal).empty());
  CHECK(codes("if echo \"$DIR\" | grep -q .; then " + removal + "fi\n").empty());
  CHECK(codes("echo \"$DIR\" | grep -qv . && exit 1\n" + removal).empty());
  CHECK(codes("f() { echo \"$1\" | grep -q . || return; rm -rf \"$1/\"*; }\nf \"$DIR\"\n").empty());
  // These let an empty value through.
  CHECK(codes("echo \"$DIR\" | grep -q '^[a-z]*$' || exit 1\n" + removal) == "X101:2");
  CHECK(codes("echo \"$DIR\" | grep -q . && exit 1\n" + removal) == "X101:2");
  CHECK(codes("echo \"x$DIR\" | grep -q . || exit 1\n" + removal) == "X101:2");
  CHECK(codes("echo \"$DIR\" | grep -q . list || exit 1\n" + removal) == "X101:2 T103:1");
}

TEST_CASE("a number that was looked at is no code") {
  const std::string use = "echo $((n + 1))\n";
  CHECK(codes("n=$1\n" + use) == "J101:2");
  CHECK(codes("n=$1\necho \"$n\" | grep -Eq '^[0-9]+$' || exit 1\n" + use).empty());
  CHECK(codes("n=$1\n[[ $n =~ ^[0-9]+$ ]] || exit 1\n" + use).empty());
  CHECK(codes("n=$1\ncase $n in *[!0-9]*) exit 1 ;; esac\n" + use).empty());
  CHECK(codes("n=$1\necho \"$n\" | grep -q '[^0-9]' && exit 1\n" + use).empty());
  CHECK(codes("n=$1\necho \"$n\" | grep -q '[0-9]' || exit 1\n" + use) == "J101:3");
}

TEST_CASE("who asks for a command knows whether it is there") {
  CHECK(codes("command -v fancy >/dev/null && exit 1\nfancy\n") == "T304:2");
  CHECK(codes("type fancy >/dev/null 2>&1 && exit 1\nfancy\n") == "T304:2");
  CHECK(codes("type fancy >/dev/null 2>&1 || exit 1\nfancy\n").empty());
  CHECK(codes("f() { type fancy >/dev/null || return; fancy; }\nf\n").empty());
  CHECK(codes("f() { if ! type fancy >/dev/null; then return; fi; fancy; }\nf\n").empty());
}

TEST_CASE("whoever returns in time is out of danger") {
  const std::string removal = "rm -rf \"$DIR/\"*; }\nf\n";
  CHECK(codes("f() { " + removal) == "X101:1");
  CHECK(codes("f() { [ -n \"$DIR\" ] || return\n" + removal).empty());
  CHECK(codes("f() { [ -z \"$DIR\" ] && return 1\n" + removal).empty());
  CHECK(codes("f() { cd /srv/x || return\nrm -rf ./*; }\nf\n").empty());
}

TEST_CASE("a removal is followed through variables and wrappers") {
  CHECK(codes("a=$1$2/$3\nsudo rm -rf \"$a\"\n") == "X101:2");
  CHECK(codes("for d in /opt/x /usr; do rm -rf \"$d\"; done\n") == "X101:1");
  CHECK(codes("rm -rf \"$(echo /)\"\n") == "X101:1");
  CHECK(codes("rm -rf /opt/app/*\n").empty());
  CHECK(codes("cd ~ || exit\nrm -rf ./*\n") == "X101:2");
  CHECK(codes("echo /usr | xargs rm -rf\n") == "X101:1");
  CHECK(codes("find \"$1/\" -name x -exec rm -rf {} +\n") == "X101:1");
  CHECK(codes("find \"$1/\" -name x -delete\n") == "X101:1");
  CHECK(codes("mv \"$1\"/* /srv/old\n") == "X101:1");
  CHECK(codes("rsync -a --delete /srv/x/ \"/etc/$1\"\n") == "X101:1");
}

TEST_CASE("a condition is constant only if every call finds it so") {
  CHECK(codes("set -e\nmake\nif [ $? -ne 0 ]; then echo no; fi\n") == "T301:3");
  CHECK(codes("set -e\nmake\nr=$?\nif [ $r -ne 0 ]; then echo no; fi\n") == "T301:4");
  CHECK(codes("f() { if [ \"$1\" = a ]; then echo; fi; }\nf a\n").empty());
  CHECK(codes("debug=0\nif [ $debug = 1 ]; then echo; fi\n").empty());
}

TEST_CASE("of a function that is called often, not every call is followed") {
  const auto calling = [](int count) {
    std::string script = "set -e\nf() { make; r=$?; if [ $r -ne 0 ]; then g; fi; }\n";
    for (int i = 0; i < count; i++) script += "f\n";
    return codes(script);
  };
  CHECK(calling(20) == "T301:2");
  CHECK(calling(21).empty());  // a call that nobody has looked at may be otherwise
  std::string script = "set_x() { x=$1; }\nf() { set_x \"$1\"; }\nx=\n";
  for (int i = 0; i < 25; i++) script += "f a\n";
  script += "f b\necho \"$x\"\n";
  const auto parsed = shell::parse_file(SourceFile("test.sh", script), shell::Dialect::kSh);
  flow::CheckOptions options;
  options.wants_types = true;
  const auto types_of_x = [&] {
    std::set<std::string> result;
    for (const flow::TypeAt& type : flow::types_of(flow::check(parsed.tree, {}, options).facts)) {
      if (type.name == "x" && type.span.begin > script.find("echo")) result.insert(type.output());
    }
    return result;
  };
  CHECK(types_of_x() != std::set<std::string>{"a"});
  options.max_calls = 100;
  CHECK(types_of_x() == std::set<std::string>{"b"});
}

TEST_CASE("a variable that a stage of a pipeline changed is lost") {
  CHECK(codes("n=0\nls | while read -r f; do n=1; done\necho $n\n") == "X106:3");
  CHECK(codes("n=0\nwhile read -r f; do n=1; done < list\necho $n\n").empty());
  CHECK(codes("n=0\nls | while read -r f; do n=1; done\nn=2\necho $n\n").empty());
}

TEST_CASE("sourced files are followed by their path from the script's directory") {
  const auto sourcing = [](const std::string& line) {
    const auto parsed =
        shell::parse_file(SourceFile("bin/test.sh", "#!/bin/bash\n" + line + "\nhello \"$name\"\n"),
                          shell::Dialect::kBash);
    const commands::CardLibrary cards;
    flow::CheckOptions options;
    options.wants_types = true;
    MemoryFiles files;
    for (const char* path : {"/p/lib.sh", "/p/bin/lib.sh"})
      files.put(path, "hello() { name=; echo $undefined; }\nname=known\n");
    options.files = &files;
    options.directory = "/p/bin";
    for (const flow::TypeAt& type :
         flow::types_of(flow::check(parsed.tree, cards, options).facts)) {
      if (type.name == "name") return type.output();
    }
    return std::string("not seen");
  };
  CHECK(sourcing(". ./lib.sh") == "known");
  CHECK(sourcing(". \"$(dirname \"$0\")/lib.sh\"") == "known");
  CHECK(sourcing("source \"${BASH_SOURCE%/*}/lib.sh\"") == "known");
  CHECK(sourcing("here=$(cd \"$(dirname \"${BASH_SOURCE[0]}\")\" && pwd)\n. \"$here/lib.sh\"") ==
        "known");
  CHECK(sourcing(". \"$(dirname \"$(dirname \"$(readlink -f \"$0\")\")\")/lib.sh\"") == "known");
  CHECK(sourcing(". \"$1/lib.sh\"") != "known");
}

TEST_CASE("constant text is checked where it stands") {
  CHECK(codes("eval 'x=; rm -rf \"$x/\"*'\n") == "X101:1");
  CHECK(codes("eval 'x=/srv/y'\nrm -rf \"$x/\"*\n").empty());
  CHECK(codes("trap 'rm -rf \"$x/\"*' EXIT\nx=\n") == "X101:1");
  CHECK(codes("trap 'rm -rf \"$x/\"*' EXIT\nx=/srv/y\n").empty());
  CHECK(codes("#!/bin/sh\n(clean() { echo; }; trap clean EXIT; ls)\n").empty());
}

TEST_CASE("names that find puts into a program are code") {
  CHECK(codes("find . -exec sh -c 'wc {}' \\;\n") == "J105:1");
  CHECK(codes("find . -exec sh -c 'wc \"$1\"' sh {} \\;\n").empty());
}

TEST_CASE("fixes leave nothing to be said") {
  CHECK(fixed("rm -rf \"$DIR/\"*\n") == "rm -rf \"${DIR:?}/\"*\n");
  CHECK(fixed("seq 20 | sort\n") == "seq 20 | sort -n\n");
  CHECK(fixed("find . -name '*.o' | xargs rm\n") == "find . -name '*.o' -print0 | xargs -0 rm\n");
  CHECK(fixed("while read line; do echo \"$line\"; done < list\n") ==
        "while read -r line; do echo \"$line\"; done < list\n");
  CHECK(fixed("chmod 644 *\n") == "chmod 644 -- *\n");
  CHECK(fixed("set -e\nf() {\n  local x=$(cat list)\n  echo \"$x\"\n}\nf\n") ==
        "set -e\nf() {\n  local x; x=$(cat list)\n  echo \"$x\"\n}\nf\n");
  CHECK(codes(fixed("set -u\nif [ -z \"$NAMES\" ]; then exit; fi\n")).empty());
  CHECK(codes(fixed("cd /srv/build\nrm -rf *\n")).empty());
  CHECK(fixed("set -e\nout=$(sed -n 1p list)\ncd \"$out\"\nrm -rf ./*\n") ==
        "set -e\nout=$(sed -n 1p list)\ncd \"${out:?}\"\nrm -rf ./*\n");
  CHECK(fixed("user=$(id -un)\nif [ \"$user\" -ne root ]; then exit; fi\n") ==
        "user=$(id -un)\nif [ \"$user\" != root ]; then exit; fi\n");
  CHECK(codes(fixed("x=$(cat name)\nrm $x\n")).empty());
}

TEST_CASE("what a subshell assigns is lost, and so is what the end of a pipeline reads") {
  CHECK(codes("n=0\n(n=1)\necho $n\n") == "X106:3");
  CHECK(codes("n=0\n(n=1; echo $n)\n").empty());
  CHECK(codes("x=\nls | read -r x\necho \"$x\"\n") == "X106:3");
  CHECK(codes("x=\nread -r x < f\necho \"$x\"\n").empty());
}

TEST_CASE("what a command removes is a matter of its options") {
  CHECK(codes("mv -t /backup \"$1/\"*\n") == "X101:1");
  CHECK(codes("mv -t \"/$1\" a b\n").empty());
  CHECK(codes("rsync -a --delete-after src/ \"$1/\"\n") == "X101:1");
  CHECK(codes("rsync -a src/ \"$1/\"\n").empty());
  CHECK(codes("find \"$1/\" -type f -exec rm {} +\n") == "X101:1");
  CHECK(codes("find \"$1/\" -type f -exec wc {} +\n").empty());
}

TEST_CASE("names come through xargs, too") {
  CHECK(codes("echo \"$1/\" | xargs rm -rf\n") == "X101:1");
  CHECK(codes("echo \"${1:?}/\" | xargs rm -rf\n").empty());
  CHECK(codes("ls | xargs -I{} sh -c 'cat {}'\n") == "J105:1");
  CHECK(codes("ls | xargs -I NAME sh -c 'cat NAME'\n") == "J105:1");
  CHECK(codes("ls -1 | xargs -I{} sh -c 'cat \"$1\"' _ {}\n").empty());
}

TEST_CASE("an arm of case for values that the word never has") {
  CHECK(codes("n=$(wc -l < f)\ncase $n in abc) echo ;; esac\n") == "T302:2");
  CHECK(codes("n=$(wc -l < f)\ncase $n in 0) echo ;; *) echo a ;; esac\n").empty());
  CHECK(codes("n=$(wc -l < f)\ncase $n in '') echo ;; *) echo a ;; esac\n").empty());
  CHECK(codes("case $1 in abc) echo ;; esac\n").empty());
}

TEST_CASE("subscripts and let evaluate, too") {
  CHECK(codes("a=(1 2)\necho \"${a[$1]}\"\n") == "J101:2");
  CHECK(codes("declare -A a\na[$1]=2\necho \"${a[$1]}\"\n").empty());
  CHECK(codes("a=(1 2)\nn=$(wc -l < f)\necho \"${a[$n]}\"\n").empty());
  CHECK(codes("let \"x = $1\"\n") == "J101:1");
}

TEST_CASE("files that the script wrote are read back as operands") {
  CHECK(codes("seq 5 > f\ngrep x f\n") == "T102:2");
  CHECK(codes("seq 5 > f\ngrep 3 f\n").empty());
  CHECK(codes("grep x <(seq 5)\n") == "T102:1");
  CHECK(codes("seq 5 > f\necho x >> f\ngrep x f\n").empty());
}

TEST_CASE("the length tells whether there is something") {
  CHECK(codes("x=$1\n[ ${#x} -gt 0 ] || exit\nrm -rf \"$x/\"*\n").empty());
  CHECK(codes("x=$1\n[ ${#x} -lt 9 ] || exit\nrm -rf \"$x/\"*\n") == "X101:3");
}

TEST_CASE("a function that nobody calls here is called with any status") {
  CHECK(codes("f() { rc=$?\nif [ $rc -ne 0 ]; then echo; fi; }\n").empty());
  CHECK(codes("f() { rc=$?\nif [ $rc -ne 0 ]; then echo; fi; }\ntrap f EXIT\nls\n").empty());
  CHECK(codes("set -e\nf() { local rc=$?\nif [ $rc -ne 0 ]; then echo; fi; }\nls\nf\n") ==
        "T301:3");
}

TEST_CASE("a name of a file may hold a blank") {
  CHECK(codes("for f in *; do mv $f /srv/; done\n") == "X103:1");
  CHECK(codes("for f in *; do mv \"$f\" /srv/; done\n").empty());
  CHECK(codes("n=$(wc -l < f)\nmv f.$n /srv/\n").empty());
  CHECK(codes("mv $1 /srv/\n").empty());
}

TEST_CASE("ssh reads what the loop around it was to read") {
  CHECK(codes("while read -r h; do ssh \"$h\" ls; done < hosts\n") == "T306:1");
  CHECK(codes("while read -r h; do ssh -n \"$h\" ls; done < hosts\n").empty());
  CHECK(codes("while read -r h; do ssh \"$h\" ls < /dev/null; done < hosts\n").empty());
}

TEST_CASE("a substitution drops the empty lines at the end") {
  CHECK(codes("b=$(echo 1; echo)\n[ $b -gt 0 ] && echo\n").empty());
  CHECK(codes("b=$(echo 1; echo 2)\n[ $b -gt 0 ] && echo\n") == "X109:2");
}

TEST_CASE("variables are reached by other names, too") {
  CHECK(codes("v=d\nd=/srv/x\nrm -rf \"${!v}/\"*\n").empty());
  CHECK(codes("v=d\nd=\nrm -rf \"${!v}/\"*\n") == "X101:3");
  CHECK(codes("f() { local -n r=$1\nr=/srv/x; }\nf d\nrm -rf \"$d/\"*\n").empty());
}

TEST_CASE("a command fails if its file cannot be opened") {
  CHECK(codes(": > \"$1\"\nif [ $? -ne 0 ]; then echo; fi\n").empty());
  CHECK(codes("if : > \"$1\"; then :; else rm -rf \"$x/\"*; fi\n") == "X101:1");
  CHECK(codes("f() { return 0; }\nf > \"$1\" || rm -rf \"$x/\"*\n") == "X101:2");
  CHECK(codes("f() { return 0; }\nf || rm -rf \"$x/\"*\n").empty());
  CHECK(codes(": > /dev/null\nif [ $? -ne 0 ]; then echo; fi\n") == "T301:2");
}

TEST_CASE("shift fails where there are too few arguments") {
  CHECK(codes("while shift; do :; done\nrm -rf \"$x/\"*\n") == "X101:2");
  CHECK(codes("set -- a\nshift || rm -rf \"$x/\"*\n").empty());
}

TEST_CASE("what declare appends stands after what was there") {
  CHECK(codes("d=/\nexport d+=bin\nrm -rf \"$d\"\n") == "X101:3");
}

TEST_CASE("a shell runs what it reads unless it is given a program") {
  CHECK(codes("curl -s https://a/b | sh\n") == "J103:1");
  CHECK(codes("wget -qO- https://a/b | sudo bash -s -- c\n") == "J103:1");
  CHECK(codes("curl -s https://a/b | sh -c 'cat > f'\n").empty());
}

TEST_CASE("the ends of a sequence may be as far apart as numbers go") {
  CHECK(codes("echo {-9223372036854775808..9223372036854775807} {1..5..0}\n").empty());
}

TEST_CASE("errexit looks away from what is negated") {
  CHECK(codes("set -e\n! ls a\nif [ $? -eq 0 ]; then echo; fi\n").empty());
}
