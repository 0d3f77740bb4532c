#include "prove/knowledge.h"

#include <algorithm>
#include <iterator>

#include "commands/awk_program.h"
#include "commands/sed_program.h"
#include "shell/builtins.h"

namespace nacre::prove {

namespace {

using commands::CardKey;
using commands::Invocation;

// The value of a key as the number of its choice; the last choice (unknown) without a line.
template <typename Choice>
Choice choice_of(const Invocation& call, CardKey key) {
  std::string_view choices = info_of(key).choices;
  const commands::Property* property =
      call.is_foreign || call.is_uncertain || !call.problems.empty() ? nullptr : call.property(key);
  unsigned index = 0;
  for (;; index++) {
    const size_t end = choices.find('|');
    if (end == std::string_view::npos || (property && choices.substr(0, end) == property->value))
      return static_cast<Choice>(index);
    choices.remove_prefix(end + 1);
  }
}

// The program among the words of awk or sed: its first operand, or the pieces of -e.
std::optional<std::string> program_of(const Invocation& call) {
  if (call.has("-f") || call.has("-i") || call.has("--file")) return std::nullopt;
  std::string text;
  bool has_pieces = false;
  for (const commands::GivenOption& option : call.options) {
    if (!option.spec->is("-e")) continue;
    if (!option.argument || !option.argument->text) return std::nullopt;
    text += *option.argument->text + "\n";
    has_pieces = true;
  }
  if (has_pieces) return text;
  if (call.operands.empty()) return std::nullopt;
  return call.operands[0].text;
}

void ask_sed(const std::string& text, Knowledge& known) {
  const auto program = sed::parse(text);
  if (!program) return;
  const bool acts =
      std::any_of(program->commands.begin(), program->commands.end(), [](const sed::Command& each) {
        return std::string_view("wWeF").find(each.name) != std::string_view::npos ||
               each.substitution.executes || each.substitution.file;
      });
  if (acts) return;
  known.varies = Varies::kNo;
  known.again = Again::kNothing;
}

bool is_fixed(const awk::Expr& each) {
  if (std::holds_alternative<awk::Getline>(each.node)) return false;
  if (const auto* variable = std::get_if<awk::Variable>(&each.node))
    return variable->name != "PROCINFO" && variable->name != "ENVIRON";
  if (const auto* element = std::get_if<awk::Element>(&each.node))
    return element->array != "PROCINFO";
  const auto* call = std::get_if<awk::Call>(&each.node);
  if (call == nullptr) return true;
  constexpr std::string_view kVarying[] = {"rand", "srand", "systime", "strftime", "system"};
  return !call->is_indirect &&
         std::find(std::begin(kVarying), std::end(kVarying), call->function) == std::end(kVarying);
}

void ask_awk(const std::string& text, Knowledge& known) {
  const auto program = awk::parse(text);
  if (!program || !program->includes.empty()) return;
  const bool writes =
      std::any_of(program->stmts.begin(), program->stmts.end(), [](const awk::Stmt& each) {
        const auto* output = std::get_if<awk::Output>(&each.node);
        return output != nullptr && output->redirect != awk::Output::Redirect::kNone;
      });
  // The order of `for (key in array)` is not written down.
  const bool has_order = std::any_of(
      program->stmts.begin(), program->stmts.end(),
      [](const awk::Stmt& each) { return std::holds_alternative<awk::ForIn>(each.node); });
  const bool varies = !std::all_of(program->exprs.begin(), program->exprs.end(), is_fixed);
  if (!writes && !varies) known.again = Again::kNothing;
  if (!writes && !varies && !has_order) known.varies = Varies::kNo;
}

// find ... -exec rm -f {} +: nothing is left to find, whatever the order was.
void ask_find(const purify::Script& script, const purify::Call& call, Knowledge& known) {
  const auto is = [&](size_t at, std::string_view text) {
    return at < call.words.size() && call.words[at].is_literal() &&
           call.words[at].literal() == text;
  };
  for (size_t i = 1; i < call.words.size(); i++) {
    if (!is(i, "-exec")) continue;
    size_t end = i + 1;
    while (end < call.words.size() && !is(end, ";") && !is(end, "+")) end++;
    const purify::Call inner{call.place, call.words[i + 1].literal(),
                             call.words.subspan(i + 1, end - i - 1)};
    if (end + 1 != call.words.size() || !call.words[i + 1].is_literal()) return;
    const Knowledge each = knowledge_of(script, inner);
    const bool is_removal = inner.is("rm") && each.again == Again::kSame;
    if (each.varies != Varies::kNo) return;
    if (each.again == Again::kNothing) {
      known.again = Again::kNothing;
      known.varies = Varies::kOrder;
    } else if (is_removal) {
      known.again = Again::kSame;
      known.varies = Varies::kNo;
    }
    return;
  }
}

std::string foreign_option_of(const Invocation& call, bool is_builtin) {
  for (const commands::GivenOption& option : call.options) {
    const bool is_posix = (option.spec->standards & commands::kInPosix) != 0 ||
                          (is_builtin && option.spec->standards == 0);
    if (!is_posix) return option.spec->spelling();
  }
  return call.problems.empty() ? "" : call.problems[0].message;
}

}  // namespace

Knowledge knowledge_of(const purify::Script& script, const purify::Call& call) {
  Knowledge result;
  const shell::BuiltinInfo* builtin = shell::builtin_named(call.name);
  result.is_posix = builtin != nullptr && builtin->is_in(shell::Dialect::kSh);
  const auto invocation = purify::invocation_of(script, call);
  if (!invocation) return result;
  result.is_posix |= (invocation->card->standards & commands::kInPosix) != 0;
  result.varies = choice_of<Varies>(*invocation, CardKey::kVaries);
  result.again = choice_of<Again>(*invocation, CardKey::kAgain);
  const commands::Property* uses = invocation->property(CardKey::kUses);
  result.writes_last = uses != nullptr && uses->value == "last";
  const auto& operands = invocation->card->operands;
  result.reads_files =
      invocation->property(CardKey::kChecks) != nullptr ||
      ((uses == nullptr || uses->value != "nothing") &&
       std::any_of(operands.begin(), operands.end(), [](const commands::OperandSpec& each) {
         return each.kind == commands::OperandKind::kFile || commands::is_path(each.kind);
       }));
  result.foreign_option = foreign_option_of(*invocation, builtin != nullptr);
  if (result.varies != Varies::kProgram && result.again != Again::kProgram) return result;
  if (result.varies == Varies::kProgram) result.varies = Varies::kUnknown;
  if (result.again == Again::kProgram) result.again = Again::kUnknown;
  const std::string_view model = invocation->card->model;
  if (model == "find") ask_find(script, call, result);
  const auto program = program_of(*invocation);
  if (program && model == "sed") ask_sed(*program, result);
  if (program && model == "awk") ask_awk(*program, result);
  return result;
}

std::string_view describe(Varies varies) {
  switch (varies) {
    case Varies::kNo: return "the same on every run";
    case Varies::kClock: return "the clock";
    case Varies::kRandom: return "chance";
    case Varies::kPid: return "the process id";
    case Varies::kHost: return "the name of the host";
    case Varies::kUser: return "the user";
    case Varies::kOrder: return "the order of a directory";
    case Varies::kState: return "the state of the machine";
    case Varies::kNetwork: return "the network";
    case Varies::kProgram:
    case Varies::kUnknown: break;
  }
  return "a command that is not known";
}

}  // namespace nacre::prove
