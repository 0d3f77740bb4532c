// The regexes of a file: those of lang() and those that are given to `re`.
#include <algorithm>
#include <array>
#include <fmt/core.h>

#include "python/program.h"
#include "python/sink_calls.h"
#include "python/sinks.h"
#include "regular/lower.h"
#include "regular/parse_python.h"

namespace nacre::python {

using regular::CharSet;
using regular::NodeId;

namespace {
constexpr std::array<std::string_view, 2> kAsking = {"show_type", "inv"};
}  // namespace

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

std::shared_ptr<const regular::Dfa> Program::to_dfa(const regular::Regex& regex, Search search,
                                                    std::string* problem) const {
  regular::Context context(regular::Alphabet::kCodePoints);
  regular::LowerOptions options;
  options.budget = budget_;
  options.match = search == Search::kSearch ? regular::Match::kContains : regular::Match::kWhole;
  Result<regular::Lang> language = regular::lower(context, regex, options);
  if (!language) {
    *problem = language.error().message;
    return nullptr;
  }
  regular::Lang words = *language;
  regular::BoundedDfa dfa = regular::to_dfa(words, budget_);
  if (dfa.is_exact && words.is_exact()) return dfa.dfa;
  *problem = "the regex is too large or not regular";
  return nullptr;
}

void Program::compile_type(ExprId pattern, ExprId call) {
  has_types_ = true;
  std::optional<std::string> text = string_constant(pattern);
  if (!text) return problems_.push_back({tree_[call].span, "lang() needs a string constant"});
  std::string problem;
  Result<regular::Regex> regex =
      regular::parse_python(interpolate(*text, tree_[pattern].span, 0), {.dot_all = true});
  if (!regex)
    problem = regex.error().message;
  else if (auto dfa = to_dfa(*regex, Search::kFullMatch, &problem))
    types_[static_cast<uint32_t>(pattern)] = {dfa, {}};
  if (!problem.empty()) problems_.push_back({tree_[pattern].span, "invalid regex: " + problem});
}

namespace {

// `re.I | re.X`; nothing if it has other parts.
bool read_flags(const Tree& tree, ExprId expr, regular::PythonFlags& flags) {
  if (const auto* both = tree.get<BinaryOperation>(expr))
    return both->op == BinaryOp::kBitOr && read_flags(tree, both->left, flags) &&
           read_flags(tree, both->right, flags);
  const auto* attribute = tree.get<Attribute>(expr);
  const auto* plain = tree.get<Name>(expr);
  const std::string name = attribute != nullptr ? attribute->name
                           : plain != nullptr   ? plain->id
                                                : "";
  if (name == "I" || name == "IGNORECASE")
    flags.ignore_case = true;
  else if (name == "M" || name == "MULTILINE")
    flags.multiline = true;
  else if (name == "S" || name == "DOTALL")
    flags.dot_all = true;
  else if (name == "X" || name == "VERBOSE")
    flags.verbose = true;
  else if (name == "A" || name == "ASCII")
    flags.ascii = true;
  else
    return false;
  return true;
}

}  // namespace

void Program::compile_pattern(const Call& call, const std::string& method) {
  const ExprId place = call.args[0];
  std::optional<std::string> text = string_constant(place);
  if (!text) return;
  regular::PythonFlags flags;
  const size_t flags_at = method == "compile" ? 1 : method == "sub" ? 4 : method == "split" ? 3 : 2;
  if (call.args.size() > flags_at && !read_flags(tree_, call.args[flags_at], flags)) return;
  for (const Keyword& keyword : call.keywords) {
    if (keyword.name == "flags" && !read_flags(tree_, keyword.value, flags)) return;
  }
  Result<regular::Regex> regex = regular::parse_python(*text, flags);
  if (!regex) return;
  SearchPattern pattern;
  std::string problem;
  pattern.dfas[0] = to_dfa(*regex, Search::kFullMatch, &problem);
  pattern.dfas[2] = to_dfa(*regex, Search::kSearch, &problem);
  // match() leaves the rest of the string open, but conditions at the end of the regex see it.
  std::string open = "(?:" + *text + (flags.verbose ? "\n)(?s:.*)" : ")(?s:.*)");
  if (Result<regular::Regex> prefix = regular::parse_python(open, flags))
    pattern.dfas[1] = to_dfa(*prefix, Search::kFullMatch, &problem);
  pattern.regex = std::move(*regex);
  patterns_.insert_or_assign(static_cast<uint32_t>(place), std::move(pattern));
}

namespace {

// Is there a function with a parameter that is declared a string, and with a call of a sink?
bool passes_strings_to_sink(const Tree& tree, const std::vector<FunctionFacts>& functions,
                            const std::unordered_map<std::string, ExprId>& aliases) {
  const auto is_string = [&](const Parameter& one) {
    const auto* name = one.annotation ? tree.get<Name>(*one.annotation) : nullptr;
    return name != nullptr && (name->id == "str" || aliases.count(name->id) > 0);
  };
  return std::any_of(functions.begin(), functions.end(), [&](const FunctionFacts& facts) {
    const Parameters& parameters = facts.definition->parameters;
    bool takes = (parameters.rest && is_string(*parameters.rest)) ||
                 (parameters.keyword_rest && is_string(*parameters.keyword_rest));
    for (const auto* list :
         {&parameters.positional_only, &parameters.positional, &parameters.keyword_only})
      takes = takes || std::any_of(list->begin(), list->end(), is_string);
    return takes && calls_sink(tree, facts.definition->body);
  });
}

}  // namespace

void Program::collect_patterns() {
  constexpr std::string_view kMethods[] = {"compile", "match",    "fullmatch", "search", "sub",
                                           "split",   "finditer", "findall",   "subn"};
  for (uint32_t i = 0; i < tree_.expression_count(); ++i) {
    ExprId id{i};
    const auto* call = tree_.get<Call>(id);
    if (call == nullptr || call->args.empty()) continue;
    const auto* name = tree_.get<Name>(call->function);
    if (name != nullptr && name->id == "lang") compile_type(call->args[0], id);
  }
  const std::set<std::string, std::less<>> used = used_names();
  // show_type() and inv() ask for a check, too.
  has_types_ =
      has_types_ || std::any_of(kAsking.begin(), kAsking.end(),
                                [&](std::string_view asking) { return used.count(asking) > 0; });
  has_sinks_ = std::any_of(used.begin(), used.end(), is_sink_name) &&
               passes_strings_to_sink(tree_, definitions_->functions(), aliases_);
  if (!has_types_ && !has_sinks_ && !is_wanted_) return;
  for (uint32_t i = 0; i < tree_.expression_count(); ++i) {
    const auto* call = tree_.get<Call>(ExprId{i});
    if (call == nullptr || call->args.empty()) continue;
    const auto* name = tree_.get<Name>(call->function);
    const auto* attribute = tree_.get<Attribute>(call->function);
    const auto* module = attribute != nullptr ? tree_.get<Name>(attribute->value) : nullptr;
    std::string method;
    if (module != nullptr && (module->id == "re" || definitions_->imported(module->id) == "re"))
      method = attribute->name;
    if (name != nullptr) {
      std::optional<std::string> dotted = definitions_->imported(name->id);
      if (dotted && dotted->starts_with("re.")) method = dotted->substr(3);
    }
    if (std::find(std::begin(kMethods), std::end(kMethods), method) != std::end(kMethods))
      compile_pattern(*call, method);
  }
}

std::optional<ExprId> Program::pattern_place(ExprId expr) const {
  if (patterns_.count(static_cast<uint32_t>(expr)) > 0) return expr;
  return std::nullopt;
}

const SearchPattern* Program::pattern(ExprId place) const {
  auto found = patterns_.find(static_cast<uint32_t>(place));
  return found == patterns_.end() ? nullptr : &found->second;
}

void Program::add_regex_characters(const regular::Regex& regex, std::vector<CharSet>& sets) {
  bool has_boundary = false;
  for (uint32_t i = 0; i < regex.size(); ++i) {
    NodeId id{i};
    if (const auto* literal = regex.get<regular::regex::Literal>(id))
      sets.push_back(CharSet::of(literal->character));
    if (const auto* set = regex.get<regular::regex::Class>(id)) sets.push_back(regex.set(*set));
    has_boundary = has_boundary || regex.get<regular::regex::Assert>(id) != nullptr;
  }
  if (has_boundary) sets.push_back(regex.word), sets.push_back(CharSet::of('\n'));
}

Words Program::node_words(const SearchPattern& pattern, NodeId node) const {
  namespace rx = regular::regex;
  auto known = pattern.nodes.find(static_cast<uint32_t>(node));
  if (known != pattern.nodes.end()) return known->second;
  const regular::Regex& regex = pattern.regex;
  WordStore& store = *store_;
  Words result = store.empty_word();
  if (const auto* literal = regex.get<rx::Literal>(node)) {
    result = store.word({letters_->letter(literal->character)});
  } else if (const auto* set = regex.get<rx::Class>(node)) {
    result = store.one_of(letters_->inside(regex.set(*set)));
  } else if (regex.get<rx::Nothing>(node) != nullptr) {
    result = store.none();
  } else if (const auto* sequence = regex.get<rx::Sequence>(node)) {
    for (NodeId item : regex.children(*sequence))
      result = store.concat(result, node_words(pattern, item));
  } else if (const auto* choice = regex.get<rx::Choice>(node)) {
    result = store.none();
    for (NodeId item : regex.children(*choice))
      result = store.unite(result, node_words(pattern, item));
  } else if (const auto* group = regex.get<rx::Group>(node)) {
    result = node_words(pattern, group->body);
  } else if (const auto* repeat = regex.get<rx::Repeat>(node)) {
    const Words body = node_words(pattern, repeat->body);
    constexpr uint32_t kMaxCopies = 300;
    for (uint32_t i = 0; i < std::min(repeat->min, kMaxCopies); ++i)
      result = store.concat(result, body);
    if (repeat->max > kMaxCopies) {
      result = store.concat(result, store.star(body));
    } else {
      Words more = store.empty_word();
      for (uint32_t i = repeat->min; i < repeat->max; ++i)
        more = store.unite(store.empty_word(), store.concat(body, more));
      result = store.concat(result, more);
    }
  } else if (regex.get<rx::BackReference>(node) != nullptr) {
    result = store.all();
  }
  pattern.nodes[static_cast<uint32_t>(node)] = result;
  return result;
}

}  // namespace nacre::python
