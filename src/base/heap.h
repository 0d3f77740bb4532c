// Memory in bulk. heap.cpp also replaces operator new and delete for the whole program, unless it
// is built with sanitizers: small blocks come from lists of their sizes, larger ones from malloc.
#pragma once

#include <cstddef>

namespace nacre {

// Has the next `bytes` of the heap made present at once, for work that is about to use them: a page
// that the kernel is asked for alone costs twice as much as one of many. Only a hint; nothing is
// reserved, and where the kernel knows no such request nothing happens.
void expect_heap(size_t bytes);

}  // namespace nacre
