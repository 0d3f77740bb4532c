// The shell's variables: values in a table indexed by name, so that a lookup is one load. Old
// values are kept on one stack of saved variables, which serves `local`, assignments before a
// command, and the undoing of everything that a subshell without a process of its own has changed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "machine/array.h"
#include "machine/names.h"

namespace nacre::machine {

// Properties that only bash gives a variable. A variable that has one is assigned to by
// Machine::assign_special(); one that is kArray, kReference or kDynamic is never `is_set`, so that
// the common lookup needs no further test.
enum Attribute : uint8_t {
  kInteger = 1,      // -i: what is assigned is evaluated
  kLowerCase = 2,    // -l
  kUpperCase = 4,    // -u
  kCapitalised = 8,  // -c
  kReference = 16,   // -n: `value` is the name that it stands for
  kTraced = 32,      // -t
  kArray = 64,       // -a, -A: `array` is there
  kDynamic = 128,    // the machine computes its value: RANDOM, FUNCNAME
};

struct Variable {
  std::string value;
  bool is_set = false;
  bool is_exported = false;
  bool is_readonly = false;
  // Something else depends on it (PATH, IFS, OPTIND, LC_*): see Variables::take_changes().
  bool is_watched = false;
  uint8_t attributes = 0;        // of Attribute
  uint32_t saved_at = 0;         // journal level at which its value was last saved
  std::shared_ptr<Array> array;  // shared with saved copies: see array_for_change()

  [[nodiscard]] bool is(Attribute attribute) const { return (attributes & attribute) != 0; }
  [[nodiscard]] bool is_associative() const { return array != nullptr && array->is_associative(); }
};

// Bits of take_changes().
enum WatchedChange : uint8_t {
  kPathChanged = 1,
  kIfsChanged = 2,
  kOptindChanged = 4,
  kLocaleChanged = 8
};

class Variables {
 public:
  explicit Variables(std::shared_ptr<Names> names);

  [[nodiscard]] Names& names() const { return *names_; }
  [[nodiscard]] NameId id(std::string_view name) { return names_->intern(name); }

  // Null if unset. Of an array its element 0; of a reference what it stands for.
  [[nodiscard]] const std::string* get(NameId name) const {
    auto index = static_cast<uint32_t>(name);
    if (index >= table_.size()) return nullptr;
    const Variable& variable = table_[index];
    if (variable.is_set) return &variable.value;
    return variable.attributes == 0 ? nullptr : special_value(name);
  }
  // Null if it is not an array.
  [[nodiscard]] std::shared_ptr<const Array> array(NameId name) const {
    auto index = static_cast<uint32_t>(name);
    return index < table_.size() ? table_[index].array : nullptr;
  }
  // The variable that a reference leads to; `name` itself if it is not one. kNoName: the reference
  // leads to an element, to itself or nowhere.
  [[nodiscard]] NameId referent(NameId name) const;
  [[nodiscard]] const std::string* get(std::string_view name) const {
    return get(names_->find(name));
  }
  [[nodiscard]] Variable& at(NameId name) {
    auto index = static_cast<uint32_t>(name);
    if (index >= table_.size()) table_.resize(names_->size());
    return table_[index];
  }

  // The caller has checked is_readonly.
  void set(NameId name, std::string_view value) {
    Variable& variable = before_change(name);
    variable.value.assign(value);
    variable.is_set = true;
    after_change(name, variable);
  }
  void append(NameId name, std::string_view tail) {
    Variable& variable = before_change(name);
    variable.value.append(tail);
    variable.is_set = true;
    after_change(name, variable);
  }
  void unset(NameId name);
  // The array of a variable, made from its value if it was none: `a=x; a[1]=y`. For one change.
  [[nodiscard]] Array& array_for_change(NameId name, ArrayKind kind = ArrayKind::kIndexed);
  void set_attributes(NameId name, uint8_t attributes) {
    before_change(name).attributes = attributes;
  }
  // Its value is the name that it stands for.
  void set_reference(NameId name, std::string_view target);
  void set_exported(NameId name, bool exported);
  void set_readonly(NameId name) { before_change(name).is_readonly = true; }

  // Scopes: what is saved after a mark is restored, last first, by restore(mark). What a journal
  // has saved meanwhile stays saved.
  [[nodiscard]] size_t mark() const { return saved_.size(); }
  void save(NameId name) { push_saved(name, false); }
  // As if it had been saved before what was saved after the mark, which is one more then.
  void save_before(size_t mark, NameId name);
  [[nodiscard]] bool is_saved_since(size_t mark, NameId name) const;
  // The names that were saved between the two marks, in this order.
  [[nodiscard]] std::vector<NameId> saved_between(size_t begin, size_t end) const;
  void restore(size_t mark);
  // What `declare -g` is about: the value from before all scopes. Null if no scope has the name.
  [[nodiscard]] Variable* oldest_saved(NameId name);

  // Between enter_journal() and leave_journal(mark) every variable is saved before its first
  // change.
  size_t enter_journal() {
    ++journal_level_;
    return mark();
  }
  void leave_journal(size_t mark) {
    while (saved_.size() > mark) pop_saved();
    --journal_level_;
  }
  // Changes stay: the shell has become the subshell.
  void forget_saved() {
    saved_.clear();
    journal_level_ = 0;
  }

  // Which watched variables changed since the last call.
  [[nodiscard]] bool has_changes() const { return changes_ != 0; }
  uint8_t take_changes() { return std::exchange(changes_, uint8_t{0}); }

  // NAME=value of all that are exported, valid until the next change. With a terminating null.
  char* const* environment();
  // Entries of the inherited environment that are not NAME=value with a proper name.
  void add_foreign(std::string entry) { foreign_.push_back(std::move(entry)); }
  // Those that start so go: functions that are not exported any more.
  void remove_foreign(std::string_view start) {
    std::erase_if(foreign_, [&](const std::string& entry) { return entry.starts_with(start); });
    environment_.is_valid = false;
  }

  [[nodiscard]] size_t bytes() const;  // of all values, saved ones included
  // All that are set, or declared in some way, sorted by name.
  [[nodiscard]] std::vector<NameId> sorted() const;

 private:
  struct Saved {
    NameId name;
    bool is_journal;
    Variable old;
  };

  // Points into itself, so a copy starts empty.
  struct EnvironmentCache {
    EnvironmentCache() = default;
    EnvironmentCache(const EnvironmentCache&) {}
    EnvironmentCache& operator=(const EnvironmentCache&) {
      is_valid = false;
      return *this;
    }
    bool is_valid = false;
    std::vector<std::string> strings;
    std::vector<char*> pointers;
  };

  Variable& before_change(NameId name) {
    Variable& variable = at(name);
    if (journal_level_ > variable.saved_at) push_saved(name, true);
    return variable;
  }
  void after_change(NameId name, Variable& variable) {
    if (variable.is_exported) environment_.is_valid = false;
    if (variable.is_watched) note_change(name);
  }
  void note_change(NameId name);
  [[nodiscard]] const std::string* special_value(NameId name) const;
  void push_saved(NameId name, bool is_journal);
  void pop_saved();

  std::shared_ptr<Names> names_;
  std::vector<Variable> table_;
  std::vector<Saved> saved_;
  uint32_t journal_level_ = 0;
  uint8_t changes_ = 0;
  std::vector<std::string> foreign_;
  EnvironmentCache environment_;
};

}  // namespace nacre::machine
