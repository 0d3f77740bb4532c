// jq programs: the part of the language that scripts use for looking things up. What is beyond it
// (def, reduce, foreach, try, assignment, variables bound with `as`) is no error here: parse()
// then gives nothing, and nothing is known of what the program prints.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nacre::jq {

struct Filter;
using FilterPointer = std::shared_ptr<const Filter>;

struct Filter {
  enum class Kind : uint8_t {
    kIdentity,  // .
    kMember,    // .name, of `left`
    kIndex,     // .[right], of `left`
    kSlice,     // .[1:2], of `left`
    kIterate,   // .[], of `left`
    kOptional,  // left?
    kPipe,      // left | right
    kComma,     // left, right
    kOr,        // left // right
    kOperator,  // left OP right, in `name`
    kNegation,  // -left
    kString,    // "text\(filter)text": `parts`
    kFormat,    // @csv, or @uri "text": `name`, perhaps `parts`
    kNumber,
    kBoolean,
    kNull,
    kArray,     // [left]; no left: []
    kObject,    // {name: filter}: `entries`
    kVariable,  // $name
    kCall,      // name(arguments)
    kIf,        // if left then arguments... else right
  } kind = Kind::kIdentity;
  std::string name;
  FilterPointer left, right;
  std::vector<std::pair<std::string, FilterPointer>> parts;  // text, and the filter after it
  std::vector<std::pair<std::string, FilterPointer>> entries;
  std::vector<FilterPointer> arguments;
};

FilterPointer parse(std::string_view program);

}  // namespace nacre::jq
