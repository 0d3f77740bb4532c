// What the words of a command and its card say about it, before it is interpreted. Pure functions.
// Internal to this module.
#pragma once

#include <span>
#include <string_view>

#include "commands/card_library.h"
#include "flow/field.h"
#include "shell/ast.h"

namespace nacre::flow {

// The words of the command that is run in the end: those after sudo, env, nohup and the like. Empty
// if it is only looked for, as by `command -v`.
std::span<const Field> innermost(std::span<const Field> words, const commands::CardLibrary& cards);

// Whether the command is one that this model describes.
bool has_model(std::string_view model, const Field& name, const commands::CardLibrary& cards);

// The command or the first of a pipeline prints literal words: `echo a+ | grep a+`. Where it is
// asked for its status, the question is what the commands of this system do.
bool prints_own_text(const shell::Command& command, const commands::CardLibrary& cards);

// The literal words of the command as its card reads them; the others are left out.
commands::Invocation literal_invocation(Context& languages, const commands::Card& card,
                                        const shell::SimpleCommand& simple);

// The x of `command -v x`, `type x`, `which x` and `hash x`; empty if it is another command.
std::string_view asked_command(const shell::SimpleCommand& simple,
                               const commands::CardLibrary& cards, Context& languages);

// A builtin of some shell, whether or not interpreting it changes anything.
bool is_shell_builtin(std::string_view name);
// One that the interpreter runs itself (builtins.cpp).
bool is_interpreted_builtin(std::string_view name);

}  // namespace nacre::flow
