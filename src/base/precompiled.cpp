// Gives the precompiled header a target to live in; the modules reuse it.
