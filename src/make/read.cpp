#include "make/read.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

#include "base/codes.h"

namespace nacre::make {

namespace {

uint32_t as_offset(size_t at) { return static_cast<uint32_t>(at); }

// A text that is being read: a file, or what $(eval) was given.
struct Source {
  SourceFile file;
  std::string_view text;
  std::optional<Span> fixed;  // where all of it stands, if it is no file of its own

  [[nodiscard]] Place place(Span span) const { return {file, fixed.value_or(span)}; }
  [[nodiscard]] std::string_view of(Span span) const {
    return text.substr(span.begin, span.size());
  }
};

// One `if` that is not closed yet.
struct Conditional {
  enum State : uint8_t { kTaken, kNotYet, kDone, kSkipped };
  State state = kTaken;      // kSkipped: within an arm that is not read
  bool is_choice = false;    // its condition is unknown: each arm is read
  bool is_complete = false;  // a later arm is certain
  bool has_else = false;
  uint32_t choice = 0;
  ArmId outer = kAlways;
  std::vector<size_t> open_before, open_after;  // rules that recipe lines belong to
  Place place;
};

struct OpenRules {
  std::vector<size_t> rules;
  bool maybe = false;  // a line that may have been a rule
};

class MakefileReader {
 public:
  MakefileReader(const SourceFile& file, const ReadOptions& options)
      : options_(options), expander_(variables_, hooks(), options.limits) {
    database_.file = file;
    add_first_variables();
  }

  Database read() {
    read_source({database_.file, database_.file.bytes(), std::nullopt});
    finish();
    return std::move(database_);
  }

 private:
  // --- outside
  ExpandHooks hooks() {
    return {
        .undefined =
            [this](std::string_view) {
              return Text{"", !options_.environment};
            },
        .eval = [this](const Text& text) { eval(text); },
        .problem = [this](std::string_view code,
                          std::string message) { report(code, place_, std::move(message)); },
        .stop = [this](std::string_view) { stop(); },
        .shell = options_.shell,
        .wildcard = options_.wildcard,
    };
  }

  void add_first_variables() {
    for (const auto& [name, variable] : builtin_variables()) {
      Variable first = variable;
      first.is_assumed = !options_.environment && name != "SHELL" && name != ".SHELLFLAGS";
      variables_.set(name, std::move(first));
    }
    if (options_.environment) {
      for (const auto& [name, value] : *options_.environment) {
        if (name == "SHELL") continue;
        variables_.set(name, {.value = value, .origin = Origin::kEnvironment});
      }
    }
    for (const auto& [name, value] : options_.command_line) {
      variables_.set(name, {.value = value, .origin = Origin::kCommandLine});
    }
  }

  // Only what is surely reached is an error of make; arms may never be.
  void report(std::string_view code, const Place& place, std::string message) {
    const bool is_sure = arm_ == kAlways && !quiet_;
    if (quiet_) return;
    if (is_sure) database_.is_accepted = false;
    database_.findings.push_back(finding(code, place.file, place.span, std::move(message),
                                         is_sure ? Confidence::kCertain : Confidence::kLikely));
  }
  void stop() {
    if (arm_ == kAlways) database_.is_accepted = false;
  }

  // --- reading
  void read_source(const Source& source) {
    if (nested_ >= options_.max_nested) {
      database_.is_exhausted = true;
      return;
    }
    nested_++;
    const std::vector<Conditional> outer = std::move(conditionals_);
    conditionals_.clear();
    add_to_makefile_list(source);
    Reader reader(source.text);
    while (auto statement = reader.next(state())) {
      if (++statements_ > options_.max_statements) {
        database_.is_exhausted = true;
        break;
      }
      place_ = source.place(statement->span);
      read_statement(source, *statement);
    }
    for (const Conditional& open : conditionals_) {
      report("M003", open.place,
             "this conditional has no `endif`: make stops at the end of the file");
    }
    while (!conditionals_.empty()) close_conditional();
    conditionals_ = outer;
    open_ = {};
    nested_--;
  }

  void add_to_makefile_list(const Source& source) {
    if (source.fixed) return;
    const Variable* list = variables_.find("MAKEFILE_LIST");
    variables_.set("MAKEFILE_LIST",
                   {.value = (list != nullptr ? list->value : "") + " " + source.file.name(),
                    .is_recursive = false,
                    .is_assumed = true});
  }

  [[nodiscard]] ReaderState state() const {
    return {.rule_is_open = open_.maybe || !open_.rules.empty() || no_targets_,
            .recipe_prefix = database_.recipe_prefix};
  }

  [[nodiscard]] bool is_ignoring() const {
    return std::any_of(conditionals_.begin(), conditionals_.end(),
                       [](const Conditional& each) { return each.state != Conditional::kTaken; });
  }

  void read_statement(const Source& source, const Statement& statement) {
    switch (statement.kind) {
      case Kind::kIf: return read_if(source, statement);
      case Kind::kElse: return read_else(source, statement);
      case Kind::kEndif: return read_endif(source, statement);
      default: break;
    }
    if (is_ignoring()) return;
    switch (statement.kind) {
      case Kind::kRecipe: return add_recipe(source, statement.body);
      case Kind::kAssign:
        if (statement.targets.empty()) return read_assignment(source, statement);
        return read_rule(source, statement);
      case Kind::kDefine: return read_define(source, statement);
      case Kind::kUndefine:
        close_rules();
        return variables_.remove(strip(expander_.expand(source.of(statement.name)).bytes));
      case Kind::kExport: return read_export(source, statement);
      case Kind::kInclude: return read_include(source, statement);
      case Kind::kVpath:
      case Kind::kLoad:
        close_rules();
        (void)expander_.expand(collapse_lines(source.of(statement.value)));
        return;
      case Kind::kRule:
      case Kind::kExpanded: return read_rule(source, statement);
      default: return;
    }
  }

  void close_rules() {
    open_ = {};
    no_targets_ = false;
  }

  void eval(const Text& text) {
    if (!is_known(text.bytes)) database_.has_unknown_parts = true;
    evaluated_.push_back(std::make_unique<std::string>(text.bytes));
    const Place place = place_;
    const OpenRules open = open_;
    const bool no_targets = no_targets_;
    close_rules();
    read_source({place.file, *evaluated_.back(), place.span});
    open_ = open;
    no_targets_ = no_targets;
    place_ = place;
  }

  // --- variables
  void read_assignment(const Source& source, const Statement& statement) {
    close_rules();
    const Text name = expander_.expand(collapse_lines(source.of(statement.name)));
    const std::string value = unquote(collapse_lines(source.of(statement.value)), "#", true);
    assign(source, statement, name, value);
  }

  void read_define(const Source& source, const Statement& statement) {
    close_rules();
    if (!statement.is_closed) {
      report("M004", source.place({statement.span.begin, statement.body.begin}),
             "this `define` has no `endef`: make stops at the end of the file");
      // The lines after it were most probably not meant to be part of it.
      return read_source({source.file, source.text.substr(statement.body.begin),
                          source.place(statement.body).span});
    }
    std::string body = collapse_lines(source.of(statement.body));
    if (body.ends_with('\n')) body.pop_back();
    const Text name = expander_.expand(collapse_lines(strip(source.of(statement.name))));
    assign(source, statement, name, body);
  }

  void assign(const Source& source, const Statement& statement, const Text& name,
              const std::string& value) {
    const Place place = source.place(statement.span);
    const std::string_view known(strip(name.bytes));
    if (known.empty() && !name.is_assumed) {
      return report("M004", place, "this assignment has an empty name: make stops here");
    }
    if (!is_known(known)) {
      database_.has_unknown_parts = true;
      return;
    }
    database_.assignments.push_back({std::string(known), place, statement, !source.fixed, arm_});
    const Variable* old = variables_.find(known);
    const bool loses = old != nullptr && !statement.modifiers.overrides &&
                       (old->origin == Origin::kCommandLine || old->origin == Origin::kOverride);
    std::optional<Variable> made = define(statement, old, value);
    if (!made || loses) return;
    made->place = place;
    made->origin = statement.modifiers.overrides ? Origin::kOverride : Origin::kFile;
    if (statement.modifiers.exports) made->is_exported = true;
    made->is_private = statement.modifiers.is_private;
    if (known == ".RECIPEPREFIX") {
      database_.recipe_prefix = made->value.empty() ? '\t' : made->value.front();
    }
    variables_.set(known, *std::move(made));
  }

  // The variable after `op value`; nothing if it stays as it is.
  std::optional<Variable> define(const Statement& statement, const Variable* old,
                                 const std::string& value) {
    Variable result{.value = value};
    const auto simple = [&](Text text) {
      result.value = std::move(text.bytes);
      result.is_assumed = text.is_assumed;
      result.is_recursive = false;
    };
    switch (statement.op) {
      case AssignOp::kSimple:
      case AssignOp::kPosixSimple:
      case AssignOp::kImmediate: simple(expander_.expand(value)); break;
      case AssignOp::kShell:
        result.value = expander_.expand("$(shell " + value + ")").bytes;
        break;
      case AssignOp::kConditional:
        // The environment is stronger than `?=`.
        if (old != nullptr && !(old->is_assumed && old->origin == Origin::kFile))
          return std::nullopt;
        result.is_assumed = !options_.environment;
        break;
      case AssignOp::kAppend: return append(old, value);
      case AssignOp::kRecursive: break;
    }
    return result;
  }

  std::optional<Variable> append(const Variable* old, const std::string& value) {
    if (old == nullptr) {
      return Variable{.value = value, .is_assumed = !options_.environment};
    }
    Variable result = *old;
    Text added{value, false};
    if (!old->is_recursive) added = expander_.expand(value);
    if (added.bytes.empty()) return result;
    if (!result.value.empty()) result.value += ' ';
    result.value += added.bytes;
    result.is_assumed |= added.is_assumed;
    return result;
  }

  void read_export(const Source& source, const Statement& statement) {
    close_rules();
    const Text names = expander_.expand(collapse_lines(source.of(statement.value)));
    const bool exports = source.of(statement.keyword) == "export";
    for (std::string_view name : words_of(names.bytes)) {
      if (!is_known(name)) continue;
      const Variable* old = variables_.find(name);
      Variable changed =
          old != nullptr
              ? *old
              : Variable{.value = "", .is_recursive = false, .is_assumed = !options_.environment};
      changed.is_exported = exports;
      variables_.set(name, std::move(changed));
    }
  }

  // --- includes
  void read_include(const Source& source, const Statement& statement) {
    close_rules();
    const Text names = expander_.expand(collapse_lines(source.of(statement.value)));
    const bool must_exist = source.of(statement.keyword) == "include";
    for (const std::string& name : file_names(names.bytes)) {
      include_file(source.place(statement.span), name, must_exist);
    }
    if (!is_known(names.bytes)) database_.has_unknown_parts = true;
    close_rules();
  }

  void include_file(const Place& place, const std::string& name, bool must_exist) {
    if (!is_known(name)) return;
    std::optional<SourceFile> file;
    if (options_.read_include && ++includes_ <= options_.max_includes) {
      file = options_.read_include(name);
    }
    if (!file) {
      database_.has_unknown_parts = true;
      missing_includes_ |= must_exist;
      return;
    }
    const auto is_same = [&](const SourceFile& open) { return open.bytes() == file->bytes(); };
    if (is_same(database_.file) || std::any_of(including_.begin(), including_.end(), is_same)) {
      return report("M009", place,
                    fmt::format("'{}' includes itself: make reads it again and again until it runs "
                                "out of files",
                                name));
    }
    including_.push_back(*file);
    const Place before = place_;
    read_source({*file, file->bytes(), std::nullopt});
    place_ = before;
    including_.pop_back();
  }

  // --- conditionals
  void read_if(const Source& source, const Statement& statement) {
    Conditional level;
    level.place = source.place(statement.span);
    level.outer = arm_;
    if (is_ignoring()) {
      level.state = Conditional::kSkipped;
      conditionals_.push_back(std::move(level));
      return;
    }
    const auto truth = truth_of(source, statement);
    if (!truth) {
      level.is_choice = true;
      level.choice = ++choices_;
      level.open_before = open_.rules;
      variables_.begin_arms();
      enter_arm(level);
    } else {
      level.state = *truth ? Conditional::kTaken : Conditional::kNotYet;
    }
    conditionals_.push_back(std::move(level));
  }

  void enter_arm(const Conditional& level) {
    database_.arms.push_back({level.outer, level.choice});
    arm_ = ArmId{as_offset(database_.arms.size() - 1)};
  }

  void leave_arm(Conditional& level) {
    variables_.end_arm();
    for (size_t rule : open_.rules) {
      if (std::find(level.open_after.begin(), level.open_after.end(), rule) ==
          level.open_after.end()) {
        level.open_after.push_back(rule);
      }
    }
    open_.rules = level.open_before;
    arm_ = level.outer;
  }

  void read_else(const Source& source, const Statement& statement) {
    const Place place = source.place(statement.span);
    if (conditionals_.empty())
      return report("M003", place, "`else` without a conditional: make stops here");
    if (conditionals_.back().has_else) {
      return report("M003", place, "a second `else` in one conditional: make stops here");
    }
    const std::string_view word = source.of(statement.keyword);
    const bool is_plain = word == "else";
    Conditional& level = conditionals_.back();
    level.has_else = is_plain;
    if (level.state == Conditional::kSkipped) return;
    const bool was_taken = level.state == Conditional::kTaken;
    if (was_taken && level.is_choice) leave_arm(level);
    if ((was_taken && !level.is_choice) || level.is_complete) {
      level.state = Conditional::kDone;
      return;
    }
    if (level.state == Conditional::kDone) return;
    // What stands in the condition is looked at outside of the arm before it.
    level.state = Conditional::kTaken;
    const auto truth = is_plain ? std::optional(true) : truth_of(source, statement);
    if (truth && !*truth) {
      level.state = Conditional::kNotYet;
    } else if (!truth && !level.is_choice) {
      level.is_choice = true;
      level.choice = ++choices_;
      level.open_before = open_.rules;
      variables_.begin_arms();
      enter_arm(level);
    } else if (level.is_choice) {
      level.is_complete = truth.has_value();
      enter_arm(level);
    }
  }

  void read_endif(const Source& source, const Statement& statement) {
    if (conditionals_.empty()) {
      return report("M003", source.place(statement.span),
                    "`endif` without a conditional: make stops here");
    }
    close_conditional();
  }

  void close_conditional() {
    Conditional& level = conditionals_.back();
    if (level.is_choice) {
      if (level.state == Conditional::kTaken) leave_arm(level);
      variables_.join_arms(level.is_complete);
      if (!level.is_complete || level.open_after.empty()) {
        level.open_after.insert(level.open_after.end(), level.open_before.begin(),
                                level.open_before.end());
      }
      std::sort(level.open_after.begin(), level.open_after.end());
      level.open_after.erase(std::unique(level.open_after.begin(), level.open_after.end()),
                             level.open_after.end());
      open_.rules = level.open_after;
    }
    conditionals_.pop_back();
  }

  // Nothing: it depends on what is not known.
  std::optional<bool> truth_of(const Source& source, const Statement& statement) {
    const std::string_view word = source.of(statement.keyword);
    const std::string text = unquote(collapse_lines(source.of(statement.value)), "#", true);
    if (word == "ifdef" || word == "ifndef") {
      const Text name = expander_.expand(text);
      const auto names = words_of(name.bytes);
      if (!is_known(name.bytes) || name.is_assumed) return std::nullopt;
      if (names.size() > 1) return bad_condition(source, statement);
      const Variable* variable = names.empty() ? nullptr : variables_.find(names[0]);
      if (variable == nullptr && !names.empty() && !options_.environment) return std::nullopt;
      if (variable != nullptr && (variable->is_assumed || !is_known(variable->value))) {
        return std::nullopt;
      }
      const bool is_defined = variable != nullptr && !variable->value.empty();
      return is_defined == (word == "ifdef");
    }
    const auto sides = split_condition(text);
    if (!sides) return bad_condition(source, statement);
    const Text left = expander_.expand(sides->first), right = expander_.expand(sides->second);
    if (left.is_assumed || right.is_assumed) return std::nullopt;
    if (!is_known(left.bytes) || !is_known(right.bytes)) return std::nullopt;
    return (left.bytes == right.bytes) == (word == "ifeq");
  }

  std::optional<bool> bad_condition(const Source& source, const Statement& statement) {
    report(
        "M003", source.place(statement.span),
        fmt::format("`{}` cannot be read: it wants (a,b), \"a\" \"b\" or one name; make stops here",
                    source.of(statement.keyword)));
    return std::nullopt;
  }

  static std::optional<std::pair<std::string, std::string>> split_condition(std::string_view text) {
    if (text.empty()) return std::nullopt;
    if (text[0] == '(') return split_parenthesised(text.substr(1));
    if (text[0] != '"' && text[0] != '\'') return std::nullopt;
    const size_t first = text.find(text[0], 1);
    if (first == std::string_view::npos) return std::nullopt;
    const std::string_view rest = skip_space(text.substr(first + 1));
    if (rest.empty() || (rest[0] != '"' && rest[0] != '\'')) return std::nullopt;
    const size_t second = rest.find(rest[0], 1);
    if (second == std::string_view::npos) return std::nullopt;
    return std::pair(std::string(text.substr(1, first - 1)),
                     std::string(rest.substr(1, second - 1)));
  }

  static std::optional<std::pair<std::string, std::string>> split_parenthesised(
      std::string_view text) {
    int depth = 0;
    size_t comma = 0;
    for (; comma < text.size(); comma++) {
      if (text[comma] == '(') depth++;
      if (text[comma] == ')') depth--;
      if (text[comma] == ',' && depth <= 0) break;
    }
    if (comma >= text.size()) return std::nullopt;
    std::string_view left = text.substr(0, comma);
    while (!left.empty() && is_blank(left.back())) left.remove_suffix(1);
    const std::string_view rest = skip_space(text.substr(comma + 1));
    depth = 0;
    for (size_t at = 0; at < rest.size(); at++) {
      if (rest[at] == '(') depth++;
      if (rest[at] == ')' && depth-- <= 0) {
        return std::pair(std::string(left), std::string(rest.substr(0, at)));
      }
    }
    return std::nullopt;
  }

  // --- rules
  void add_recipe(const Source& source, Span body) {
    RecipeLine line{std::string(source.of(body)), source.place(body), !source.fixed, arm_};
    if (open_.rules.empty() && !open_.maybe && !no_targets_) return;
    for (size_t index : open_.rules) {
      database_.rules[index].recipe.push_back(line);
      database_.rules[index].has_recipe = true;
    }
  }

  // The line cut at an unquoted `;` (its recipe) or `#`.
  struct RuleLine {
    std::string text;
    std::optional<Span> recipe;
  };
  static RuleLine cut_rule(const Source& source, Span span) {
    while (!span.empty() &&
           (source.text[span.end - 1] == '\n' || source.text[span.end - 1] == '\r')) {
      span.end--;
    }
    const std::string_view line = source.of(span);
    const size_t stop = find_unquoted(line, ";#", true);
    RuleLine result{collapse_lines(line.substr(0, stop)), std::nullopt};
    result.text = unquote(result.text, ";#", true);
    if (stop != std::string_view::npos && line[stop] == ';') {
      result.recipe = Span{span.begin + as_offset(stop) + 1, span.end};
    }
    return result;
  }

  // As far as the first colon, words are expanded one by one: what follows it may be a target's
  // variable, which is expanded later.
  struct Expanded {
    Text text;         // expanded up to the word with the colon
    std::string rest;  // not expanded yet
    size_t colon = std::string::npos;
    std::string recipe;  // after a `;` that an expansion brought
    bool has_recipe = false;
  };
  Expanded expand_targets(const std::string& line) {
    Expanded result;
    size_t at = 0;
    const Span whole{0, as_offset(line.size())};
    const auto words = word_spans(line, whole);
    for (const Span& word : words) {
      // A colon or `=` ends a word, so that `a:X=$(y)` is not expanded as a whole.
      std::string_view piece = std::string_view(line).substr(word.begin, word.size());
      const size_t colon = find_unquoted(piece, ":", true);
      const std::string_view first = piece.substr(0, colon);
      if (!result.text.bytes.empty()) result.text.bytes += ' ';
      const size_t before = result.text.bytes.size();
      result.text.append(expander_.expand(first));
      at = word.begin + first.size();
      const size_t brought =
          find_unquoted(std::string_view(result.text.bytes).substr(before), ":;", false);
      if (brought != std::string_view::npos) {
        if (result.text.bytes[before + brought] == ';') {
          // Everything after it is recipe, expanded now and once more when it runs.
          result.text.append(expander_.expand(std::string_view(line).substr(at)));
          result.recipe = result.text.bytes.substr(before + brought + 1);
          result.has_recipe = true;
          result.text.bytes.resize(before + brought);
          at = line.size();
        } else {
          result.colon = before + brought;
        }
        break;
      }
      if (colon != std::string_view::npos) {
        result.colon = result.text.bytes.size();
        break;
      }
    }
    result.rest = at < line.size() ? line.substr(at) : "";
    if (result.colon == std::string::npos && !result.has_recipe) result.rest.clear();
    return result;
  }

  void read_rule(const Source& source, const Statement& statement) {
    const OpenRules before = open_;
    close_rules();
    const Place place = source.place(statement.span);
    const RuleLine line = cut_rule(source, statement.span);
    Expanded left = expand_targets(line.text);
    if (left.colon == std::string::npos && left.has_recipe) {
      left.colon = find_unquoted(left.text.bytes, ":", false);
    }
    if (left.colon == std::string::npos) {
      return no_colon(source, statement, line, left.text, before);
    }
    std::string targets = left.text.bytes.substr(0, left.colon);
    std::string rest = left.text.bytes.substr(left.colon) + left.rest;
    bool is_expanded = left.rest.empty();
    Rule rule;
    rule.is_grouped = targets.ends_with('&');
    if (rule.is_grouped) targets.pop_back();
    rest.erase(0, 1);
    rule.is_double_colon = rest.starts_with(':') && !rest.starts_with(":=");
    if (rule.is_double_colon) rest.erase(0, 1);
    rule.is_assumed = left.text.is_assumed;
    rule.arm = arm_;
    rule.place = place;
    rule.is_own = !source.fixed && statement.kind == Kind::kRule;
    if (rule.is_own) {
      rule.targets_span = statement.targets;
      rule.prerequisites_span = statement.prerequisites;
    }
    set_targets(rule, targets);
    if (rule.targets.empty() && !rule.has_unknown_targets) {
      no_targets_ = true;
      return;
    }
    if (read_target_variable(source, statement, rule, rest, line.recipe)) return;
    finish_rule(source, rule, rest, is_expanded, line.recipe, left);
  }

  void no_colon(const Source& source, const Statement& statement, const RuleLine& line,
                const Text& text, const OpenRules& before) {
    const Place place = source.place(statement.span);
    if (strip(text.bytes).empty()) {
      if (line.recipe && strip(line.text).empty())
        report("M001", place, "a recipe without a rule: nothing stands before the `;`");
      return;
    }
    if (!is_known(text.bytes)) {  // it may be a rule
      open_.maybe = true;
      return;
    }
    if (text.is_assumed) {
      open_.maybe = true;
      return;
    }
    const std::string_view raw = source.of(statement.span);
    if (raw.starts_with(database_.recipe_prefix)) {
      return report("M002", place,
                    "a recipe line before any rule: make stops with \"recipe commences before "
                    "first target\"");
    }
    if (raw.starts_with(' ') && !before.rules.empty()) {
      open_ = before;
      return report("M102", place,
                    "this recipe line begins with blanks: make wants a tab and stops with "
                    "\"missing separator\"");
    }
    report("M001", place,
           "this line is neither a rule nor an assignment: make stops with \"missing separator\"");
  }

  static void set_targets(Rule& rule, const std::string& targets) {
    for (std::string& name : file_names(unquote(targets, ":", false))) {
      if (is_known(name)) {
        rule.targets.push_back(std::move(name));
      } else {
        rule.has_unknown_targets = true;
      }
    }
    rule.is_pattern = !rule.targets.empty() && Pattern(rule.targets[0]).has_percent;
  }

  bool read_target_variable(const Source& source, const Statement& statement, const Rule& rule,
                            const std::string& rest, std::optional<Span> recipe) {
    std::string text = rest;
    if (recipe) text += ";" + collapse_lines(source.of(*recipe));
    std::string_view at = skip_space(text);
    Modifiers modifiers;
    std::optional<Assignment> found;
    while (!(found = find_assignment(at))) {
      const std::string_view word = at.substr(0, at.find_first_of(" \t"));
      if (word == "export") {
        modifiers.exports = true;
      } else if (word == "override") {
        modifiers.overrides = true;
      } else if (word == "private") {
        modifiers.is_private = true;
      } else {
        return false;
      }
      at = skip_space(at.substr(word.size()));
      if (at.empty()) return false;
    }
    const Text name = expander_.expand(at.substr(found->name.begin, found->name.size()));
    add_target_variable(source.place(statement.span), rule, name.bytes, *found, modifiers,
                        std::string(at.substr(found->value)));
    database_.assignments.push_back(
        {name.bytes, source.place(statement.span), statement, !source.fixed, arm_});
    return true;
  }

  void add_target_variable(const Place& place, const Rule& rule, const std::string& name,
                           const Assignment& found, const Modifiers& modifiers,
                           const std::string& value) {
    Statement as;
    as.op = found.op;
    std::optional<Variable> made;
    if (found.op == AssignOp::kAppend || found.op == AssignOp::kConditional) {
      made = Variable{.value = value, .appends = found.op == AssignOp::kAppend};
      const Variable* global = variables_.find(name);
      if (found.op == AssignOp::kAppend && global != nullptr && !global->is_recursive) {
        Text text = expander_.expand(value);
        made->value = text.bytes;
        made->is_recursive = false;
        made->is_assumed = text.is_assumed;
      }
    } else {
      made = define(as, nullptr, value);
    }
    if (!made) return;
    made->place = place;
    made->is_private = modifiers.is_private;
    if (modifiers.exports) made->is_exported = true;
    made->origin = modifiers.overrides ? Origin::kOverride : Origin::kFile;
    made->is_assumed |= arm_ != kAlways;
    for (const std::string& target : rule.targets) {
      database_.target_variables.push_back({target, name, *made, found.op});
    }
  }

  void finish_rule(const Source& source, Rule& rule, const std::string& rest, bool is_expanded,
                   std::optional<Span> recipe, const Expanded& left) {
    Text list = is_expanded ? Text{rest, false} : expander_.expand(rest);
    std::string inner_recipe = left.recipe;
    bool has_inner = left.has_recipe;
    if (!recipe && !has_inner) {
      const size_t semicolon = find_unquoted(list.bytes, ";", false);
      if (semicolon != std::string::npos) {
        inner_recipe = list.bytes.substr(semicolon + 1);
        has_inner = true;
        list.bytes.resize(semicolon);
      }
    }
    rule.is_assumed |= list.is_assumed;
    if (!set_prerequisites(rule, list.bytes)) return;
    const Place place = rule.place;
    const bool is_silent = rule.targets.empty();
    database_.rules.push_back(std::move(rule));
    open_.rules = {database_.rules.size() - 1};
    open_.maybe = is_silent;
    if (recipe) {
      add_recipe(source, *recipe);
    } else if (has_inner) {
      Rule& added = database_.rules.back();
      added.recipe.push_back({inner_recipe, place, false, arm_});
      added.has_recipe = true;
    }
    note_special(database_.rules.back());
  }

  bool set_prerequisites(Rule& rule, std::string_view list) {
    const size_t colon = find_unquoted(list, ":", true);
    if (colon != std::string_view::npos) {
      const auto patterns = file_names(unquote(list.substr(0, colon), ":", false));
      if (patterns.size() == 1) rule.target_pattern = patterns[0];
      const bool is_hole = std::any_of(patterns.begin(), patterns.end(),
                                       [](const std::string& each) { return !is_known(each); });
      if (!is_hole && (patterns.size() != 1 || !Pattern(patterns[0]).has_percent)) {
        if (!rule.is_assumed) {
          report("M006", rule.place,
                 patterns.empty()
                     ? "no target pattern stands between the two colons: make stops here"
                 : patterns.size() > 1
                     ? "two target patterns between the colons: make stops here"
                     : "the target pattern between the colons has no `%`: make stops here");
        }
        return false;
      }
      if (rule.is_pattern && !rule.is_assumed) {
        report("M006", rule.place,
               "a pattern rule cannot be a static pattern rule, too: make stops here");
        return false;
      }
      list.remove_prefix(colon + 1);
    }
    if (has_second_expansion_ && list.find('$') != std::string_view::npos) {
      rule.second_expansion = list;
      rule.has_unknown_prerequisites = true;
      return true;
    }
    const size_t bar = list.find('|');
    add_names(rule, list.substr(0, bar), rule.prerequisites);
    if (bar != std::string_view::npos) add_names(rule, list.substr(bar + 1), rule.order_only);
    return true;
  }

  static void add_names(Rule& rule, std::string_view list, std::vector<std::string>& names) {
    for (std::string& name : file_names(unquote(list, ":", false))) {
      if (is_known(name)) {
        names.push_back(std::move(name));
      } else {
        rule.has_unknown_prerequisites = true;
      }
    }
  }

  void note_special(const Rule& rule) {
    for (const std::string& name : rule.targets) {
      if (name == ".SECONDEXPANSION") has_second_expansion_ = true;
      if (name == ".POSIX") {
        variables_.set(".SHELLFLAGS",
                       {.value = "-ec", .is_recursive = false, .origin = Origin::kDefault});
      }
      if (!database_.default_goal.empty() || rule.is_pattern || rule.is_assumed) continue;
      const bool is_hidden = name.starts_with('.') && name.find('/') == std::string::npos;
      if (!is_hidden) database_.default_goal = name;
    }
  }

  // --- the end
  void finish() {
    for (size_t i = 0; i < database_.rules.size(); i++) check_rule(i);
    std::set<std::string> suffixes;
    for (std::string_view each : words_of(variables_.find("SUFFIXES") != nullptr
                                              ? std::string_view(variables_.find("SUFFIXES")->value)
                                              : std::string_view())) {
      suffixes.emplace(each);
    }
    for (std::string& name : database_.listed(".SUFFIXES")) suffixes.insert(std::move(name));
    for (Rule& rule : database_.rules) rule.is_suffix = is_suffix_rule(rule, suffixes);
    database_.variables = variables_.all();
    if (const Variable* goal = variables_.find(".DEFAULT_GOAL");
        goal != nullptr && !goal->value.empty()) {
      database_.default_goal = strip(expander_.expand(goal->value).bytes);
    }
    for (const std::string& name : database_.listed(".PHONY"))
      database_.targets[name].is_phony = true;
    if (expander_.is_exhausted()) database_.is_exhausted = true;
    database_.is_exhausted |= includes_ > options_.max_includes;
  }

  // `.a` or `.a.b` of suffixes that are known.
  [[nodiscard]] static bool is_suffix_rule(const Rule& rule,
                                           const std::set<std::string>& suffixes) {
    if (rule.targets.size() != 1 || !rule.prerequisites.empty()) return false;
    const std::string& name = rule.targets[0];
    if (suffixes.contains(name)) return true;
    const size_t second = name.find('.', 1);
    return name.starts_with('.') && second != std::string::npos &&
           suffixes.contains(name.substr(0, second)) && suffixes.contains(name.substr(second));
  }

  void check_rule(size_t index) {
    Rule& rule = database_.rules[index];
    arm_ = rule.arm;
    if (rule.is_grouped && !rule.has_recipe) {
      report("M006", rule.place, "grouped targets (`&:`) need a recipe: make stops here");
    }
    for (const std::string& name : rule.targets) {
      if (Pattern(name).has_percent != rule.is_pattern && rule.is_pattern && !rule.is_assumed) {
        report("M006", rule.place, "pattern and plain targets in one rule: make stops here");
        break;
      }
      if (rule.is_pattern) break;
      Target& target = database_.targets[name];
      for (size_t other : target.rules) {
        const Rule& first = database_.rules[other];
        if (first.is_double_colon != rule.is_double_colon &&
            !database_.excludes(first.arm, rule.arm)) {
          report("M006", rule.place,
                 fmt::format("'{}' has rules with `:` and with `::`: make stops here", name));
          break;
        }
      }
      target.rules.push_back(index);
    }
  }

  const ReadOptions& options_;
  Variables variables_;
  Expander expander_;
  Database database_;
  std::vector<Conditional> conditionals_;
  OpenRules open_;
  bool no_targets_ = false;
  bool has_second_expansion_ = false;
  bool missing_includes_ = false;
  bool quiet_ = false;
  ArmId arm_ = kAlways;
  Place place_;
  uint32_t choices_ = 0;
  uint32_t nested_ = 0;
  uint32_t includes_ = 0;
  uint64_t statements_ = 0;
  std::vector<SourceFile> including_;
  std::vector<std::unique_ptr<std::string>> evaluated_;  // texts of $(eval), which places refer to
};

}  // namespace

Database read_makefile(const SourceFile& file, const ReadOptions& options) {
  return MakefileReader(file, options).read();
}

std::vector<std::string> file_names(std::string_view list) {
  std::vector<std::string> names;
  size_t at = 0;
  while (true) {
    while (at < list.size() && is_space(list[at])) at++;
    if (at == list.size()) return names;
    std::string name;
    for (; at < list.size() && !is_space(list[at]); at++) {
      if (list[at] == '\\' && at + 1 < list.size() && is_blank(list[at + 1])) at++;
      name += list[at];
    }
    while (name.size() > 2 && name.starts_with("./")) {
      name.erase(0, 2);
      while (name.size() > 1 && name[0] == '/') name.erase(0, 1);
    }
    names.push_back(std::move(name));
  }
}

bool Database::excludes(ArmId a, ArmId b) const {
  // Climb to the arms of one choice, if there are two.
  for (ArmId up = a; up != kAlways; up = arms[static_cast<size_t>(up)].parent) {
    for (ArmId other = b; other != kAlways; other = arms[static_cast<size_t>(other)].parent) {
      if (up != other &&
          arms[static_cast<size_t>(up)].choice == arms[static_cast<size_t>(other)].choice) {
        return true;
      }
    }
  }
  return false;
}

std::vector<std::string> Database::listed(std::string_view special) const {
  std::vector<std::string> names;
  const auto found = targets.find(special);
  if (found == targets.end()) return names;
  for (size_t index : found->second.rules) {
    const auto& list = rules[index].prerequisites;
    names.insert(names.end(), list.begin(), list.end());
  }
  return names;
}

}  // namespace nacre::make
