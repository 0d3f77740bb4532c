#include "machine/variables.h"

#include <algorithm>

namespace nacre::machine {
namespace {

struct Watched {
  std::string_view name;
  WatchedChange change;
};
constexpr Watched kWatched[] = {
    {"PATH", kPathChanged},     {"IFS", kIfsChanged},         {"OPTIND", kOptindChanged},
    {"LC_ALL", kLocaleChanged}, {"LC_CTYPE", kLocaleChanged}, {"LC_COLLATE", kLocaleChanged},
    {"LANG", kLocaleChanged},
};

}  // namespace

Variables::Variables(std::shared_ptr<Names> names) : names_(std::move(names)) {
  for (const Watched& watched : kWatched) at(id(watched.name)).is_watched = true;
}

void Variables::note_change(NameId name) {
  const std::string& text = names_->text(name);
  for (const Watched& watched : kWatched) {
    if (watched.name == text) changes_ |= watched.change;
  }
}

void Variables::unset(NameId name) {
  Variable& variable = before_change(name);
  after_change(name, variable);
  variable.value.clear();
  variable.is_set = false;
  variable.is_exported = false;
  variable.attributes = 0;
  variable.array.reset();
}

NameId Variables::referent(NameId name) const {
  constexpr int kMaxReferences = 8;  // as bash
  for (int depth = 0; depth < kMaxReferences; ++depth) {
    auto index = static_cast<uint32_t>(name);
    if (index >= table_.size() || !table_[index].is(kReference)) return name;
    if (!is_name(table_[index].value)) return kNoName;
    name = names_->intern(table_[index].value);
  }
  return kNoName;
}

const std::string* Variables::special_value(NameId name) const {
  const NameId meant = referent(name);
  const Variable* variable = &table_[static_cast<uint32_t>(name)];
  if (meant == kNoName) {  // perhaps an element, with a subscript that is not an expression
    std::string_view target = variable->value;
    size_t bracket = target.find('[');
    if (bracket == std::string_view::npos || !target.ends_with(']')) return nullptr;
    std::string_view inside = target.substr(bracket + 1, target.size() - bracket - 2);
    NameId base = names_->find(target.substr(0, bracket));
    if (static_cast<uint32_t>(base) >= table_.size()) return nullptr;
    const Variable& of = table_[static_cast<uint32_t>(base)];
    if (of.array == nullptr) return nullptr;
    if (of.is_associative()) return of.array->find(Key(inside));
    int64_t at = 0;
    for (char c : inside) {
      if (c < '0' || c > '9' || at > 1'000'000'000'000) return nullptr;
      at = at * 10 + (c - '0');
    }
    return of.array->find(Key(at));
  }
  if (meant != name) return get(meant);
  if (!variable->is(kArray)) return nullptr;
  return variable->array->find(variable->is_associative() ? Key("0") : Key(0));
}

Array& Variables::array_for_change(NameId name, ArrayKind kind) {
  Variable& variable = before_change(name);
  after_change(name, variable);
  if (variable.array == nullptr) {
    variable.array = std::make_shared<Array>(kind);
    if (variable.is_set) {
      Key first = kind == ArrayKind::kAssociative ? Key("0") : Key(0);
      variable.array->at(first) = std::move(variable.value);
    }
    variable.value.clear();
    variable.is_set = false;
    variable.attributes |= kArray;
  } else if (variable.array.use_count() > 1) {
    variable.array = std::make_shared<Array>(*variable.array);
  }
  return *variable.array;
}

void Variables::set_reference(NameId name, std::string_view target) {
  Variable& variable = before_change(name);
  after_change(name, variable);
  variable.value.assign(target);
  variable.is_set = false;
  variable.array.reset();
  variable.attributes = kReference;
}

void Variables::set_exported(NameId name, bool exported) {
  before_change(name).is_exported = exported;
  environment_.is_valid = false;
}

void Variables::push_saved(NameId name, bool is_journal) {
  Variable& variable = at(name);
  saved_.push_back({name, is_journal, variable});
  variable.saved_at = journal_level_;
}

void Variables::pop_saved() {
  Saved& saved = saved_.back();
  Variable& variable = at(saved.name);
  if (variable.is_exported || saved.old.is_exported) environment_.is_valid = false;
  if (variable.is_watched) note_change(saved.name);
  variable = std::move(saved.old);
  saved_.pop_back();
}

bool Variables::is_saved_since(size_t mark, NameId name) const {
  return std::any_of(saved_.begin() + static_cast<ptrdiff_t>(mark), saved_.end(),
                     [&](const Saved& saved) { return saved.name == name && !saved.is_journal; });
}

void Variables::save_before(size_t mark, NameId name) {
  push_saved(name, false);
  std::rotate(saved_.begin() + static_cast<ptrdiff_t>(mark), saved_.end() - 1, saved_.end());
}

Variable* Variables::oldest_saved(NameId name) {
  auto found = std::find_if(saved_.begin(), saved_.end(), [&](const Saved& saved) {
    return saved.name == name && !saved.is_journal;
  });
  return found == saved_.end() ? nullptr : &found->old;
}

std::vector<NameId> Variables::saved_between(size_t begin, size_t end) const {
  std::vector<NameId> result;
  for (size_t i = begin; i < end; ++i) {
    if (!saved_[i].is_journal) result.push_back(saved_[i].name);
  }
  return result;
}

void Variables::restore(size_t mark) {
  std::vector<Saved> journal;
  while (saved_.size() > mark) {
    if (!saved_.back().is_journal) {
      pop_saved();
      continue;
    }
    journal.push_back(std::move(saved_.back()));
    saved_.pop_back();
  }
  while (!journal.empty()) {
    saved_.push_back(std::move(journal.back()));
    journal.pop_back();
  }
}

char* const* Variables::environment() {
  EnvironmentCache& cache = environment_;
  if (cache.is_valid) return cache.pointers.data();
  cache.strings = foreign_;
  for (size_t i = 0; i < table_.size(); ++i) {
    const Variable& variable = table_[i];
    if (!variable.is_exported || !variable.is_set) continue;
    cache.strings.push_back(names_->text(NameId{static_cast<uint32_t>(i)}) + '=' + variable.value);
  }
  cache.pointers.clear();
  for (std::string& entry : cache.strings) cache.pointers.push_back(entry.data());
  cache.pointers.push_back(nullptr);
  cache.is_valid = true;
  return cache.pointers.data();
}

size_t Variables::bytes() const {
  size_t result = 0;
  auto add = [&](const Variable& variable) {
    result += variable.value.capacity();
    if (variable.array != nullptr) result += variable.array->bytes();
  };
  for (const Variable& variable : table_) add(variable);
  for (const Saved& saved : saved_) add(saved.old);
  return result;
}

std::vector<NameId> Variables::sorted() const {
  std::vector<NameId> result;
  for (size_t i = 0; i < table_.size(); ++i) {
    const Variable& v = table_[i];
    if (v.is_set || v.is_exported || v.is_readonly || v.attributes != 0)
      result.push_back(NameId{static_cast<uint32_t>(i)});
  }
  std::sort(result.begin(), result.end(),
            [&](NameId a, NameId b) { return names_->text(a) < names_->text(b); });
  return result;
}

}  // namespace nacre::machine
