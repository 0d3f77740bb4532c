#include "docker/yaml.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "docker/text.h"

namespace nacre::docker {

namespace {

constexpr size_t kMaxDepth = 20;

struct YamlLine {
  size_t indent;
  std::string_view text;  // without indentation, comment and trailing blanks
  uint32_t at;            // of the text in the file
};

// The text before a comment, over quotes.
std::string_view without_comment(std::string_view text) {
  char quote = '\0';
  for (size_t i = 0; i < text.size(); i++) {
    if (quote != '\0') {
      if (text[i] == quote) quote = '\0';
    } else if (text[i] == '"' || text[i] == '\'') {
      quote = text[i];
    } else if (text[i] == '#' && (i == 0 || text[i - 1] == ' ' || text[i - 1] == '\t')) {
      return text.substr(0, i);
    }
  }
  return text;
}

// Where the `:` is that ends a key; npos: the text is no pair.
size_t find_colon(std::string_view text) {
  char quote = '\0';
  for (size_t i = 0; i < text.size(); i++) {
    if (quote != '\0') {
      if (text[i] == quote) quote = '\0';
    } else if ((text[i] == '"' || text[i] == '\'') && i == 0) {
      quote = text[i];
    } else if (text[i] == ':' && (i + 1 == text.size() || text[i + 1] == ' ')) {
      return i;
    }
  }
  return std::string_view::npos;
}

bool is_item(std::string_view text) { return text == "-" || text.starts_with("- "); }

class YamlParser {
 public:
  explicit YamlParser(const SourceFile& file) {
    for (uint32_t number = 1; number <= file.line_count(); number++) {
      const Span span = file.line_span(number);
      const std::string_view whole = file.text(span);
      const size_t indent = std::min(whole.find_first_not_of(' '), whole.size());
      const std::string_view text = trim(without_comment(whole.substr(indent)));
      if (text.empty() || (text == "---" && lines_.empty())) continue;
      lines_.push_back({indent, text, span.begin + static_cast<uint32_t>(indent)});
    }
  }

  Result<YamlNode> run() {
    YamlNode root;
    root.kind = YamlNode::Kind::kMap;
    if (!lines_.empty()) root = block(lines_[0].indent, 0);
    if (at_ < lines_.size()) fail_here("this line is indented unlike the others");
    if (error_) return tl::unexpected(*error_);
    return root;
  }

 private:
  void fail_here(std::string message) {
    if (error_) return;
    const uint32_t at = at_ < lines_.size() ? lines_[at_].at : 0;
    error_ = Error{{at, at}, std::move(message)};
  }

  YamlNode block(size_t indent, size_t depth) {
    if (depth > kMaxDepth) fail_here("this is nested too deeply");
    if (error_ || at_ >= lines_.size()) return {};
    return is_item(lines_[at_].text) ? items(indent, depth) : pairs(indent, depth);
  }

  YamlNode items(size_t indent, size_t depth) {
    YamlNode node;
    node.kind = YamlNode::Kind::kList;
    while (!error_ && at_ < lines_.size() && lines_[at_].indent == indent &&
           is_item(lines_[at_].text)) {
      const std::string_view rest = trim_left(lines_[at_].text.substr(1));
      const auto shift = lines_[at_].text.size() - rest.size();
      if (rest.empty()) {
        at_++;
        node.items.push_back(nested(indent, depth));
      } else if (rest[0] != '[' && rest[0] != '{' && find_colon(rest) != std::string_view::npos) {
        lines_[at_].indent += shift;  // `- key: value` begins a map
        lines_[at_].at += static_cast<uint32_t>(shift);
        lines_[at_].text = rest;
        node.items.push_back(pairs(indent + shift, depth + 1));
      } else {
        node.items.push_back(inline_value(rest, lines_[at_].at, depth));
        at_++;
      }
    }
    return node;
  }

  YamlNode pairs(size_t indent, size_t depth) {
    YamlNode node;
    node.kind = YamlNode::Kind::kMap;
    while (!error_ && at_ < lines_.size() && lines_[at_].indent == indent &&
           !is_item(lines_[at_].text)) {
      const YamlLine line = lines_[at_];
      const size_t colon = find_colon(line.text);
      if (colon == std::string_view::npos) {
        fail_here("expected `key: value`");
        break;
      }
      const std::string_view value = trim_left(line.text.substr(colon + 1));
      std::string key(unquote(trim(line.text.substr(0, colon))));
      at_++;
      YamlNode made = value.empty() ? nested(indent, depth) : inline_value(value, line.at, depth);
      made.key = std::move(key);
      node.items.push_back(std::move(made));
    }
    return node;
  }

  // What is indented more; a list may stand at the indentation of its key.
  YamlNode nested(size_t indent, size_t depth) {
    if (at_ >= lines_.size()) return {};
    const bool is_deeper = lines_[at_].indent > indent;
    const bool is_list_here = lines_[at_].indent == indent && is_item(lines_[at_].text);
    return is_deeper || is_list_here ? block(lines_[at_].indent, depth + 1) : YamlNode();
  }

  YamlNode inline_value(std::string_view text, uint32_t at, size_t depth) {
    if (depth > kMaxDepth) fail_here("this is nested too deeply");
    YamlNode node;
    node.span = {at, at + static_cast<uint32_t>(text.size())};
    const bool is_list = text.front() == '[';
    if (is_list || text.front() == '{') {
      if (text.back() != (is_list ? ']' : '}')) fail_here("the bracket is not closed on this line");
      node.kind = is_list ? YamlNode::Kind::kList : YamlNode::Kind::kMap;
      for (const std::string_view part : split(text.substr(1, text.size() - 2), ',')) {
        if (part.empty() || error_) continue;
        add_part(part, is_list, at, depth, node);
      }
      return node;
    }
    if (std::string_view("&*!|>%@`").find(text.front()) != std::string_view::npos)
      fail_here(fmt::format("a value that begins with {} is not read", text.front()));
    node.scalar = unquote(text);
    return node;
  }

  void add_part(std::string_view part, bool is_list, uint32_t at, size_t depth, YamlNode& node) {
    const size_t colon = find_colon(part);
    if (is_list) {
      node.items.push_back(inline_value(part, at, depth + 1));
    } else if (colon == std::string_view::npos || trim(part.substr(colon + 1)).empty()) {
      fail_here("expected `key: value`");
    } else {
      YamlNode made = inline_value(trim(part.substr(colon + 1)), at, depth + 1);
      made.key = unquote(trim(part.substr(0, colon)));
      node.items.push_back(std::move(made));
    }
  }

  std::vector<YamlLine> lines_;
  size_t at_ = 0;
  std::optional<Error> error_;
};

}  // namespace

const YamlNode* YamlNode::find(std::string_view wanted) const {
  const auto at = std::find_if(items.begin(), items.end(),
                               [&](const YamlNode& each) { return each.key == wanted; });
  return at == items.end() ? nullptr : &*at;
}

Result<YamlNode> parse_yaml(const SourceFile& file) { return YamlParser(file).run(); }

}  // namespace nacre::docker
