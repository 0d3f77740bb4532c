// A word of a command after expansion: the arguments it becomes, and the pieces they were made of.
// Internal to this module.
#pragma once

#include <span>
#include <vector>

#include "commands/invocation.h"
#include "flow/value.h"
#include "shell/ast.h"

namespace nacre::flow {

enum class FragmentKind : uint8_t { kLiteral, kGlob, kExpansion, kList /* "$@" */ };

// A piece of a word: literal text, or what one expansion gave.
struct Fragment {
  FragmentKind kind = FragmentKind::kLiteral;
  bool is_quoted = false;
  Span span;
  const shell::Part* part = nullptr;
  Value value;
};

struct Field {
  commands::Argument argument;
  const shell::Word* word = nullptr;
  std::vector<Fragment> fragments;  // of the whole word; empty for a literal one
  bool may_vanish = false;          // it may be no argument at all
  bool may_repeat = false;          // it may be several
};

// The arguments that a word of these fragments becomes when it is split at the bytes of `ifs`.
std::vector<Field> fields_of(const shell::Word& word, std::vector<Fragment> fragments,
                             std::string_view ifs);

// The field as a command's model sees it. A set in brackets that matches no file stays as it is
// (`tr -d [:digit:]`), and such files are rare; a word that is cut into several counts
// as one whose pieces have a blank between them, as echo prints it.
commands::Argument argument_for_card(const Field& field, std::string_view ifs);

// Whether some of its operands are a command that it runs: env, nice, sudo, xargs.
bool runs_operands(const commands::Card& card);
// Where among its words the command that it runs begins; 0 if there is none, or if it
// only asks for it (`command -v`).
size_t called_at(std::span<const Field> words, const commands::Invocation& invocation);

// Stands for a wildcard in a path: a symbol that no path of a script holds.
inline constexpr std::string_view kAnyFile = "\x02";
// The paths that the word may name, if an expansion that nothing is known of is either empty or
// some harmless name (kSomeName).
Lang possible_path(const Field& field);

// The bytes at which expansions are split, given the value of IFS.
std::string field_separators(const Value& ifs);

// The string that the fragments make together, where nothing is split.
Value concatenated(Context& context, const std::vector<Fragment>& fragments, Span origin);

// Any number of such values in one word, as "$*" puts them there.
Value all_in_one(Value each, std::optional<std::string_view> separator);
void join_lists(std::vector<Fragment>& fragments);  // "$@" where nothing is split

// What `place` must hold to run a command of its own, if the fields together are a program: after
// an opening single quote it has to close that first.
std::string_view injection(std::span<const Field> fields, const Fragment& place);

// Whether the words that it becomes all hold something: what is split has no empty words, unless
// IFS has more than blanks in it, a file has a name, and who gives an argument gives a text.
bool holds_text(const Field& field, std::string_view ifs);

// Whether the shell may cut the fragment into several words, or a part of it may match files.
bool may_split(const Fragment& fragment, std::string_view ifs);
bool may_match_files(const Fragment& fragment);

}  // namespace nacre::flow
