#include "prove/verify.h"

#include <doctest/doctest.h>

#include "prove/validate.h"

namespace nacre::prove {

namespace {

Verdict decide(const std::string& property, const std::string& text) {
  const commands::CardLibrary cards;
  VerifyOptions options;
  options.properties = {property};
  return verify(SourceFile("x", text), cards, options).at(0).verdict;
}

Verdict preserved(const std::string& original, const std::string& rewritten) {
  const commands::CardLibrary cards;
  return preserves(SourceFile("b", rewritten), SourceFile("a", original), cards, 60).verdict;
}

const std::string kSh = "#!/bin/sh\n";

}  // namespace

TEST_CASE("a clock in the output refutes determinism, one that goes nowhere does not") {
  CHECK(decide("determinism", kSh + "echo \"$(date)\"\n") == Verdict::kRefuted);
  CHECK(decide("determinism", kSh + "sort -u < names\n") == Verdict::kProved);
  CHECK(decide("determinism", kSh + "find src -type f\n") == Verdict::kRefuted);
  CHECK(decide("determinism", kSh + "find src -type f | LC_ALL=C sort\n") == Verdict::kProved);
}

TEST_CASE("idempotence is shown by running twice") {
  CHECK(decide("idempotence-root", kSh + "set -e\nmkdir out\n") == Verdict::kRefuted);
  CHECK(decide("idempotence-root", kSh + "set -e\nmkdir -p out\n") == Verdict::kProved);
  // A script that never succeeds has no second run.
  CHECK(decide("idempotence-root", kSh + "echo a >> list\nexit 3\n") != Verdict::kRefuted);
}

TEST_CASE("what a run has made itself may be read, replaced and removed") {
  const auto root = [](const std::string& text) { return decide("idempotence-root", kSh + text); };
  CHECK(root("cp a.conf /etc/a.conf\n") == Verdict::kProved);
  CHECK(root("rm -rf out\nmkdir out\ncp a out/b\n") == Verdict::kProved);
  CHECK(root("set -e\nrm -f x\nprintf 'a\\n' > x\nsort x > y\nmv x z\n") == Verdict::kProved);
  // Without set -e, a directory may be moved.
  CHECK(root("rm -f x\nprintf 'a\\n' > x\nmv x z\n") != Verdict::kProved);
  CHECK(root(": > x\nfor i in a b; do echo \"$i\" >> x; done\n") == Verdict::kProved);
  CHECK(root("put() { cp \"$1\" \"/opt/$1\"; }\nput a\nput b\n") == Verdict::kProved);
  CHECK(root("rm -rf site\ncp -R build site\n") == Verdict::kProved);
  CHECK(root("cp -R build site\n") == Verdict::kRefuted);
  CHECK(root("mkdir -p \"$1/a\"\necho x > \"$1/b\"\n") == Verdict::kProved);
}

TEST_CASE("a guard that its body makes false") {
  const auto root = [](const std::string& text) { return decide("idempotence-root", kSh + text); };
  CHECK(root("[ -d out ] || mkdir out\necho x > out/y\n") == Verdict::kProved);
  CHECK(root("if [ ! -f x ]; then cp a x; fi\n") == Verdict::kProved);
  CHECK(root("if [ -f x ]; then rm x; fi\n") == Verdict::kProved);
  // Its status is another one when the body does not run.
  CHECK(root("[ -f x ] && rm x\n") == Verdict::kRefuted);
  // What the body has overwritten comes back.
  CHECK(root("echo a > y\n[ -f x ] || { echo b > y; echo > x; }\n") != Verdict::kProved);
  CHECK(root("[ -f x ] || { echo b >> y; cp a x; }\n:\n") != Verdict::kProved);
  CHECK(root("[ -f x ] || echo > x\nrm x\n") != Verdict::kProved);
}

TEST_CASE("what a later change makes possible is done by the second run") {
  const auto root = [](const std::string& text) { return decide("idempotence-root", kSh + text); };
  CHECK(root("echo x > d/f\nmkdir -p d\n") != Verdict::kProved);
  CHECK(root("for f in *; do echo x > \"$f.bak\"; done\n") != Verdict::kProved);
  CHECK(root("cp a current/b\nln -sfn new current\n") != Verdict::kProved);
  CHECK(root("ln -sf new current\n") != Verdict::kProved);
  // A file of that name may have another mode, which the new one does not get.
  CHECK(root("sed s/a/b/ x > x.new\nmv x.new x\n") != Verdict::kProved);
}

TEST_CASE("what is changed before it is read is the same in the second run") {
  const auto root = [](const std::string& text) { return decide("idempotence-root", kSh + text); };
  CHECK(root("mkdir -p d\n: > d/x\nls d > list\n") == Verdict::kProved);
  CHECK(root("cat x > y\necho 1 > x\n") != Verdict::kProved);
  CHECK(root("echo \"$(cat x)\" > x\n") != Verdict::kProved);
  CHECK(root("sort x | tee x\n") != Verdict::kProved);
  CHECK(root("for i in 1 2; do cat x > y; cp y x; echo \"$i\" > x; done\n") != Verdict::kProved);
  CHECK(root("f() { cat x > y; }\nf\necho 1 > x\nf\n") != Verdict::kProved);
  // The subshell may end before it has written x.
  CHECK(root("( [ \"$(uname -m)\" = riscv64 ] && exit 0; echo 1 > x )\ncat x > y\necho 2 > x\n") !=
        Verdict::kProved);
  CHECK(root("{ [ \"$(uname -m)\" = riscv64 ] && exit 0; echo 1 > x; } | :\ncat x > y\necho 2 > "
             "x\n") != Verdict::kProved);
  CHECK(root("for d in a b; do rm -rf \"./$d\"; done\nmkdir a b\n") == Verdict::kProved);
  CHECK(root("for d in a b; do [ -f x ] && break; rm -rf $d; done\nmkdir a b\n:\n") !=
        Verdict::kProved);
}

TEST_CASE("what a pattern matches is apart from other names") {
  const auto root = [](const std::string& text) { return decide("idempotence-root", kSh + text); };
  CHECK(root("for f in *.conf; do cat \"$f\"; done > merged\n") == Verdict::kProved);
  CHECK(root("for f in ./*.conf; do cat \"$f\"; done > out/merged\n") == Verdict::kProved);
  CHECK(root("for f in *.conf; do cat \"$f\"; done > all.conf\n") != Verdict::kProved);
  CHECK(root("for f in ./*; do cat \"$f\"; done > merged\n") != Verdict::kProved);
  CHECK(root("for f in \"$@\"; do cat \"$f\"; done > merged\n") != Verdict::kProved);
}

TEST_CASE("a lock that each run removes may be made again") {
  const auto root = [](const std::string& text) { return decide("idempotence-root", kSh + text); };
  CHECK(root("set -e\nmkdir l\necho x > y\nrmdir l\n") == Verdict::kProved);
  CHECK(root("if ! mkdir l; then exit 1; fi\necho x > y\nrmdir l\n") == Verdict::kProved);
  CHECK(root("until mkdir l; do sleep 1; done\nrmdir l\n") == Verdict::kProved);
  CHECK(root("set -e\nmkdir l\n[ -f x ] || exit 0\nrmdir l\n") != Verdict::kProved);
  CHECK(root("set -e\nmkdir l\necho x > l/y\nrmdir l || :\n") != Verdict::kProved);
  CHECK(root("mkdir l || exit 0\nrmdir l\n") != Verdict::kProved);
  CHECK(root("mkdir l\nrmdir l\n") != Verdict::kProved);
}

TEST_CASE("a name or a text that is new on each run is left behind") {
  const auto root = [](const std::string& text) { return decide("idempotence-root", kSh + text); };
  CHECK(root("set -e\ncat a > \"b.$(date +%s)\"\n") == Verdict::kRefuted);
  CHECK(root("echo $$ > run.pid\n") == Verdict::kRefuted);
  CHECK(root("echo $$ > run.pid\nrm -f run.pid\n") != Verdict::kRefuted);
  CHECK(root("echo x >> f\nnormalise f\n") != Verdict::kRefuted);
  // A last line that is not closed.
  CHECK(root("grep -q '^x' f || echo x >> f\n") == Verdict::kRefuted);
}

TEST_CASE("an ordinary user may own the directories, and copies may be read-only") {
  const auto user = [](const std::string& text) { return decide("idempotence-user", kSh + text); };
  CHECK(user("echo x >> /etc/list\n") == Verdict::kRefuted);
  CHECK(user("set -e\ncp a b\n") == Verdict::kRefuted);
  CHECK(user("set -e\ncp a b\nchmod u+w b\n") == Verdict::kProved);
  CHECK(user("rm -f b\ncp a b\n") == Verdict::kProved);
  CHECK(user("set -e\necho x > b\nchmod 444 b\n") == Verdict::kRefuted);
  CHECK(user("rm -rf site\ncp -R build site\n") != Verdict::kProved);
}

TEST_CASE("a temporary file that is removed does not count") {
  const std::string begin = kSh + "tmp=$(mktemp -d /tmp/x.XXXXXX)\n";
  const std::string use =
      "trap 'rm -rf \"$tmp\"' EXIT\nsort a > \"$tmp/b\"\ncat < \"$tmp/b\" > c\n";
  CHECK(decide("idempotence-root", begin + use) == Verdict::kProved);
  CHECK(decide("determinism", begin + use) == Verdict::kProved);
  CHECK(decide("idempotence-root", begin + ": > \"$tmp/b\"\n") != Verdict::kProved);
  CHECK(decide("determinism", begin + use + "echo \"$tmp\"\n") != Verdict::kProved);
}

TEST_CASE("words that a card says are data do not refute injection safety") {
  CHECK(decide("injection", kSh + "awk -v n=\"$1\" '{ print $n }' data\n") == Verdict::kProved);
  CHECK(decide("injection", kSh + "sh -c 'ls -- \"$1\"' sh \"$1\"\n") == Verdict::kProved);
  CHECK(decide("injection", kSh + "sed -n -e \"s/$1/b/p\" data\n") == Verdict::kRefuted);
}

TEST_CASE("values that become code or options refute injection safety") {
  CHECK(decide("injection", kSh + "eval \"$1\"\n") == Verdict::kRefuted);
  CHECK(decide("injection", kSh + "rm -f \"$@\"\n") == Verdict::kRefuted);
  CHECK(decide("injection", kSh + "rm -f -- \"$@\"\n") == Verdict::kProved);
  CHECK(decide("injection", kSh + "rm -f -- \"a/$1\"\nrm -f \"a/$1\"\n") == Verdict::kProved);
  CHECK(decide("injection", kSh + "rm -f a/$1\n") == Verdict::kRefuted);
  CHECK(decide("injection", "#!/bin/bash\nfor n; do ((t += n)); done\n") == Verdict::kRefuted);
  CHECK(decide("injection", "#!/bin/bash\nfor n in 1 2; do ((t += n)); done\n") !=
        Verdict::kRefuted);
  CHECK(decide("injection", "#!/bin/bash\nprintf -v \"$1\" x\n") == Verdict::kRefuted);
}

TEST_CASE("a test and a later use of the same path is a race") {
  CHECK(decide("toctou", kSh + "[ -f x ] && cat x\n") == Verdict::kRefuted);
  CHECK(decide("toctou", kSh + "[ -f x ] && echo there\n") == Verdict::kProved);
  CHECK(decide("toctou", kSh + "grep -q a x && echo there\n") == Verdict::kProved);
  CHECK(decide("toctou", kSh + "grep -q a x || echo a >> x\n") != Verdict::kProved);
  CHECK(decide("toctou", kSh + "for f in *; do echo \"$f\"; done\n") == Verdict::kProved);
  CHECK(decide("toctou", kSh + "for f in *; do rm \"./$f\"; done\n") != Verdict::kProved);
}

TEST_CASE("loops end by their form, or come back to their state") {
  CHECK(decide("termination", kSh + "for f in a b; do echo \"$f\"; done\n") == Verdict::kProved);
  const std::string wait = "n=9\nwhile [ -f x ] && [ \"$n\" -gt 0 ]; do n=$((n - 1)); done\n";
  CHECK(decide("termination", kSh + wait) == Verdict::kProved);
  CHECK(decide("termination", kSh + "sort | tail -n 1\n") == Verdict::kProved);
  CHECK(decide("termination", kSh + "tail -f x\n") != Verdict::kProved);
  CHECK(decide("termination", kSh + "while [ ! -e go ]; do :; done\n") == Verdict::kRefuted);
  CHECK(decide("termination", kSh + "while [ $# -gt 0 ]; do shift; done\n") == Verdict::kProved);
}

TEST_CASE("posix asks for constructs, utilities and options") {
  CHECK(decide("posix", kSh + "ls -l\n") == Verdict::kProved);
  CHECK(decide("posix", kSh + "[[ -n $1 ]]\n") == Verdict::kRefuted);
  CHECK(decide("posix", kSh + "ls --color\n") == Verdict::kOpen);
  CHECK(decide("posix", "#!/bin/bash\n((1 + 1))\n") == Verdict::kRefuted);
  CHECK(decide("posix", "#!/bin/bash\necho \"$RANDOM\"\n") == Verdict::kRefuted);
}

TEST_CASE("a world tells two scripts apart") {
  CHECK(preserved(kSh + "if mkdir l 2>/dev/null; then echo mine; fi\n",
                  kSh + "if mkdir -p l 2>/dev/null; then echo mine; fi\n") == Verdict::kRefuted);
  CHECK(preserved(kSh + "echo a > f\necho b >> f\n", kSh + "{ echo a; echo b; } > f\n") ==
        Verdict::kProved);
  CHECK(preserved(kSh + "echo \"$1\"\n", kSh + "printf '%s\\n' \"$1\"\n") != Verdict::kProved);
}

}  // namespace nacre::prove
