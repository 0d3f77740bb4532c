// awk
#include <algorithm>
#include <fmt/format.h>

#include "utilities/awk_interpreter.h"
#include "utilities/input.h"
#include "utilities/options.h"
#include "utilities/table.h"

namespace nacre::utilities {
namespace {

// Additions of gawk that are not modelled, found before anything runs.
std::optional<std::string> unmodelled_part(const awk::Program& program) {
  constexpr std::string_view kFunctions[] = {"bindtextdomain", "dcgettext", "dcngettext", "isarray",
                                             "mktime",         "patsplit",  "typeof"};
  if (!program.includes.empty()) return "@include";
  for (const awk::Rule& rule : program.rules) {
    using Kind = awk::Rule::Kind;
    if (rule.kind == Kind::kBeginFile || rule.kind == Kind::kEndFile) return "BEGINFILE";
  }
  for (const awk::Expr& expression : program.exprs) {
    if (const auto* getline = std::get_if<awk::Getline>(&expression.node)) {
      if (getline->source == awk::Getline::Source::kCoprocess) return "|&";
    }
    const auto* call = std::get_if<awk::Call>(&expression.node);
    if (call == nullptr) continue;
    if (call->is_indirect) return "an indirect call";
    bool is_known = std::find(std::begin(kFunctions), std::end(kFunctions), call->function) ==
                    std::end(kFunctions);
    if (call->is_builtin && !is_known) return fmt::format("the function {}", call->function);
  }
  for (const awk::Stmt& statement : program.stmts) {
    const auto* output = std::get_if<awk::Output>(&statement.node);
    if (output != nullptr && output->redirect == awk::Output::Redirect::kCoprocess) return "|&";
  }
  return std::nullopt;
}

// How many arguments each function needs at least: fewer are an error before anything runs.
bool has_enough_arguments(const awk::Call& call) {
  struct Need {
    std::string_view name;
    size_t least;
  };
  constexpr Need kNeeds[] = {
      {"substr", 2},  {"split", 2},  {"match", 2},   {"sub", 2},     {"gsub", 2},     {"gensub", 3},
      {"sprintf", 1}, {"index", 2},  {"tolower", 1}, {"toupper", 1}, {"int", 1},      {"sqrt", 1},
      {"exp", 1},     {"log", 1},    {"sin", 1},     {"cos", 1},     {"atan2", 2},    {"asort", 1},
      {"asorti", 1},  {"system", 1}, {"close", 1},   {"compl", 1},   {"strtonum", 1}, {"lshift", 2},
      {"rshift", 2},  {"and", 2},    {"or", 2},      {"xor", 2},
  };
  for (const Need& need : kNeeds) {
    if (call.function == need.name) return call.arguments.size() >= need.least;
  }
  return true;
}

std::optional<std::string> wrong_call(const awk::Program& program) {
  for (const awk::Expr& expression : program.exprs) {
    const auto* call = std::get_if<awk::Call>(&expression.node);
    if (call != nullptr && call->is_builtin && !has_enough_arguments(*call)) return call->function;
  }
  return std::nullopt;
}

// The text of the program: of all -f and -e, or the first operand, which is removed.
std::optional<std::string> program_text(Context& context, Options& options) {
  std::string text;
  bool is_given = false;
  for (const Given& given : options.given) {
    if (given.letter == 'e') text += given.value + "\n";
    if (given.letter == 'f') {
      Input file(context, given.value);
      text += file.rest() + "\n";
      if (file.error() != 0) {
        context.fail(given.value, file.error());
        return std::nullopt;
      }
    }
    is_given |= given.letter == 'e' || given.letter == 'f';
  }
  if (is_given) return text;
  if (options.operands.empty()) {
    context.fail("usage: awk [-F fs] [-v var=value] ['program' | -f file] [file ...]");
    return std::nullopt;
  }
  text = std::move(options.operands[0]);
  options.operands.erase(options.operands.begin());
  return text;
}

// -F and -v; false after an error.
bool apply_options(Context& context, const Options& options, AwkInterpreter& interpreter) {
  for (const Given& given : options.given) {
    if (given.letter == 'F') interpreter.assign("FS", given.value == "t" ? "\t" : given.value);
    if (given.letter != 'v') continue;
    size_t equals = given.value.find('=');
    if (equals == std::string::npos || equals == 0) {
      context.fail(fmt::format("{} argument to -v not in var=value form", quoted(given.value)));
      return false;
    }
    interpreter.assign(given.value.substr(0, equals),
                       std::string_view(given.value).substr(equals + 1));
  }
  return true;
}

}  // namespace

int awk(Context& context) {
  constexpr int kFatal = 2;
  auto options = parse_options(context, "awk", "Fvfe", 2);
  if (!options) return options.error();
  auto text = program_text(context, *options);
  if (!text) return kFatal;
  auto program = nacre::awk::parse(*text);
  if (!program) return context.fail(program.error().message);
  if (auto part = unmodelled_part(*program)) return context.not_modelled(*part);
  if (auto name = wrong_call(*program)) {
    return context.fail(fmt::format("too few arguments for {}", *name));
  }
  AwkInterpreter interpreter(*program, context);
  if (!apply_options(context, *options, interpreter)) return kFatal;
  return interpreter.run(options->operands);
}

int gawk(Context& context) { return awk(context); }
int mawk(Context& context) { return awk(context); }

}  // namespace nacre::utilities
