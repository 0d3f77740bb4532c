// a=(...): all elements are expanded first, then the array is replaced or extended.
#include <fmt/format.h>

#include "machine/machine.h"

namespace nacre::machine {

using CompoundPhase = CompoundFrame::Phase;

// Words that were expanded to fields become values without a key.
bool Machine::add_compound_fields(Frame& frame) {
  auto& elements = compounds.back().value.elements;
  for (size_t i = frame.base.fields; i < fields.size(); ++i) {
    CompoundValue::Element element;
    element.value = fields[i];
    elements.push_back(std::move(element));
  }
  fields.truncate(frame.base.fields);
  return true;
}

// Keys and values are not split: a=($key $value) of an associative array.
bool Machine::fills_associative(const Frame& frame) {
  const auto& self = frame.as<CompoundFrame>();
  if (self.assignment != nullptr) {
    NameId meant = state.variables.referent(self.assignment->name);
    return meant != kNoName && state.variables.at(meant).is_associative();
  }
  std::string_view target = fields[frame.base.fields - 1];
  NameId name = names().find(target.substr(0, target.find_first_of("+=")));
  if (name != kNoName && state.variables.at(name).is_associative()) return true;
  // declare -A: its options stand before the first name.
  const Frame& command = frames[frames.size() - 2];
  for (size_t i = command.base.fields + 1; i < fields.size() && fields[i].starts_with('-'); ++i) {
    if (fields[i].find('A') != std::string_view::npos) return true;
  }
  return false;
}

Rule Machine::step_compound(Frame& frame) {
  auto& self = frame.as<CompoundFrame>();
  const Compound& compound = *self.compound;
  while (true) {
    switch (self.phase) {
      case CompoundPhase::kNext: {
        if (self.next == compound.elements.size()) {
          const Assignment* assignment = self.assignment;
          pop();
          if (assignment == nullptr) return Rule::kCmdArgExp;
          CompoundValue value = std::move(compounds.back().value);
          compounds.pop_back();
          if (assign_compound(assignment->name, value, assignment->is_append)) {
            return Rule::kCmdAssignSet;
          }
          if (unwinding == Unwind::kNone) shell_error(1);
          return Rule::kCmdAssignSetErr;
        }
        const CompoundElement& element = compound.elements[self.next++];
        if (element.subscript == nullptr) {
          self.phase = CompoundPhase::kWordDone;
          auto mode = fills_associative(frame) ? ExpandMode::kOneField : ExpandMode::kFields;
          if (!expand_word(element.value, mode)) return Rule::kCmdAssign;
        } else {
          self.phase = CompoundPhase::kKeyDone;
          if (!expand_word(*element.subscript->word, ExpandMode::kString)) return Rule::kCmdAssign;
        }
        break;
      }
      case CompoundPhase::kWordDone:
        add_compound_fields(frame);
        self.phase = CompoundPhase::kNext;
        break;
      case CompoundPhase::kKeyDone:
        self.key_end = text.size();
        self.phase = CompoundPhase::kValueDone;
        if (!expand_word(compound.elements[self.next - 1].value, ExpandMode::kString)) {
          return Rule::kCmdAssign;
        }
        break;
      case CompoundPhase::kValueDone: {
        CompoundValue::Element element;
        element.has_key = true;
        element.is_append = compound.elements[self.next - 1].is_append;
        element.value = take_text(self.key_end);
        element.key = take_text(frame.base.text);
        compounds.back().value.elements.push_back(std::move(element));
        self.phase = CompoundPhase::kNext;
        break;
      }
    }
  }
}

bool Machine::assign_compound(NameId name, const CompoundValue& value, bool is_append) {
  NameId meant = assignable(name);
  if (meant == kNoName) return false;
  Variables& variables = state.variables;
  if (variables.at(meant).is(kDynamic)) return true;
  Array& array = variables.array_for_change(meant);
  const bool is_associative = array.is_associative();
  if (!is_append) array.clear();
  array.is_assigned = true;
  int64_t next = is_append ? array.end_index() : 0;
  for (size_t i = 0; i < value.elements.size(); ++i) {
    const CompoundValue::Element& element = value.elements[i];
    Key key(next);
    bool is_append_element = element.is_append;
    std::string_view assigned = element.value;
    if (element.has_key) {
      if (is_associative && element.key.empty()) {
        error(fmt::format("[{}]={}: bad array subscript", element.key, element.value));
        continue;
      }
      std::optional<Key> found = key_of(meant, element.key);
      if (!found) return false;
      key = std::move(*found);
    } else if (is_associative) {  // a=(key value key value)
      key = Key(element.value);
      assigned = i + 1 < value.elements.size() ? std::string_view(value.elements[++i].value)
                                               : std::string_view();
    }
    if (!assign_element(meant, key, assigned, is_append_element)) return false;
    if (!is_associative) next = key.index + 1;
  }
  return true;
}

void Machine::drop_compounds(size_t first_field) {
  while (!compounds.empty() && compounds.back().field != PendingCompound::kNoField &&
         compounds.back().field >= first_field) {
    compounds.pop_back();
  }
}

}  // namespace nacre::machine
