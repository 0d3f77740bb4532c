#include "layers/layers.h"

#include <algorithm>
#include <doctest/doctest.h>

#include "layers/verify_docker.h"

namespace nacre::layers {

namespace {

Property property(const std::string& text, std::string_view name) {
  const DockerReport report =
      verify_docker(SourceFile("Dockerfile", text), commands::CardLibrary());
  const auto found = std::find_if(report.properties.begin(), report.properties.end(),
                                  [&](const Property& each) { return each.property == name; });
  REQUIRE(found != report.properties.end());
  return *found;
}

Verdict verdict(const std::string& text, std::string_view name) {
  return property(text, name).verdict;
}

const std::string kFrom = "FROM debian:12\n";

}  // namespace

TEST_CASE("what one layer adds and another removes is still shipped") {
  CHECK(property(kFrom + "RUN echo x > /a\nRUN rm /a\n", "layers").witness ==
        "line 3 removes /a, which line 2 put there");
  CHECK(property(kFrom + "WORKDIR /w\nCOPY a.tgz .\nRUN rm a.tgz\n", "layers").witness ==
        "line 4 removes /w/a.tgz, which line 3 put there");
  CHECK(verdict(kFrom + "COPY a /a\nRUN chmod 755 /a\n", "layers") == Verdict::kRefuted);
  CHECK(verdict(kFrom + "RUN echo x > /a && rm /a\n", "layers") == Verdict::kProved);
  CHECK(verdict(kFrom + "ENV D=/d\nRUN mkdir $D && echo x > $D/a\nRUN rm -r $D\n", "layers") ==
        Verdict::kRefuted);
}

TEST_CASE("caches of package managers are removed in the same layer or not at all") {
  const std::string update = kFrom + "RUN apt-get update";
  CHECK(verdict(update + "\nRUN rm -rf /var/lib/apt/lists/*\n", "layers") == Verdict::kRefuted);
  CHECK(verdict(update + " && rm -rf /var/lib/apt/lists/*\n", "layers") == Verdict::kOpen);
}

TEST_CASE("only what gets into the image counts") {
  CHECK(verdict(
            "FROM debian:12 AS b\nRUN echo x > /a\nRUN rm /a\nFROM scratch\nCOPY --from=b /c /c\n",
            "layers") == Verdict::kProved);
  CHECK(verdict("FROM debian:12 AS b\nRUN echo x > /a\nFROM b\nRUN rm /a\n", "layers") ==
        Verdict::kRefuted);
}

TEST_CASE("a RUN that is not understood leaves the question open") {
  CHECK(verdict(kFrom + "RUN some-tool --all\n", "layers") == Verdict::kOpen);
  CHECK(verdict(kFrom + "RUN [\"a\", \"b\"]\n", "layers") == Verdict::kOpen);
  CHECK(verdict(kFrom + "RUN false\n", "layers") == Verdict::kOpen);
  CHECK(verdict(kFrom + "RUN while :; do :; done\n", "layers") == Verdict::kOpen);
}

TEST_CASE("the user of the image") {
  CHECK(verdict(kFrom + "USER 1000\n", "user") == Verdict::kProved);
  CHECK(verdict(kFrom + "USER root\n", "user") == Verdict::kRefuted);
  CHECK(verdict(kFrom, "user") == Verdict::kRefuted);
  CHECK(verdict("FROM scratch\n", "user") == Verdict::kRefuted);
  CHECK(verdict("FROM acme/app:1\n", "user") == Verdict::kOpen);
  CHECK(verdict("ARG U\n" + kFrom + "ARG U\nUSER $U\n", "user") == Verdict::kOpen);
}

TEST_CASE("fixed images and no RUN are the same in every build") {
  CHECK(verdict("FROM scratch\nCOPY a /a\n", "determinism") == Verdict::kProved);
  CHECK(verdict("FROM debian@sha256:00\nCOPY a /a\n", "determinism") == Verdict::kProved);
  CHECK(verdict(kFrom, "determinism") == Verdict::kOpen);
  CHECK(verdict("FROM debian\n", "determinism") == Verdict::kRefuted);
  CHECK(verdict("FROM debian@sha256:00\nRUN make\n", "determinism") == Verdict::kOpen);
  CHECK(verdict("FROM debian@sha256:00\nRUN pip install x\n", "determinism") == Verdict::kRefuted);
}

}  // namespace nacre::layers
