// Which program a `#!` line starts.
#pragma once

#include <string_view>

namespace nacre {

// The name of the interpreter without its directory, seen through `env`, `env -S`, variable
// assignments and `busybox`: "bash" for "#!/usr/bin/env -S VAR=1 bash -e", "sh" for
// "#!/bin/busybox sh"; of nix-shell what its own line asks for. Empty when the text does not begin
// with `#!` (after a byte order mark, if there is one) or names none.
std::string_view interpreter_of(std::string_view bytes);

}  // namespace nacre
