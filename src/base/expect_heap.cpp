#include "base/expect_heap.h"

#include <cstdint>
#include <cstdlib>
#include <sys/mman.h>

namespace nacre {

void expect_heap(size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  constexpr uintptr_t kPage = 4096;
  void* block = std::malloc(bytes);  // freed below: what is allocated next will lie there
  const uintptr_t begin = (reinterpret_cast<uintptr_t>(block) + kPage - 1) & ~(kPage - 1);
  const uintptr_t end = (reinterpret_cast<uintptr_t>(block) + bytes) & ~(kPage - 1);
  if (block != nullptr && begin < end)
    (void)madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_WRITE);
  std::free(block);
#else
  (void)bytes;
#endif
}

}  // namespace nacre
