// Canonical forms of abstract states: what is unused is forgotten, words that are never told
// apart become one, symbols are numbered by first use. On top of it: joins after branches.
#pragma once

#include <string>
#include <vector>

#include "python/domain.h"

namespace nacre::python {

// Forgets, merges and renumbers; the state means the same afterwards.
void compact(const Domain& domain, State& state);

// The structure of a compact state without its languages and ranges: states with the same shape can
// be joined symbol by symbol.
std::string shape(const State& state);

// Compacts the states, drops those that another one covers, joins those whose union is exact, and
// joins by shape, losing precision, while there are more than `limit`.
void reduce(const Domain& domain, States& states, size_t limit);

// Whether every concrete state of `part` is one of `whole`; both are compact and of the same shape.
bool covers(const Domain& domain, const State& whole, const State& part);

// The least state known that covers both; they are compact and of the same shape.
void join_into(const Domain& domain, State& into, const State& other);

// Lets the types that grew from `old` to `grown` (of one shape) grow by leaps, from round 3 on.
void widen_types(const Domain& domain, const State& old, State& grown, int round);

}  // namespace nacre::python
