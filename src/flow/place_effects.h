// What commands do to the places that a script knows (places.h), by the `does` line of their cards.
// The program of the line is run once for each way in which the questions that it asks can be
// answered: what all ways have in common holds after the command, and if none succeeds the command
// can only fail. Internal to this module.
#pragma once

#include <optional>
#include <string>

#include "flow/call.h"
#include "flow/run.h"

namespace nacre::flow {

// A command with a card, before it runs: what it makes of the places in `call.environment`.
void act_on_places(Run& run, Call& call, const commands::Card& card);
// `cd`, which moves relative paths, too.
void enter_place(Run& run, Call& call, Directory& directory);
// `> file`, after the command ran. `prints_own`: a text of the script's own went there.
void write_place(const shell::Redirection& redirection, const std::string& key, bool prints_own,
                 Environment& environment);
// Something may have read every file.
void forget_unread(Environment& environment);
void forget_unread(Environment& environment, std::string_view key);
// `[ -f x ]` was answered.
void learn_place(const std::string& key, char letter, Span by, Branches& branches);
// `x=$(mktemp)`: what the substitution made is named by the variable from now on.
void note_temporary(Run& run, const shell::Assignment& assignment, Environment& environment);

}  // namespace nacre::flow
