#include "purify/script.h"

#include <algorithm>
#include <fmt/format.h>

#include "shell/visitor.h"

namespace nacre::purify {

using shell::Command;
using shell::Part;
using shell::PartKind;
using shell::Word;

namespace {

bool is_name_character(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::set<std::string, std::less<>> identifiers_in(std::string_view text) {
  std::set<std::string, std::less<>> result;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && is_name_character(text[end])) end++;
    if (end > i) result.emplace(text.substr(i, end - i));
    i = end + 1;
  }
  return result;
}

flow::CheckResult facts_of(const shell::Tree& tree, const commands::CardLibrary& cards) {
  flow::CheckOptions options;
  options.wants_facts = true;
  return flow::check(tree, cards, options);
}

shell::ParseResult parsed(const SourceFile& file, const Settings& settings) {
  shell::ParseOptions options;
  options.dialect = settings.dialect;
  return shell::parse_file(file, options);
}

}  // namespace

// Walks the tree with what surrounds each node.
class Gatherer {
 public:
  explicit Gatherer(Script& script) : script_(script) {}

  void run() {
    visit(script_.parsed_.tree.program(), Place{});
    // Words point to places: only now that no more are added.
    for (size_t i = 0; i < script_.words_.size(); i++) {
      script_.words_[i].place = owners_[i] == kNone ? nullptr : &script_.places_[owners_[i]];
    }
  }

 private:
  static constexpr size_t kNone = ~size_t{0};

  void visit(const shell::Sequence& sequence, Place around) {
    for (const shell::Item& item : sequence.items) {
      Place place = around;
      place.sequence = &sequence;
      place.item = &item;
      place.is_in_subshell |= item.terminator == shell::Terminator::kBackground;
      visit(*item.command, place);
    }
  }

  // `place` is that of the command.
  void visit(const Command& command, Place place) {
    place.command = &command;
    script_.by_command_[&command] = script_.places_.size();
    const size_t self = script_.places_.size();
    script_.places_.push_back(place);
    Place inner = place;
    inner.parent = &command;
    inner.sequence = nullptr;
    inner.item = nullptr;
    std::visit([&](const auto& node) { children(node, inner, self); }, command.node);
    for (const shell::Redirection& each : command.redirections) redirection(each, inner, self);
  }

  void children(const shell::SimpleCommand& node, const Place& inner, size_t self) {
    for (const shell::Assignment& each : node.assignments) {
      if (each.subscript != nullptr) word(each.subscript->word, WordRole::kOther, inner, self);
      word(each.value, WordRole::kAssigned, inner, self);
      script_.words_.back().assignment = &each;
      parts(each.value, inner, self);
    }
    for (uint32_t i = 0; i < node.words.size(); i++) {
      word(node.words[i], WordRole::kArgument, inner, self);
      script_.words_.back().index = i;
      parts(node.words[i], inner, self);
    }
    note_code(node);
  }
  void children(const shell::Pipeline& node, Place inner, size_t) {
    inner.is_in_subshell |= node.items.size() > 1;
    inner.is_in_condition |= node.is_negated;
    for (const auto& each : node.items) visit(*each.command, inner);
  }
  void children(const shell::AndOr& node, const Place& inner, size_t) {
    for (const auto& each : node.items) visit(*each.command, inner);
  }
  void children(const shell::BraceGroup& node, const Place& inner, size_t) {
    visit(node.body, inner);
  }
  void children(const shell::Subshell& node, Place inner, size_t) {
    inner.is_in_subshell = true;
    visit(node.body, inner);
  }
  void children(const shell::If& node, const Place& inner, size_t) {
    for (const shell::IfArm& arm : node.arms) {
      Place condition = inner;
      condition.is_in_condition = true;
      visit(arm.condition, condition);
      visit(arm.body, inner);
    }
    if (node.else_body != nullptr) visit(*node.else_body, inner);
  }
  void children(const shell::While& node, Place inner, size_t) {
    inner.loops++;
    Place condition = inner;
    condition.is_in_condition = true;
    visit(*node.condition, condition);
    visit(*node.body, inner);
  }
  void children(const shell::For& node, Place inner, size_t self) {
    uint32_t index = 0;
    for (const Word& each : node.words()) {
      word(each, WordRole::kForList, inner, self);
      script_.words_.back().index = index++;
      parts(each, inner, self);
    }
    inner.loops++;
    visit(*node.body, inner);
  }
  void children(const shell::ArithmeticFor& node, Place inner, size_t self) {
    for (const shell::Arithmetic* each : {node.initial, node.condition, node.step}) {
      if (each != nullptr) full(each->word, WordRole::kOther, inner, self);
    }
    inner.loops++;
    visit(*node.body, inner);
  }
  void children(const shell::Case& node, const Place& inner, size_t self) {
    full(*node.subject, WordRole::kSubject, inner, self);
    for (const shell::CaseArm& arm : node.arms) {
      for (const Word& each : arm.patterns) full(each, WordRole::kPattern, inner, self);
      visit(arm.body, inner);
    }
  }
  void children(const shell::Function& node, Place inner, size_t) {
    script_.functions_.emplace(node.name->text, &node);
    inner.function = &node;
    inner.loops = 0;
    inner.is_in_condition = false;
    if (node.body != nullptr) visit(*node.body, inner);
  }
  void children(const shell::Conditional& node, const Place& inner, size_t self) {
    expression(*node.expression, inner, self);
  }
  void children(const shell::ArithmeticCommand& node, const Place& inner, size_t self) {
    full(node.arithmetic->word, WordRole::kOther, inner, self);
  }
  void children(const shell::Coproc& node, Place inner, size_t) {
    inner.is_in_subshell = true;
    visit(*node.command, inner);
  }
  void children(const shell::Broken&, const Place&, size_t) {}

  void expression(const shell::ConditionalExpression& node, const Place& inner, size_t self) {
    if (node.first != nullptr) expression(*node.first, inner, self);
    if (node.second != nullptr) expression(*node.second, inner, self);
    if (node.first != nullptr) return;
    full(node.left, WordRole::kOperand, inner, self);
    const bool matches = node.op == shell::ConditionalOp::kEqual ||
                         node.op == shell::ConditionalOp::kNotEqual ||
                         node.op == shell::ConditionalOp::kMatch;
    if (node.kind == shell::ConditionalKind::kBinary)
      full(node.right, matches ? WordRole::kPattern : WordRole::kOperand, inner, self);
  }

  void redirection(const shell::Redirection& each, Place inner, size_t self) {
    if (each.here_document == nullptr) {
      word(each.target, WordRole::kRedirected, inner, self);
      script_.words_.back().redirection = &each;
      parts(each.target, inner, self);
      return;
    }
    inner.is_in_here_document = true;
    full(each.here_document->body, WordRole::kHereDocument, inner, self);
  }

  void word(const Word& word, WordRole role, const Place&, size_t self) {
    script_.words_.push_back({.word = &word, .role = role, .is_in_quotes = quotes_ > 0});
    owners_.push_back(self);
  }
  void full(const Word& each, WordRole role, const Place& inner, size_t self) {
    word(each, role, inner, self);
    parts(each, inner, self);
  }
  // Of the word that was noted last.
  void parts(const Word& each, const Place& inner, size_t self) {
    const size_t outer = std::exchange(current_, script_.words_.size() - 1);
    for (const Part& one : each.parts()) part(one, inner, self);
    current_ = outer;
  }

  void part(const Part& part, Place inner, size_t self) {
    script_.by_part_[&part] = current_;
    switch (part.kind) {
      case PartKind::kDoubleQuoted:
      case PartKind::kLocaleQuoted:
        quotes_++;
        for (const Part& each : part.parts()) this->part(each, inner, self);
        quotes_--;
        break;
      case PartKind::kCommand:
      case PartKind::kProcess: {
        inner.is_in_subshell = true;
        inner.is_in_condition = false;
        inner.substitution = &part;
        const bool is_command = part.kind == PartKind::kCommand;
        inner.is_in_backquotes |=
            is_command && part.command().form == shell::SubstitutionForm::kBackquote;
        const unsigned outer = std::exchange(quotes_, 0);
        visit(is_command ? part.command().body : part.process().body, inner);
        quotes_ = outer;
        break;
      }
      case PartKind::kParameter:
        if (const Word* argument = part.parameter().argument)
          full(*argument, WordRole::kOther, inner, self);
        if (const Word* replacement = part.parameter().replacement())
          full(*replacement, WordRole::kOther, inner, self);
        if (part.parameter().subscript != nullptr)
          full(part.parameter().subscript->word, WordRole::kOther, inner, self);
        break;
      case PartKind::kArithmetic:
        full(part.arithmetic().word, WordRole::kOther, inner, self);
        break;
      case PartKind::kExtGlob:
        for (const Word& each : part.ext_glob().alternatives)
          full(each, WordRole::kPattern, inner, self);
        break;
      case PartKind::kBrace:
        for (const Word& each : part.brace().alternatives)
          full(each, WordRole::kOther, inner, self);
        break;
      case PartKind::kArray:
        for (const shell::ArrayElement& each : part.array().elements) {
          if (each.subscript != nullptr) full(each.subscript->word, WordRole::kOther, inner, self);
          full(each.value, WordRole::kElement, inner, self);
        }
        break;
      default: break;
    }
  }

  void note_code(const shell::SimpleCommand& node) {
    if (node.words.empty() || !node.words[0].is_literal()) {
      if (!node.words.empty())
        script_.has_unknown_code_ |= node.words[0].has(shell::kWordHasExpansion);
      return;
    }
    const std::string_view name = node.words[0].literal();
    const bool evaluates = name == "eval" || name == "." || name == "source";
    if (evaluates) script_.has_unknown_code_ = true;
  }

  Script& script_;
  std::vector<size_t> owners_;  // of each word, as an index of places
  unsigned quotes_ = 0;
  size_t current_ = 0;  // the word whose parts are visited
};

Script::Script(const SourceFile& file, const Settings& settings, const commands::CardLibrary& cards)
    : settings_(settings),
      cards_(cards),
      parsed_(parsed(file, settings)),
      checked_(facts_of(parsed_.tree, cards)),
      identifiers_(identifiers_in(file.bytes())) {
  Gatherer(*this).run();
}

const WordPlace* Script::word_of(const Part& part) const {
  const auto found = by_part_.find(&part);
  return found == by_part_.end() ? nullptr : &words_[found->second];
}

std::string_view Script::name_of(const Place& place) const {
  const shell::SimpleCommand* simple = place.simple();
  if (simple == nullptr || simple->words.empty() || !simple->words[0].is_literal()) return {};
  return simple->words[0].literal();
}

bool Script::may_exit_on_error(const Place& place) const {
  const flow::CommandFact* known = fact(place);
  return known == nullptr || known->before.options.errexit != flow::Known::kNo;
}

Fate Script::fate(const Place& place) const { return fate_of(place, 0); }

// A list of && alone whose last status is fatal or dead passes a failure on as its own.
Fate Script::fate_of(const Place& place, unsigned depth) const {
  constexpr unsigned kMaxDepth = 12;
  const flow::CommandFact* known = fact(place);
  if (known == nullptr || depth > kMaxDepth) return Fate::kTested;
  const flow::StatusUse& use = known->use;
  if (place.parent != nullptr) {
    if (const auto* list = std::get_if<shell::AndOr>(&place.parent->node)) {
      const bool is_and = std::all_of(list->items.begin(), list->items.end(), [](const auto& each) {
        return each.op != shell::AndOrOp::kOr;
      });
      if (is_and && !use.is_read) {
        const bool is_last = list->items.back().command == place.command;
        const Fate whole = fate_of(this->place(*place.parent), depth + 1);
        if (whole == Fate::kFatal || (is_last && whole == Fate::kDead)) return whole;
      }
      return Fate::kTested;
    }
  }
  if (use.is_tested || use.is_read || place.is_in_condition) return Fate::kTested;
  if (use.is_result) {
    if (place.substitution != nullptr) return Fate::kTested;
    if (place.function != nullptr) return fate_of_function(*place.function, depth + 1);
    if (place.parent != nullptr) return fate_of(this->place(*place.parent), depth + 1);
    return Fate::kFatal;
  }
  return use.is_fatal ? Fate::kFatal : Fate::kDead;
}

Fate Script::fate_of_function(const shell::Function& function, unsigned depth) const {
  Fate result = Fate::kDead;
  bool is_called = false;
  for (const Place& each : places_) {
    if (name_of(each) != function.name->text) continue;
    is_called = true;
    result = std::max(result, fate_of(each, depth));
  }
  return is_called ? result : Fate::kTested;
}

std::string Script::fresh(std::string_view base) const {
  std::string name(base);
  for (unsigned i = 2; mentions(name); i++) name = fmt::format("{}_{}", base, i);
  return name;
}

std::string Script::indentation_of(uint32_t offset) const {
  const Span line = file().line_span(file().line_of(offset));
  const std::string_view bytes = file().text(line);
  return std::string(bytes.substr(0, std::min(bytes.find_first_not_of(" \t"), bytes.size())));
}

}  // namespace nacre::purify
