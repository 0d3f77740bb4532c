// Rules about ARG and ENV: what is read where nothing has set it, and what should not be in them.
#include <algorithm>
#include <fmt/format.h>

#include "base/nearest.h"
#include "docker/rules.h"
#include "docker/secrets.h"
#include "docker/text.h"
#include "shell/visitor.h"

namespace nacre::docker {

namespace {

// Set by bash and similar shells; dash has none of them, busybox some.
constexpr std::string_view kOfBash[] = {"RANDOM",   "SECONDS",      "BASH_VERSION", "BASHPID",
                                        "SRANDOM",  "EPOCHSECONDS", "UID",          "EUID",
                                        "HOSTNAME", "OSTYPE",       "MACHTYPE",     "DIRSTACK"};
// Set by every shell, or by what starts one.
constexpr std::string_view kOfShells[] = {"HOME",   "PATH",    "PWD",  "OLDPWD", "IFS",    "PPID",
                                          "USER",   "LOGNAME", "TERM", "SHELL",  "OPTIND", "OPTARG",
                                          "LINENO", "REPLY",   "LANG", "TMPDIR", "PS1",    "PS2",
                                          "PS4",    "MAIL",    "TZ",   "_"};

bool has_lower_case(std::string_view name) { return name != upper_case(name); }

// What is known of a name that nothing before the step sets.
struct Verdict {
  std::string message;  // empty: it may come from the base image
  std::vector<std::string> aliases;
};

std::vector<std::string_view> declared_names(const Facts& facts, const Step& step) {
  std::vector<std::string_view> names;
  for (const auto& [name, definitions] : facts.stage_of(step).variables) names.push_back(name);
  return names;
}

bool is_one_change(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > 1) return false;
  size_t same = 0;
  while (same < a.size() && a[same] == b[same]) same++;
  const size_t skip = a.size() == b.size() ? 1 : 0;
  return same < b.size() && a.substr(std::min(same + skip, a.size())) == b.substr(same + 1);
}

// Two neighbouring letters have changed places.
bool is_swapped(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin());
  const size_t at = static_cast<size_t>(x - a.begin());
  return at + 1 < a.size() && a[at] == b[at + 1] && a[at + 1] == b[at] &&
         a.substr(at + 2) == b.substr(at + 2) && y != b.end();
}

// A name of the stage, or one that every build has, from which `name` is one letter away.
std::string slip_of(const Facts& facts, const Step& step, std::string_view name) {
  constexpr size_t kTelling = 5;
  if (is_swapped(name, "PATH")) return "PATH";
  if (name.size() < kTelling) return "";
  std::vector<std::string_view> names = declared_names(facts, step);
  for (const std::string_view each : {"HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "NO_PROXY",
                                      "http_proxy", "https_proxy", "ftp_proxy", "no_proxy"})
    names.push_back(each);
  for (const std::string_view each : names) {
    const bool is_series = is_one_change(name, each) &&
                           (name.back() != each.back() &&
                            name.substr(0, name.size() - 1) == each.substr(0, each.size() - 1));
    if (is_one_change(name, each) && !is_series) return std::string(each);
  }
  return "";
}

bool is_defined_elsewhere(const Facts& facts, const Step& step, std::string_view name) {
  return std::any_of(facts.stages.stages.begin(), facts.stages.stages.end(),
                     [&](const Stage& stage) {
                       return &stage != &facts.stage_of(step) && stage.variables.contains(name);
                     });
}

// `ENV LIBS=$LIBS:/x` adds to what the base image may have.
bool is_set_by(const Facts& facts, const Step& step, std::string_view name) {
  const auto& variables = facts.stage_of(step).variables;
  const auto at = variables.find(name);
  if (at == variables.end()) return false;
  const auto is_here = [&](const Definition& each) { return each.index == step.index; };
  return std::any_of(at->second.environment.begin(), at->second.environment.end(), is_here) ||
         std::any_of(at->second.arguments.begin(), at->second.arguments.end(), is_here);
}

bool is_set_later(const Facts& facts, const Step& step, std::string_view name) {
  return facts.stage_of(step).variables.contains(name) && !is_set_by(facts, step, name);
}

// Only where it is plain that the base image has nothing to do with it.
std::string why_undefined(const Facts& facts, const Step& step, std::string_view name) {
  if (facts.stages.global_arguments.contains(name))
    return fmt::format(
        "the ARG {0} before the first FROM does not reach into a stage; repeat ARG {0} "
        "in it",
        name);
  if (is_platform_argument(name))
    return fmt::format("{0} is set only where the stage declares it with ARG {0}", name);
  if (is_set_later(facts, step, name)) return fmt::format("{} is set only later", name);
  const std::string near = is_set_by(facts, step, name) ? "" : slip_of(facts, step, name);
  if (!near.empty()) return fmt::format("nothing sets {}; did you mean {}?", name, near);
  const Stage* root = facts.stages.root_of(step.stage);
  const bool is_scratch = root != nullptr && root->from != nullptr && root->image.text == "scratch";
  if (is_scratch) return fmt::format("nothing sets {}", name);
  if (has_lower_case(name)) {
    return is_defined_elsewhere(facts, step, name)
               ? fmt::format("{} is set in another stage, not in this one", name)
               : fmt::format("nothing sets {}", name);
  }
  return "";
}

bool expands_words(Keyword keyword) {
  switch (keyword) {
    case Keyword::kAdd:
    case Keyword::kCopy:
    case Keyword::kEnv:
    case Keyword::kExpose:
    case Keyword::kLabel:
    case Keyword::kStopsignal:
    case Keyword::kUser:
    case Keyword::kVolume:
    case Keyword::kWorkdir: return true;
    default: return false;
  }
}

void judge_word(const Facts& facts, const Step& step, std::string_view text, Span span,
                Findings& findings) {
  if (text.find('$') == std::string_view::npos) return;
  for (const VariableUse& use : find_variables(text, facts.file.escape).uses) {
    const bool is_set = use.has_default || use.name == "PATH" || is_predefined_argument(use.name) ||
                        facts.stages.find_variable(use.name, step) != nullptr;
    if (is_set) continue;
    const std::string why = why_undefined(facts, step, use.name);
    if (!why.empty()) findings.add("D311", span, why + ": it is empty here", {"UndefinedVar"});
  }
}

// A program that takes in others may set anything.
bool may_set_anything(const Script& script) {
  return std::any_of(script.calls.begin(), script.calls.end(), [](const Call& call) {
    return call.name == "." || call.name == "source" || call.name == "eval" ||
           call.name == "read" || call.name == "getopts" || call.name == "mapfile" ||
           call.name == "readarray";
  });
}

void judge_parameter(const Facts& facts, const Script& script, const shell::Parameter& parameter,
                     Findings& findings) {
  const Step& step = *script.step;
  const std::string_view name = parameter.name;
  const bool is_foreseen =
      parameter.kind != shell::ParameterKind::kVariable ||
      parameter.op == shell::ParameterOp::kDefault || parameter.op == shell::ParameterOp::kAssign ||
      parameter.op == shell::ParameterOp::kError ||
      parameter.op == shell::ParameterOp::kAlternative || parameter.op == shell::ParameterOp::kBad;
  if (is_foreseen || script.assigned.contains(name) || is_predefined_argument(name)) return;
  if (is_among(kOfShells, name) || facts.stages.find_variable(name, step) != nullptr) return;
  const shell::Dialect dialect = script.program().tree.dialect();
  const bool is_plain = dialect == shell::Dialect::kSh || dialect == shell::Dialect::kDash;
  if (is_among(kOfBash, name) || name.starts_with("BASH_")) {
    if (is_plain)
      findings.add("D311", parameter.name_span(),
                   fmt::format("the shell of this RUN is sh, which does not set {}", name),
                   {"SC3028"});
    return;
  }
  if (may_set_anything(script)) return;
  const std::string why = why_undefined(facts, step, name);
  if (!why.empty()) findings.add("D311", parameter.name_span(), why, {"SC2154"});
}

}  // namespace

// ENV a=1 b=$a                     # reported
// ENV a=1 + ENV b=$a               # not
void report_self_reference(const Facts& facts, Findings& findings) {
  for (const Step& step : facts.stages.steps) {
    const Instruction& env = *step.instruction;
    if (env.keyword != Keyword::kEnv || env.pairs.size() < 2) continue;
    std::map<std::string_view, const Pair*> set;  // the first pair of each name
    for (const Pair& pair : env.pairs) set.emplace(pair.key.text, &pair);
    for (const Pair& pair : env.pairs) {
      for (const VariableUse& use : find_variables(pair.value.text, facts.file.escape).uses) {
        const auto other = set.find(use.name);
        // `PATH=/a:$PATH PATH=/b:$PATH`: the second one does not see the first.
        const bool is_again =
            other != set.end() && use.name == pair.key.text && other->second != &pair;
        const bool is_old =
            use.name == pair.key.text || facts.stages.find_variable(use.name, step) != nullptr;
        if (other == set.end() || (is_old && !is_again)) continue;
        Diagnostic& made = findings.add(
            "D309", pair.value.span,
            fmt::format("{} is set by the same ENV, which the builder does not see here", use.name),
            is_again ? std::vector<std::string>{"DL3044"}
                     : std::vector<std::string>{"DL3044", "UndefinedVar"},
            Confidence::kCertain);
        made.notes.push_back({facts.file.source, other->second->key.span, "set here"});
      }
    }
  }
}

// ARG tag=1 + FROM a:1 + COPY x-$tag /     # reported: the stage does not see tag
// FROM a:1 + ARG tag=1 + COPY x-$tag /     # not
void report_undefined(const Facts& facts, Findings& findings) {
  for (const Step& step : facts.stages.steps) {
    const Instruction& each = *step.instruction;
    if (!expands_words(each.keyword)) continue;
    if (facts.stage_of(step).from == nullptr) continue;
    for (const Flag& flag : each.flags)
      if (flag.name != "from") judge_word(facts, step, flag.value, flag.span, findings);
    if (each.pairs.empty()) {
      for (const Word& word : each.words) {
        const bool is_document = word.text.starts_with("<<");
        if (!is_document) judge_word(facts, step, word.text, word.span, findings);
      }
    }
    const bool is_env = each.keyword == Keyword::kEnv;
    for (const Pair& pair : each.pairs) {
      const bool is_own = is_env && each.pairs.size() > 1;  // D309 knows more
      if (!is_own) judge_word(facts, step, pair.value.text, pair.value.span, findings);
    }
  }
}

// FROM a:1 + RUN echo "$version"                   # reported
// FROM a:1 + ARG version + RUN echo "$version"     # not
void report_undefined_in_scripts(const Facts& facts, Findings& findings) {
  for (const auto& script : facts.scripts) {
    if (script->step->instruction->form == Form::kJson) continue;
    shell::walk(script->program().tree.program(),
                shell::Visitor{[&](const shell::Parameter& parameter) {
                  judge_parameter(facts, *script, parameter, findings);
                }});
  }
}

// ENV DB_PASSWORD=hunter2          # reported
// ENV DB_PASSWORD_FILE=/run/x      # not
void report_secrets(const Facts& facts, Findings& findings) {
  const auto judge = [&](const Instruction& each) {
    if (each.keyword != Keyword::kEnv && each.keyword != Keyword::kArg) return;
    for (const Pair& pair : each.pairs) {
      std::vector<std::string> aliases = secret_aliases(pair.key.text);
      if (aliases.empty() || !may_be_secret_value(pair.value.text)) continue;
      findings.add("D503", pair.key.span,
                   fmt::format("{} stays readable in the image and its history; use a secret mount",
                               pair.key.text),
                   std::move(aliases));
    }
  };
  for (const Instruction* each : facts.stages.global_steps) judge(*each);
  for (const Step& step : facts.stages.steps) judge(*step.instruction);
}

}  // namespace nacre::docker
