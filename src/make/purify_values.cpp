// Rewrites of values: lists in a fixed order, no clock.
#include <algorithm>
#include <fmt/format.h>

#include "make/purify.h"
#include "shell/parse.h"

namespace nacre::make {

namespace {

// Every call of a function in the file, from the outside in.
struct FunctionCall {
  Span span;  // with `$(` and `)`
  std::string_view name;
  std::string_view text;  // what follows the name
  const Statement* statement;
  std::vector<std::string_view> around;  // functions that it is an argument of
};

constexpr size_t kMaxReferences = 2000;  // in one statement; a longer one is left as it is

std::vector<FunctionCall> function_calls(const Facts& facts) {
  std::vector<FunctionCall> calls;
  for (const Statement& statement : facts.statements) {
    if (statement.kind == Kind::kBlank) continue;
    const std::string_view text = facts.of(statement.span);
    const auto references = references_in(text);
    if (references.size() > kMaxReferences) continue;
    for (const Span& each : references) {
      if (each.size() < 4) continue;
      const std::string_view inside = text.substr(each.begin + 2, each.size() - 3);
      const Function* function = called_function(inside);
      if (function == nullptr) continue;
      FunctionCall call{{statement.span.begin + each.begin, statement.span.begin + each.end},
                        function->name,
                        strip(inside.substr(function->name.size())),
                        &statement,
                        {}};
      for (const Span& outer : references) {
        if (outer.begin >= each.begin || outer.end < each.end || outer.size() < 4) continue;
        const Function* enclosing = called_function(text.substr(outer.begin + 2, outer.size() - 3));
        if (enclosing != nullptr) call.around.push_back(enclosing->name);
      }
      calls.push_back(std::move(call));
    }
  }
  return calls;
}

bool is_any(const std::vector<std::string_view>& names,
            std::initializer_list<std::string_view> wanted) {
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
    return std::find(wanted.begin(), wanted.end(), name) != wanted.end();
  });
}

// The order of the words is lost or does not matter there.
bool is_sorted_or_counted(const FunctionCall& call) {
  return is_any(call.around, {"sort", "words", "if", "and", "or", "findstring", "shell", "eval",
                              "call", "foreach"}) ||
         call.statement->kind == Kind::kIf || call.statement->kind == Kind::kElse;
}

// The patterns of a wildcard, each sorted alone: their order among each other is meant.
void offer_wildcard(const FunctionCall& call, std::string_view bracket,
                    std::vector<Rewrite>& rewrites) {
  const char open = bracket[1];
  const char close = open == '(' ? ')' : '}';
  const std::string list(call.text);
  const auto words = word_spans(list, {0, static_cast<uint32_t>(list.size())});
  const bool is_one = words.size() == 1;
  // A pattern without `*` names one file.
  const bool may_be_many = list.find_first_of("*?[$") != std::string::npos;
  const bool is_computed =
      !is_one && list.find('$') != std::string::npos && list.find('*') == std::string::npos;
  if (!may_be_many || is_computed) return;
  Rewrite rewrite{.name = "sort-wildcard", .kind = RewriteClass::kRepair, .place = call.span};
  rewrite.message = "$(sort $(wildcard ...))";
  rewrite.differs_when = "make is older than 4.3 and lists files as the file system has them";
  rewrite.needs.push_back(
      {ObligationKind::kOrder, call.span, true, "make 4.3 sorts each pattern itself"});
  std::string text;
  for (const Span& word : words) {
    if (!text.empty()) text += ' ';
    text += fmt::format("${}sort ${}wildcard {}{}{}", open, open,
                        list.substr(word.begin, word.size()), close, close);
  }
  if (is_one) {
    rewrite.edits = {{{call.span.begin, call.span.begin}, fmt::format("${}sort ", open)},
                     {{call.span.end, call.span.end}, std::string(1, close)}};
  } else {
    rewrite.edits = {{call.span, text}};
  }
  rewrites.push_back(std::move(rewrite));
}

bool lists_files(std::string_view command) {
  const auto words = words_of(command);
  if (words.empty() || file_part(words[0]) != "find") return false;
  return command.find('|') == std::string_view::npos &&
         command.find(';') == std::string_view::npos &&
         command.find("-print0") == std::string_view::npos &&
         command.find("-exec") == std::string_view::npos &&
         command.find("-delete") == std::string_view::npos &&
         command.find("-quit") == std::string_view::npos &&
         command.find("-printf") == std::string_view::npos &&
         command.find("&&") == std::string_view::npos;
}

// `date` alone, with no option that fixes the time.
bool reads_clock(std::string_view command) {
  const auto words = words_of(command);
  if (words.empty() || file_part(words[0]) != "date") return false;
  if (command.find_first_of("|;&<>`$") != std::string_view::npos) return false;
  return std::none_of(words.begin() + 1, words.end(), [](std::string_view word) {
    return word.starts_with("-d") || word.starts_with("--date") || word.starts_with("-r") ||
           word.starts_with("--reference") || word.starts_with("-f") || word.starts_with("-s");
  });
}

// Whether a variable decides something: conditionals, or numbers.
bool decides(const Facts& facts, const Statement& assignment) {
  const std::string_view name = facts.of(assignment.name);
  return std::any_of(facts.statements.begin(), facts.statements.end(), [&](const Statement& each) {
    if (each.kind != Kind::kIf && each.kind != Kind::kElse) return false;
    return facts.of(each.span).find(name) != std::string_view::npos;
  });
}

void offer_constant(const Facts& facts, const FunctionCall& call, std::string_view rewrite_name,
                    std::string_view value, std::string_view assumption,
                    std::vector<Rewrite>& rewrites) {
  Rewrite rewrite{.name = rewrite_name, .kind = RewriteClass::kAssuming, .place = call.span};
  rewrite.message = fmt::format("{} instead of `{}`", value, facts.of(call.span));
  rewrite.differs_when = assumption;
  const bool is_text = call.statement->kind != Kind::kIf && call.statement->kind != Kind::kElse &&
                       (call.statement->kind != Kind::kAssign || !decides(facts, *call.statement));
  rewrite.needs.push_back(
      {ObligationKind::kLabel, call.span, is_text,
       is_text ? "only gets into texts and names" : "a condition depends on it"});
  rewrite.edits = {{call.span, std::string(value)}};
  rewrites.push_back(std::move(rewrite));
}

// A command that only prints: evaluating it once or never is the same.
bool is_pure(std::string_view command) {
  const auto words = words_of(command);
  if (words.empty() || command.find_first_of("|;&<>`$()") != std::string_view::npos) return false;
  return words[0] == "echo" || words[0] == "printf";
}

}  // namespace

void offer_sorted_lists(const Facts& facts, std::vector<Rewrite>& rewrites) {
  for (const FunctionCall& call : function_calls(facts)) {
    if (is_sorted_or_counted(call)) continue;
    if (call.name == "wildcard" && !is_any(call.around, {"firstword", "lastword", "word"})) {
      offer_wildcard(call, facts.of(call.span), rewrites);
    }
    if (call.name != "shell" || !lists_files(call.text)) continue;
    Rewrite rewrite{.name = "sort-find", .place = call.span};
    rewrite.message = "$(sort $(shell find ...))";
    rewrite.differs_when = "find lists the files in another order";
    const bool is_list = !is_any(call.around, {"firstword", "lastword", "word"});
    rewrite.needs.push_back({ObligationKind::kOrder, call.span, is_list,
                             is_list ? "a list of files" : "one word is picked by its place"});
    rewrite.edits = {{{call.span.begin, call.span.begin}, "$(sort "},
                     {{call.span.end, call.span.end}, ")"}};
    rewrites.push_back(std::move(rewrite));
  }
  for (const FunctionCall& call : function_calls(facts)) {
    if (call.name != "shell") continue;
    const auto words = words_of(call.text);
    const bool is_host = call.text == "hostname" || call.text == "uname -n";
    if (reads_clock(call.text)) {
      offer_constant(facts, call, "clock", "$(or $(SOURCE_DATE_EPOCH),0)",
                     "SOURCE_DATE_EPOCH gives the time, in seconds", rewrites);
    } else if (is_host) {
      offer_constant(facts, call, "host", "$(or $(HOST_NAME),localhost)",
                     "the name is given by HOST_NAME", rewrites);
    }
  }
}

// V = $(shell echo 1): evaluated at each use, with the same result.
void offer_single_evaluation(const Facts& facts, std::vector<Rewrite>& rewrites) {
  for (const AssignedAt& each : facts.database->assignments) {
    const Statement& syntax = each.syntax;
    if (!each.is_own || syntax.kind != Kind::kAssign || syntax.op != AssignOp::kRecursive ||
        !facts.is_here(each.place))
      continue;
    const std::string_view value = strip(facts.of(syntax.value));
    if (!value.starts_with("$(shell ") || reference_end(value, 0) != value.size()) continue;
    const bool is_single =
        std::count_if(facts.database->assignments.begin(), facts.database->assignments.end(),
                      [&](const AssignedAt& other) { return other.name == each.name; }) == 1;
    if (!is_single || !is_pure(strip(value.substr(8, value.size() - 9)))) continue;
    Rewrite rewrite{
        .name = "evaluate-once", .kind = RewriteClass::kEqual, .place = syntax.operation};
    rewrite.message = ":= instead of =";
    rewrite.needs.push_back(
        {ObligationKind::kOneUse, syntax.value, true, "the command only prints, always the same"});
    rewrite.edits = {{syntax.operation, ":="}};
    rewrites.push_back(std::move(rewrite));
  }
}

}  // namespace nacre::make
