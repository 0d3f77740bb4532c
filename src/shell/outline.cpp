#include "shell/outline.h"

#include <array>
#include <fmt/format.h>

#include "base/json_writer.h"
#include "shell/visitor.h"

namespace nacre::shell {

namespace {

constexpr std::array<std::string_view, 15> kCommandKinds = {"simple",
                                                            "pipeline",
                                                            "and-or",
                                                            "group",
                                                            "subshell",
                                                            "if",
                                                            "while",
                                                            "for",
                                                            "for-arithmetic",
                                                            "case",
                                                            "function",
                                                            "conditional",
                                                            "arithmetic-command",
                                                            "coproc",
                                                            "broken"};
constexpr std::array<std::string_view, 15> kPartKinds = {
    "literal",     "glob",          "tilde",         "escaped",   "single-quoted",
    "ansi-quoted", "double-quoted", "locale-quoted", "parameter", "command",
    "arithmetic",  "process",       "extglob",       "brace",     "array"};
constexpr std::array<std::string_view, 25> kOperatorNames = {
    "",   "length", "-", "=",  "?", "+",  "#", "##", "%", "%%",    "slice", "/",  "//",
    "/#", "/%",     "^", "^^", ",", ",,", "~", "~~", "@", "names", "keys",  "bad"};
constexpr std::array<std::string_view, 11> kRedirectOps = {"<",  ">",  ">>",  "<>", ">|", "<&",
                                                           ">&", "&>", "&>>", "<<", "<<<"};

class Outliner {
 public:
  template <typename Node>
  OutlineNode make(const Node& node) {
    OutlineNode result;
    describe(node, result);
    for_each_child(node, [&](const auto& child) { result.children.push_back(make(child)); });
    return result;
  }

 private:
  using Out = OutlineNode;

  static void add(Out& out, std::string_view name, std::string_view value) {
    if (!value.empty()) out.attributes.emplace_back(name, value);
  }
  static void set(Out& out, std::string_view kind, Span span) {
    out.kind = kind;
    out.span = span;
  }

  static void describe(const Sequence& node, Out& out) { set(out, "sequence", node.span); }
  static void describe(const Word& node, Out& out) {
    set(out, "word", node.span);
    if (node.is_literal()) out.attributes.emplace_back("value", node.literal());
  }
  static void describe(const Assignment& node, Out& out) {
    set(out, "assignment", node.span);
    add(out, "name", node.name);
    add(out, "op", node.is_append ? "+=" : "=");
  }
  static void describe(const Redirection& node, Out& out) {
    set(out, "redirection", node.span);
    add(out, "op", kRedirectOps[static_cast<size_t>(node.op)]);
    if (node.descriptor >= 0) add(out, "descriptor", fmt::format("{}", node.descriptor));
    add(out, "variable", node.variable);
  }
  static void describe(const HereDocument& node, Out& out) {
    set(out, "here-document", node.span);
    add(out, "delimiter", node.delimiter);
  }
  static void describe(const IfArm& node, Out& out) {
    set(out, "arm", cover(node.condition.span, node.body.span));
  }
  static void describe(const CaseArm& node, Out& out) {
    constexpr std::array<std::string_view, 4> kEnds = {"", ";;", ";&", ";;&"};
    set(out, "case-arm", node.span);
    add(out, "end", kEnds[static_cast<size_t>(node.end)]);
  }
  static void describe(const Part& node, Out& out) {
    set(out, kPartKinds[static_cast<size_t>(node.kind)], node.span);
    if (node.is_text()) out.attributes.emplace_back("text", node.text());
  }
  static void describe(const Parameter& node, Out& out) {
    set(out, "name", node.name_span());
    add(out, "name", node.name);
    add(out, "op", kOperatorNames[static_cast<size_t>(node.op)]);
    if (node.has_colon) add(out, "colon", "true");
    if (node.is_indirect) add(out, "indirect", "true");
  }
  static void describe(const Subscript& node, Out& out) { set(out, "subscript", node.span); }
  static void describe(const Array& node, Out& out) {
    set(out, "elements", {});
    if (!node.elements.empty()) {
      out.span = cover(node.elements.front().span, node.elements.back().span);
    }
  }
  static void describe(const ArrayElement& node, Out& out) { set(out, "element", node.span); }
  static void describe(const Arithmetic& node, Out& out) { set(out, "expression", node.word.span); }
  static void describe(const ArithmeticExpression& node, Out& out) {
    set(out, "arithmetic", node.span);
  }
  static void describe(const ConditionalExpression& node, Out& out) {
    constexpr std::array<std::string_view, 7> kKinds = {"word-test", "unary", "binary", "not",
                                                        "and",       "or",    "group"};
    set(out, kKinds[static_cast<size_t>(node.kind)], node.span);
    if (node.letter != 0) add(out, "op", fmt::format("-{}", node.letter));
  }
  static void describe(const Command& node, Out& out) {
    set(out, kCommandKinds[node.node.index()], node.span);
    if (const auto* function = std::get_if<Function>(&node.node))
      add(out, "name", function->name->text);
    if (const auto* loop = std::get_if<For>(&node.node)) add(out, "name", loop->name->text);
    if (const auto* loop = std::get_if<While>(&node.node); loop != nullptr && loop->is_until) {
      add(out, "until", "true");
    }
    if (const auto* pipe = std::get_if<Pipeline>(&node.node); pipe != nullptr && pipe->is_negated) {
      add(out, "negated", "true");
    }
  }
};

void write(const OutlineNode& node, JsonWriter& json) {
  json.begin_object().field("kind", node.kind);
  json.key("span").begin_array().value(node.span.begin).value(node.span.end).end_array();
  for (const auto& [name, value] : node.attributes) json.field(name, value);
  if (!node.children.empty()) {
    json.key("children").begin_array();
    for (const OutlineNode& child : node.children) write(child, json);
    json.end_array();
  }
  json.end_object();
}

// A label of Graphviz: a backslash would be an escape there, too.
size_t append_dot(const OutlineNode& node, size_t& next, std::string& out) {
  size_t id = next++;
  std::string label(node.kind);
  for (const auto& [name, value] : node.attributes) label += fmt::format(" {}={}", name, value);
  out += fmt::format("  n{} [label={}];\n", id, json_quoted(label));
  for (const OutlineNode& child : node.children) {
    size_t below = append_dot(child, next, out);
    out += fmt::format("  n{} -> n{};\n", id, below);
  }
  return id;
}

}  // namespace

OutlineNode outline(const Tree& tree) { return Outliner().make(tree.program()); }

std::string outline_json(const OutlineNode& root) {
  JsonWriter json;
  write(root, json);
  return json.take() + "\n";
}

std::string outline_dot(const OutlineNode& root) {
  std::string result = "digraph tree {\n  node [shape=box];\n";
  size_t next = 0;
  append_dot(root, next, result);
  return result + "}\n";
}

}  // namespace nacre::shell
