#include "docker/purify.h"

#include <algorithm>
#include <doctest/doctest.h>

#include "commands/card_library.h"

namespace nacre::docker {

namespace {

Purified purify_text(const std::string& text) {
  return purify(SourceFile("Dockerfile", text), commands::CardLibrary());
}

std::string purified(const std::string& text) {
  const Purified result = purify_text(text);
  if (!result.refused.empty()) return "refused";
  CHECK(purify_text(result.text).text == result.text);  // a fixed point
  return result.text;
}

// Of a whole file whose user and base image need no change.
std::string run(const std::string& lines) {
  const std::string head = "FROM debian:12\n", tail = "USER 1000\nCMD [\"x\"]\n";
  const std::string text = purified(head + lines + tail);
  REQUIRE(text.starts_with(head));
  REQUIRE(text.ends_with(tail));
  return text.substr(head.size(), text.size() - head.size() - tail.size());
}

bool assumes(const std::string& text, std::string_view name) {
  const Purified result = purify_text(text);
  return std::any_of(result.done.begin(), result.done.end(), [&](const Rewrite& each) {
    return each.name == name && each.kind == RewriteClass::kAssuming && !each.differs_when.empty();
  });
}

}  // namespace

TEST_CASE("base images of the table get a version, others do not") {
  CHECK(purified("FROM alpine\nUSER 1\n") == "FROM alpine:3.20\nUSER 1\n");
  CHECK(purified("FROM docker.io/library/node:latest AS a\nUSER 1\n") ==
        "FROM docker.io/library/node:22 AS a\nUSER 1\n");
  for (const char* text :
       {"FROM acme/app\nUSER 1\n", "FROM postgres\nUSER 1\n", "FROM debian@sha256:00\nUSER 1\n",
        "ARG I=debian\nFROM $I\nUSER 1\n", "FROM scratch\nCOPY a /a\n",
        "FROM a:1 AS debian\nFROM debian\nUSER 1\n"}) {
    CHECK(purified(text) == text);
  }
  CHECK(assumes("FROM alpine\n", "pin"));
}

TEST_CASE("caches are removed in the same RUN, by the option or by a command") {
  CHECK(run("RUN apk add curl\n") == "RUN apk add --no-cache curl\n");
  CHECK(run("RUN pip install -r x.txt\n") == "RUN pip install --no-cache-dir -r x.txt\n");
  CHECK(run("RUN microdnf install -y a-1\n") ==
        "RUN microdnf install -y a-1 \\\n    && microdnf clean all\n");
  CHECK(run("RUN apt-get update; apt-get install -y --no-install-recommends a=1;\n") ==
        "RUN apt-get update; apt-get install -y --no-install-recommends a=1 \\\n"
        "    && rm -rf /var/lib/apt/lists/*;\n");
}

TEST_CASE("lists that a later step needs stay") {
  const std::string later =
      "RUN apt-get update && apt-get install -y --no-install-recommends a=1\n"
      "COPY a /a\n"
      "RUN apt-get install -y --no-install-recommends b=1\n";
  CHECK(run(later) == later);
  const std::string alone = "RUN apt-get update\nCOPY a /a\n";
  CHECK(run(alone) == alone);
  const std::string mounted =
      "RUN --mount=type=cache,target=/var/lib/apt/lists apt-get update && apt-get install -y "
      "--no-install-recommends a=1\n";
  CHECK(run(mounted) == mounted);
}

TEST_CASE("a document stops at a failure before its last line changes") {
  CHECK(run("RUN <<EOF\napt-get update\napt-get install -y --no-install-recommends a=1\nEOF\n") ==
        "RUN <<EOF\nset -e\napt-get update\napt-get install -y --no-install-recommends a=1\n"
        "rm -rf /var/lib/apt/lists/*\nEOF\n");
  const std::string looks = "RUN <<EOF\nmake\necho $?\nEOF\n";
  CHECK(run(looks) == looks);
}

TEST_CASE("options are added where the command takes them") {
  CHECK(run("RUN apt-get -q install -t sid a=1\n") ==
        "RUN apt-get -q install -y --no-install-recommends -t sid a=1\n");
  CHECK(run("RUN apt install -y --no-install-recommends a=1\n") ==
        "RUN apt-get install -y --no-install-recommends a=1\n");
  CHECK(run("RUN zypper -n in a=1 && zypper clean\n") == "RUN zypper -n in a=1 && zypper clean\n");
  CHECK(run("RUN wget https://a\n") == "RUN wget --progress=dot:giga https://a\n");
  CHECK(run("RUN useradd -u 123456 a\n") == "RUN useradd -l -u 123456 a\n");
}

TEST_CASE("a JSON list and other texts are left alone") {
  for (const char* text :
       {"RUN [\"apt-get\", \"install\", \"a=1\"]\n", "RUN echo 'apt-get install a'\n",
        "COPY <<EOF /a.sh\napt-get install a\nmkdir x\nEOF\n"}) {
    CHECK(run(text) == text);
  }
}

TEST_CASE("commands that fail when their work is done get their option") {
  CHECK(run("RUN mkdir /a && rm /b\n") == "RUN mkdir -p /a && rm -f /b\n");
  CHECK(run("RUN mkdir /a || true\n") == "RUN mkdir /a || true\n");
  CHECK(run("RUN if rm /a; then make; fi\n") == "RUN if rm /a; then make; fi\n");
}

TEST_CASE("paths with a variable become one word, lists stay lists") {
  CHECK(run("ARG V\nRUN cp a.txt /opt/$V/b\n") == "ARG V\nRUN cp a.txt \"/opt/$V/b\"\n");
  CHECK(run("ARG V=1.2\nRUN cp a.txt /opt/$V/b\n") == "ARG V=1.2\nRUN cp a.txt /opt/$V/b\n");
  CHECK(run("ARG P\nRUN make $P\n") == "ARG P\nRUN make $P\n");
  CHECK(run("ARG P\nRUN rm -f /a/$P/*\n") == "ARG P\nRUN rm -f /a/$P/*\n");
}

TEST_CASE("sudo goes where RUN is root") {
  CHECK(run("RUN sudo make install\n") == "RUN make install\n");
  CHECK(run("USER app\nRUN sudo make install\n") == "USER app\nRUN sudo make install\n");
  CHECK(run("RUN sudo -u app make\n") == "RUN sudo -u app make\n");
}

TEST_CASE("pipes get a shell with pipefail where the image has one") {
  const std::string pipe = "RUN curl -f https://a | sh\n";
  CHECK(run(pipe) == "SHELL [\"/bin/bash\", \"-o\", \"pipefail\", \"-c\"]\n" + pipe);
  CHECK(purified("FROM alpine:3.20\n" + pipe + "USER 1\n") ==
        "FROM alpine:3.20\nSHELL [\"/bin/ash\", \"-o\", \"pipefail\", \"-c\"]\n" + pipe +
            "USER 1\n");
  CHECK(purified("FROM acme/app:1\n" + pipe + "USER 1\n") ==
        "FROM acme/app:1\n" + pipe + "USER 1\n");
  const std::string echo = pipe + "RUN echo 'a\\tb' >> /c && touch /d && touch /e\n";
  CHECK(run(echo) == echo);  // bash prints it otherwise
}

TEST_CASE("short RUN instructions are joined if neither changes the shell") {
  CHECK(run("RUN touch /a\nRUN touch /b\nRUN touch /c\n") ==
        "RUN touch /a \\\n    && touch /b \\\n    && touch /c\n");
  for (const char* text :
       {"RUN cd /a\nRUN touch b\n", "RUN touch /a &\nRUN touch /b\n",
        "RUN touch /a\n# why\nRUN touch /b\n", "RUN --network=none touch /a\nRUN touch /b\n",
        "RUN x=1\nRUN touch /b\n", "RUN false; true\nRUN touch /b\n"}) {
    CHECK(run(text) == text);
  }
}

TEST_CASE("instructions") {
  CHECK(run("ADD a.txt /a/\n") == "COPY a.txt /a/\n");
  for (const char* text : {"ADD a.tar /a/\n", "ADD https://a/b /a/\n", "ADD *.txt /a/\n",
                           "ADD --chown=1:1 a.tgz /a/\n", "ADD $A /a/\n"}) {
    CHECK(run(text) == text);
  }
  CHECK(run("COPY a b /d\n") == "COPY a b /d/\n");
  CHECK(run("WORKDIR /usr\nWORKDIR app\n") == "WORKDIR /usr\nWORKDIR /usr/app\n");
  CHECK(run("COPY a b\n") == "WORKDIR /\nCOPY a b\n");
  CHECK(run("CMD a\nCMD b\n") == "");
  CHECK(run("HEALTHCHECK CMD a\nHEALTHCHECK NONE\n") == "HEALTHCHECK NONE\n");
  CHECK(purified("FROM debian:12\nUSER 1\nCMD node x.js\n") ==
        "FROM debian:12\nUSER 1\nCMD [\"node\", \"x.js\"]\n");
  CHECK(purified("FROM debian:12\nUSER 1\nCMD ['a', '-v']\n") ==
        "FROM debian:12\nUSER 1\nCMD [\"a\", \"-v\"]\n");
  CHECK(purified("FROM debian:12\nUSER 1\nCMD exec a\n") == "FROM debian:12\nUSER 1\nCMD exec a\n");
  CHECK(purified("FROM debian:12\nUSER 1\nCMD a | b\n") == "FROM debian:12\nUSER 1\nCMD a | b\n");
}

TEST_CASE("the image does not run as root, if a user is known") {
  CHECK(purified("FROM debian:12\nRUN make\n") == "FROM debian:12\nRUN make\nUSER nobody\n");
  CHECK(purified("FROM debian:12\nUSER root\nRUN make\nCMD [\"x\"]\n") ==
        "FROM debian:12\nUSER root\nRUN make\nUSER nobody\nCMD [\"x\"]\n");
  CHECK(purified("FROM node:22\nCOPY a /app/\nCOPY c /etc/c\nCMD [\"x\"]\n") ==
        "FROM node:22\nCOPY --chown=node:node a /app/\nCOPY c /etc/c\nUSER node\nCMD [\"x\"]\n");
  CHECK(assumes("FROM debian:12\n", "user"));
  for (const char* text : {"FROM acme/app:1\nCMD [\"x\"]\n", "FROM nginx:1.27\n",
                           "FROM debian:12\nENTRYPOINT [\"gosu\", \"app\", \"x\"]\n",
                           "FROM debian:12 AS a\nUSER 1000\nFROM a\nCMD [\"x\"]\n"}) {
    CHECK(purified(text) == text);
  }
}

TEST_CASE("a health check needs a tool and a port") {
  const std::string wget = "FROM alpine:3.20\nEXPOSE 8080\nUSER 1\nCMD [\"x\"]\n";
  CHECK(purified(wget).find("HEALTHCHECK --interval=30s CMD wget -q -O /dev/null "
                            "http://localhost:8080/ || exit 1\nCMD") != std::string::npos);
  for (const char* text : {"FROM debian:12\nEXPOSE 8080\nUSER 1\nCMD [\"x\"]\n",
                           "FROM alpine:3.20\nEXPOSE 5432\nUSER 1\nCMD [\"server\"]\n",
                           "FROM alpine:3.20\nHEALTHCHECK NONE\nEXPOSE 80\nUSER 1\n"}) {
    CHECK(purified(text) == text);
  }
}

// The third case study of the specification, but for the group: Ubuntu has none called nobody.
TEST_CASE("a Dockerfile with everything wrong") {
  CHECK(purified("FROM ubuntu:latest\n"
                 "RUN apt-get update && apt-get install -y curl\n"
                 "USER root\n"
                 "COPY app /app\n"
                 "CMD [\"/app/server\"]\n") ==
        "FROM ubuntu:24.04\n"
        "RUN apt-get update && apt-get install -y --no-install-recommends curl \\\n"
        "    && rm -rf /var/lib/apt/lists/*\n"
        "USER nobody\n"
        "COPY --chown=nobody:nogroup app /app\n"
        "HEALTHCHECK --interval=30s CMD curl -f http://localhost/ || exit 1\n"
        "CMD [\"/app/server\"]\n");
}

TEST_CASE("what the builder refuses is refused, and Windows is left alone") {
  CHECK(purified("RUN x\n") == "refused");
  CHECK(purified("LABEL a=b\nFROM debian:12\n") == "refused");
  CHECK(purified("FROM debian:12\nRUNN x\n") == "refused");
  const std::string windows =
      "FROM mcr.microsoft.com/windows/servercore:ltsc2022\n"
      "SHELL [\"powershell\", \"-Command\"]\nRUN Get-Process | Stop-Process\nCMD [\"cmd\"]\n";
  CHECK(purified(windows) == windows);
}

}  // namespace nacre::docker
