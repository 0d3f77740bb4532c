#include "flow/environment.h"

#include <algorithm>

namespace nacre::flow {

namespace {

Known either(Known a, Known b) { return a == b ? a : Known::kMaybe; }

Options join_options(const Options& a, const Options& b) {
  return {either(a.errexit, b.errexit),    either(a.errexit_suspended, b.errexit_suspended),
          either(a.nounset, b.nounset),    either(a.pipefail, b.pipefail),
          either(a.noglob, b.noglob),      either(a.nullglob, b.nullglob),
          either(a.lastpipe, b.lastpipe),  either(a.nocasematch, b.nocasematch),
          either(a.noclobber, b.noclobber)};
}

// Joins element by element, and touches `into` only where something changes.
template <typename T, typename Join>
void join_each(Shared<std::vector<T>>& into, const Shared<std::vector<T>>& other, const T& missing,
               Join join) {
  if (into.is_shared_with(other)) return;
  const std::vector<T>* ours = &*into;
  const std::vector<T>& theirs = *other;
  const size_t size = std::max(ours->size(), theirs.size());
  for (size_t i = 0; i < size; i++) {
    const T& one = i < ours->size() ? (*ours)[i] : missing;
    const T& that = i < theirs.size() ? theirs[i] : missing;
    if (one == that) continue;
    T both = join(one, that);
    if (both == one) continue;
    std::vector<T>& changed = into.edit();
    if (changed.size() <= i) changed.resize(theirs.size(), missing);
    changed[i] = std::move(both);
    ours = &changed;
  }
}

void join_values(Values& values, Shared<std::vector<ValueId>>& into,
                 const Shared<std::vector<ValueId>>& other, bool is_widening) {
  join_each(into, other, values.inherited(), [&](ValueId a, ValueId b) {
    return is_widening ? values.widen(a, b) : values.join(a, b);
  });
}

void join_functions(Shared<std::vector<Definition>>& into,
                    const Shared<std::vector<Definition>>& other) {
  join_each(into, other, Definition{}, [](Definition a, const Definition& b) {
    a.may_be_other |= b.may_be_other;
    if (a.function && b.function && a.function != b.function) a.may_be_other = true;
    if (a.function == nullptr) a.function = b.function;
    a.may_be_missing |= b.may_be_missing;
    return a;
  });
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

bool is_same_content(const commands::Stream& a, const commands::Stream& b) {
  return a.first == b.first && a.rest == b.rest && a.count == b.count && a.choice == b.choice;
}

// What a loop appends to a file grows from round to round: any number of such lines instead.
commands::Stream widened(const commands::Stream& content) {
  commands::Stream result(commands::any_line(content));
  result.choice = content.choice;
  return result;
}

// A file that only one branch wrote is unknown afterwards.
void join_files(Files& into, const Files& other, bool is_widening) {
  for (auto at = into.begin(); at != into.end();) {
    const auto that = other.find(at->first);
    if (that == other.end()) {
      at = into.erase(at);
      continue;
    }
    if (!is_same_content(at->second, that->second)) {
      at->second = either(at->second, that->second);
      if (is_widening) at->second = widened(at->second);
    }
    ++at;
  }
}

bool is_same_files(const Shared<Files>& a, const Shared<Files>& b) {
  return a.is_shared_with(b) ||
         std::equal(a->begin(), a->end(), b->begin(), b->end(), [](const auto& x, const auto& y) {
           return x.first == y.first && is_same_content(x.second, y.second);
         });
}

void join_commands(FoundCommands& into, const FoundCommands& other) {
  std::erase_if(into, [&](const auto& entry) {
    const auto that = other.find(entry.first);
    return that == other.end() || that->second != entry.second;
  });
}

void join_directory(Directory& into, const Directory& other) {
  const bool may_have_failed = into.may_have_failed || other.may_have_failed;
  const bool may_be_wrong = into.may_be_wrong || other.may_be_wrong;
  std::string place = into.place;
  if (into.is_start && !other.is_start) into = other;
  into.may_have_failed = may_have_failed;
  into.may_be_wrong = may_be_wrong;
  if (into.path != other.path) into.path.clear();
  if (place != other.place) place.clear();
  into.place = std::move(place);
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
  join_values(values, result.variables, b.variables, is_widening);
  if (!result.lost.is_shared_with(b.lost))
    result.lost.edit().insert(b.lost->begin(), b.lost->end());
  join_functions(result.functions, b.functions);
  join_positional(values, result.positional, b.positional, is_widening);
  result.has_unknown_code |= b.has_unknown_code;
  result.has_evaluated |= b.has_evaluated;
  result.options = join_options(a.options, b.options);
  result.status.can_succeed |= b.status.can_succeed;
  result.status.can_fail |= b.status.can_fail;
  result.status.is_printed &= b.status.is_printed;
  result.status.is_excused |= b.status.is_excused;
  join_directory(result.directory, b.directory);
  if (!result.files.is_shared_with(b.files)) join_files(result.files.edit(), *b.files, is_widening);
  if (!result.places.is_shared_with(b.places)) {
    Places places = *result.places;
    if (join_places(places, *b.places)) result.places.edit() = std::move(places);
  }
  if (!(result.commands == b.commands)) join_commands(result.commands.edit(), *b.commands);
  return result;
}

bool is_same(const Environment& a, const Environment& b) {
  return a.is_reachable == b.is_reachable && a.variables == b.variables &&
         a.functions == b.functions && a.options == b.options &&
         a.positional.first == b.positional.first &&
         a.positional.may_have_more == b.positional.may_have_more &&
         is_same_files(a.files, b.files) && a.commands == b.commands &&
         (a.places.is_shared_with(b.places) || is_same_places(*a.places, *b.places));
}

}  // namespace nacre::flow
