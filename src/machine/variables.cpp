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
  for (const Variable& variable : table_) result += variable.value.capacity();
  for (const Saved& saved : saved_) result += saved.old.value.capacity();
  return result;
}

std::vector<NameId> Variables::sorted() const {
  std::vector<NameId> result;
  for (size_t i = 0; i < table_.size(); ++i) {
    const Variable& v = table_[i];
    if (v.is_set || v.is_exported || v.is_readonly)
      result.push_back(NameId{static_cast<uint32_t>(i)});
  }
  std::sort(result.begin(), result.end(),
            [&](NameId a, NameId b) { return names_->text(a) < names_->text(b); });
  return result;
}

}  // namespace nacre::machine
