#include "docker/hadolint_config.h"

#include <algorithm>
#include <fmt/format.h>

#include "docker/text.h"
#include "docker/yaml.h"

namespace nacre::docker {

namespace {

constexpr std::pair<std::string_view, LabelType> kTypes[] = {
    {"text", LabelType::kText},    {"rawtext", LabelType::kText},   {"url", LabelType::kUrl},
    {"rfc3339", LabelType::kTime}, {"spdx", LabelType::kLicense},   {"hash", LabelType::kHash},
    {"githash", LabelType::kHash}, {"semver", LabelType::kVersion}, {"email", LabelType::kEmail},
};

std::optional<bool> read_bool(std::string_view text) {
  const std::string lower = lower_case(text);
  if (lower == "true" || lower == "yes" || lower == "on" || lower == "1") return true;
  if (lower == "false" || lower == "no" || lower == "off" || lower == "0") return false;
  return std::nullopt;
}

class ConfigReader {
 public:
  Result<HadolintConfig> read(const YamlNode& root) {
    if (root.kind != YamlNode::Kind::kMap) return fail(root.span, "expected a map of settings");
    for (const YamlNode& node : root.items) {
      read_key(node.key, node);
      if (error_) return tl::unexpected(*error_);
    }
    return std::move(config_);
  }

 private:
  void complain(const YamlNode& node, std::string message) {
    if (!error_) error_ = Error{node.span, std::move(message)};
  }

  void read_key(const std::string& key, const YamlNode& node) {
    if (key == "ignored") {
      config_.ignored = strings(node);
    } else if (key == "override") {
      read_overrides(node);
    } else if (key == "trustedRegistries") {
      config_.demands.trusted_registries = strings(node);
    } else if (key == "label-schema") {
      read_labels(node);
    } else if (key == "strict-labels") {
      config_.demands.allows_only_these_labels = boolean(key, node);
    } else if (key == "no-fail") {
      config_.no_fail = boolean(key, node);
    } else if (key == "disable-ignore-pragma") {
      config_.disables_pragmas = boolean(key, node);
    } else if (key == "failure-threshold") {
      config_.threshold = hadolint_level(node.scalar);
      if (!config_.threshold) complain(node, fmt::format("'{}' is no severity", node.scalar));
    } else if (key == "format") {
      config_.format = node.scalar;
    } else if (key != "no-color" && key != "verbose") {
      complain(node, fmt::format("there is no setting '{}'", key));
    }
  }

  // One word counts as a list of one.
  static std::vector<std::string> strings(const YamlNode& node) {
    if (node.kind == YamlNode::Kind::kScalar)
      return node.scalar.empty() ? std::vector<std::string>()
                                 : std::vector<std::string>{node.scalar};
    std::vector<std::string> result;
    for (const YamlNode& each : node.items) result.push_back(each.scalar);
    return result;
  }

  bool boolean(const std::string& key, const YamlNode& node) {
    const auto value = read_bool(node.scalar);
    if (!value) complain(node, fmt::format("{} is true or false", key));
    return value.value_or(false);
  }

  void read_overrides(const YamlNode& node) {
    for (const YamlNode& rules : node.items) {
      const auto known = hadolint_level(rules.key);
      if (!known) complain(rules, fmt::format("'{}' is no severity", rules.key));
      for (const std::string& rule : strings(rules))
        config_.overrides[rule] = known.value_or(HadolintLevel::kNone);
    }
  }

  void read_labels(const YamlNode& node) {
    for (const YamlNode& type : node.items) {
      if (!add_label(type.key, type.scalar, config_.demands))
        complain(type, fmt::format("'{}' is no type of a label", type.scalar));
    }
  }

  HadolintConfig config_;
  std::optional<Error> error_;
};

}  // namespace

std::optional<Severity> severity_of(HadolintLevel level) {
  if (level == HadolintLevel::kNone) return std::nullopt;
  return static_cast<Severity>(level);
}

std::optional<HadolintLevel> hadolint_level(std::string_view name) {
  const std::string lower = lower_case(name);
  if (lower == "ignore" || lower == "none") return HadolintLevel::kNone;
  const auto severity = severity_named(lower);
  return severity ? std::optional(static_cast<HadolintLevel>(*severity)) : std::nullopt;
}

bool add_label(std::string_view name, std::string_view type, Demands& demands) {
  const std::string lower = type.empty() ? "text" : lower_case(type);
  const auto* at = std::find_if(std::begin(kTypes), std::end(kTypes),
                                [&](const auto& each) { return each.first == lower; });
  if (at == std::end(kTypes)) return false;
  demands.labels[std::string(name)] = at->second;
  return true;
}

Result<HadolintConfig> parse_hadolint_config(const SourceFile& file) {
  auto root = parse_yaml(file);
  if (!root) return tl::unexpected(root.error());
  return ConfigReader().read(*root);
}

Result<void> apply_environment(const GetVariable& variable, HadolintConfig& config) {
  const auto list = [&](const std::string& name) {
    std::vector<std::string> items;
    const std::string text = variable(name).value_or("");
    for (const std::string_view item : split(text, ',')) items.emplace_back(item);
    return items;
  };
  const auto is_on = [&](const std::string& name) {
    return read_bool(variable(name).value_or("")).value_or(false);
  };
  for (std::string& rule : list("HADOLINT_IGNORE")) config.ignored.push_back(std::move(rule));
  for (const std::string_view level : {"error", "warning", "info", "style"}) {
    for (const std::string& rule : list("HADOLINT_OVERRIDE_" + upper_case(level)))
      config.overrides[rule] = *hadolint_level(level);
  }
  for (std::string& each : list("HADOLINT_TRUSTED_REGISTRIES"))
    config.demands.trusted_registries.push_back(std::move(each));
  for (const std::string& label : list("HADOLINT_REQUIRE_LABELS")) {
    const size_t colon = std::min(label.find(':'), label.size());
    const std::string type = colon < label.size() ? label.substr(colon + 1) : "text";
    if (!add_label(label.substr(0, colon), type, config.demands))
      return fail({}, fmt::format("HADOLINT_REQUIRE_LABELS: '{}' is no type of a label", type));
  }
  config.demands.allows_only_these_labels |= is_on("HADOLINT_STRICT_LABELS");
  config.no_fail |= is_on("HADOLINT_NOFAIL");
  config.disables_pragmas |= is_on("HADOLINT_DISABLE_IGNORE_PRAGMA");
  if (const auto format = variable("HADOLINT_FORMAT")) config.format = *format;
  if (const auto level = variable("HADOLINT_FAILURE_THRESHOLD")) {
    config.threshold = hadolint_level(*level);
    if (!config.threshold)
      return fail({}, fmt::format("HADOLINT_FAILURE_THRESHOLD: '{}' is no severity", *level));
  }
  return {};
}

}  // namespace nacre::docker
