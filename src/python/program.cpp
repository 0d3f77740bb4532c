// Preparation goes in three steps, for the letters must be known before any set of words exists:
// find all regexes and compile them to automata over code points; collect every set of characters
// that the program can tell apart and refine them to letters; translate the automata to letters.
#include "python/program.h"

#include <algorithm>
#include <fmt/core.h>

#include "python/characters.h"
#include "python/walk.h"
#include "regular/lower.h"
#include "regular/parse_python.h"
#include "regular/partition.h"

namespace nacre::python {
namespace {

using regular::CharSet;

constexpr std::string_view kClassMethods[] = {"isalpha",          "isdecimal",      "isdigit",
                                              "isnumeric",        "isalnum",        "isspace",
                                              "identifier_start", "identifier_part"};

uint64_t pattern_key(ExprId expr, Search search) {
  return uint64_t{static_cast<uint32_t>(expr)} * 4 + static_cast<uint64_t>(search);
}

}  // namespace

// ---- letters

CharSet Program::plain_characters() { return CharSet::range(' ', '~') - CharSet::of("'\\"); }

Letters::Letters(const std::vector<CharSet>& sets) {
  std::vector<CharSet> all = sets;
  all.push_back(CharSet::all(regular::Alphabet::kCodePoints));
  classes_ = regular::partition(all).classes;
  // Letters in the order in which examples read best.
  std::stable_sort(classes_.begin(), classes_.end(), [](const CharSet& a, const CharSet& b) {
    constexpr auto kAlphabet = regular::Alphabet::kCodePoints;
    return regular::naturalness(a.most_natural(), kAlphabet) <
           regular::naturalness(b.most_natural(), kAlphabet);
  });
  for (size_t i = 0; i < classes_.size(); ++i) {
    for (regular::SymbolRange range : classes_[i].ranges())
      starts_.emplace_back(range.first, static_cast<Letter>(i));
  }
  std::sort(starts_.begin(), starts_.end());
}

Letter Letters::letter(uint32_t code_point) const {
  auto after = std::upper_bound(
      starts_.begin(), starts_.end(), code_point,
      [](uint32_t c, const std::pair<uint32_t, Letter>& start) { return c < start.first; });
  return std::prev(after)->second;
}

LetterSet Letters::inside(const CharSet& set) const {
  LetterSet result(classes_.size());
  for (size_t i = 0; i < classes_.size(); ++i) result[i] = set.contains(classes_[i]);
  return result;
}

Word Letters::word(std::string_view utf8) const {
  Word result;
  for (regular::Symbol symbol : regular::decode(utf8, regular::Alphabet::kCodePoints))
    result.push_back(letter(symbol));
  return result;
}

std::string Letters::text(const Word& word) const {
  std::string result;
  for (Letter letter : word)
    regular::append_symbol(result, classes_[letter].most_natural(), regular::Alphabet::kCodePoints);
  return result;
}

// ---- definitions

std::unique_ptr<Program> Program::prepare(Tree tree, const Budget& budget) {
  std::unique_ptr<Program> program(new Program(std::move(tree)));
  program->budget_ = budget;
  program->collect_definitions(program->tree_.body());
  program->collect_patterns();
  program->collect_letters();
  program->collect_constants();
  program->prepare_functions();
  return program;
}

const Function* Program::function(const std::string& name) const {
  auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &functions_[found->second];
}

Optional Program::global(const std::string& name) const {
  auto found = globals_.find(name);
  if (found == globals_.end() || reassigned_.count(name) > 0) return std::nullopt;
  return found->second;
}

void Program::collect_definitions(const Block& block) {
  for (StmtId id : block) {
    const Stmt& stmt = tree_[id];
    if (const auto* function = std::get_if<FunctionDef>(&stmt.node)) {
      by_name_[function->name] = functions_.size();
      functions_.emplace_back();
      functions_.back().stmt = id;
      functions_.back().definition = function;
    } else if (const auto* alias = std::get_if<TypeAlias>(&stmt.node)) {
      if (const auto* name = tree_.get<Name>(alias->name)) aliases_[name->id] = alias->value;
    } else if (const auto* annotated = std::get_if<AnnAssign>(&stmt.node)) {
      const auto* name = tree_.get<Name>(annotated->target);
      if (name != nullptr && annotated->value) {
        const auto* kind = tree_.get<Name>(annotated->annotation);
        bool is_alias = kind != nullptr && kind->id == "TypeAlias";
        (is_alias ? aliases_ : globals_)[name->id] = *annotated->value;
      }
    } else if (const auto* assign = std::get_if<Assign>(&stmt.node)) {
      const auto* name =
          assign->targets.size() == 1 ? tree_.get<Name>(assign->targets[0]) : nullptr;
      if (name == nullptr) continue;
      const auto* call = tree_.get<Call>(assign->value);
      const auto* callee = call != nullptr ? tree_.get<Name>(call->function) : nullptr;
      bool is_alias = callee != nullptr && callee->id == "lang";
      if (!is_alias && globals_.count(name->id) > 0) reassigned_.insert(name->id);
      (is_alias ? aliases_ : globals_)[name->id] = assign->value;
    } else if (const auto* cls = std::get_if<ClassDef>(&stmt.node)) {
      classes_.insert(cls->name);
    } else {
      // Names that other statements of the module bind are not constants.
      for_each_block(tree_, id, [&](const Block& inner) {
        for_all_statements(tree_, inner, [&](StmtId nested) {
          if (const auto* assigned = tree_.get<Assign>(nested)) {
            for (ExprId target : assigned->targets) {
              if (const auto* bound = tree_.get<Name>(target)) reassigned_.insert(bound->id);
            }
          }
        });
      });
      if (const auto* augmented = std::get_if<AugAssign>(&stmt.node)) {
        if (const auto* bound = tree_.get<Name>(augmented->target)) reassigned_.insert(bound->id);
      }
    }
  }
  for_all_statements(tree_, block, [&](StmtId id) {
    if (const auto* global = tree_.get<Global>(id))
      reassigned_.insert(global->names.begin(), global->names.end());
  });
}

std::optional<std::string> Program::string_constant(ExprId expr) const {
  if (const auto* text = tree_.get<StringLiteral>(expr)) {
    return text->is_exact ? std::optional(text->value) : std::nullopt;
  }
  if (const auto* name = tree_.get<Name>(expr)) {
    Optional value = global(name->id);
    return value && tree_.get<StringLiteral>(*value) != nullptr ? string_constant(*value)
                                                                : std::nullopt;
  }
  if (const auto* sum = tree_.get<BinaryOperation>(expr);
      sum != nullptr && sum->op == BinaryOp::kAdd) {
    std::optional<std::string> left = string_constant(sum->left);
    std::optional<std::string> right = string_constant(sum->right);
    if (left && right) return *left + *right;
  }
  return std::nullopt;
}

// `{Name}` in the regex of a type stands for the alias of that name.
std::string Program::interpolate(const std::string& pattern, Span span, int depth) {
  std::string out;
  for (size_t i = 0; i < pattern.size();) {
    size_t close = pattern[i] == '{' ? pattern.find('}', i) : std::string::npos;
    std::string name = close != std::string::npos ? pattern.substr(i + 1, close - i - 1) : "";
    auto alias =
        name.empty() || (i > 0 && pattern[i - 1] == '\\') ? aliases_.end() : aliases_.find(name);
    const auto* call = alias != aliases_.end() ? tree_.get<Call>(alias->second) : nullptr;
    std::optional<std::string> inner;
    if (call != nullptr && call->args.size() == 1) inner = string_constant(call->args[0]);
    if (!inner) {
      out += pattern[i++];
      continue;
    }
    if (depth > 20) {
      problems_.push_back({span, fmt::format("the type '{}' is defined by itself", name)});
      return out;
    }
    out += "(?:" + interpolate(*inner, span, depth + 1) + ")";
    if (out.size() > 100'000) return out;
    i = close + 1;
  }
  return out;
}

void Program::compile(ExprId pattern, Search search, bool is_type, ExprId call) {
  std::optional<std::string> text = string_constant(pattern);
  if (!text) {
    if (is_type) problems_.push_back({tree_[call].span, "lang() needs a string constant"});
    return;
  }
  if (is_type) text = interpolate(*text, tree_[pattern].span, 0);
  // match() leaves the rest of the string open, but conditions at the end of the regex see it.
  if (search == Search::kMatch) text = "(?:" + *text + ")(?s:.*)";
  Result<regular::Regex> regex = regular::parse_python(*text, {.dot_all = is_type});
  std::optional<std::string> problem;
  if (!regex) {
    problem = regex.error().message;
  } else {
    regular::Context context(regular::Alphabet::kCodePoints);
    regular::LowerOptions options;
    options.budget = budget_;
    options.match = search == Search::kSearch ? regular::Match::kContains : regular::Match::kWhole;
    Result<regular::Lang> language = regular::lower(context, *regex, options);
    if (!language) {
      problem = language.error().message;
    } else {
      regular::Lang words = *language;
      regular::BoundedDfa dfa = regular::to_dfa(words, budget_);
      if (dfa.is_exact && words.is_exact())
        patterns_[pattern_key(pattern, search)] = {dfa.dfa, {}};
      else
        problem = "the regex is too large or not regular";
    }
  }
  if (problem && is_type) {
    problems_.push_back({tree_[pattern].span, "invalid regex: " + *problem});
  }
}

void Program::collect_patterns() {
  for (uint32_t i = 0; i < tree_.expression_count(); ++i) {
    ExprId id{i};
    const auto* call = tree_.get<Call>(id);
    if (call == nullptr || call->args.empty()) continue;
    if (const auto* name = tree_.get<Name>(call->function)) {
      if (name->id == "lang") compile(call->args[0], Search::kFullMatch, true, id);
      continue;
    }
    const auto* attribute = tree_.get<Attribute>(call->function);
    const auto* module = attribute != nullptr ? tree_.get<Name>(attribute->value) : nullptr;
    if (module == nullptr || module->id != "re" ||
        call->args.size() > (attribute->name == "compile" ? 1 : 2) || !call->keywords.empty())
      continue;
    if (attribute->name == "fullmatch") compile(call->args[0], Search::kFullMatch, false, id);
    if (attribute->name == "match") compile(call->args[0], Search::kMatch, false, id);
    if (attribute->name == "search") compile(call->args[0], Search::kSearch, false, id);
    if (attribute->name == "compile") {
      for (Search search : {Search::kFullMatch, Search::kMatch, Search::kSearch})
        compile(call->args[0], search, false, id);
    }
  }
}

std::optional<Words> Program::pattern(ExprId expr, Search search) const {
  if (auto found = patterns_.find(pattern_key(expr, search)); found != patterns_.end())
    return found->second.words;
  // The name of a compiled pattern.
  const auto* name = tree_.get<Name>(expr);
  Optional value = name != nullptr ? global(name->id) : std::nullopt;
  const auto* call = value ? tree_.get<Call>(*value) : nullptr;
  const auto* attribute = call != nullptr ? tree_.get<Attribute>(call->function) : nullptr;
  if (attribute == nullptr || attribute->name != "compile" || call->args.empty())
    return std::nullopt;
  auto found = patterns_.find(pattern_key(call->args[0], search));
  return found == patterns_.end() ? std::nullopt : std::optional(found->second.words);
}

// ---- letters

void Program::add_literal(std::string_view utf8, std::vector<CharSet>& sets) const {
  for (regular::Symbol symbol : regular::decode(utf8, regular::Alphabet::kCodePoints)) {
    CharSet one = CharSet::of(symbol);
    if (std::find(sets.begin(), sets.end(), one) == sets.end()) sets.push_back(std::move(one));
  }
}

namespace {

// The letters of both cases have to be told apart wherever those of one are.
void add_other_case(std::vector<CharSet>& sets) {
  std::vector<CharSet> flipped = {CharSet::range('A', 'Z'), CharSet::range('a', 'z'),
                                  CharSet::range(0, 127)};
  for (const CharSet& set : sets) {
    CharSet other;
    for (uint32_t c = 'A'; c <= 'Z'; ++c) {
      if (set.contains(c)) other.add(c | 0x20);
      if (set.contains(c | 0x20)) other.add(c);
    }
    flipped.push_back(std::move(other));
  }
  sets.insert(sets.end(), flipped.begin(), flipped.end());
}

}  // namespace

// Methods, functions and features of the file that tell characters apart.
std::set<std::string, std::less<>> Program::used_names() const {
  std::set<std::string, std::less<>> used;
  for (uint32_t i = 0; i < tree_.expression_count(); ++i) {
    ExprId id{i};
    if (const auto* attribute = tree_.get<Attribute>(id)) used.insert(attribute->name);
    if (const auto* name = tree_.get<Name>(id)) used.insert(name->id);
    if (const auto* field = tree_.get<FormattedValue>(id)) {
      used.insert("str");
      if (field->format) used.insert("format");
      if (field->conversion == 'r' || field->conversion == 'a') used.insert("repr");
    }
    const auto* compare = tree_.get<Compare>(id);
    if (compare != nullptr &&
        std::any_of(compare->ops.begin(), compare->ops.end(),
                    [](CompareOp op) { return op >= CompareOp::kLt && op <= CompareOp::kGtE; }))
      used.insert("<");
  }
  return used;
}

std::vector<CharSet> Program::literal_characters() const {
  std::vector<CharSet> literals;
  for (uint32_t i = 0; i < tree_.expression_count(); ++i) {
    const auto* text = tree_.get<StringLiteral>(ExprId{i});
    bool is_pattern = patterns_.count(pattern_key(ExprId{i}, Search::kFullMatch)) +
                          patterns_.count(pattern_key(ExprId{i}, Search::kMatch)) +
                          patterns_.count(pattern_key(ExprId{i}, Search::kSearch)) >
                      0;
    if (text != nullptr && !is_pattern && literals.size() < 300) add_literal(text->value, literals);
  }
  return literals;
}

void Program::collect_letters() {
  std::vector<CharSet> sets;
  for (const auto& [key, compiled] : patterns_)
    sets.insert(sets.end(), compiled.dfa->classes.begin(), compiled.dfa->classes.end());
  // The order of the hash table must not matter.
  std::sort(sets.begin(), sets.end(), [](const CharSet& a, const CharSet& b) {
    return std::pair(a.min(), a.hash()) < std::pair(b.min(), b.hash());
  });
  std::vector<CharSet> literals = literal_characters();
  auto uses = [used = used_names()](std::string_view name) { return used.count(name) > 0; };
  if (uses("<")) {
    for (const CharSet& one : literals) {
      if (one.min() > 0) sets.push_back(CharSet::range(0, one.min() - 1));
    }
  }
  for (std::string_view method : kClassMethods) {
    if (uses(method)) sets.push_back(character_class(method));
  }
  if (uses("isidentifier"))
    sets.push_back(character_class("identifier_start")),
        sets.push_back(character_class("identifier_part"));
  if (uses("int"))
    sets.push_back(character_class("isdecimal")), add_literal("+-_0123456789", literals);
  if (uses("str") || uses("zfill") || uses("chr")) add_literal("-+0123456789", literals);
  if (uses("str")) add_literal("TrueFalseNone", literals);
  if (uses("format")) add_literal(" ", literals);
  if (uses("repr")) add_literal("'", literals), sets.push_back(plain_characters());
  if (uses("int") || uses("strip") || uses("lstrip") || uses("rstrip") || uses("split") ||
      uses("rsplit"))
    sets.push_back(character_class("isspace"));
  sets.insert(sets.end(), literals.begin(), literals.end());
  if (uses("upper") || uses("lower")) add_other_case(sets);
  std::erase_if(sets, [](const CharSet& set) { return set.empty(); });
  letters_ = std::make_unique<Letters>(sets);
  store_ = std::make_unique<WordStore>(letters_->size());
  for (auto& [key, compiled] : patterns_) compiled.words = from_dfa(*compiled.dfa);
}

// What loops keep apart from other values.
void Program::collect_constants() {
  for (uint32_t i = 0; i < tree_.expression_count(); ++i) {
    ExprId id{i};
    if (const auto* number = tree_.get<IntLiteral>(id);
        number != nullptr && number->digits.size() < 10 &&
        number->digits.find('x') == std::string::npos) {
      numbers_.insert(std::strtoll(number->digits.c_str(), nullptr, 10));
    }
    if (const auto* text = tree_.get<StringLiteral>(id);
        text != nullptr && text->is_exact && text->value.size() < 100 && constants_.size() < 300) {
      constants_.insert(store_->word(letters_->word(text->value)));
    }
  }
}

std::vector<bool> Program::single_letters() const {
  std::vector<bool> result;
  for (uint32_t c = 0; c < letters_->size(); ++c)
    result.push_back(letters_->is_single(static_cast<Letter>(c)));
  return result;
}

LetterSet Program::letters_of(std::string_view method) const {
  return letters_->inside(character_class(method));
}

Words Program::from_dfa(const regular::Dfa& dfa) const {
  Automaton raw;
  std::vector<std::vector<Letter>> members(dfa.classes.size());
  for (size_t i = 0; i < dfa.classes.size(); ++i) {
    LetterSet inside = letters_->inside(dfa.classes[i]);
    for (uint32_t c = 0; c < inside.size(); ++c) {
      if (inside[c]) members[i].push_back(static_cast<Letter>(c));
    }
  }
  raw.accepting = dfa.accepting;
  raw.next.assign(size_t{dfa.size()} * letters_->size(), kNoState);
  for (uint32_t s = 0; s < dfa.size(); ++s) {
    for (regular::DfaArc arc : dfa.arcs_of(s)) {
      for (Letter letter : members[arc.symbols])
        raw.next[size_t{s} * letters_->size() + letter] = arc.target;
    }
  }
  return store_->add(std::move(raw));
}

// ---- types

Type Program::type(ExprId annotation) const { return resolve(annotation, 0); }

Type Program::resolve(ExprId annotation, int depth) const {
  using Kind = Type::Kind;
  auto by_name = [&](const std::string& name) -> Type {
    if (auto alias = aliases_.find(name); alias != aliases_.end() && depth < 50)
      return resolve(alias->second, depth + 1);
    if (name == "str") return {Kind::kStr, {}};
    if (name == "int") return {Kind::kInt, {}};
    if (name == "bool") return {Kind::kBool, {}};
    if (name == "None") return {Kind::kNone, {}};
    return {Kind::kOther, {}};
  };
  if (const auto* name = tree_.get<Name>(annotation)) return by_name(name->id);
  if (const auto* text = tree_.get<StringLiteral>(annotation)) return by_name(text->value);
  if (tree_.get<NoneLiteral>(annotation) != nullptr) return {Kind::kNone, {}};
  if (const auto* call = tree_.get<Call>(annotation)) {
    const auto* name = tree_.get<Name>(call->function);
    std::optional<Words> words = name != nullptr && name->id == "lang" && call->args.size() == 1
                                     ? pattern(call->args[0], Search::kFullMatch)
                                     : std::nullopt;
    if (words) return {Kind::kLanguage, *words};
    return {Kind::kOther, {}};
  }
  if (const auto* subscript = tree_.get<Subscript>(annotation)) {
    const auto* name = tree_.get<Name>(subscript->value);
    const auto* attribute = tree_.get<Attribute>(subscript->value);
    bool is_annotated = (name != nullptr && name->id == "Annotated") ||
                        (attribute != nullptr && attribute->name == "Annotated");
    const auto* parts = tree_.get<TupleExpr>(subscript->index);
    if (is_annotated && parts != nullptr) {
      for (ExprId part : parts->items) {
        Type type = resolve(part, depth + 1);
        if (type.kind == Kind::kLanguage) return type;
      }
      return resolve(parts->items[0], depth + 1);
    }
  }
  return {Kind::kOther, {}};
}

void Program::prepare_functions() {
  // Aliases that lead to themselves.
  for (const auto& [name, value] : aliases_) {
    std::set<std::string> seen = {name};
    for (ExprId at = value;;) {
      const auto* next = tree_.get<Name>(at);
      auto alias = next != nullptr ? aliases_.find(next->id) : aliases_.end();
      if (alias == aliases_.end()) break;
      if (!seen.insert(next->id).second) {
        problems_.push_back(
            {tree_[value].span, fmt::format("the type '{}' is defined by itself", name)});
        break;
      }
      at = alias->second;
    }
  }
  for (Function& function : functions_) {
    const Parameters& parameters = function.definition->parameters;
    function.scope = std::make_unique<Scope>(tree_, *function.definition);
    auto note = [&](const Optional& annotation) {
      Type type = annotation ? this->type(*annotation) : Type{};
      function.is_checked = function.is_checked || type.kind == Type::Kind::kLanguage;
      return type;
    };
    for (const auto* list :
         {&parameters.positional_only, &parameters.positional, &parameters.keyword_only}) {
      for (const Parameter& parameter : *list)
        function.parameters.push_back(note(parameter.annotation));
    }
    function.returns = note(function.definition->returns);
    for_all_statements(tree_, function.definition->body, [&](StmtId stmt) {
      if (const auto* local = tree_.get<AnnAssign>(stmt)) note(local->annotation);
      const auto* expression = tree_.get<ExprStmt>(stmt);
      const auto* call = expression != nullptr ? tree_.get<Call>(expression->value) : nullptr;
      const auto* name = call != nullptr ? tree_.get<Name>(call->function) : nullptr;
      if (name != nullptr && (name->id == "show_type" || name->id == "inv"))
        function.is_checked = true;
    });
  }
}

}  // namespace nacre::python
