// `nacre lang`: regular languages at the command line.
#include <cstdio>
#include <fmt/format.h>

#include "cli/output.h"
#include "cli/verb.h"
#include "regular/decide.h"
#include "regular/parse_type.h"
#include "regular/print.h"
#include "regular/words.h"
#include "report/printable.h"

namespace nacre::cli {

namespace {

using regular::Context;
using regular::Lang;
using regular::Verdict;

constexpr Option kOptions[] = {
    {"and", 'a', "TYPE", "keep only strings that are also in this type"},
    {"or", 'o', "TYPE", "add the strings of this type"},
    {"minus", 'm', "TYPE", "remove the strings of this type"},
    {"subset-of", 's', "TYPE", "is every string in this type? If not, print one that is not"},
    {"equal-to", 'e', "TYPE", "is it the same type? If not, print a string in only one of them"},
    {"disjoint-from", 'd', "TYPE", "do the types share no string? If they do, print one"},
    {"contains", 'c', "STRING", "is this string in the type?"},
    {"witness", 'w', "", "print a shortest string of the type"},
    {"examples", 'n', "N", "print the first N strings"},
    {"show", '\0', "", "print the simplified type (default)"},
    {"dot", '\0', "", "print the minimal automaton for Graphviz"},
    {"unicode", 'u', "", "strings are sequences of characters, as in Python, instead of bytes"},
};

constexpr std::string_view kDescription =
    "TYPE is a regular expression for whole strings, with & for intersection, ! for complement "
    "and\n"
    "{names} for common formats. The options --and, --or and --minus are applied first, in this\n"
    "order; then each question is answered.\n\n"
    "Exit status: 0 if all answers are yes, 1 if one is no, 2 if one is unknown because the "
    "budget\n"
    "was used up, 3 for an invalid command line or type.\n\n"
    "  nacre lang '[0-9]+' --subset-of '{integer}'\n"
    "  nacre lang '.*error.*' --and '.*timeout.*' --witness\n"
    "  nacre lang '{ipv4}' --minus '(10|127)\\..*' --examples 3";

// A string for people: quoted, what cannot be shown escaped.
std::string quoted(std::string_view word) {
  std::string text = "'";
  for (char c : word) {
    auto byte = static_cast<unsigned char>(c);
    bool is_shown = byte >= ' ' && byte != 0x7F && c != '\\';
    text += is_shown ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  return text + "'";
}

// Points at the error in the type, below it.
void say_error(std::string_view text, const Error& error) {
  complain("lang", error.message);
  const size_t column = report::printable(text.substr(0, error.span.begin)).size() + 1;
  fmt::print(stderr, "  {}\n  {:>{}}\n", report::printable(text), "^", column);
}

std::optional<Lang> parse(Context& cx, std::string_view text) {
  auto type = regular::parse_type(cx, text);
  if (type) return *type;
  say_error(text, type.error());
  return std::nullopt;
}

// Answers questions one after the other and remembers the worst answer.
class Session {
 public:
  explicit Session(Lang type) : type_(type) {}

  int status() const { return status_; }

  void answer(const Verdict& verdict) {
    if (verdict.yes()) {
      fmt::print("yes\n");
    } else if (verdict.no()) {
      fmt::print("no: {}\n", quoted(verdict.witness));
      status_ = std::max<int>(status_, kFindings);
    } else {
      fmt::print("unknown: the budget ran out\n");
      status_ = kUnfinished;
    }
  }

  void contains(std::string_view word) {
    bool is_member = regular::contains(type_, word);
    fmt::print("{}\n", is_member ? "yes" : "no");
    if (!is_member) status_ = std::max<int>(status_, kFindings);
  }

  void witness() {
    Verdict verdict = is_empty(type_);
    if (verdict.no()) {
      fmt::print("{}\n", quoted(verdict.witness));
    } else {
      fmt::print("{}\n", verdict.yes() ? "none" : "unknown: the budget ran out");
      status_ = std::max<int>(status_, verdict.yes() ? kFindings : kUnfinished);
    }
  }

  void examples(size_t count) {
    for (const std::string& word : first_words(type_, count)) fmt::print("{}\n", quoted(word));
  }

  void show() {
    std::vector<regular::NamedLang> names = known_names(type_.context());
    regular::PrintOptions options;
    options.names = names;
    fmt::print("{}{}\n", describe(type_, options), type_.is_exact() ? "" : "  (approximate)");
  }

 private:
  Lang type_;
  int status_ = kClean;
};

std::optional<Lang> combined(Context& cx, const Arguments& arguments) {
  std::optional<Lang> type = parse(cx, arguments.operands()[0]);
  for (const char* option : {"and", "or", "minus"}) {
    for (const std::string& text : arguments.all(option)) {
      std::optional<Lang> other = type ? parse(cx, text) : std::nullopt;
      if (!other) return std::nullopt;
      std::string_view name = option;
      type = name == "and" ? *type & *other : name == "or" ? *type | *other : *type - *other;
    }
  }
  return type;
}

int run_lang(const Arguments& arguments) {
  if (arguments.operands().size() != 1) {
    complain("lang", "expected one type, in quotes");
    return kUsage;
  }
  Context cx(arguments.has("unicode") ? regular::Alphabet::kCodePoints : regular::Alphabet::kBytes);
  std::optional<Lang> type = combined(cx, arguments);
  if (!type) return kUsage;
  Session session(*type);
  bool asked = false;
  using Question = Verdict (*)(Lang, Lang, const Budget&);
  constexpr std::pair<const char*, Question> kQuestions[] = {
      {"subset-of", regular::included},
      {"equal-to", regular::equivalent},
      {"disjoint-from", regular::disjoint},
  };
  for (auto [option, question] : kQuestions) {
    for (const std::string& text : arguments.all(option)) {
      std::optional<Lang> other = parse(cx, text);
      if (!other) return kUsage;
      session.answer(question(*type, *other, {}));
      asked = true;
    }
  }
  for (const std::string& word : arguments.all("contains")) session.contains(word), asked = true;
  if (arguments.has("witness")) session.witness(), asked = true;
  if (auto count = arguments.number("examples")) session.examples(*count), asked = true;
  if (arguments.has("dot")) fmt::print("{}", to_dot(*type)), asked = true;
  if (arguments.has("show") || !asked) session.show();
  return session.status();
}

constexpr Verb kVerb = {.name = "lang",
                        .summary = "ask about regular languages: types of strings",
                        .operands = "TYPE",
                        .description = kDescription,
                        .options = kOptions,
                        .run = run_lang};

}  // namespace

const Verb& lang_verb() { return kVerb; }

}  // namespace nacre::cli
