#include "docker/stages.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "base/ascii.h"
#include "base/path.h"
#include "docker/mounts.h"
#include "docker/text.h"

namespace nacre::docker {

namespace {

// A longer value is not followed: `ENV x=$x$x` doubles.
constexpr size_t kMaxValue = 64 << 10;

constexpr std::string_view kPredefined[] = {
    "HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "FTP_PROXY",        "ftp_proxy",
    "NO_PROXY",   "no_proxy",   "ALL_PROXY",   "all_proxy",   "SOURCE_DATE_EPOCH"};
constexpr std::string_view kPlatform[] = {"BUILDPLATFORM", "BUILDOS",         "BUILDOSVERSION",
                                          "BUILDARCH",     "BUILDVARIANT",    "TARGETPLATFORM",
                                          "TARGETOS",      "TARGETOSVERSION", "TARGETARCH",
                                          "TARGETVARIANT", "TARGETSTAGE"};

class StageFinder {
 public:
  StageFinder(const File& file, const std::map<uint32_t, std::string>& pragmas)
      : file_(file), pragmas_(pragmas) {
    result_.file = &file;
    result_.shells.emplace_back();
  }

  Stages run() {
    for (const Instruction& each : file_.instructions) {
      if (each.keyword == Keyword::kFrom) {
        begin_stage(each);
      } else if (result_.stages.empty() && each.keyword == Keyword::kArg) {
        add_global(each);
      } else {
        if (result_.stages.empty()) open_stage(nullptr);
        add_step(each);
      }
    }
    if (result_.stages.empty()) open_stage(nullptr);
    result_.stages.back().end_step = result_.steps.size();
    mark_result();
    return std::move(result_);
  }

 private:
  Stage& stage() { return result_.stages.back(); }
  [[nodiscard]] const Stage& stage() const { return result_.stages.back(); }

  void open_stage(const Instruction* from) {
    if (!result_.stages.empty()) stage().end_step = result_.steps.size();
    result_.stages.emplace_back();
    stage().from = from;
    stage().first_step = result_.steps.size();
    shell_ = 0;
    workdir_ = UINT32_MAX;
  }

  void add_global(const Instruction& arg) {
    result_.global_steps.push_back(&arg);
    for (const Pair& pair : arg.pairs) {
      Definition made{0, std::nullopt, pair.key.span, false};
      if (pair.has_value)
        made.value = known(expand(pair.value.text, file_.escape, global_lookup()));
      result_.global_arguments.insert_or_assign(pair.key.text, std::move(made));
    }
  }

  static std::optional<std::string> known(const Expanded& expanded) {
    const bool is_usable = expanded.is_known && expanded.text.size() <= kMaxValue;
    return is_usable ? std::optional(expanded.text) : std::nullopt;
  }

  [[nodiscard]] Lookup global_lookup() const {
    return [this](std::string_view name) -> std::optional<std::string> {
      const auto at = result_.global_arguments.find(name);
      return at == result_.global_arguments.end() ? std::nullopt : at->second.value;
    };
  }

  void begin_stage(const Instruction& from) {
    const size_t index = result_.stages.size();
    open_stage(&from);
    if (from.words.size() == 3) {
      stage().name = from.words[2].text;
      stage().name_span = from.words[2].span;
      result_.named[lower_case(stage().name)].push_back(index);
    }
    if (!from.words.empty())
      stage().image = expand(from.words[0].text, file_.escape, global_lookup());
    if (stage().image.is_known && stage().image.text != "scratch")
      stage().base = result_.find_stage(stage().image.text, index);
    if (stage().base) result_.stages[*stage().base].is_base = true;
    shell_ = first_shell();
    stage().last_shell = shell_;
  }

  // A file that names no image it could be told by: drives, accounts and `# escape=` of Windows.
  [[nodiscard]] bool looks_like_windows() const {
    if (file_.escape == '`') return true;
    for (const Instruction* each = stage().from + 1;
         each != file_.instructions.data() + file_.instructions.size(); each++) {
      if (each->keyword == Keyword::kFrom) return false;
      if (each->words.empty()) continue;
      const std::string_view word = unquote(each->words[0].text);
      const bool has_drive =
          word.size() > 2 && word[1] == ':' && (word[2] == '/' || word[2] == '\\');
      if (each->keyword == Keyword::kWorkdir && has_drive) return true;
      if (each->keyword == Keyword::kUser && word.starts_with("Container")) return true;
    }
    return false;
  }

  uint32_t add_shell(const Shell& made) {
    result_.shells.push_back(made);
    return static_cast<uint32_t>(result_.shells.size() - 1);
  }

  uint32_t first_shell() {
    if (stage().base) return result_.stages[*stage().base].last_shell;
    if (const auto pragma = pragmas_.begin();
        pragma != pragmas_.end() && pragma->first < file_.instructions.front().span.begin)
      return add_shell(shell_of_pragma(pragma->second));
    Shell made;
    if (const auto known = find_image(split_image(stage().image.text));
        known && stage().image.is_known) {
      made.is_of_image = true;
      if (known->shell == ImageShell::kCmd) made.kind = Shell::Kind::kCmd;
      if (known->shell == ImageShell::kDash) made.dialect = shell::Dialect::kDash;
      if (known->shell == ImageShell::kBusybox) made.dialect = shell::Dialect::kBusybox;
      if (known->shell == ImageShell::kBash) made.dialect = shell::Dialect::kBash;
    } else if (looks_like_windows()) {
      made.kind = Shell::Kind::kCmd;
    }
    return add_shell(made);
  }

  static Shell shell_of_pragma(const std::string& name) { return shell_of_words({Word{name, {}}}); }

  void add_step(const Instruction& instruction) {
    apply_pragmas(instruction.span.begin);
    const bool is_trigger = instruction.keyword == Keyword::kOnbuild && instruction.inner;
    const Instruction* real = &instruction;
    for (size_t i = 0; i < 2 && real->keyword == Keyword::kOnbuild && real->inner; i++)
      real = real->inner.get();
    stage().has_triggers |= is_trigger;
    Step step{
        real,   is_trigger, result_.stages.size() - 1, static_cast<uint32_t>(result_.steps.size()),
        shell_, workdir_};
    if (real->keyword == Keyword::kWorkdir && !is_trigger) workdir_ = step.index;
    result_.steps.push_back(step);
    define(step);
    if (real->keyword == Keyword::kShell && real->form == Form::kJson && !is_trigger)
      shell_ = add_shell(shell_of_words(real->words));
    stage().last_shell = shell_;
    mark_sources(*real);
  }

  // Pragmas that stand before the instruction and were not seen yet.
  void apply_pragmas(uint32_t at) {
    for (auto next = pragmas_.upper_bound(pragma_); next != pragmas_.end() && next->first < at;
         ++next) {
      pragma_ = next->first;
      if (stage().from == nullptr || next->first > stage().from->span.begin)
        shell_ = add_shell(shell_of_pragma(next->second));
    }
  }

  void define(const Step& step) {
    const Instruction& instruction = *step.instruction;
    const bool is_env = instruction.keyword == Keyword::kEnv;
    if (!is_env && instruction.keyword != Keyword::kArg) return;
    for (const Pair& pair : instruction.pairs) {
      Definition made{step.index, std::nullopt, pair.key.span, is_env};
      if (pair.has_value) {
        made.value = known(result_.expand_at(pair.value.text, step));
      } else if (const auto global = result_.global_arguments.find(pair.key.text);
                 global != result_.global_arguments.end()) {
        made.value = global->second.value;
      }
      Definitions& all = stage().variables[pair.key.text];
      (is_env ? all.environment : all.arguments).push_back(std::move(made));
    }
  }

  void mark_sources(const Instruction& instruction) {
    const auto mark = [&](const std::string& name) {
      const auto source = result_.find_stage(name, result_.stages.size() - 1);
      if (source) result_.stages[*source].is_copied = true;
    };
    if (const Flag* from = instruction.flag("from")) mark(std::string(unquote(from->value)));
    for (const Mount& mount : mounts_of(instruction)) mark(mount.from);
  }

  void mark_result() {
    const size_t count = result_.stages.size();
    result_.in_result.assign(count, false);
    for (size_t i = count; i-- > 0;) {
      if (i + 1 == count || result_.stages[i].has_triggers) result_.in_result[i] = true;
      if (result_.in_result[i] && result_.stages[i].base)
        result_.in_result[*result_.stages[i].base] = true;
    }
  }

  const File& file_;
  const std::map<uint32_t, std::string>& pragmas_;
  Stages result_;
  uint32_t shell_ = 0;
  uint32_t pragma_ = 0;
  uint32_t workdir_ = UINT32_MAX;
};

}  // namespace

bool is_predefined_argument(std::string_view name) { return is_among(kPredefined, name); }
bool is_platform_argument(std::string_view name) { return is_among(kPlatform, name); }

Shell shell_of_words(const std::vector<Word>& words) {
  Shell made;
  made.is_explicit = true;
  if (words.empty()) return made;
  std::string program = lower_case(words[0].text);
  std::replace(program.begin(), program.end(), '\\', '/');
  std::string_view name = base_name(program);
  if (name.ends_with(".exe")) name.remove_suffix(4);
  if (name == "powershell" || name == "pwsh") {
    made.kind = Shell::Kind::kPowerShell;
  } else if (name == "cmd") {
    made.kind = Shell::Kind::kCmd;
  } else if (const auto dialect = shell::dialect_named(name)) {
    made.dialect = *dialect;
  } else {
    // zsh is near enough to bash for what is asked here, but its own language is not read.
    made.kind = Shell::Kind::kOther;
  }
  for (size_t i = 1; i < words.size(); i++) {
    const std::string& word = words[i].text;
    if (!word.starts_with('-') || word.starts_with("--")) continue;
    made.has_errexit |= word.find('e') != std::string::npos;
    if (word.ends_with('o') && i + 1 < words.size() && words[i + 1].text == "pipefail")
      made.has_pipefail = true;
  }
  return made;
}

std::optional<size_t> Stages::find_stage(std::string_view name, size_t before) const {
  const std::string wanted = lower_case(name);
  if (const auto at = named.find(wanted); at != named.end()) {
    const auto after = std::lower_bound(at->second.begin(), at->second.end(), before);
    if (after != at->second.begin()) return *(after - 1);
  }
  size_t number = 0;
  const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
  const bool is_number = is_digits(wanted) && error == std::errc() && end != nullptr;
  if (is_number && number < std::min(before, stages.size()) && stages[number].from != nullptr)
    return number;
  return std::nullopt;
}

bool Stages::is_built_on(size_t stage, size_t base) const {
  for (size_t i = 0; i < kMaxBases && stages[stage].base; i++) {
    stage = *stages[stage].base;
    if (stage == base) return true;
  }
  return false;
}

const Stage* Stages::root_of(size_t stage) const {
  for (size_t i = 0; i < kMaxBases; i++) {
    if (!stages[stage].base) return &stages[stage];
    stage = *stages[stage].base;
  }
  return nullptr;
}

const Definition* Stages::find_variable(std::string_view name, const Step& step) const {
  const auto last_before = [&](const std::vector<Definition>& all) -> const Definition* {
    const auto after =
        std::lower_bound(all.begin(), all.end(), step.index,
                         [](const Definition& each, uint32_t index) { return each.index < index; });
    return after == all.begin() ? nullptr : &*(after - 1);
  };
  const Definition* argument = nullptr;
  std::optional<size_t> stage = step.stage;
  for (size_t depth = 0; stage && depth < kMaxBases; depth++) {
    const Stage& here = stages[*stage];
    if (const auto at = here.variables.find(name); at != here.variables.end()) {
      if (const Definition* found = last_before(at->second.environment)) return found;
      if (argument == nullptr) argument = last_before(at->second.arguments);
    }
    stage = here.base;
  }
  return argument;
}

std::optional<std::string> Stages::working_directory(const Step& step) const {
  if (step.workdir >= steps.size()) return std::nullopt;
  const Step& set = steps[step.workdir];
  if (set.instruction->words.empty()) return std::nullopt;
  const Expanded path = expand_at(set.instruction->words[0].text, set);
  const bool is_whole = path.is_known && path.text.starts_with('/');
  return is_whole ? std::optional(path.text) : std::nullopt;
}

Expanded Stages::expand_at(std::string_view word, const Step& step) const {
  return expand(word, file->escape, [&](std::string_view name) -> std::optional<std::string> {
    const Definition* found = find_variable(name, step);
    return found == nullptr ? std::nullopt : found->value;
  });
}

Stages find_stages(const File& file, const std::map<uint32_t, std::string>& shell_pragmas) {
  return StageFinder(file, shell_pragmas).run();
}

}  // namespace nacre::docker
