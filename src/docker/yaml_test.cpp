#include "docker/yaml.h"

#include <doctest/doctest.h>

#include "docker/hadolint_config.h"

namespace nacre::docker {

namespace {

std::string show(const YamlNode& node) {
  std::string text;
  if (node.kind == YamlNode::Kind::kScalar) return node.scalar;
  const bool is_list = node.kind == YamlNode::Kind::kList;
  for (const YamlNode& each : node.items)
    text += is_list ? show(each) + "," : each.key + "=" + show(each) + ";";
  return is_list ? "[" + text + "]" : "{" + text + "}";
}

std::string yaml(const std::string& text) {
  const auto root = parse_yaml(SourceFile("a.yaml", text));
  return root ? show(*root) : "error: " + root.error().message;
}

}  // namespace

TEST_CASE("maps, lists and scalars") {
  CHECK(yaml("") == "{}");
  CHECK(yaml("---\n# c\na: 1 # c\nb: 'x # y'\n") == "{a=1;b=x # y;}");
  CHECK(yaml("a:\n  - x\n  - y\nb:\n- z\n") == "{a=[x,y,];b=[z,];}");
  CHECK(yaml("a: [x, \"y\"]\nb: {c: d, e: f}\n") == "{a=[x,y,];b={c=d;e=f;};}");
  CHECK(yaml("a:\n  b:\n    - c: 1\n      d: 2\n    - e\n") == "{a={b=[{c=1;d=2;},e,];};}");
  CHECK(yaml("a:\nb: 1\n") == "{a=;b=1;}");
  CHECK(yaml("a: http://x:80/\n") == "{a=http://x:80/;}");
}

TEST_CASE("what is not read is refused") {
  CHECK(yaml("a: |\n  text\n").starts_with("error"));
  CHECK(yaml("a: &x 1\n").starts_with("error"));
  CHECK(yaml("a: 1\n   b: 2\n").starts_with("error"));
  CHECK(yaml("just text\n").starts_with("error"));
  CHECK(yaml("a: [1,\n").starts_with("error"));
}

TEST_CASE("a configuration of hadolint") {
  const auto config = parse_hadolint_config(
      SourceFile(".hadolint.yaml",
                 "ignored: [DL3008]\noverride:\n  error:\n    - DL3001\n  ignore: [DL3002]\n"
                 "trustedRegistries: docker.io\nlabel-schema:\n  author: text\n  url: url\n"
                 "strict-labels: true\nfailure-threshold: warning\n"));
  REQUIRE(config);
  CHECK(config->ignored == std::vector<std::string>{"DL3008"});
  CHECK(config->overrides.at("DL3001") == HadolintLevel::kError);
  CHECK(config->overrides.at("DL3002") == HadolintLevel::kNone);
  CHECK(config->demands.trusted_registries.size() == 1);
  CHECK(config->demands.labels.at("url") == LabelType::kUrl);
  CHECK(config->demands.allows_only_these_labels);
  CHECK(config->threshold == HadolintLevel::kWarning);
  CHECK(!parse_hadolint_config(SourceFile("a", "ignroed: []\n")));
  CHECK(!parse_hadolint_config(SourceFile("a", "label-schema:\n  a: integer\n")));
}

TEST_CASE("variables of the environment are stronger than the file") {
  HadolintConfig config;
  config.format = "tty";
  const std::map<std::string, std::string> set = {
      {"HADOLINT_IGNORE", "DL3008, DL3009,DL3010,DL3011"},
      {"HADOLINT_FORMAT", "json"},
      {"HADOLINT_OVERRIDE_ERROR", "DL3001"},
      {"HADOLINT_NOFAIL", "1"},
      {"HADOLINT_REQUIRE_LABELS", "a:url,b"}};
  const auto variable = [&](const std::string& name) -> std::optional<std::string> {
    const auto at = set.find(name);
    return at == set.end() ? std::nullopt : std::optional(at->second);
  };
  REQUIRE(apply_environment(variable, config));
  CHECK(config.ignored == std::vector<std::string>{"DL3008", "DL3009", "DL3010", "DL3011"});
  CHECK(config.format == "json");
  CHECK(config.overrides.at("DL3001") == HadolintLevel::kError);
  CHECK(config.no_fail);
  CHECK(config.demands.labels.at("a") == LabelType::kUrl);
  CHECK(config.demands.labels.at("b") == LabelType::kText);
}

}  // namespace nacre::docker
