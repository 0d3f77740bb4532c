#include "flow/environment.h"

namespace nacre::flow {

namespace {

Known either(Known a, Known b) { return a == b ? a : Known::kMaybe; }

Options join_options(const Options& a, const Options& b) {
  return {either(a.errexit, b.errexit),   either(a.nounset, b.nounset),
          either(a.pipefail, b.pipefail), either(a.noglob, b.noglob),
          either(a.nullglob, b.nullglob), either(a.lastpipe, b.lastpipe)};
}

void join_values(Values& values, std::vector<ValueId>& into, const std::vector<ValueId>& other,
                 ValueId missing, bool is_widening) {
  if (into.size() < other.size()) into.resize(other.size(), missing);
  for (size_t i = 0; i < into.size(); i++) {
    const ValueId that = i < other.size() ? other[i] : missing;
    if (into[i] == that) continue;
    into[i] = is_widening ? values.widen(into[i], that) : values.join(into[i], that);
  }
}

void join_functions(std::vector<Definition>& into, const std::vector<Definition>& other) {
  if (into.size() < other.size()) into.resize(other.size());
  for (size_t i = 0; i < into.size(); i++) {
    const Definition that = i < other.size() ? other[i] : Definition{};
    if (into[i] == that) continue;
    if (into[i].function == nullptr) into[i].function = that.function;
    into[i].may_be_missing |= that.may_be_missing;
  }
}

void join_positional(Values& values, Positional& into, const Positional& other, bool is_widening) {
  const size_t common = std::min(into.first.size(), other.first.size());
  into.may_have_more |= other.may_have_more || into.first.size() != other.first.size();
  into.first.resize(common);
  for (size_t i = 0; i < common; i++) {
    into.first[i] = is_widening ? values.widen(into.first[i], other.first[i])
                                : values.join(into.first[i], other.first[i]);
  }
}

// Of a file that only one branch wrote nothing is known.
void join_files(std::map<std::string, commands::Stream, std::less<>>& into,
                const std::map<std::string, commands::Stream, std::less<>>& other) {
  for (auto at = into.begin(); at != into.end();) {
    const auto that = other.find(at->first);
    if (that == other.end()) {
      at = into.erase(at);
      continue;
    }
    if (!(at->second.rest == that->second.rest)) at->second = either(at->second, that->second);
    ++at;
  }
}

void join_commands(std::map<std::string, bool, std::less<>>& into,
                   const std::map<std::string, bool, std::less<>>& other) {
  std::erase_if(into, [&](const auto& entry) {
    const auto that = other.find(entry.first);
    return that == other.end() || that->second != entry.second;
  });
}

void join_directory(Directory& into, const Directory& other) {
  if (!into.is_start || other.is_start) {
    into.may_have_failed |= other.may_have_failed;
  } else {
    const bool may_have_failed = into.may_have_failed || other.may_have_failed;
    into = other;
    into.may_have_failed = may_have_failed;
  }
  if (into.path != other.path) into.path.clear();
}

}  // namespace

Name Names::operator[](std::string_view name) {
  if (auto known = numbers_.find(name); known != numbers_.end()) return known->second;
  const Name number{static_cast<uint32_t>(texts_.size())};
  texts_.push_back(&numbers_.emplace(std::string(name), number).first->first);
  return number;
}

Environment join(Values& values, const Environment& a, const Environment& b, bool is_widening) {
  if (!a.is_reachable) return b;
  if (!b.is_reachable) return a;
  Environment result = a;
  join_values(values, result.variables, b.variables, values.inherited(), is_widening);
  result.lost.insert(b.lost.begin(), b.lost.end());
  join_functions(result.functions, b.functions);
  join_positional(values, result.positional, b.positional, is_widening);
  result.has_unknown_code |= b.has_unknown_code;
  result.options = join_options(a.options, b.options);
  result.status.can_succeed |= b.status.can_succeed;
  result.status.can_fail |= b.status.can_fail;
  join_directory(result.directory, b.directory);
  join_files(result.files, b.files);
  join_commands(result.commands, b.commands);
  return result;
}

bool is_same(const Environment& a, const Environment& b) {
  return a.is_reachable == b.is_reachable && a.variables == b.variables &&
         a.functions == b.functions && a.options == b.options &&
         a.positional.first == b.positional.first &&
         a.positional.may_have_more == b.positional.may_have_more &&
         a.files.size() == b.files.size() && a.commands == b.commands;
}

}  // namespace nacre::flow
