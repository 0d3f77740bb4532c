// Preparation goes in three steps, for the letters must be known before any set of words exists:
// find all regexes and compile them to automata over code points; collect every set of characters
// that the program can tell apart and refine them to letters; translate the automata to letters.
#include "python/program.h"

#include <algorithm>
#include <fmt/core.h>

#include "python/characters.h"
#include "python/sinks.h"
#include "python/walk.h"

namespace nacre::python {
namespace {

using regular::CharSet;

constexpr std::string_view kClassMethods[] = {"isalpha",          "isdecimal",      "isdigit",
                                              "isnumeric",        "isalnum",        "isspace",
                                              "identifier_start", "identifier_part"};

}  // namespace

CharSet Program::line_ends() {
  CharSet ends = CharSet::of("\n\r\x0b\x0c\x1c\x1d\x1e");
  for (uint32_t c : {0x85u, 0x2028u, 0x2029u}) ends.add(c);
  return ends;
}

CharSet Program::shell_safe() {
  return CharSet::range('a', 'z') | CharSet::range('A', 'Z') | CharSet::range('0', '9') |
         CharSet::of("@%+=:,./-_");
}

size_t Function::named_parameters() const {
  const Parameters& all = definition->parameters;
  return all.positional_only.size() + all.positional.size() + all.keyword_only.size();
}

CharSet Program::plain_characters() { return CharSet::range(' ', '~') - CharSet::of("'\\"); }

std::unique_ptr<Program> Program::prepare(Tree tree, const Budget& budget, bool is_wanted) {
  std::unique_ptr<Program> program(new Program(std::move(tree)));
  program->budget_ = budget;
  program->is_wanted_ = is_wanted;
  program->definitions_ = std::make_unique<Definitions>(program->tree_);
  program->collect_names();
  program->collect_patterns();
  program->collect_letters();
  // Most files ask for nothing: an automaton for each of their strings would be most of the work.
  if (program->has_types_ || program->has_sinks_ || is_wanted) program->collect_constants();
  program->check_aliases();
  program->prepare_functions();
  return program;
}

const Function* Program::function(const std::string& name) const {
  std::optional<uint32_t> found = definitions_->function(name);
  return found ? &functions_[*found] : nullptr;
}

const Function* Program::method(uint32_t cls, const std::string& name, size_t skip) const {
  std::optional<uint32_t> found = definitions_->method(cls, name, skip);
  return found ? &functions_[*found] : nullptr;
}

Optional Program::global(const std::string& name) const {
  auto found = globals_.find(name);
  if (found == globals_.end() || definitions_->bindings(name) != 1 ||
      definitions_->is_changed_global(name))
    return std::nullopt;
  return found->second;
}

std::optional<Type> Program::global_type(const std::string& name) const {
  auto found = global_annotations_.find(name);
  if (found == global_annotations_.end()) return std::nullopt;
  Type declared = type(found->second);
  return declared.is_any() ? std::nullopt : std::optional(std::move(declared));
}

// Does an assignment of this value define a type?
bool Program::is_type_expression(ExprId expr) const {
  constexpr std::string_view kGenerics[] = {"Annotated", "Optional", "Union", "Literal",  "Final",
                                            "list",      "dict",     "tuple", "set",      "List",
                                            "Dict",      "Tuple",    "Set",   "frozenset"};
  if (const auto* call = tree_.get<Call>(expr)) {
    const auto* callee = tree_.get<Name>(call->function);
    return callee != nullptr && (callee->id == "lang" || callee->id == "NewType");
  }
  if (const auto* subscript = tree_.get<Subscript>(expr)) {
    const auto* name = tree_.get<Name>(subscript->value);
    const auto* attribute = tree_.get<Attribute>(subscript->value);
    const std::string& id = name != nullptr        ? name->id
                            : attribute != nullptr ? attribute->name
                                                   : std::string();
    return std::find(std::begin(kGenerics), std::end(kGenerics), id) != std::end(kGenerics);
  }
  if (const auto* either = tree_.get<BinaryOperation>(expr); either != nullptr) {
    auto is_type = [&](ExprId side) {
      const auto* name = tree_.get<Name>(side);
      return tree_.get<NoneLiteral>(side) != nullptr || is_type_expression(side) ||
             (name != nullptr && (aliases_.count(name->id) > 0 || name->id == "str" ||
                                  name->id == "int" || definitions_->cls(name->id)));
    };
    return either->op == BinaryOp::kBitOr && is_type(either->left) && is_type(either->right);
  }
  const auto* name = tree_.get<Name>(expr);
  return name != nullptr && aliases_.count(name->id) > 0;
}

void Program::collect_names() {
  for (StmtId id : tree_.body()) {
    if (const auto* alias = tree_.get<TypeAlias>(id)) {
      if (const auto* name = tree_.get<Name>(alias->name)) aliases_[name->id] = alias->value;
    } else if (const auto* annotated = tree_.get<AnnAssign>(id)) {
      const auto* name = tree_.get<Name>(annotated->target);
      if (name == nullptr) continue;
      const auto* kind = tree_.get<Name>(annotated->annotation);
      if (kind != nullptr && kind->id == "TypeAlias" && annotated->value) {
        aliases_[name->id] = *annotated->value;
        continue;
      }
      global_annotations_[name->id] = annotated->annotation;
      if (annotated->value) globals_[name->id] = *annotated->value;
    } else if (const auto* assign = tree_.get<Assign>(id)) {
      const auto* name =
          assign->targets.size() == 1 ? tree_.get<Name>(assign->targets[0]) : nullptr;
      if (name == nullptr) continue;
      const bool is_alias =
          definitions_->bindings(name->id) == 1 && is_type_expression(assign->value);
      (is_alias ? aliases_ : globals_)[name->id] = assign->value;
    }
  }
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
    if (tree_.get<FloatLiteral>(id) != nullptr) used.insert("float");
    if (const auto* operation = tree_.get<BinaryOperation>(id)) {
      if (operation->op == BinaryOp::kDiv) used.insert("float");
      if (operation->op == BinaryOp::kMod && tree_.get<StringLiteral>(operation->left) != nullptr)
        used.insert("format"), used.insert("str");
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
  // Documentation is not text that the program works on.
  std::set<ExprId> documentation;
  for (uint32_t i = 0; i < tree_.statement_count(); ++i) {
    const auto* statement = tree_.get<ExprStmt>(StmtId{i});
    if (statement != nullptr && tree_.get<StringLiteral>(statement->value) != nullptr)
      documentation.insert(statement->value);
  }
  for (uint32_t i = 0; i < tree_.expression_count(); ++i) {
    const auto* text = tree_.get<StringLiteral>(ExprId{i});
    const bool is_regex = types_.count(i) + patterns_.count(i) > 0;
    if (text != nullptr && !is_regex && documentation.count(ExprId{i}) == 0 &&
        literals.size() < 300)
      add_literal(text->value, literals);
  }
  return literals;
}

void Program::collect_letters() {
  std::vector<CharSet> sets;
  for (const auto& [key, compiled] : types_)
    sets.insert(sets.end(), compiled.dfa->classes.begin(), compiled.dfa->classes.end());
  for (const auto& [key, pattern] : patterns_) {
    add_regex_characters(pattern.regex, sets);
    for (const auto& dfa : pattern.dfas) {
      if (dfa != nullptr) sets.insert(sets.end(), dfa->classes.begin(), dfa->classes.end());
    }
  }
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
  if (uses("str") || uses("zfill") || uses("chr") || uses("hex") || uses("isoformat") ||
      uses("strftime"))
    add_literal("-+0123456789", literals);
  if (uses("hex") || uses("format")) add_literal("abcdefxABCDEF-+0123456789", literals);
  if (uses("float")) add_literal("+-.0123456789einfa", literals);
  if (uses("strftime") || uses("isoformat")) add_literal("-:.T+ ", literals);
  if (uses("splitlines")) sets.push_back(CharSet::of("\n")), sets.push_back(line_ends());
  if (uses("islower") || uses("isupper") || uses("isascii") || uses("encode"))
    sets.push_back(CharSet::range(0, 127)), sets.push_back(CharSet::range('a', 'z')),
        sets.push_back(CharSet::range('A', 'Z'));
  if (uses("int"))
    sets.push_back(CharSet::range(0x1c, 0x1f)), sets.push_back(CharSet::range(0, 127));
  if (uses("quote")) add_literal("'\"/", literals), sets.push_back(shell_safe());
  if (uses("open") || uses("join")) add_literal("/", literals);
  if (uses("splitext") || uses("basename")) add_literal("/.", literals);
  if (uses("urlencode") || uses("quote_plus") || uses("quote"))
    add_literal("%+~_.-", literals), sets.push_back(CharSet::range('a', 'z')),
        sets.push_back(CharSet::range('A', 'Z')), sets.push_back(CharSet::range('0', '9'));
  if (uses("Path") || uses("PurePath") || uses("PurePosixPath") || uses("PosixPath"))
    add_literal("/.", literals);
  if (uses("datetime") || uses("date") || uses("strptime"))
    add_literal("-+0123456789:.T ", literals), sets.push_back(character_class("isspace")),
        sets.push_back(character_class("isdecimal"));
  if (uses("uuid4") || uses("uuid1") || uses("UUID"))
    add_literal("-0123456789abcdefABCDEF", literals);
  if (uses("expandtabs")) add_literal("\t \n\r", literals);
  if (has_sinks_) {
    for (CharSet& set : sink_characters()) sets.push_back(std::move(set));
  }
  if (uses("str")) add_literal("TrueFalseNone", literals);
  if (uses("format")) add_literal(" ", literals);
  if (uses("repr")) add_literal("'", literals), sets.push_back(plain_characters());
  if (uses("int") || uses("strip") || uses("lstrip") || uses("rstrip") || uses("split") ||
      uses("rsplit"))
    sets.push_back(character_class("isspace"));
  sets.insert(sets.end(), literals.begin(), literals.end());
  if (uses("upper") || uses("lower") || uses("capitalize") || uses("title") || uses("casefold") ||
      uses("swapcase"))
    add_other_case(sets);
  std::erase_if(sets, [](const CharSet& set) { return set.empty(); });
  letters_ = std::make_unique<Letters>(sets);
  store_ = std::make_unique<WordStore>(letters_->size());
  for (auto& [key, compiled] : types_) compiled.words = from_dfa(*compiled.dfa);
  for (auto& [key, pattern] : patterns_) {
    for (size_t i = 0; i < 3; ++i) {
      if (pattern.dfas[i] != nullptr) pattern.words[i] = from_dfa(*pattern.dfas[i]);
    }
  }
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

// ---- functions

// A cycle of aliases has no type.
void Program::check_aliases() {
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
}

void Program::prepare_functions() {
  for (const FunctionFacts& facts : definitions_->functions()) {
    Function& function = functions_.emplace_back();
    function.facts = &facts;
    function.definition = facts.definition;
    function.index = static_cast<uint32_t>(functions_.size() - 1);
  }
  if (!has_types_ && !has_sinks_ && !is_wanted_) return;
  for (Function& function : functions_) prepare_function(function);
}

// Does the constructor take strings of language types?
bool Program::is_made_of_types(uint32_t cls) const {
  const std::optional<uint32_t> constructor = definitions_->method(cls, "__init__");
  if (!constructor) return false;
  const Parameters& parameters = definitions_->functions()[*constructor].definition->parameters;
  for (const auto* list : {&parameters.positional, &parameters.keyword_only}) {
    for (const Parameter& one : *list) {
      if (one.annotation && has_language(type(*one.annotation))) return true;
    }
  }
  return false;
}

void Program::prepare_function(Function& function) {
  const Parameters& parameters = function.definition->parameters;
  const bool is_module = function.facts->binding == Binding::kModule;
  function.scope = std::make_unique<Scope>(tree_, *function.definition, is_module);
  bool has_plain = false;
  auto note = [&](const Optional& annotation) {
    Type type = annotation ? this->type(*annotation) : Type{};
    function.is_typed = function.is_typed || has_language(type);
    return type;
  };
  auto parameter = [&](const Parameter& one) {
    Type type = note(one.annotation);
    has_plain = has_plain || type.kind != Type::Kind::kLanguage;
    function.takes_strings = function.takes_strings || type.kind == Type::Kind::kStr;
    function.parameters.push_back(std::move(type));
  };
  for (const auto* list :
       {&parameters.positional_only, &parameters.positional, &parameters.keyword_only}) {
    for (const Parameter& one : *list) parameter(one);
  }
  if (parameters.rest) parameter(*parameters.rest);
  if (parameters.keyword_rest) parameter(*parameters.keyword_rest);
  function.returns = note(function.definition->returns);
  // The instance that a method gets is of its class.
  const Binding binding = function.facts->binding;
  if (function.facts->cls && (binding == Binding::kMethod || binding == Binding::kProperty) &&
      !function.parameters.empty() && function.parameters[0].is_any()) {
    function.parameters[0] = type_of_kind(Type::Kind::kInstance);
    function.parameters[0].cls = *function.facts->cls;
    for (const std::string& field : classes()[*function.facts->cls].fields) {
      std::optional<Type> type = field_type(*function.facts->cls, field);
      function.is_typed = function.is_typed || (type && has_language(*type));
    }
    function.is_typed = function.is_typed || is_made_of_types(*function.facts->cls);
  }
  for_own_statements(tree_, function.definition->body, [&](StmtId stmt) {
    if (const auto* local = tree_.get<AnnAssign>(stmt)) note(local->annotation);
    const auto* expression = tree_.get<ExprStmt>(stmt);
    const auto* call = expression != nullptr ? tree_.get<Call>(expression->value) : nullptr;
    const auto* name = call != nullptr ? tree_.get<Name>(call->function) : nullptr;
    if (name != nullptr && (name->id == "show_type" || name->id == "inv")) function.is_typed = true;
  });
  function.declares_raise =
      has_plain || (function.definition->returns && function.returns.kind != Type::Kind::kNone);
  find_plain_names(function);
}

// Parameters that may be any string or number, and what is computed from them alone: an assertion
// about those says what the caller has to give.
void Program::find_plain_names(Function& function) const {
  std::set<std::string> typed_names;
  const Parameters& parameters = function.definition->parameters;
  size_t at = 0;
  for (const auto* list :
       {&parameters.positional_only, &parameters.positional, &parameters.keyword_only}) {
    for (const Parameter& one : *list) {
      const bool is_self = at == 0 && function.facts->cls.has_value();
      (has_language(function.parameters[at++]) || is_self ? typed_names : function.plain_names)
          .insert(one.name);
    }
  }
  if (function.plain_names.empty()) return;
  for (int round = 0; round < 2; ++round) {
    for_own_statements(tree_, function.definition->body, [&](StmtId stmt) {
      const auto* assign = tree_.get<Assign>(stmt);
      if (assign == nullptr) return;
      bool has_plain = false, has_typed = false;
      for_all_expressions(tree_, assign->value, [&](ExprId id) {
        const auto* name = tree_.get<Name>(id);
        if (name == nullptr || !function.scope->slot(name->id)) return;
        (function.plain_names.count(name->id) > 0 ? has_plain : has_typed) = true;
      });
      for (ExprId target : assign->targets) {
        const auto* name = tree_.get<Name>(target);
        if (name != nullptr && has_plain && !has_typed && typed_names.count(name->id) == 0)
          function.plain_names.insert(name->id);
      }
    });
  }
}

}  // namespace nacre::python
