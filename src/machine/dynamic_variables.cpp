// Variables of bash whose value is computed when it is asked for. LINENO is one in every shell.
#include <array>
#include <fmt/format.h>

#include "machine/arithmetic.h"
#include "machine/machine.h"

namespace nacre::machine {
namespace {

using world::kNanosecondsPerSecond;

std::string seconds_since(Machine& machine) {
  return std::to_string((machine.os->clock_ns() - machine.state.started_ns) /
                        kNanosecondsPerSecond);
}

// The generator of bash 5.2: Park and Miller's, folded to 15 bits.
std::string next_random(Machine& machine) {
  uint32_t seed = machine.state.random_seed == 0 ? 123459876U : machine.state.random_seed;
  auto high = static_cast<int64_t>(seed / 127773);
  auto low = static_cast<int64_t>(seed % 127773);
  int64_t next = 16807 * low - 2836 * high;
  if (next < 0) next += 0x7fffffff;
  machine.state.random_seed = static_cast<uint32_t>(next);
  return std::to_string(((next >> 16) ^ (next & 65535)) & 32767);
}

// Not seeded by the script: another generator, mixed with the clock.
std::string secure_random(Machine& machine) {
  auto mixed = static_cast<uint64_t>(machine.os->clock_ns()) + machine.state.random_seed +
               static_cast<uint64_t>(machine.os->process_id()) * 0x9E3779B97F4A7C15ULL;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ULL;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
  machine.state.random_seed += 7;
  return std::to_string(static_cast<uint32_t>(mixed ^ (mixed >> 31)));
}

std::string epoch_realtime(Machine& machine) {
  int64_t now = machine.os->clock_ns();
  return fmt::format("{}.{:06}", now / kNanosecondsPerSecond, now % kNanosecondsPerSecond / 1000);
}

void add_all(Array& array, const std::vector<std::string>& values) {
  for (size_t i = 0; i < values.size(); ++i) array.at(Key(static_cast<int64_t>(i))) = values[i];
}

enum class Computed : uint8_t {
  kLineNumber,
  kRandom,
  kSecureRandom,
  kSeconds,
  kEpochSeconds,
  kEpochRealtime,
  kProcessId,
  kSubshell,
  kCommand,
  kLastArgument,
  kName,
  kOptions,
  kShellOptions,
  kFunctionNames,
  kSources,
  kLines,
  kPipeStatus,
  kDirectories,
  kGroups,
};

struct DynamicName {
  std::string_view name;
  Computed what;
};
constexpr std::array<DynamicName, 19> kDynamicNames = {{
    {"LINENO", Computed::kLineNumber},
    {"RANDOM", Computed::kRandom},
    {"SRANDOM", Computed::kSecureRandom},
    {"SECONDS", Computed::kSeconds},
    {"EPOCHSECONDS", Computed::kEpochSeconds},
    {"EPOCHREALTIME", Computed::kEpochRealtime},
    {"BASHPID", Computed::kProcessId},
    {"BASH_SUBSHELL", Computed::kSubshell},
    {"BASH_COMMAND", Computed::kCommand},
    {"_", Computed::kLastArgument},
    {"BASH_ARGV0", Computed::kName},
    {"SHELLOPTS", Computed::kOptions},
    {"BASHOPTS", Computed::kShellOptions},
    {"FUNCNAME", Computed::kFunctionNames},
    {"BASH_SOURCE", Computed::kSources},
    {"BASH_LINENO", Computed::kLines},
    {"PIPESTATUS", Computed::kPipeStatus},
    {"DIRSTACK", Computed::kDirectories},
    {"GROUPS", Computed::kGroups},
}};

const DynamicName* find_dynamic(const Machine& machine, NameId name) {
  const std::string& text = machine.names().text(name);
  for (const DynamicName& known : kDynamicNames) {
    if (known.name == text) return &known;
  }
  return nullptr;
}

std::string joined_options(const Machine& machine, std::span<const OptionName> names) {
  std::string result;
  for (const OptionName& option : names) {
    if (!machine.state.options.has(option.option)) continue;
    if (!result.empty()) result += ':';
    result += option.name;
  }
  return result;
}

}  // namespace

// From the present call outwards: functions and dot scripts.
std::vector<CallRecord> Machine::call_stack() const {
  std::vector<CallRecord> result;
  size_t context = contexts.size();
  size_t source = sources.size();
  for (size_t i = frames.size(); i-- > 0;) {
    const Frame& frame = frames[i];
    if (frame.is<SubshellFrame>() &&
        frame.as<SubshellFrame>().phase == SubshellFrame::Phase::kInside && context > 0) {
      --context;
    }
    if (frame.is<LaunchFrame>() && frame.as<LaunchFrame>().phase == LaunchFrame::Phase::kInside &&
        context > 0) {
      --context;
    }
    if (const auto* call = frame.get<CallFrame>()) {
      if (context > 0) --context;
      const Code* code = context < contexts.size() ? contexts[context].code.get() : nullptr;
      result.push_back(
          {names().text(call->name), code == nullptr ? "" : file_of(*code), call->line, true});
    }
    if (frame.is<SourceFrame>() && source > 0) {
      const Source& running = *sources[--source]->source;
      if (running.is_function_like && i > 0) {
        result.push_back({"source", running.name(), running.line, false});
      }
    }
  }
  result.insert(result.end(), state.outer_calls.begin(), state.outer_calls.end());
  return result;
}

const Frame* Machine::local_scope() const {
  for (size_t i = frames.size(); i-- > 0;) {
    if (frames[i].is<CallFrame>()) return &frames[i];
  }
  const auto& outer = state.outer_calls;
  bool is_in_call = std::any_of(outer.begin(), outer.end(),
                                [](const CallRecord& call) { return call.is_function; });
  return is_in_call && !frames.empty() ? &frames.front() : nullptr;
}

bool Machine::is_local(const Frame& scope, NameId name) const {
  if (state.variables.is_saved_since(scope.base.variables, name)) return true;
  const auto& outer = state.outer_locals;
  return !scope.is<CallFrame>() && std::find(outer.begin(), outer.end(), name) != outer.end();
}

std::string Machine::file_of(const Code& code) const {
  const std::string& name = code.tree->file().name();
  return name;
}

void Machine::declare_dynamic_variables() {
  Variables& variables = state.variables;
  state.started_ns = os->clock_ns();
  state.last_argument = state.arg0;
  state.random_seed = static_cast<uint32_t>(state.started_ns / 1000) ^
                      static_cast<uint32_t>(os->process_id() << 16);
  for (const DynamicName& known : kDynamicNames) {
    NameId id = variables.id(known.name);
    variables.unset(id);
    variables.set_attributes(id, kDynamic);
  }
}

const std::string* Machine::dynamic_value(NameId name, std::string& scratch) {
  if (!state.variables.at(name).is(kDynamic)) return nullptr;
  const DynamicName* known = find_dynamic(*this, name);
  if (known == nullptr) return nullptr;
  switch (known->what) {
    case Computed::kLineNumber: scratch = std::to_string(state.line); break;
    case Computed::kRandom: scratch = next_random(*this); break;
    case Computed::kSecureRandom: scratch = secure_random(*this); break;
    case Computed::kSeconds: scratch = seconds_since(*this); break;
    case Computed::kEpochSeconds:
      scratch = std::to_string(os->clock_ns() / kNanosecondsPerSecond);
      break;
    case Computed::kEpochRealtime: scratch = epoch_realtime(*this); break;
    case Computed::kProcessId: scratch = std::to_string(os->process_id()); break;
    case Computed::kSubshell:
      scratch = std::to_string(state.subshell_depth + subshell_level);
      break;
    case Computed::kCommand: scratch = command_text(); break;
    case Computed::kLastArgument: scratch = state.last_argument; break;
    case Computed::kName: scratch = state.arg0; break;
    case Computed::kOptions: scratch = joined_options(*this, option_names(true)); break;
    case Computed::kShellOptions: scratch = joined_options(*this, shopt_names()); break;
    default: {
      std::shared_ptr<const Array> array = dynamic_array(name);
      const std::string* first = array->find(Key(0));
      if (first == nullptr) return nullptr;
      scratch = *first;
    }
  }
  return &scratch;
}

std::shared_ptr<const Array> Machine::dynamic_array(NameId name) {
  const DynamicName* known = find_dynamic(*this, name);
  if (known == nullptr || known->what < Computed::kFunctionNames) return nullptr;
  auto array = std::make_shared<Array>(ArrayKind::kIndexed);
  std::vector<std::string> values;
  switch (known->what) {
    case Computed::kPipeStatus:
      for (int status : state.pipe_statuses) values.push_back(std::to_string(status));
      if (values.empty()) values.push_back(std::to_string(state.status));
      break;
    case Computed::kDirectories:
      values.push_back(state.directory);
      values.insert(values.end(), state.directories.begin(), state.directories.end());
      break;
    case Computed::kGroups:
      values.push_back(std::to_string(os->group_of_user()));
      for (unsigned group : os->supplementary_groups()) {
        if (group != os->group_of_user()) values.push_back(std::to_string(group));
      }
      break;
    default: {
      std::vector<CallRecord> calls = call_stack();
      bool has_main = !state.is_command_string && !state.options.has(Option::kStandardInput);
      if (has_main) calls.push_back({"main", state.script, 0});
      if (known->what == Computed::kFunctionNames && calls.size() == 1 && has_main) calls.clear();
      for (const CallRecord& call : calls) {
        values.push_back(known->what == Computed::kFunctionNames ? call.function
                         : known->what == Computed::kSources     ? call.source
                                                                 : std::to_string(call.line));
      }
    }
  }
  add_all(*array, values);
  return array;
}

// The others ignore what is assigned.
bool Machine::assign_dynamic(NameId name, std::string_view value) {
  const DynamicName* known = find_dynamic(*this, name);
  int64_t number = 0;
  if (!parse_integer(value, number)) number = 0;
  if (known->what == Computed::kName) state.arg0 = value;
  if (known->what == Computed::kRandom) state.random_seed = static_cast<uint32_t>(number);
  if (known->what == Computed::kSeconds) {
    state.started_ns = os->clock_ns() - number * kNanosecondsPerSecond;
  }
  return true;
}

}  // namespace nacre::machine
