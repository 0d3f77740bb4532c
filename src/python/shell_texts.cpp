#include "python/shell_texts.h"

#include <fmt/core.h>
#include <map>
#include <optional>

#include "python/sinks.h"
#include "python/token.h"
#include "python/walk.h"

namespace nacre::python {
namespace {

uint32_t offset(size_t at) { return static_cast<uint32_t>(at); }

// What names stand for: imports by their dotted names, and the only value of those that one
// assignment of the file binds and nothing else does.
class Names {
 public:
  explicit Names(const Tree& tree) : tree_(tree) {
    for (uint32_t i = 0; i < tree.statement_count(); ++i) add(StmtId{i});
    for (uint32_t i = 0; i < tree.expression_count(); ++i) {
      const auto* lambda = tree.get<Lambda>(ExprId{i});
      if (lambda != nullptr) add(lambda->parameters);
    }
  }

  [[nodiscard]] std::optional<std::string> dotted(ExprId expr) const {
    if (const auto* attribute = tree_.get<Attribute>(expr)) {
      const auto before = dotted(attribute->value);
      return before ? std::optional(*before + "." + attribute->name) : std::nullopt;
    }
    const auto* name = tree_.get<Name>(expr);
    const auto found = name != nullptr ? imports_.find(name->id) : imports_.end();
    return found != imports_.end() ? std::optional(found->second) : std::nullopt;
  }

  [[nodiscard]] Optional value(const std::string& name) const {
    const auto found = values_.find(name);
    return found != values_.end() && bound_.at(name) == 1 ? Optional(found->second) : std::nullopt;
  }

 private:
  void add(StmtId id) {
    for_each_bound_name(tree_, id, [&](const std::string& name) { ++bound_[name]; });
    if (const auto* import = tree_.get<Import>(id)) {
      for (const ImportName& each : import->names) {
        // `import os.path` binds os.
        const std::string first = each.name.substr(0, each.name.find('.'));
        imports_[each.alias.empty() ? first : each.alias] = each.alias.empty() ? first : each.name;
      }
    } else if (const auto* from = tree_.get<ImportFrom>(id)) {
      for (const ImportName& each : from->names)
        imports_[each.alias.empty() ? each.name : each.alias] = from->module + "." + each.name;
    } else if (const auto* function = tree_.get<FunctionDef>(id)) {
      add(function->parameters);
    } else if (const auto* assign = tree_.get<Assign>(id)) {
      const auto* name =
          assign->targets.size() == 1 ? tree_.get<Name>(assign->targets[0]) : nullptr;
      if (name != nullptr) values_[name->id] = assign->value;
    } else if (const auto* more = tree_.get<AugAssign>(id)) {
      if (const auto* name = tree_.get<Name>(more->target)) bound_[name->id] += 2;
    }
  }
  void add(const Parameters& parameters) {
    for (const auto* list :
         {&parameters.positional_only, &parameters.positional, &parameters.keyword_only}) {
      for (const Parameter& each : *list) bound_[each.name] += 2;
    }
  }

  const Tree& tree_;
  std::map<std::string, std::string> imports_;
  std::map<std::string, ExprId> values_;
  std::map<std::string, int> bound_;
};

// Puts one text together. False from any of its functions: the text cannot be followed.
class TextBuilder {
 public:
  TextBuilder(const Tree& tree, std::string_view source, const Names& names)
      : tree_(tree), source_(source), names_(names) {}

  bool add(ExprId expr, int depth = 0) {
    constexpr int kMaxNesting = 40;
    if (depth > kMaxNesting) return false;
    if (tree_.get<StringLiteral>(expr) != nullptr || tree_.get<JoinedStr>(expr) != nullptr)
      return add_literals(expr, nullptr);
    const auto* operation = tree_.get<BinaryOperation>(expr);
    if (operation != nullptr && operation->op == BinaryOp::kAdd)
      return add(operation->left, depth + 1) && add(operation->right, depth + 1);
    if (operation != nullptr && operation->op == BinaryOp::kMod &&
        tree_.get<StringLiteral>(operation->left) != nullptr)
      return add_percent(*operation);
    if (const auto* name = tree_.get<Name>(expr)) {
      if (const Optional value = names_.value(name->id); value && is_text(*value))
        return add(*value, depth + 1);
    }
    add_hole(tree_[expr].span, is_quoted(expr));
    return true;
  }

  // What is left to do when all pieces are there; nothing if no piece of it is written in the file.
  std::optional<ShellText> take(Span span) {
    if (!has_text_) return std::nullopt;
    out_.map.add_whole(offset(out_.text.size()), {span.end, span.end});
    out_.span = span;
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool is_text(ExprId expr) const {
    if (const auto* operation = tree_.get<BinaryOperation>(expr))
      return operation->op == BinaryOp::kAdd &&
             (is_text(operation->left) || is_text(operation->right));
    return tree_.get<StringLiteral>(expr) != nullptr || tree_.get<JoinedStr>(expr) != nullptr;
  }
  [[nodiscard]] bool is_quoted(ExprId expr) const {
    const auto* call = tree_.get<Call>(expr);
    const auto name = call != nullptr ? names_.dotted(call->function) : std::nullopt;
    return name == "shlex.quote" || name == "pipes.quote";
  }

  void put(std::string_view text) {
    quote_ = open_quote(Sink::kShell, text, quote_);
    out_.text += text;
  }

  void add_hole(Span place, bool is_quoted) {
    out_.map.add_whole(offset(out_.text.size()), place);
    const std::string name = fmt::format("${{python_{}}}", out_.holes.size());
    out_.holes.push_back(place);
    // In '...' it would be text; quotes that are closed and opened again do not split it.
    if (quote_ == '\'')
      out_.text += "'\"" + name + "\"'";
    else
      out_.text += is_quoted && quote_ == '\0' ? "\"" + name + "\"" : name;
  }

  // Adjacent literals, also with fields in them. `percent` has the values of a `%`.
  bool add_literals(ExprId expr, const Exprs* percent) {
    const Span whole = tree_[expr].span;
    const std::string inside =
        "(" + std::string(source_.substr(whole.begin, whole.end - whole.begin)) + ")";
    const auto tokens = tokenize(inside);
    if (!tokens) return false;
    bool is_raw = false;
    const uint32_t base = whole.begin - 1;  // of the parenthesis
    size_t used = 0;
    for (size_t i = 0; i < tokens->size(); ++i) {
      const Token& token = (*tokens)[i];
      std::string_view text =
          std::string_view(inside).substr(token.span.begin, token.span.end - token.span.begin);
      if (token.kind == Tok::kString) {
        const size_t quote = text.find_first_of("'\"");
        is_raw = text.substr(0, quote).find_first_of("rR") != std::string_view::npos;
        const size_t width = text.substr(quote).starts_with(std::string(3, text[quote])) ? 3 : 1;
        if (text.size() < quote + 2 * width) return false;
        const std::string_view body = text.substr(quote + width, text.size() - quote - 2 * width);
        const uint32_t at = base + token.span.begin + offset(quote + width);
        if (!add_body(body, at, is_raw, false, percent, used)) return false;
      } else if (token.kind == Tok::kFStringStart) {
        is_raw = text.find_first_of("rR") != std::string_view::npos;
      } else if (token.kind == Tok::kFStringText) {
        if (!add_body(text, base + token.span.begin, is_raw, true, percent, used)) return false;
      } else if (token.kind == Tok::kLeftBrace) {
        const uint32_t begin = base + token.span.begin;
        for (int depth = 1; depth > 0 && i + 1 < tokens->size();) {
          const Tok kind = (*tokens)[++i].kind;
          depth += kind == Tok::kLeftBrace ? 1 : kind == Tok::kRightBrace ? -1 : 0;
        }
        const Span field{begin, base + (*tokens)[i].span.end};
        add_hole(field, is_quoted_field(expr, field));
      }
    }
    return true;
  }

  [[nodiscard]] bool is_quoted_field(ExprId expr, Span field) const {
    const auto* joined = tree_.get<JoinedStr>(expr);
    if (joined == nullptr) return false;
    for (ExprId part : joined->parts) {
      const auto* value = tree_.get<FormattedValue>(part);
      if (value != nullptr && field.contains(tree_[value->value].span))
        return is_quoted(value->value);
    }
    return false;
  }

  // The text of a literal, piece by piece: copies of the source, and escapes.
  bool add_body(std::string_view body, uint32_t at, bool is_raw, bool is_fstring,
                const Exprs* percent, size_t& used) {
    has_text_ = has_text_ || body.find_first_not_of(" \t\n") != std::string_view::npos;
    for (size_t i = 0; i < body.size();) {
      size_t end = i;
      while (end < body.size() && !is_special(body[end], is_raw, is_fstring, percent != nullptr))
        ++end;
      if (end > i) {
        out_.map.add_copy(offset(out_.text.size()), at + offset(i));
        put(body.substr(i, end - i));
      }
      if (end == body.size()) break;
      i = end;
      const size_t size = add_special(body.substr(i), at + offset(i), percent, used);
      if (size == 0) return false;
      i += size;
    }
    return true;
  }

  static bool is_special(char c, bool is_raw, bool is_fstring, bool is_percent) {
    return (c == '\\' && !is_raw) || (is_fstring && (c == '{' || c == '}')) ||
           (is_percent && c == '%') || c == '\r';
  }

  // Gives its size; 0: it is not one that is known.
  size_t add_special(std::string_view text, uint32_t at, const Exprs* percent, size_t& used) {
    constexpr std::string_view kEscapes = "n\nt\t\\\\''\"\"";
    constexpr std::string_view kOthers = "abfvxNuU01234567\r";
    const char next = text.size() > 1 ? text[1] : '\0';
    const auto stand_for = [&](std::string_view made) {
      out_.map.add_whole(offset(out_.text.size()), {at, at + 2});
      put(made);
      return size_t{2};
    };
    if (text[0] == '{' || text[0] == '}') return next == text[0] ? stand_for(text.substr(0, 1)) : 0;
    if (text[0] == '%') {
      if (next == '%') return stand_for("%");
      if ((next != 's' && next != 'd') || used >= percent->size()) return 0;
      const ExprId value = (*percent)[used++];
      add_hole(tree_[value].span, is_quoted(value));
      return 2;
    }
    if (text[0] == '\r' || next == '\0' || kOthers.find(next) != std::string_view::npos) return 0;
    if (next == '\n') return 2;  // the line goes on
    for (size_t i = 0; i < kEscapes.size(); i += 2) {
      if (kEscapes[i] == next) return stand_for(kEscapes.substr(i + 1, 1));
    }
    out_.map.add_copy(offset(out_.text.size()), at);  // no escape: the backslash stays
    put(text.substr(0, 2));
    return 2;
  }

  bool add_percent(const BinaryOperation& operation) {
    Exprs values = {operation.right};
    if (const auto* tuple = tree_.get<TupleExpr>(operation.right)) values = tuple->items;
    if (tree_.get<DictExpr>(operation.right) != nullptr) return false;
    return add_literals(operation.left, &values);
  }

  const Tree& tree_;
  std::string_view source_;
  const Names& names_;
  ShellText out_;
  char quote_ = '\0';
  bool has_text_ = false;
};

// The argument that a shell reads, if this is a call with one.
Optional shell_argument(const Tree& tree, const Names& names, const Call& call) {
  const auto name = names.dotted(call.function);
  const auto sink = name ? sink_of_function(*name) : std::nullopt;
  if (!sink || sink->sink != Sink::kShell) return std::nullopt;
  Optional text;
  if (!call.args.empty()) text = call.args[0];
  bool has_shell = !sink->needs_shell_true;
  for (const Keyword& keyword : call.keywords) {
    if (keyword.name == sink->keyword) text = keyword.value;
    if (keyword.name == "executable") return std::nullopt;  // not sh
    const auto* flag = tree.get<BoolLiteral>(keyword.value);
    if (keyword.name == "shell") has_shell = flag != nullptr && flag->value;
  }
  return has_shell ? text : std::nullopt;
}

}  // namespace

std::vector<ShellText> find_shell_texts(const Tree& tree, std::string_view source) {
  std::vector<ShellText> out;
  const bool may_have_any = source.find("subprocess") != std::string_view::npos ||
                            source.find("system") != std::string_view::npos ||
                            source.find("popen") != std::string_view::npos;
  if (!may_have_any) return out;
  std::optional<Names> names;
  for (uint32_t i = 0; i < tree.expression_count(); ++i) {
    const auto* call = tree.get<Call>(ExprId{i});
    if (call == nullptr) continue;
    if (!names) names.emplace(tree);
    const Optional argument = shell_argument(tree, *names, *call);
    if (!argument) continue;
    TextBuilder builder(tree, source, *names);
    if (!builder.add(*argument)) continue;
    if (auto text = builder.take(tree[*argument].span)) out.push_back(std::move(*text));
  }
  return out;
}

}  // namespace nacre::python
