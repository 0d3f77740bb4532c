#include "docker/check.h"

#include <doctest/doctest.h>

namespace nacre::docker {

namespace {

// The codes that begin with `prefix`, each with its line: "D101:1 D203:2".
std::string codes(const std::string& text, const std::string& prefix = "D",
                  const CheckOptions& options = {}) {
  const commands::CardLibrary cards;
  const SourceFile source("Dockerfile", text);
  Analysis analysis;
  CheckResult checked = check(source, cards, options);
  analysis.file = source;
  analysis.findings = std::move(checked.findings);
  analysis.layout = std::move(checked.layout);
  std::string result;
  for (const Diagnostic& each : emit(std::move(analysis), {})) {
    if (!each.code.starts_with(prefix)) continue;
    if (!result.empty()) result += ' ';
    result += each.code + ':' + std::to_string(source.line_of(each.span.begin));
  }
  return result;
}

CheckOptions without_pragmas() {
  CheckOptions options;
  options.reads_pragmas = false;
  return options;
}

}  // namespace

TEST_CASE("a stage is not asked to clean what does not get into the result") {
  const std::string build = "FROM debian:12 AS build\nRUN apt-get update\n";
  CHECK(codes(build + "FROM scratch\nCOPY --from=build /a /a\n").empty());
  CHECK(codes(build + "FROM build\nCMD [\"a\"]\n") == "D203:2");
}

TEST_CASE("a cache that is mounted or removed in the same RUN is gone") {
  const std::string from = "FROM fedora:40\nRUN ";
  CHECK(codes(from + "dnf install -y a-1\n", "D203") == "D203:2");
  CHECK(codes(from + "dnf install -y a-1 && dnf clean all\n", "D203").empty());
  CHECK(codes(from + "dnf clean all && dnf install -y a-1\n", "D203") == "D203:2");
  CHECK(codes(from + "dnf install -y a-1 && rm -rf /var/cache\n", "D203").empty());
  CHECK(codes(from + "--mount=type=cache,target=/var/cache/dnf dnf install -y a-1\n", "D203")
            .empty());
  CHECK(codes(from + "--mount=type=bind,target=/var/cache/dnf dnf install -y a-1\n", "D203") ==
        "D203:2");
}

TEST_CASE("a package is found after env, sudo, python -m and in sh -c") {
  const std::string from = "FROM debian:12\nRUN ";
  CHECK(codes(from + "env A=1 apt-get install curl\n", "D201") == "D201:2");
  CHECK(codes(from + "python3.12 -m pip install flask\n", "D202") == "D202:2");
  CHECK(codes(from + "sh -c 'apt-get install curl'\n", "D201") == "D201:2");
  CHECK(codes(from + "[\"apt-get\", \"install\", \"curl\"]\n", "D201") == "D201:2");
  CHECK(codes(from + "echo apt-get install curl\n", "D20").empty());
  CHECK(codes(from + "command -v sudo\n", "D403").empty());
}

TEST_CASE("versions may come from ENV and ARG") {
  CHECK(codes("FROM fedora:40\nENV v=1.2\nRUN dnf install -y a-$v\n", "D202").empty());
  CHECK(codes("FROM fedora:40\nRUN v=1.2; dnf install -y a-$v\n", "D202").empty());
  CHECK(codes("FROM fedora:40\nENV v=x\nRUN dnf install -y a-$v\n", "D202") == "D202:3");
}

TEST_CASE("the shell of a RUN decides what is looked at") {
  const std::string pipe = "RUN a | b\n";
  CHECK(codes("FROM debian:12\n" + pipe, "D405") == "D405:2");
  CHECK(
      codes("FROM debian:12\nSHELL [\"/bin/bash\", \"-eo\", \"pipefail\", \"-c\"]\n" + pipe, "D405")
          .empty());
  CHECK(codes("FROM mcr.microsoft.com/windows/servercore:ltsc2022\n" + pipe, "D405").empty());
  CHECK(codes("# hadolint shell=pwsh\nFROM a:1\n" + pipe, "D405").empty());
  CHECK(codes("FROM a:1\nSHELL [\"pwsh\"]\nRUN if ($x) { }\n", "S").empty());
  CHECK(codes("FROM a:1\nRUN if x; then\n", "S") != "");
  CHECK(codes("FROM debian:12\nRUN <<EOF\n#!/usr/bin/env python3\nprint(1 | 2)\nEOF\n").empty());
}

TEST_CASE("what is wrong in a RUN is reported at its place") {
  CHECK(codes("FROM debian:12\nRUN true && \\\n# why\n  if x; fi\n", "S").find(":4") !=
        std::string::npos);
  CHECK(codes("FROM debian:12\nENV a=/\nRUN rm -rf \"$a\"\n", "X") == "X101:3");
}

TEST_CASE("a pipe is reported only where a failure in it goes unnoticed") {
  const std::string from = "FROM debian:12\nRUN ";
  CHECK(codes(from + "curl https://example.com/a | sh\n", "D405") == "D405:2");
  CHECK(codes(from + "curl https://example.com/a | sudo tar xz\n", "D405").empty());
  CHECK(codes(from + "sha256sum a | grep -q 0123\n", "D405").empty());
  CHECK(codes(from + "printf '%s' a | tee b\n", "D405").empty());
  CHECK(codes(from + "set -o pipefail; a | b\n", "D405").empty());
  CHECK(codes(from + "v=$(a | b) && test -n \"$v\"\n", "D405").empty());
  CHECK(codes(from + "v=$(a | b); [ \"$v\" ]\n", "D405").empty());
  CHECK(codes(from + "v=$(a | b) && test -n \"$w\"\n", "D405") == "D405:2");
  CHECK(codes(from + "v=$(a | b) && test \"$v\" = x\n", "D405") == "D405:2");
}

TEST_CASE("names about a secret are not secrets") {
  CHECK(codes("FROM a:1\nENV API_TOKEN=abc\n", "D503") == "D503:2");
  CHECK(codes("FROM a:1\nENV API_TOKEN_FILE=abc AUTH_ENABLED=x TOKEN_TTL=5\n", "D503").empty());
  CHECK(codes("FROM a:1\nARG ssh_pub_key\nENV SECRETS_COMMAND=gpg1 AUTH=basic\n", "D503").empty());
  CHECK(codes("FROM a:1\nENV API_TOKEN=/run/secrets/token\n", "D503").empty());
}

TEST_CASE("a stage of Windows has no sh, whatever its image is called") {
  CHECK(
      codes("ARG base=x:1\nFROM $base\nWORKDIR C:/app\nRUN mkdir C:\\a && icacls a /grant b:(F)\n",
            "S")
          .empty());
}

TEST_CASE("pragmas of hadolint and BuildKit reach what they reach there") {
  const std::string image = "FROM debian\n";
  CHECK(codes("# hadolint ignore=DL3006\n" + image).empty());
  CHECK(codes("# hadolint ignore=DL3006, DL3007 because\n" + image).empty());
  CHECK(codes("# hadolint ignore=nonsense,DL3006\n" + image) == "D101:2");
  CHECK(codes(image + "# hadolint global ignore=DL3006\n").empty());
  CHECK(codes("# hadolint stage ignore=DL3006\n" + image + image) == "D101:3");
  CHECK(codes("# check=skip=JSONArgsRecommended\nFROM a:1\nCMD x\n").empty());
  CHECK(codes("# check=skip=all\nfrom a:1\nCMD x\n").empty());
  CHECK(codes("FROM a:1\n# check=skip=JSONArgsRecommended // reason\nCMD x\n").empty());
  CHECK(codes("FROM a:1\nCMD x # nacre disable=D308\n") == "D308:2");
  CHECK(codes("# hadolint ignore=DL3006\n" + image, "D", without_pragmas()) == "D101:2");
}

TEST_CASE("variables are seen where BuildKit sees them") {
  CHECK(codes("ARG v=1\nFROM a:1\nCOPY $v /\n", "D311") == "D311:3");
  CHECK(codes("ARG v=1\nFROM a:1\nARG v\nCOPY $v /\n", "D311").empty());
  CHECK(codes("FROM a:1 AS b\nENV v=1\nFROM b\nCOPY $v /\n", "D311").empty());
  CHECK(codes("FROM a:1\nCOPY $JAVA_HOME /\n", "D311").empty());
  CHECK(codes("FROM scratch\nCOPY $JAVA_HOME /\n", "D311") == "D311:2");
  CHECK(codes("FROM a:1\nCOPY ${v:-x} /\n", "D311").empty());
  CHECK(codes("FROM debian:12\nRUN echo $RANDOM\n", "D311") == "D311:2");
  CHECK(codes("FROM alpine:3.20\nRUN echo $RANDOM\n", "D311").empty());
  CHECK(codes("FROM a:1\nRUN . /etc/os-release; echo $id\n", "D311").empty());
}

TEST_CASE("no text makes the checker give up or take long") {
  const std::string many(100'000, '$');
  CHECK(codes("FROM a:1\nENV x=" + many + "\n").empty());
  std::string doubling = "FROM a:1\nENV x=0123456789\n";
  for (int i = 0; i < 200; i++) doubling += "ENV x=$x$x\n";
  CHECK(codes(doubling).empty());
  std::string chain = "FROM a:1 AS s0\n";
  for (int i = 1; i < 3000; i++)
    chain += "FROM s" + std::to_string(i - 1) + " AS s" + std::to_string(i) + "\n";
  CHECK(codes(chain).empty());
  CHECK(codes(std::string(1 << 20, 'a')) != "");
  codes("FROM a:1\nRUN " + std::string(50'000, '('));
  codes("FROM a:1\nCOPY ${" + std::string(20'000, '{') + " /\n");
}

TEST_CASE("what dash does not have is reported only where the shell is dash for sure") {
  CHECK(codes("FROM debian:12\nRUN source /a\n", "P002") == "P002:2");
  CHECK(codes("FROM debian:12\nARG UID=1\nRUN id $UID\n", "P002").empty());
  CHECK(codes("FROM alpine:3.19\nRUN source /a\n", "P002").empty());
  CHECK(codes("FROM other:1\nRUN source /a\n", "P002").empty());
  CHECK(codes("FROM debian:12\nSHELL [\"/bin/bash\", \"-c\"]\nRUN source /a\n", "P002").empty());
}

TEST_CASE("a flag that needs a value has one") {
  CHECK(codes("FROM a:1\nADD --chmod 777 a /b\n", "D001") == "D001:2");
  CHECK(codes("FROM a:1\nCOPY --link --chmod=777 a /b\n", "D001").empty());
}

TEST_CASE("D311 leaves a variable alone that its ENV extends") {
  CHECK(codes("FROM a:1\nENV CPATH=/x:$CPATH\n", "D311").empty());
  CHECK(codes("FROM a:1\nENV CPATH=/x:$PAHT\n", "D311") == "D311:2");
}

TEST_CASE("D411 follows what COPY put where") {
  const std::string copy = "FROM debian:12\nWORKDIR /srv\nCOPY a b/\n";
  CHECK(codes(copy + "RUN chown -R 1 b\n", "D411") == "D411:4");
  CHECK(codes(copy + "RUN rm b/a\n", "D411") == "D411:4");
  CHECK(codes(copy + "RUN rm b/c\n", "D411").empty());
  CHECK(codes(copy + "RUN chown 1 b\n", "D411").empty());
  CHECK(codes("FROM debian:12 AS x\nCOPY a /b\nRUN rm /b\nFROM scratch\nCOPY --from=x /c /c\n",
              "D411")
            .empty());
}

TEST_CASE("D412 is about a RUN that does nothing else") {
  CHECK(codes("FROM debian:12\nRUN export A=1 B=2\n", "D412") == "D412:2");
  CHECK(codes("FROM debian:12\nRUN A=1\n", "D412") == "D412:2");
  CHECK(codes("FROM debian:12\nRUN export A=1; make\n", "D412").empty());
  CHECK(codes("FROM debian:12\nRUN export A=$(make)\n", "D412").empty());
  CHECK(codes("FROM debian:12\nRUN [\"true\"]\n", "D412").empty());
}

TEST_CASE("D507 is about passwords that are written out") {
  const std::string run = "FROM debian:12\nRUN git clone https://";
  CHECK(codes(run + "me:pw1@a.org/b /b\n", "D507") == "D507:2");
  CHECK(codes(run + "me:$PW@a.org/b /b\n", "D507").empty());
  CHECK(codes(run + "me@a.org/b /b\n", "D507").empty());
  CHECK(codes("FROM debian:12\nENV DB=pg://u:p@db/x\n", "D507").empty());
  CHECK(codes("FROM debian:12\nCOPY --from=x id_rsa /a\n", "D507").empty());
}

TEST_CASE("times of HEALTHCHECK need a unit") {
  const std::string check = "FROM debian:12\nHEALTHCHECK ";
  CHECK(codes(check + "--interval=5 CMD [\"a\"]\n", "D001") == "D001:2");
  CHECK(codes(check + "--retries=x CMD [\"a\"]\n", "D001") == "D001:2");
  CHECK(codes(check + "--interval=1m30s --timeout=0 --retries=3 CMD [\"a\"]\n", "D001").empty());
}

}  // namespace nacre::docker
