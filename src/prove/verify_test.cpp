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

TEST_CASE("words that a card says are data do not refute injection safety") {
  CHECK(decide("injection", kSh + "awk -v n=\"$1\" '{ print $n }' data\n") == Verdict::kProved);
  CHECK(decide("injection", kSh + "sh -c 'ls -- \"$1\"' sh \"$1\"\n") == Verdict::kProved);
  CHECK(decide("injection", kSh + "sed -n -e \"s/$1/b/p\" data\n") == Verdict::kRefuted);
}

TEST_CASE("values that become code or options refute injection safety") {
  CHECK(decide("injection", kSh + "eval \"$1\"\n") == Verdict::kRefuted);
  CHECK(decide("injection", kSh + "rm -f \"$@\"\n") == Verdict::kRefuted);
  CHECK(decide("injection", kSh + "rm -f -- \"$@\"\n") == Verdict::kProved);
  CHECK(decide("injection", "#!/bin/bash\nprintf -v \"$1\" x\n") == Verdict::kRefuted);
}

TEST_CASE("a test and a later use of the same path is a race") {
  CHECK(decide("toctou", kSh + "[ -f x ] && cat x\n") == Verdict::kRefuted);
  CHECK(decide("toctou", kSh + "[ -f x ] && echo there\n") == Verdict::kProved);
}

TEST_CASE("loops end by their form, or come back to their state") {
  CHECK(decide("termination", kSh + "for f in a b; do echo \"$f\"; done\n") == Verdict::kProved);
  CHECK(decide("termination", kSh + "while [ ! -e go ]; do :; done\n") == Verdict::kRefuted);
  CHECK(decide("termination", kSh + "while [ $# -gt 0 ]; do shift; done\n") == Verdict::kProved);
}

TEST_CASE("posix asks for constructs, utilities and options") {
  CHECK(decide("posix", kSh + "ls -l\n") == Verdict::kProved);
  CHECK(decide("posix", kSh + "[[ -n $1 ]]\n") == Verdict::kRefuted);
  CHECK(decide("posix", kSh + "ls --color\n") == Verdict::kOpen);
}

TEST_CASE("a world tells two scripts apart") {
  CHECK(preserved(kSh + "if mkdir l 2>/dev/null; then echo mine; fi\n",
                  kSh + "if mkdir -p l 2>/dev/null; then echo mine; fi\n") == Verdict::kRefuted);
  CHECK(preserved(kSh + "echo a > f\necho b >> f\n", kSh + "{ echo a; echo b; } > f\n") ==
        Verdict::kProved);
  CHECK(preserved(kSh + "echo \"$1\"\n", kSh + "printf '%s\\n' \"$1\"\n") != Verdict::kProved);
}

}  // namespace nacre::prove
