#include "purify/purify.h"

#include <doctest/doctest.h>

namespace nacre::purify {

namespace {

Purified purified(const std::string& text, bool equal_only = false) {
  const commands::CardLibrary cards;
  const SourceFile file("x", text);
  Settings settings;
  settings.dialect = dialect_of(file).value_or(shell::Dialect::kSh);
  settings.equal_only = equal_only;
  return purify(file, settings, cards);
}

// The result, which is a fixed point; "refused" if it was.
std::string text_of(const std::string& text) {
  const Purified result = purified(text);
  if (!result.refused.empty()) return "refused";
  CHECK(purified(result.text).text == result.text);
  return result.text;
}
std::string bash(const std::string& body) {
  const std::string text = text_of("#!/bin/bash\n" + body);
  return text.starts_with("#!/bin/sh\n") ? text.substr(10) : text;
}
std::string sh(const std::string& body) {
  const std::string text = text_of("#!/bin/sh\n" + body);
  return text.starts_with("#!/bin/sh\n") ? text.substr(10) : text;
}

}  // namespace

TEST_CASE("the deployment script gets its time from outside") {
  CHECK(bash("TIMESTAMP=$(date +%s)\nLOGFILE=\"/var/log/deploy.$TIMESTAMP.log\"\nmkdir /opt/app\n"
             "echo \"Deployed at $TIMESTAMP\" > $LOGFILE\n") ==
        "TIMESTAMP=\"${DEPLOY_TIMESTAMP:-0}\"\nLOGFILE=\"/var/log/deploy.$TIMESTAMP.log\"\n"
        "mkdir -p /opt/app\necho \"Deployed at $TIMESTAMP\" > \"$LOGFILE\"\n");
}

TEST_CASE("flags only where the status is not asked for") {
  CHECK(sh("mkdir d\necho x\n") == "mkdir -p d\necho x\n");
  CHECK(sh("if mkdir d; then echo mine; fi\n") == "if mkdir d; then echo mine; fi\n");
  CHECK(sh("mkdir d || exit 1\n") == "mkdir d || exit 1\n");
  CHECK(sh("mkdir lock\necho x\nrmdir lock\n") == "mkdir lock\necho x\nrmdir lock\n");
  CHECK(sh("rm -i x\necho y\n") == "rm -i x\necho y\n");
}

TEST_CASE("a redirection among the words stays") {
  CHECK(bash("echo >&2 \"a\\b: $1\"\n") == "printf '%s\\n' \"a\\b: $1\" >&2\n");
  CHECK(bash("echo >> f -n \"$1\"\n") == "printf '%s' \"$1\" >> f\n");
}

TEST_CASE("operands of -a and -o that may be operators make no equal rewrite") {
  const auto kind = [](const std::string& text) {
    for (const Rewrite& each : purified(text).done) {
      if (each.name == "test-and-or") return each.kind;
    }
    return RewriteClass::kAssuming;
  };
  CHECK(kind("#!/bin/sh\nif [ ! \"$1\" -o ! \"$2\" ]; then echo x; fi\n") == RewriteClass::kRepair);
  CHECK(kind("#!/bin/sh\nif [ \"$#\" -gt 1 -a \"$#\" -lt 3 ]; then echo x; fi\n") ==
        RewriteClass::kEqual);
}

TEST_CASE("integer attributes go where only numbers are assigned") {
  CHECK(bash("declare -i n=3\nn=$((n + 1))\necho \"$n\"\n") == "n=3\nn=$((n + 1))\necho \"$n\"\n");
  CHECK(bash("f() { local -i n=$#; echo \"$n\"; }\nf a\n") == "f() { n=$#; echo \"$n\"; }\nf a\n");
  CHECK(bash("declare -i n=1+1\necho \"$n\"\n") == "refused");
  CHECK(bash("declare -i n\nn=x=5\necho \"$n\"\n") == "refused");
  CHECK(bash("declare -i n=010\necho \"$n\"\n") == "refused");
  CHECK(bash("declare -i n=1\nn+=1\necho \"$n\"\n") == "refused");
  CHECK(bash("declare -i n=1\nread -r n\necho \"$n\"\n") == "refused");
  CHECK(bash("declare -i n=$1\necho \"$n\"\n") == "refused");
}

TEST_CASE("evaluated text that is known is looked at") {
  CHECK(bash("eval '[[ -n x ]]'\n") == "refused");
  CHECK(bash("eval \"$1\"\n") == "refused");
  CHECK(bash("n=$#\neval \"x_$n=\\$HOME\"\n") == "n=$#\neval \"x_$n=\\$HOME\"\n");
  CHECK(bash("for k in a b; do eval \"d_$k+=x\"; done\n") == "refused");
}

TEST_CASE("more spellings of bash") {
  CHECK(bash("x=abcdef\nif [ \"${x::3}\" = abc ]; then echo y; fi\n").find("expr") !=
        std::string::npos);
  CHECK(bash("[ -t 0 ] && read -r -p \"go? \" a\n") ==
        "[ -t 0 ] && { printf '%s' \"go? \" >&2; read -r a; }\n");
  CHECK(bash("source \"$1\"\n") == ". \"$1\"\n");
}

TEST_CASE("lists that are meant stay split") {
  CHECK(sh("L=\"a b\"\nfor x in $L; do echo \"$x\"; done\n") ==
        "L=\"a b\"\nfor x in $L; do echo \"$x\"; done\n");
  CHECK(sh("d=\"my dir\"\nfor f in $d/*.c; do echo \"$f\"; done\n") ==
        "d=\"my dir\"\nfor f in \"$d\"/*.c; do echo \"$f\"; done\n");
  CHECK(sh("O=\"-l -a\"\nls $O x\n") ==
        "O=\"-l -a\"\n# shellcheck disable=SC2086 # split on purpose\nls $O x\n");
}

TEST_CASE("conditions of bash become tests, cases and lists") {
  CHECK(bash("[[ -f $1 && $2 != x ]] && echo y\n") ==
        "[ -f \"$1\" ] && [ \"$2\" != x ] && echo y\n");
  CHECK(bash("if [[ $1 == *.c ]]; then echo y; fi\n") ==
        "if case \"$1\" in *.c) ;; *) false ;; esac; then echo y; fi\n");
  CHECK(bash("if [[ $1 =~ ^[0-9]+$ ]]; then echo y; fi\n") ==
        "if case \"$1\" in '' | *[!0-9]*) false ;; *) ;; esac; then echo y; fi\n");
  // A list at the end of which errexit looks must fail as one command does.
  CHECK(bash("set -e\n[[ -n $1 && -n $2 ]]\necho y\n") ==
        "set -e\nif [ -n \"$1\" ] && [ -n \"$2\" ]; then :; else false; fi\necho y\n");
}

TEST_CASE("arithmetic keeps values and statuses") {
  CHECK(bash("i=1\n((i++))\necho \"$i\"\n") == "i=1\ni=$((i + 1))\necho \"$i\"\n");
  CHECK(bash("i=0\n((i++)) || echo zero\n") ==
        "i=0\n[ \"$(( ((i += 1) - 1) ))\" -ne 0 ] || echo zero\n");
  CHECK(bash("for ((i=0; i<3; i++)); do [ $i = 1 ] && continue; done\n") ==
        "i=-1\nwhile i=$((i + 1)); [ \"$i\" -lt 3 ]; do [ \"$i\" = 1 ] && continue; done\n");
}

TEST_CASE("echo without arguments leaves no blank") {
  CHECK(bash("echo a \"$@\" b\n") == "printf '%s\\n' \"a${1+ $*} b\"\n");
  CHECK(bash("echo \"$@\"\n") == "printf '%s\\n' \"$*\"\n");
  CHECK(bash("echo -n 'a\\b'\n") == "printf '%s' 'a\\b'\n");
}

TEST_CASE("arrays that never change are written out, others may be the arguments") {
  CHECK(bash("a=(x 'y z')\nfor i in \"${a[@]}\"; do printf '%s\\n' \"$i\"; done\n") ==
        "for i in x 'y z'; do printf '%s\\n' \"$i\"; done\n");
  CHECK(bash("a=()\na+=(\"$HOME\")\nprintf '%s\\n' \"${a[@]}\"\n") ==
        "set --\nset -- \"$@\" \"$HOME\"\nprintf '%s\\n' \"$@\"\n");
  CHECK(bash("a=(x y)\necho \"${a[$1]}\"\n") == "refused");
}

TEST_CASE("a loop whose variables are used later reads from a file, not from a pipe") {
  CHECK(bash("while read -r l; do n=$l; done < <(ls)\n").starts_with("ls | while"));
  CHECK(bash("while read -r l; do n=$l; done < <(ls)\necho \"$n\" \n")
            .starts_with("tmp_input=$(mktemp)"));
}

TEST_CASE("what has no other spelling is refused with its place") {
  for (const char* body : {"select x in a b; do break; done\n", "trap 'echo e' ERR\nfalse\n",
                           "echo \"$RANDOM\"\n", "eval \"$1\"\n", "coproc P { cat; }\n"}) {
    const Purified result = purified(std::string("#!/bin/bash\n") + body);
    REQUIRE(!result.refused.empty());
    CHECK(result.refused[0].place.begin >= 12);
  }
  CHECK(text_of("#!/bin/sh\nif x; then\n") == "refused");
}

TEST_CASE("bytes that no rewrite concerns stay") {
  const std::string text = "cat <<'EOF'\n$HOME `date` \\n\nEOF\n\techo   hi   # why\n";
  CHECK(sh(text) == text);
}

TEST_CASE("equal-only leaves repairs out") {
  const Purified result = purified("#!/bin/bash\nmkdir d\n[[ -n $1 ]] && echo x\n", true);
  CHECK(result.text.find("mkdir d") != std::string::npos);
  CHECK(result.text.find("[ -n \"$1\" ]") != std::string::npos);
}

}  // namespace nacre::purify
