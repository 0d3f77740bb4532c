// sed: an abstract run of the script over one line. The state is the language of the pattern space;
// addresses split it, `s` and `y` map it, `p` and the end of the script print it. Commands are
// visited in order, each once unless the script jumps back; a loop such as `:a;s/x/y/;ta` is
// followed until its states repeat, or until the budget widens it.
//
// The first lines of the input, of which more is known than of the rest, have runs of their own,
// and on them it is known which line numbers hold. The hold space is any text once something was
// put into it.
#include <algorithm>
#include <map>

#include "commands/dialect_slips.h"
#include "commands/models.h"
#include "commands/pattern_slips.h"
#include "commands/sed_lines.h"
#include "commands/sed_program.h"
#include "regular/decide.h"
#include "regular/dfa.h"
#include "regular/line_select.h"
#include "regular/lower.h"
#include "regular/match_pattern.h"
#include "regular/parse_posix.h"
#include "regular/replacement.h"
#include "regular/symbol_map.h"
#include "regular/translate_chars.h"
#include "regular/translate_match.h"

namespace nacre::commands {

namespace {

using regular::CharSet;

// Of one command. A loop that goes on longer has any text of its characters, and at last any text.
constexpr int kMaxVisits = 6;
constexpr uint64_t kMaxStates = 10'000;  // of all questions of one run

struct Script {
  std::string text;
  Span span;
  bool is_known = true;
  bool is_one_word = true;  // else `span` is the first of several -e
  size_t first_file = 0;
};

Script script_of(const Invocation& invocation) {
  Script result;
  bool has_any = false;
  for (const GivenOption& given : invocation.options) {
    const std::string_view name = given.spec->short_name;
    if (name == "f") result.is_known = false;
    if ((name != "e" && name != "f") || !given.argument) continue;
    if (!given.argument->text)
      result.is_known = false;
    else
      result.text += (has_any ? "\n" : "") + *given.argument->text;
    if (!has_any) result.span = given.argument->span;
    result.is_one_word = !has_any;
    has_any = true;
  }
  if (has_any) return result;
  result.first_file = 1;
  if (invocation.operands.empty()) {
    result.is_known = false;
    return result;
  }
  result.span = invocation.operands[0].span;
  result.is_known = invocation.operands[0].text.has_value();
  if (result.is_known) result.text = *invocation.operands[0].text;
  return result;
}

class Run {
 public:
  Run(const sed::Program& program, const Source& source, bool is_extended, bool is_silent,
      Wanted wanted, Context& context)
      : program_(program),
        context_(context),
        wants_lines_(wanted == Wanted::kLines),
        spent_before_(context.spent()),
        is_extended_(is_extended),
        is_silent_(is_silent || program.starts_with_n),
        any_(star(context.set(CharSet::all(context.alphabet())))),
        next_line_(any_line(source.lines)),
        printed_(context.empty()) {}

  // The error message for a pattern that sed would refuse; checked before anything runs.
  std::optional<Error> refusal() {
    for (const sed::Command& command : program_.commands) {
      for (const auto* address : {&command.first, &command.second}) {
        if (*address && (*address)->kind == sed::Address::Kind::kPattern) {
          if (auto regex = parse((*address)->pattern); !regex)
            return Error{(*address)->pattern.span, regex.error().message};
        }
      }
      if (command.name != 's') continue;
      auto regex = parse(command.substitution.pattern);
      if (!regex) return Error{command.substitution.pattern.span, regex.error().message};
      // An empty pattern is the last one that was used, with all its groups.
      constexpr uint32_t kAnyGroups = 9;
      const bool is_last = command.substitution.pattern.source.empty();
      auto replacement = regular::parse_sed_replacement(command.substitution.replacement,
                                                        is_last ? kAnyGroups : regex->group_count);
      if (!replacement)
        return Error{command.substitution.replacement_span, replacement.error().message};
    }
    return std::nullopt;
  }

  // One line whose number is among `numbers`.
  void line(Lang pattern_space, sed::Lines numbers) {
    numbers_ = numbers;
    visited_.clear();
    visits_.clear();
    push(0, pattern_space);
    // The first command that waits: what comes to it later comes by a jump.
    while (!work_.empty() && !is_exhausted()) {
      const auto first = work_.extract(work_.begin());
      visit(first.key(), first.mapped());
    }
  }

  // The script asks for more work than it is worth: it may print anything.
  [[nodiscard]] bool is_exhausted() const { return context_.spent() - spent_before_ > kMaxStates; }

  [[nodiscard]] Lang printed() const { return printed_; }

  // If all the script does is replace or delete, the lines that it leaves as they are: those
  // without a match, and those of which it replaces nothing by nothing (`s/$//`).
  std::optional<Lang> unchanged() {
    Lang result = any_;
    for (const sed::Command& command : program_.commands) {
      if (const sed::Pattern* deleted = chosen_by(command, 'd'); deleted && !command.is_negated) {
        result = result - matching(*deleted);
        continue;
      }
      if (command.name != 's' || command.first || command.substitution.pattern.source.empty() ||
          command.substitution.executes) {
        return std::nullopt;
      }
      const auto words = regular::lower(context_, *parse(command.substitution.pattern));
      const bool replaces_nothing = words && command.substitution.replacement.empty() &&
                                    regular::included(*words, context_.epsilon()).yes();
      if (!replaces_nothing) result = result - matching(command.substitution.pattern);
    }
    return is_silent_ || program_.commands.empty() ? std::nullopt : std::optional(result);
  }

  // If all the script does is replace, or choose lines by one pattern, how a printed line comes
  // from one that was read.
  std::optional<LineMap> line_map() {
    if (program_.commands.size() == 1) {
      const sed::Command& only = program_.commands[0];
      if (const sed::Pattern* chosen = chosen_by(only, is_silent_ ? 'p' : 'd'))
        return LineMap{is_silent_ != only.is_negated ? matching(*chosen) : any_ - matching(*chosen),
                       {}};
    }
    LineMap result{any_, {}};
    for (const sed::Command& command : program_.commands) {
      if (command.first) return std::nullopt;
      if (command.name == 'y') {
        result.map = result.map.then(transliteration(command));
        continue;
      }
      const sed::Substitution& how = command.substitution;
      const bool is_line = how.replacement.find("\\n") == std::string::npos &&
                           how.replacement.find('\n') == std::string::npos;
      if (command.name != 's' || how.pattern.source.empty() || how.executes || !is_line)
        return std::nullopt;
      const auto* transducer = replacing(how);
      if (!transducer || !transducer->is_exact() || how.prints != is_silent_) return std::nullopt;
      if (is_silent_ && program_.commands.size() > 1) return std::nullopt;
      if (is_silent_) result.keeps = matching(how.pattern);
      result.map = result.map.then(*transducer);
    }
    return is_silent_ && result.keeps == any_ ? std::nullopt : std::optional(result);
  }

 private:
  // The pattern of `/pattern/d`, say: one address, of which the command is all there is.
  static const sed::Pattern* chosen_by(const sed::Command& command, char name) {
    const bool is_one = command.name == name && command.first && !command.second &&
                        command.first->kind == sed::Address::Kind::kPattern;
    return is_one && !command.first->pattern.source.empty() ? &command.first->pattern : nullptr;
  }

  Result<regular::Regex> parse(const sed::Pattern& pattern) const {
    return regular::parse_posix(pattern.source, {.is_extended = is_extended_,
                                                 .tool = regular::PosixTool::kSed,
                                                 .folds_case = pattern.ignores_case,
                                                 .is_multiline = pattern.is_multiline});
  }

  // The pattern spaces that hold a match. An empty pattern is the last one used, which only a run
  // knows.
  Lang matching(const sed::Pattern& pattern) {
    if (pattern.source.empty()) return any_;
    if (const auto known = matching_.find(&pattern); known != matching_.end()) return known->second;
    auto lang = regular::lower(
        context_, *parse(pattern),
        {.match = regular::Match::kContains, .back_references = regular::BackReferences::kWiden});
    return matching_.emplace(&pattern, lang ? *lang : any_).first->second;
  }

  // What the command does to a line with a match; null if that is not known.
  const regular::Transducer* replacing(const sed::Substitution& substitution) {
    const auto [known, is_new] = replacing_.try_emplace(&substitution);
    if (is_new) known->second = replacement_by(substitution);
    return known->second ? &*known->second : nullptr;
  }

  std::optional<regular::Transducer> replacement_by(const sed::Substitution& substitution) {
    const auto regex = parse(substitution.pattern);
    const auto replacement =
        regular::parse_sed_replacement(substitution.replacement, regex->group_count);
    const auto pattern = regular::match_pattern(context_, *regex);
    if (!pattern) return std::nullopt;
    return regular::translate_match(*pattern, *replacement,
                                    {substitution.occurrence, substitution.is_global},
                                    context_.limited({}));
  }

  void push(size_t at, Lang space) {
    if (!regular::is_empty(space).yes()) push_some(at, space);
  }

  // `space` is not empty.
  void push_some(size_t at, Lang space) {
    const auto [waiting, is_new] = work_.try_emplace(at, space);
    if (!is_new) waiting->second = waiting->second | space;
  }

  void visit(size_t at, Lang space) {
    const auto [seen, is_new] = visited_.try_emplace(at, space);
    if (!is_new) {
      if (regular::included(space, seen->second).yes()) return;
      const int visits = ++visits_[at];
      if (visits > kMaxVisits)
        space = star(context_.set(regular::symbols_of(seen->second | space)));
      if (visits > 2 * kMaxVisits) space = any_;
      seen->second = seen->second | space;
    }
    step(at, space);
  }

  void print(Lang space) {
    if (!regular::symbols_of(space).contains('\n')) {
      printed_ = printed_ | space;
      return;
    }
    printed_ = printed_ | regular::image(regular::each_line(context_.alphabet()),
                                         space + context_.literal("\n"));
  }

  void end_of_script(Lang space) {
    if (!is_silent_) print(space);
  }

  // Splits by the command's addresses: where it runs, where it does not. What is not followed goes
  // both ways.
  std::pair<Lang, Lang> split(const sed::Command& command, Lang space) {
    const sed::Runs by_number = sed::runs_on(command, numbers_);
    if (by_number == sed::Runs::kAlways) return {space, context_.empty()};
    if (by_number == sed::Runs::kNo) return {context_.empty(), space};
    Lang runs = space, skips = space;
    if (!command.second && command.first->kind == sed::Address::Kind::kPattern &&
        !command.first->pattern.source.empty()) {
      const Lang match = matching(command.first->pattern);
      runs = space & match;
      skips = space - match;
    }
    return command.is_negated ? std::pair{skips, runs} : std::pair{runs, skips};
  }

  void step(size_t at, Lang space) {
    if (at >= program_.commands.size()) return end_of_script(space);
    const sed::Command& command = program_.commands[at];
    auto [runs, skips] = split(command, space);
    push(command.name == '{' ? command.target : at + 1, skips);
    if (!regular::is_empty(runs).yes()) execute(command, at, runs);
  }

  // What the command does to a pattern space on which it runs.
  void execute(const sed::Command& command, size_t at, Lang space) {
    const Lang newline = context_.literal("\n");
    switch (command.name) {
      case 'b': return push(command.target, space);
      case 't': push(command.target, space); return push(at + 1, space);
      case 'T': push(command.target, space); return push(at + 1, space);
      case 'd': return;
      case 'D': {
        const Lang rest =
            regular::image(regular::without_first_lines(context_.alphabet(), 1), space);
        return push(0, rest);
      }
      case 'p': print(space); break;
      case 'P': print(regular::image(regular::first_lines(context_.alphabet(), 1), space)); break;
      case 'q': return end_of_script(space);
      case 'Q': return;
      case 's': return substitute(command.substitution, at, space);
      case 'y': space = regular::image(transliteration(command), space); break;
      case 'n':
        end_of_script(space);
        space = next_line_;
        break;
      case 'N':
        end_of_script(space);  // at the last line GNU sed prints and ends
        space = space + newline + next_line_;
        break;
      case 'a':
      case 'i': print(lines_of(command.text)); break;
      case 'c': print(lines_of(command.text)); return;
      case '=': print(plus(context_.set(CharSet::range('0', '9')))); break;
      case 'F':
      case 'l':
      case 'r':
      case 'R':
      case 'e': print(any_); break;
      case 'G': space = space + newline + any_; break;
      case 'g':
      case 'x': space = any_; break;
      case 'z': space = context_.epsilon(); break;
      default: break;  // { } : h H w W v
    }
    push(at + 1, space);
  }

  Lang lines_of(std::string_view text) {
    if (text.ends_with('\n')) text.remove_suffix(1);
    return context_.literal(text);
  }

  regular::Transducer transliteration(const sed::Command& command) const {
    std::array<uint8_t, 256> table{};
    for (size_t byte = 0; byte < table.size(); byte++) table[byte] = static_cast<uint8_t>(byte);
    for (size_t i = 0; i < command.from.size(); i++) {
      table[static_cast<uint8_t>(command.from[i])] = static_cast<uint8_t>(command.to[i]);
    }
    return regular::translate_chars(regular::SymbolTranslation{
        context_.alphabet(), regular::SymbolMap::of_bytes(table), {}, {}});
  }

  void substitute(const sed::Substitution& substitution, size_t at, Lang space) {
    if (substitution.pattern.source.empty() || substitution.executes) {
      if (substitution.prints) print(any_);
      return push(at + 1, any_);
    }
    const auto replaced = [&](Lang line) {
      const auto* transducer = wants_lines_ ? replacing(substitution) : nullptr;
      return transducer ? regular::image(*transducer, line) : any_;
    };
    if (substitution.prints) {
      const Lang matched = space & matching(substitution.pattern);
      if (!regular::is_empty(matched).yes()) print(replaced(matched));
    }
    push_some(at + 1, replaced(space));
  }

  const sed::Program& program_;
  Context& context_;
  bool wants_lines_;       // else only whether there are any: what a replacement makes is not asked
  uint64_t spent_before_;  // states, by others
  bool is_extended_;
  bool is_silent_;
  Lang any_;
  Lang next_line_;
  Lang printed_;
  sed::Lines numbers_;
  std::map<size_t, Lang> work_;  // by the command that comes next
  std::map<size_t, Lang> visited_;
  std::map<size_t, int> visits_;
  std::map<const sed::Pattern*, Lang> matching_;
  std::map<const sed::Substitution*, std::optional<regular::Transducer>> replacing_;
};

// `s/ +/ /`: a blank with an ordinary + after it, and nothing else, is hardly what is looked for.
bool is_repeated_blank(std::string_view pattern) {
  if (pattern.starts_with('^')) pattern.remove_prefix(1);
  if (pattern.ends_with('$')) pattern.remove_suffix(1);
  return pattern == " +";
}

void find_slips(const sed::Program& program, const Script& script, bool is_extended,
                std::vector<Problem>& problems) {
  const auto look = [&](const sed::Pattern& pattern) {
    std::string slip = slip_in(pattern.source);
    if (slip.empty())
      slip = dialect_slip(pattern.source,
                          is_extended ? PatternDialect::kExtended : PatternDialect::kBasic);
    const auto inside = script.is_one_word ? std::optional(pattern.span) : std::nullopt;
    if (!slip.empty()) problems.push_back({Flaw::kPattern, script.span, slip, "", false, inside});
  };
  for (const sed::Command& command : program.commands) {
    for (const auto* address : {&command.first, &command.second}) {
      if (*address) look((*address)->pattern);
    }
    const sed::Substitution& substitution = command.substitution;
    look(substitution.pattern);
    if (!is_extended && is_repeated_blank(substitution.pattern.source) &&
        substitution.replacement.find('+') == std::string::npos)
      problems.push_back({Flaw::kPattern, script.span,
                          "sed: without -E a + is an ordinary character: write \\+ or use -E", "",
                          false, substitution.pattern.span});
  }
}

// `apart`: this number of first lines is handled elsewhere.
void run_lines(Run& run, const Stream& lines, bool is_counted, size_t apart) {
  if (!is_counted) return run.line(any_line(lines), {});
  const uint64_t known = lines.first.size();
  for (uint64_t i = apart; i < known; i++) run.line(lines.first[i], {i + 1, i + 1});
  if (lines.count.most > known) run.line(lines.rest, {known + 1, lines.count.most});
}

// The first lines, if each of them becomes one line: a heading stays apart from what is below it.
template <typename MakeRun>
std::vector<Lang> headings_by_sed(const sed::Program& program, bool is_silent, const Stream& input,
                                  MakeRun make_run) {
  std::vector<Lang> result;
  const LineCount one{1, 1};
  if (input.first.size() > kMaxHeadings || sed::lines_printed(program, is_silent, one) != one)
    return result;
  for (size_t i = 0; i < input.first.size(); i++) {
    Run run = make_run();
    run.line(input.first[i], {i + 1, i + 1});
    if (run.is_exhausted()) return {};
    result.push_back(run.printed());
  }
  return result;
}

void put_order(const sed::Program& program, const Stream& input, Span stage, Stream& lines) {
  lines.order = input.order;
  if (input.order < Order::kGrouped) return;
  lines.order = sed::cuts_ends(program) ? order_by_field(input, 1) : Order::kScattered;
  lines.scattered_by = stage;
}

// It writes no file, runs no command and does not tell anything by its status.
bool sed_only_prints(const sed::Program& program) {
  return std::none_of(program.commands.begin(), program.commands.end(), [](const sed::Command& c) {
    const bool tells_by_status = (c.name == 'q' || c.name == 'Q') && c.number;
    return tells_by_status || c.name == 'w' || c.name == 'W' || c.name == 'e' ||
           (c.name == 's' && (c.substitution.executes || c.substitution.file));
  });
}

}  // namespace

Behaviour model_sed(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  const Script script = script_of(invocation);
  const auto files = std::span(invocation.operands)
                         .subspan(std::min(script.first_file, invocation.operands.size()));
  const Source source = source_of(files, around);
  Behaviour result(opaque_stream(context));
  result.reads_input = source.uses_input;
  if (invocation.has("-i")) {
    result.output = empty_stream(context);
    result.reads_input = files.empty();
  }
  if (!script.is_known) return result;
  auto program = sed::parse(script.text, invocation.has("--sandbox"));
  const bool is_extended = invocation.has("-E") || invocation.has("-r");
  const bool prints_nothing = invocation.has("-n") || invocation.has("--silent");
  std::optional<Error> refusal;
  if (!program) refusal = program.error();
  const auto make_run = [&] {
    return Run(*program, source, is_extended, prints_nothing, around.wanted, context);
  };
  std::optional<Run> run;
  if (program) {
    run.emplace(make_run());
    refusal = run->refusal();
  }
  if (refusal) {
    result.problems.push_back({Flaw::kProgram, script.span, "sed: " + refusal->message, "", true,
                               script.is_one_word ? std::optional(refusal->span) : std::nullopt});
    result.output = empty_stream(context);
    return result;
  }
  find_slips(*program, script, is_extended, result.problems);
  if (invocation.has("-i") || around.wanted == Wanted::kMistakes) return result;
  const bool is_counted = sed::is_linewise(*program) && !invocation.has("-s") && files.size() <= 1;
  const bool is_silent = prints_nothing || program->starts_with_n;
  std::vector<Lang> first;
  const bool wants_lines = around.wanted == Wanted::kLines;
  if (is_counted && wants_lines)
    first = headings_by_sed(*program, is_silent, source.lines, make_run);
  run_lines(*run, source.lines, is_counted, first.size());
  result.is_exhausted = run->is_exhausted();
  if (result.is_exhausted) return result;
  Stream lines(run->printed());
  lines.first = std::move(first);
  if (is_counted) {
    lines.count = sed::lines_printed(*program, is_silent, source.lines.count);
  }
  lines.choice = source.lines.choice;
  lines.may_lack_newline = source.lines.may_lack_newline;
  // A last line without a newline may become empty, and then it is not a line.
  if (lines.may_lack_newline && lines.count.least > 0 && regular::is_nullable(any_line(lines)))
    lines.count.lower(lines.count.least - 1);
  put_order(*program, source.lines, invocation.name_span, lines);
  result.output = lines;
  result.is_filter = sed_only_prints(*program);
  result.chooses_lines = is_silent && result.is_filter;
  result.is_line_by_line = is_counted;
  if (wants_lines) result.trace = run->line_map();
  if (auto idle = run->unchanged()) {
    result.checks.push_back({Check::Kind::kNotAll, Asks::kEffect, *idle,
                             "sed changes nothing: no line that reaches it holds what it looks for",
                             "", false});
  }
  return result;
}

}  // namespace nacre::commands
