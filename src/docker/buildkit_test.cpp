// BuildKit's own checks: at which lines of small Dockerfiles each of them must speak.
#include <algorithm>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <set>

#include "docker/check.h"

namespace nacre::docker {

namespace {

struct Case {
  const char* rule;
  const char* text;
  const char* lines;  // "2 3"; empty: it must be silent
  const char* ignore_file;
};

const Case kCases[] = {
    {"UndefinedArgInFrom", "FROM busybox:${V}\n", "1", nullptr},
    {"UndefinedArgInFrom", "ARG V\nFROM busybox:1$V\n", "", nullptr},
    {"UndefinedArgInFrom", "FROM --platform=$BUILDPLATFORM busybox:1\n", "", nullptr},
    {"UndefinedArgInFrom", "ARG MY_ARCH=amd64\nFROM --platform=linux/${MYARCH} busybox:1\n", "2",
     nullptr},
    {"UndefinedArgInFrom", "ARG tag=1\nFROM busybox:${tag}${version} AS b\n", "2", nullptr},
    {"UndefinedArgInFrom", "ARG A=1\nFROM busybox:${A:-2}\n", "", nullptr},
    {"UndefinedArgInFrom", "FROM scratch AS a\nARG V=1\nFROM busybox:$V\n", "3", nullptr},
    {"UndefinedArgInFrom", "ARG V=1\nFROM scratch AS a\nFROM busybox:$V\n", "", nullptr},
    {"UndefinedArgInFrom", "FROM --platform=$TARGETPLATFORM busybox:1\n", "", nullptr},
    {"UndefinedArgInFrom", "ARG V=1\n\n# c\nFROM --platform=$P \\\n busybox:$V\n", "4", nullptr},
    {"UndefinedArgInFrom", "ARG a=b\nFROM \\$a\n", "", nullptr},
    {"InvalidDefaultArgInFrom", "ARG V\nFROM busybox:$V\n", "2", nullptr},
    {"InvalidDefaultArgInFrom", "ARG V=1\nFROM busybox:$V\n", "", nullptr},
    {"InvalidDefaultArgInFrom", "ARG I\nFROM $I\n", "2", nullptr},
    {"InvalidDefaultArgInFrom", "ARG I=\"\"\nFROM ${I}\n", "2", nullptr},
    {"InvalidDefaultArgInFrom", "ARG I\nFROM ${I:-busybox}\n", "", nullptr},
    {"InvalidDefaultArgInFrom", "ARG R\nFROM ${R}busybox:1\n", "", nullptr},
    {"InvalidDefaultArgInFrom", "ARG R\nFROM ${R}/busybox:1\n", "2", nullptr},
    {"InvalidDefaultArgInFrom", "ARG V\nFROM busybox:1${V}\n", "", nullptr},
    {"InvalidDefaultArgInFrom", "ARG D\nFROM busybox@$D\n", "2", nullptr},
    {"InvalidDefaultArgInFrom", "ARG V\nFROM busybox:$V-slim\n", "2", nullptr},
    {"InvalidDefaultArgInFrom", "ARG V\nFROM busybox:${V}.1\n", "2", nullptr},
    {"InvalidDefaultArgInFrom", "ARG V\nFROM busybox-$V\n", "2", nullptr},
    {"InvalidDefaultArgInFrom", "ARG S=box:\nFROM busy$S\n", "2", nullptr},
    {"InvalidDefaultArgInFrom", "ARG V=Latest\nFROM r.example:5000/a__b/c-d:$V\n", "", nullptr},
    {"InvalidDefaultArgInFrom", "ARG V=1\nFROM a/b:$V@sha256:00\n", "", nullptr},
    {"InvalidDefaultArgInFrom", "ARG I=busybox V\nFROM $I:$V\n", "2", nullptr},
    {"InvalidDefaultArgInFrom", "ARG V\nFROM busybox:${V:+x}\n", "2", nullptr},
    {"UndefinedVar", "FROM scratch\nCOPY $foo .\n", "2", nullptr},
    {"UndefinedVar", "FROM scratch\nARG foo\nCOPY Dockerfile$foo .\n", "", nullptr},
    {"UndefinedVar", "FROM scratch\nCOPY $foo .\nARG foo=bar\n", "2", nullptr},
    {"UndefinedVar", "FROM scratch\nENV A=1\nLABEL b=$A\n", "", nullptr},
    {"UndefinedVar", "FROM scratch\nLABEL b=$A\n", "2", nullptr},
    {"UndefinedVar", "FROM alpine:1\nENV PATH=$PATH:/x\n", "", nullptr},
    {"UndefinedVar", "FROM alpine:1\nENV PATH=$PAHT:/x\n", "2", nullptr},
    {"UndefinedVar", "FROM scratch AS a\nARG x=1\nFROM a\nCOPY $x .\n", "", nullptr},
    {"UndefinedVar", "FROM scratch AS a\nARG x=1\nFROM scratch\nCOPY $x .\n", "4", nullptr},
    {"UndefinedVar", "FROM scratch\nWORKDIR ${d:-/x}\n", "", nullptr},
    {"UndefinedVar", "FROM scratch\nENV a=1 b=$a\n", "2", nullptr},
    {"UndefinedVar", "ARG g=1\nFROM scratch\nLABEL x=$g\n", "3", nullptr},
    {"UndefinedVar", "FROM scratch\nLABEL x='$g'\n", "", nullptr},
    {"MultipleInstructionsDisallowed", "FROM scratch\nCMD [\"a\"]\nCMD [\"b\"]\n", "2", nullptr},
    {"MultipleInstructionsDisallowed", "FROM scratch\nENTRYPOINT [\"a\"]\nENTRYPOINT [\"b\"]\n",
     "2", nullptr},
    {"MultipleInstructionsDisallowed", "FROM scratch\nHEALTHCHECK NONE\nHEALTHCHECK CMD [\"b\"]\n",
     "2", nullptr},
    {"MultipleInstructionsDisallowed", "FROM scratch AS a\nCMD [\"a\"]\nFROM a\nCMD [\"b\"]\n", "",
     nullptr},
    {"MultipleInstructionsDisallowed", "FROM scratch\nCMD [\"a\"]\nCMD [\"b\"]\nCMD [\"c\"]\n",
     "2 3", nullptr},
    {"MultipleInstructionsDisallowed", "FROM scratch\nCMD [\"a\"]\nENTRYPOINT [\"b\"]\n", "",
     nullptr},
    {"MultipleInstructionsDisallowed", "FROM scratch\nUSER 1\nUSER 2\n", "", nullptr},
    {"MultipleInstructionsDisallowed", "FROM scratch\nONBUILD CMD [\"a\"]\nCMD [\"b\"]\n", "",
     nullptr},
    {"MultipleInstructionsDisallowed",
     "FROM scratch\nCMD [\"a\"]\nENV a=1\nHEALTHCHECK CMD [\"x\"]\nCMD [\"b\"]\nHEALTHCHECK CMD "
     "[\"y\"]\n",
     "2 4", nullptr},
    {"MultipleInstructionsDisallowed",
     "FROM scratch AS a\nCMD [\"a\"]\nCMD [\"b\"]\nFROM scratch\nCMD [\"c\"]\n", "2", nullptr},
    {"ExposeInvalidFormat", "FROM scratch\nEXPOSE 80:80\n", "2", nullptr},
    {"ExposeInvalidFormat", "FROM scratch\nEXPOSE 80\n", "", nullptr},
    {"ExposeInvalidFormat", "FROM scratch\nEXPOSE 80/tcp 81/udp\n", "", nullptr},
    {"ExposeInvalidFormat", "FROM scratch\nEXPOSE 127.0.0.1:80:80\n", "2", nullptr},
    {"ExposeInvalidFormat", "FROM scratch\nEXPOSE 8000-8010\n", "", nullptr},
    {"ExposeInvalidFormat", "FROM scratch\nEXPOSE 80 5000:5000\n", "2", nullptr},
    {"ExposeInvalidFormat", "FROM scratch\nEXPOSE [::1]:8080:8080\n", "2", nullptr},
    {"ExposeInvalidFormat", "FROM scratch\nEXPOSE 80:80/tcp\n", "2", nullptr},
    {"ExposeInvalidFormat", "FROM scratch\nARG P=80\nEXPOSE $P\n", "", nullptr},
    {"ExposeInvalidFormat", "FROM scratch\nARG P=80:80\nEXPOSE $P\n", "3", nullptr},
    {"CopyIgnoredFile", "FROM scratch\nCOPY a b\n", "2", "a\n"},
    {"CopyIgnoredFile", "FROM scratch\nCOPY a b\n", "", "c\n"},
    {"CopyIgnoredFile", "FROM scratch\nADD a b\n", "2", "*\n"},
    {"CopyIgnoredFile", "FROM scratch\nCOPY . .\n", "", "a\n"},
    {"CopyIgnoredFile", "FROM scratch\nCOPY --from=x a b\n", "", "a\n"},
    {"CopyIgnoredFile", "FROM scratch\nCOPY d/a b\n", "2", "d\n"},
    {"CopyIgnoredFile", "FROM scratch\nCOPY a b\n", "", "*\n!a\n"},
    {"CopyIgnoredFile", "FROM scratch\nADD https://x/a b\n", "", "a\n"},
    {"CopyIgnoredFile", "FROM scratch\nCOPY <<EOF a\nx\nEOF\n", "", "a\n"},
    {"CopyIgnoredFile", "FROM scratch\nCOPY x a b/\n", "2", "a\n"},
    {"CopyIgnoredFile", "FROM scratch\nCOPY ./a b\n", "2", "a\n"},
    {"CopyIgnoredFile", "FROM scratch\nCOPY . .\n", "2", "*\n"},
};

std::string lines_of(const Case& each) {
  const commands::CardLibrary cards;
  const SourceFile source("Dockerfile", each.text);
  CheckOptions options;
  if (each.ignore_file != nullptr) options.ignore_file = each.ignore_file;
  std::set<uint32_t> lines;
  for (const Diagnostic& found : check(source, cards, options).findings) {
    if (std::find(found.aliases.begin(), found.aliases.end(), each.rule) != found.aliases.end())
      lines.insert(source.line_of(found.span.begin));
  }
  return fmt::format("{}", fmt::join(lines, " "));
}

}  // namespace

TEST_CASE("BuildKit's checks speak at the lines where BuildKit does") {
  for (const Case& each : kCases) {
    INFO(each.rule << ":\n" << each.text);
    CHECK(lines_of(each) == each.lines);
  }
}

}  // namespace nacre::docker
