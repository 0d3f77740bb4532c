// The C++ models: one function per command whose type depends on a program, a pattern or a format
// in its arguments. A card names its model (`model grep`); adding a command touches its card, one
// file model_NAME.cpp, and the table in models.cpp.
#pragma once

#include <string_view>

#include "commands/behaviour.h"

namespace nacre::commands {

using Model = Behaviour (*)(const Invocation& invocation, const Surroundings& around);

// The behaviour of any command line that has a card: by its model, or by the card's own lines.
Behaviour behaviour_of(const Invocation& invocation, const Surroundings& around);

// As the card's own lines say, whatever model it names: for models that refine some of its cases.
Behaviour behaviour_by_card(const Invocation& invocation, const Surroundings& around);

// Null if there is no model of that name.
Model find_model(std::string_view name);

Behaviour model_awk(const Invocation& invocation, const Surroundings& around);
Behaviour model_basename(const Invocation& invocation, const Surroundings& around);
Behaviour model_bc(const Invocation& invocation, const Surroundings& around);
Behaviour model_cat(const Invocation& invocation, const Surroundings& around);
Behaviour model_column(const Invocation& invocation, const Surroundings& around);
Behaviour model_comm(const Invocation& invocation, const Surroundings& around);
Behaviour model_cut(const Invocation& invocation, const Surroundings& around);
Behaviour model_date(const Invocation& invocation, const Surroundings& around);
Behaviour model_dirname(const Invocation& invocation, const Surroundings& around);
Behaviour model_echo(const Invocation& invocation, const Surroundings& around);
Behaviour model_expr(const Invocation& invocation, const Surroundings& around);
Behaviour model_find(const Invocation& invocation, const Surroundings& around);
Behaviour model_grep(const Invocation& invocation, const Surroundings& around);
Behaviour model_head(const Invocation& invocation, const Surroundings& around);
Behaviour model_join(const Invocation& invocation, const Surroundings& around);
Behaviour model_jq(const Invocation& invocation, const Surroundings& around);
Behaviour model_ls(const Invocation& invocation, const Surroundings& around);
Behaviour model_nl(const Invocation& invocation, const Surroundings& around);
Behaviour model_paste(const Invocation& invocation, const Surroundings& around);
Behaviour model_printf(const Invocation& invocation, const Surroundings& around);
Behaviour model_ps(const Invocation& invocation, const Surroundings& around);
Behaviour model_rg(const Invocation& invocation, const Surroundings& around);
Behaviour model_sed(const Invocation& invocation, const Surroundings& around);
Behaviour model_seq(const Invocation& invocation, const Surroundings& around);
Behaviour model_sort(const Invocation& invocation, const Surroundings& around);
Behaviour model_stat(const Invocation& invocation, const Surroundings& around);
Behaviour model_tail(const Invocation& invocation, const Surroundings& around);
Behaviour model_tr(const Invocation& invocation, const Surroundings& around);
Behaviour model_uniq(const Invocation& invocation, const Surroundings& around);
Behaviour model_xargs(const Invocation& invocation, const Surroundings& around);

}  // namespace nacre::commands
