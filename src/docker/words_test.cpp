#include <doctest/doctest.h>

#include "docker/dockerignore.h"
#include "docker/expand.h"
#include "docker/images.h"
#include "docker/label_values.h"
#include "docker/text.h"

namespace nacre::docker {

namespace {

std::string expanded(std::string_view word) {
  const Expanded made = expand(word, '\\', [](std::string_view name) -> std::optional<std::string> {
    if (name == "a") return "1";
    if (name == "empty") return "";
    return std::nullopt;
  });
  return made.is_known ? made.text : "?" + made.text;
}

}  // namespace

TEST_CASE("variables are replaced as the builder replaces them") {
  CHECK(expanded("x$a.y") == "x1.y");
  CHECK(expanded("x${a}y") == "x1y");
  CHECK(expanded("'$a'\"$a\"\\$a") == "$a1$a");
  CHECK(expanded("${empty:-d}${empty-d}") == "d");
  CHECK(expanded("${a:+yes}${empty:+no}") == "yes");
  CHECK(expanded("x$b") == "?x");
  CHECK(expanded("${a%1}") == "?");
  CHECK(expanded("cost: 5$") == "cost: 5$");
}

TEST_CASE("patterns of cards") {
  CHECK(matches("curl=1.2", "*=*"));
  CHECK(matches("gcc-c++-1.1", "*-[0-9]*"));
  CHECK(!matches("rpm-sign", "*-[0-9]*"));
  CHECK(matches("a@1", "?*@*"));
  CHECK(!matches("@org/a", "?*@*"));
  CHECK(matches("", "*"));
  CHECK(!matches("", "?"));
}

TEST_CASE("paths within directories") {
  CHECK(is_within("/var/lib/apt/lists", "/var/lib/apt"));
  CHECK(is_within("/var/lib", "/var/lib/"));
  CHECK(!is_within("/var/library", "/var/lib"));
  CHECK(is_within("/a", "/"));
}

TEST_CASE("names of images") {
  const ImageName image = split_image("localhost:5000/a/b:1@sha256:00");
  CHECK(image.registry == "localhost:5000");
  CHECK(image.repository == "a/b");
  CHECK(image.tag == "1");
  CHECK(image.digest == "sha256:00");
  CHECK(split_image("a/b").registry.empty());
  CHECK(find_image(split_image("node:22-alpine"))->shell == ImageShell::kBusybox);
  CHECK(find_image(split_image("docker.io/library/debian:12"))->shell == ImageShell::kDash);
  CHECK(!find_image(split_image("example.com/debian")));
}

TEST_CASE("what .dockerignore leaves out") {
  const IgnorePatterns patterns("# c\n*.md\n!README.md\nbuild/\n**/secret\n/top\n");
  CHECK(patterns.ignores("a.md"));
  CHECK(!patterns.ignores("README.md"));
  CHECK(!patterns.ignores("docs/a.md"));
  CHECK(patterns.ignores("./build/x/y"));
  CHECK(patterns.ignores("a/b/secret"));
  CHECK(patterns.ignores("top"));
  CHECK(!patterns.ignores("other"));
}

TEST_CASE("values of labels") {
  CHECK(is_valid("https://example.com", LabelType::kUrl));
  CHECK(!is_valid("example", LabelType::kUrl));
  CHECK(is_valid("2021-03-10T10:26:33.5+01:00", LabelType::kTime));
  CHECK(!is_valid("2021-03-10", LabelType::kTime));
  CHECK(is_valid("MIT OR (Apache-2.0 AND BSD-3-Clause)", LabelType::kLicense));
  CHECK(!is_valid("mine", LabelType::kLicense));
  CHECK(is_valid("0123abc", LabelType::kHash));
  CHECK(!is_valid("0123abcd", LabelType::kHash));
  CHECK(is_valid("1.2.3-rc.1+5", LabelType::kVersion));
  CHECK(!is_valid("1.2", LabelType::kVersion));
  CHECK(!is_valid("01.2.3", LabelType::kVersion));
  CHECK(is_valid("a@b.c", LabelType::kEmail));
  CHECK(!is_valid("a", LabelType::kEmail));
}

}  // namespace nacre::docker
