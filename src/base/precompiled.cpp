// Gives the precompiled header a target to live in; the rooms reuse it.
