#include "shell/testing/random_program.h"

#include <cassert>
#include <initializer_list>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "shell/testing/grammar.h"

namespace nacre::shell {

namespace {

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  size_t below(size_t limit) { return static_cast<size_t>(engine_() % limit); }
  bool one_in(size_t n) { return below(n) == 0; }
  std::string_view pick(std::initializer_list<std::string_view> choices) {
    return *(choices.begin() + below(choices.size()));
  }

 private:
  std::mt19937_64 engine_;
};

// ---------------------------------------------------------------------------------- the grammar

struct Symbol {
  bool is_rule = false;
  std::string_view text;
};

struct Alternative {
  std::vector<Symbol> symbols;
  bool ends_line = false;
};

using Grammar = std::map<std::string_view, std::vector<Alternative>>;

bool is_rule_byte(char c) { return (c >= 'a' && c <= 'z') || c == '-'; }

Alternative read_alternative(std::string_view text) {
  Alternative alternative;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    while (text[at] == '<' && end < text.size() && is_rule_byte(text[end])) ++end;
    if (end > at + 1 && end < text.size() && text[end] == '>' && text[at + 1] != '-') {
      const std::string_view name = text.substr(at + 1, end - at - 1);
      alternative.symbols.push_back({true, name});
      alternative.ends_line |= name == "newline" || name == "heredoc";
      at = end + 1;
    } else {
      alternative.symbols.push_back({false, text.substr(at++, 1)});
    }
  }
  return alternative;
}

void read_grammar(std::string_view text, Grammar& grammar) {
  std::vector<Alternative>* rule = nullptr;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.empty()) continue;
    if (line[0] != ' ') {
      rule = &grammar[line];
      continue;
    }
    while (
        (line.remove_prefix(std::min(line.find_first_not_of(' '), line.size())), !line.empty())) {
      const std::string_view alternative = line.substr(0, line.find("  "));
      line.remove_prefix(alternative.size());
      rule->push_back(read_alternative(alternative));
    }
  }
}

const Grammar& grammar_of(bool is_bash) {
  static const auto kGrammars = [] {
    std::pair<Grammar, Grammar> both;
    read_grammar(kPosixGrammar, both.first);
    read_grammar(kPosixGrammar, both.second);
    read_grammar(kBashGrammar, both.second);
    return both;
  }();
  return is_bash ? kGrammars.second : kGrammars.first;
}

// -------------------------------------------------------------------------------- the generator

// Writes a program from left to right. `fuel_` bounds its size: when it is used up, every rule
// takes its first alternative. Within a substitution no line ends while the command around it still
// waits for the bodies of its here-documents, because the shells disagree there.
class Generator {
 public:
  Generator(uint64_t seed, bool is_bash) : random_(seed), grammar_(grammar_of(is_bash)) {
    fuel_ = 10 + random_.below(150);
  }

  std::string program() {
    expand("program");
    return std::move(out_);
  }

 private:
  struct Pending {
    std::string delimiter;
    bool is_quoted, strips_tabs;
  };
  static constexpr size_t kMaxDepth = 60;  // of rules within each other

  void expand(std::string_view name) {
    if (built_in(name)) return;
    const auto rule = grammar_.find(name);
    assert(rule != grammar_.end());
    const std::vector<Alternative>& alternatives = rule->second;
    size_t choice = 0;
    if (fuel_ > 0 && depth_ < kMaxDepth) {
      --fuel_;
      choice = random_.below(alternatives.size());
      if (is_one_line_ && alternatives[choice].ends_line) choice = 0;
    }
    ++depth_;
    for (const Symbol& symbol : alternatives[choice].symbols) {
      if (symbol.is_rule)
        expand(symbol.text);
      else
        out_ += symbol.text;
    }
    --depth_;
  }

  bool built_in(std::string_view name) {
    if (name == "nothing") return true;
    if (name == "space") return put(" ");
    if (name == "lf") return put("\n");
    if (name == "newline") return newline();
    if (name == "newlines") return newlines();
    // dash reads no here-document after the newline that ends the words of a `for`.
    if (name == "line-end") return is_one_line_ || !pending_.empty() ? put("; ") : newline();
    if (name == "blank") return blank();
    if (name == "gap") return random_.one_in(3) || blank();
    if (name == "heredoc") return here_document();
    if (name == "backquoted") return backquoted();
    if (name == "inside") return inside();
    if (name == "array") return array();
    return false;
  }

  // The built-in rules return true: they are one.
  bool put(std::string_view text) {
    out_ += text;
    return true;
  }
  bool blank() {
    put(random_.one_in(12) ? "\t" : " ");
    if (random_.one_in(40)) put("\\\n");
    if (random_.one_in(12)) put("  ");
    return true;
  }
  bool newline() {
    if (random_.one_in(8)) put(" # it's a \"comment\" $( ` {");
    put("\n");
    for (const Pending& document : std::exchange(pending_, {})) body_of(document);
    return true;
  }
  bool newlines() {
    while (!is_one_line_ && random_.one_in(4)) newline();
    return true;
  }

  bool here_document() {
    Pending document;
    document.strips_tabs = random_.one_in(3);
    document.is_quoted = random_.one_in(3);
    document.delimiter = random_.pick({"EOF", "E", "end-of_text", "!", "fi"});
    put(document.strips_tabs ? "<<-" : "<<");
    if (random_.one_in(4)) put(" ");
    if (!document.is_quoted)
      put(document.delimiter);
    else if (random_.one_in(2))
      put("'" + document.delimiter + "'");
    else
      put("\\" + document.delimiter);
    pending_.push_back(std::move(document));
    return true;
  }
  void body_of(const Pending& document) {
    const bool was_one_line = std::exchange(is_one_line_, true);
    if (document.strips_tabs && random_.one_in(2)) put("\t");
    expand(document.is_quoted ? "quoted-document" : "document");
    if (document.strips_tabs && random_.one_in(2)) put("\t\t");
    if (out_.back() != '\n' && out_.back() != '\t') put("\n");
    put(document.delimiter + "\n");
    is_one_line_ = was_one_line;
  }

  // Between parentheses within a word.
  void nested(std::string_view rule) {
    std::vector<Pending> outer = std::exchange(pending_, {});
    const bool was_one_line = is_one_line_;
    is_one_line_ = is_one_line_ || !outer.empty();
    expand(rule);
    if (!pending_.empty()) newline();
    pending_ = std::move(outer);
    is_one_line_ = was_one_line;
  }
  bool inside() {
    blank();
    const size_t begin = out_.size();
    nested("list");
    // bash 5.2 does not see keywords after a `time` that opens a substitution.
    const std::string_view list = std::string_view(out_).substr(begin);
    if (list.starts_with("time") || list.starts_with("! time")) out_.insert(begin, ": ; ");
    return blank();
  }
  bool array() {
    put("(");
    nested("array-elements");
    return put(")");
  }
  // What stands within back-quotes is written first and then escaped as a whole.
  bool backquoted() {
    const std::string outside = std::exchange(out_, "");
    const bool was_one_line = std::exchange(is_one_line_, true);
    expand("list");
    is_one_line_ = was_one_line;
    const std::string inside = std::exchange(out_, outside + "`");
    for (const char c : inside) {
      if (c == '`' || c == '\\') put("\\");
      out_ += c;
    }
    return put(" `");
  }

  Random random_;
  const Grammar& grammar_;
  size_t fuel_ = 0;
  size_t depth_ = 0;
  bool is_one_line_ = false;
  std::string out_;
  std::vector<Pending> pending_;
};

// ---------------------------------------------------------------------------------- mutations

bool is_word_byte(char c) {
  return is_rule_byte(c) || c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
}

std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> tokens;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool joins = i > 0 && is_word_byte(text[i]) && is_word_byte(text[i - 1]);
    if (!joins) tokens.emplace_back();
    tokens.back() += text[i];
  }
  return tokens;
}

std::string random_token(Random& random) {
  return std::string(random.pick(
      {"if ",   " then ", " else ", " elif ",     " fi ", "for ", "while ", " do ", " done ",
       "case ", " in ",   " esac ", "{ ",         " }",   "(",    ")",      ";",    ";;",
       "&",     "&&",     "|",      "||",         "! ",   "\n",   "'",      "\"",   "`",
       "$(",    "${",     "$((",    "))",         "((",   "[[ ",  " ]]",    "<",    ">",
       "<<",    "<<E\n",  "<&",     "f()",        "#",    "\\",   "a=(",    "<(",   " =~ ",
       "$'",    ";&",     " x ",    "function f "}));
}

}  // namespace

std::string random_program(uint64_t seed, Dialect dialect) {
  return Generator(seed, dialect == Dialect::kBash).program();
}

std::string mutated(std::string_view program, uint64_t seed) {
  Random random(seed);
  std::vector<std::string> tokens = tokens_of(program);
  for (size_t i = 1 + random.below(3); i > 0 && !tokens.empty(); --i) {
    const auto where = tokens.begin() + static_cast<std::ptrdiff_t>(random.below(tokens.size()));
    switch (random.below(4)) {
      case 0: tokens.erase(where); break;
      case 1: tokens.insert(where, std::string(*where)); break;
      case 2: std::swap(*where, tokens[random.below(tokens.size())]); break;
      default: tokens.insert(where, random_token(random));
    }
  }
  std::string text;
  for (const std::string& token : tokens) text += token;
  return text;
}

}  // namespace nacre::shell
