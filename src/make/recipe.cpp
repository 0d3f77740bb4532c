#include "make/recipe.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/codes.h"
#include "base/path.h"
#include "make/text.h"
#include "shell/embedded.h"

namespace nacre::make {

namespace {

constexpr std::string_view kHoleName = "make_";

// Whether the next byte stands within quotes; escapes count, `#` and here-documents do not.
struct Quotes {
  char open = '\0';
  bool is_escaped = false;

  void pass(std::string_view text) {
    for (char c : text) {
      if (is_escaped) {
        is_escaped = false;
      } else if (c == '\\' && open != '\'') {
        is_escaped = true;
      } else if (open != '\0') {
        if (c == open) open = '\0';
      } else if (c == '\'' || c == '"') {
        open = c;
      }
    }
  }
};

// Puts the text of one shell together, and remembers where each piece of it stands.
class Builder {
 public:
  Builder(TargetExpander& expander, const VariableMap& scope, char prefix)
      : expander_(expander), scope_(scope), prefix_(prefix) {}

  void add_line(const RecipeLine& line) {
    base_ = line.place.span;
    is_own_ = line.is_own;
    std::string_view text = line.text;
    size_t at = 0;
    while (at < text.size()) {
      const size_t dollar = std::min(text.find('$', at), text.size());
      add_literal(text, at, dollar);
      if (dollar == text.size()) break;
      at = add_reference(text, dollar);
    }
  }
  void add_newline() {
    whole({base_.end, base_.end});
    put("\n");
  }
  void add_fixed(std::string_view text, Span place) {
    whole(place);
    put(text);
  }

  [[nodiscard]] std::string& text() { return text_; }
  [[nodiscard]] TextMap take_map() {
    whole({base_.end, base_.end});
    return std::move(map_);
  }
  std::vector<Span> holes, references;

 private:
  [[nodiscard]] Span place(size_t begin, size_t end) const {
    if (!is_own_) return base_;
    return {base_.begin + as_offset(begin), base_.begin + as_offset(end)};
  }
  void whole(Span from) { map_.add_whole(as_offset(text_.size()), from); }
  void put(std::string_view text) {
    quotes_.pass(text);
    text_ += text;
  }

  // The recipe prefix at the beginning of a continued line is not part of the text.
  void add_literal(std::string_view text, size_t begin, size_t end) {
    while (begin < end) {
      const size_t newline = text.find('\n', begin);
      const size_t stop = newline < end ? newline + 1 : end;
      if (is_own_) {
        map_.add_copy(as_offset(text_.size()), base_.begin + as_offset(begin));
      } else {
        whole(base_);
      }
      put(text.substr(begin, stop - begin));
      begin = stop;
      if (newline < end && begin < end && text[begin] == prefix_) begin++;
    }
  }

  size_t add_reference(std::string_view text, size_t dollar) {
    const char next = dollar + 1 < text.size() ? text[dollar + 1] : '$';
    size_t end = std::min(dollar + 2, text.size());
    if (next == '(' || next == '{') {
      const Reference reference = reference_at(text, dollar);
      end = reference.end != 0 ? reference.end : text.size();
    }
    const Span where = place(dollar, end);
    if (next == '$') {
      whole(where);
      put("$");
      return end;
    }
    references.push_back(where);
    const bool is_attached = end < text.size() && !is_space(text[end]);
    add_value(expander_.expand(text.substr(dollar, end - dollar), scope_), where, is_attached);
    return end;
  }

  void add_value(const Text& value, Span where, bool is_attached) {
    // `$(Q)echo`: the usual switch for silence.
    const bool is_prefix = value.bytes.find_first_not_of("@-+") == std::string::npos &&
                           (is_attached || !value.bytes.empty());
    if (value.is_assumed && is_prefix && strip(text_).empty() && is_known(value.bytes)) return;
    whole(where);
    if (value.is_assumed || !is_known(value.bytes)) holes.push_back(where);
    if (value.is_assumed) return put_hole();
    size_t at = 0;
    while (at <= value.bytes.size()) {
      const size_t hole = std::min(value.bytes.find(kHole, at), value.bytes.size());
      put(std::string_view(value.bytes).substr(at, hole - at));
      if (hole == value.bytes.size()) break;
      put_hole();
      at = hole + 1;
    }
  }

  void put_hole() {
    const std::string name = fmt::format("${{{}{}}}", kHoleName, holes_made_++);
    // In '...' it would be text; quotes that are closed and opened again do not split it.
    put(quotes_.open == '\'' ? "'\"" + name + "\"'" : name);
  }

  TargetExpander& expander_;
  const VariableMap& scope_;
  char prefix_;
  std::string text_;
  TextMap map_{nullptr};
  Quotes quotes_;
  Span base_;
  bool is_own_ = true;
  unsigned holes_made_ = 0;
};

struct Prefixes {
  bool silent = false, ignores = false, always = false;
  size_t size = 0;
};

Prefixes prefixes_of(std::string_view text) {
  Prefixes result;
  for (; result.size < text.size(); result.size++) {
    const char c = text[result.size];
    result.silent |= c == '@';
    result.ignores |= c == '-';
    result.always |= c == '+';
    if (!is_blank(c) && c != '@' && c != '-' && c != '+') break;
  }
  return result;
}

class RecipeReader {
 public:
  RecipeReader(const Database& database, const ReadOptions& options,
               std::vector<Diagnostic>& findings)
      : database_(database),
        findings_(findings),
        expander_(database, options),
        shell_(recipe_shell(database, options)) {}

  Recipe read(const Rule& rule) {
    Recipe recipe;
    recipe.rule = &rule;
    const bool is_single =
        rule.targets.size() == 1 && !rule.has_unknown_targets && !rule.is_pattern;
    if (is_single) recipe.target = rule.targets[0];
    std::string stem;
    if (is_single && !rule.target_pattern.empty()) {
      stem = Pattern(rule.target_pattern).stem_of(recipe.target).value_or("");
    }
    const VariableMap scope = expander_.scope_of(rule, recipe.target, stem);
    if (shell_.is_one_shell) {
      add_shell(recipe, scope, rule.recipe);
    } else {
      for (const RecipeLine& line : rule.recipe) add_shell(recipe, scope, {&line, 1});
    }
    return recipe;
  }

 private:
  void add_shell(Recipe& recipe, const VariableMap& scope, std::span<const RecipeLine> lines) {
    if (lines.empty()) return;
    ShellLine line;
    line.place = lines.front().place;
    line.is_own = lines.front().is_own;
    if (lines.back().place.file.name() == line.place.file.name()) {
      line.place.span = cover(line.place.span, lines.back().place.span);
    }
    line.arm = lines.front().arm;
    expander_.set_problem_sink([&](std::string_view code, std::string message) {
      const Place& place = line.place;
      findings_.push_back(finding(code, place.file, place.span, std::move(message)));
    });
    Builder builder(expander_, scope, database_.recipe_prefix);
    const bool has_options = !shell_.options.empty();
    if (has_options)
      builder.add_fixed(shell_.options + "\n", {line.place.span.begin, line.place.span.begin});
    const size_t begin = builder.text().size();
    for (const RecipeLine& each : lines) {
      if (&each != lines.data()) builder.add_newline();
      if (each.place.file.name() == line.place.file.name()) builder.add_line(each);
    }
    const Prefixes prefixes = prefixes_of(std::string_view(builder.text()).substr(begin));
    line.is_silent = prefixes.silent;
    line.ignores_errors = prefixes.ignores;
    line.always_runs = prefixes.always;
    // Blanks in place of the prefixes keep every offset.
    std::fill_n(builder.text().begin() + static_cast<ptrdiff_t>(begin), prefixes.size, ' ');
    line.holes = std::move(builder.holes);
    line.references = std::move(builder.references);
    line.text = builder.text();
    if (shell_.dialect) {
      shell::ParseOptions options;
      options.dialect = *shell_.dialect;
      line.program = std::make_unique<shell::ParseResult>(
          shell::parse_mapped(line.place.file, builder.take_map(), line.text, options));
    }
    recipe.lines.push_back(std::move(line));
  }

  const Database& database_;
  std::vector<Diagnostic>& findings_;
  TargetExpander expander_;
  RecipeShell shell_;
};

}  // namespace

bool is_hole_name(std::string_view parameter) {
  if (!parameter.starts_with(kHoleName)) return false;
  parameter.remove_prefix(kHoleName.size());
  return !parameter.empty() && parameter.find_first_not_of("0123456789") == std::string_view::npos;
}

RecipeShell recipe_shell(const Database& database, const ReadOptions& options) {
  RecipeShell result;
  TargetExpander expander(database, options);
  const VariableMap none;
  const Text shell = expander.expand("$(SHELL)", none),
             flags = expander.expand("$(.SHELLFLAGS)", none);
  const auto words = words_of(shell.bytes);
  result.dialect = std::nullopt;
  if (is_known(shell.bytes) && !words.empty())
    result.dialect = shell::dialect_named(base_name(words.back()));
  result.is_one_shell = database.has_special(".ONESHELL");
  std::string set;
  if (is_known(flags.bytes)) {
    for (std::string_view word : words_of(flags.bytes)) {
      std::string kept(word);
      if (kept.size() > 1 && kept[0] == '-' && kept[1] != '-') std::erase(kept, 'c');
      if (kept != "-" && kept != "--") set += " " + kept;
    }
  }
  if (!set.empty()) result.options = "set" + set;
  return result;
}

std::vector<Recipe> read_recipes(const Database& database, const ReadOptions& options,
                                 std::vector<Diagnostic>& findings) {
  std::vector<Recipe> recipes;
  RecipeReader reader(database, options, findings);
  for (const Rule& rule : database.rules) {
    if (rule.has_recipe) recipes.push_back(reader.read(rule));
  }
  return recipes;
}

}  // namespace nacre::make
