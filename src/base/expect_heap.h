// A hint to the kernel before work that needs much memory.
#pragma once

#include <cstddef>

namespace nacre {

// Has the next `bytes` of the heap made present at once: a page that the kernel is asked for alone
// costs twice as much as one of many. Nothing is reserved, and where the kernel knows no such
// request nothing happens.
void expect_heap(size_t bytes);

}  // namespace nacre
