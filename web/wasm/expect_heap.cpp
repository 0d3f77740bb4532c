// There is no kernel to ask (base/expect_heap.h).
#include "base/expect_heap.h"

namespace nacre {

void expect_heap(size_t) {}

}  // namespace nacre
