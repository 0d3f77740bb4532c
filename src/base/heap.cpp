// The trees, values and terms of one check are a million small blocks that live for microseconds or
// to the end. glibc spends 170 instructions on making and freeing one, a sixth of all that a check
// does; here they come from lists by size, one set for each thread, in thirty.
//
//   [ size class | what the caller gets ... ]
//
// 1. Every block that operator new gives has its class before it, 0 for those that malloc made, so
//    that operator delete needs to know nothing else.
// 2. A freed block goes to the list of the thread that frees it. Nothing is split, merged or given
//    back: a check ends soon, and what a shell frees it asks for again.
#include "base/heap.h"

#include <cstdint>
#include <cstdlib>
#include <new>
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

// Sanitizers watch over the blocks of malloc.
#ifndef NACRE_SANITIZED

namespace {

constexpr size_t kUnit = 16;  // alignment, and the difference between two classes
constexpr size_t kClasses = 64;
constexpr size_t kLargest = (kClasses - 1) * kUnit - sizeof(size_t);
constexpr size_t kChunk = size_t{32} << 10;  // that malloc is asked for at once

struct Freed {
  Freed* next;
};

constinit thread_local Freed* freed[kClasses] = {};
constinit thread_local char* fresh = nullptr;
constinit thread_local size_t fresh_bytes = 0;

size_t& class_of(void* block) { return static_cast<size_t*>(block)[-1]; }

// `bytes` behind a class, where it can be aligned.
void* with_class(void* memory, size_t size_class) {
  void* block = static_cast<char*>(memory) + kUnit;
  class_of(block) = size_class;
  return block;
}

void* from_malloc(size_t bytes) {
  void* memory = bytes + kUnit > bytes ? std::malloc(bytes + kUnit) : nullptr;
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void* cut(size_t size_class) {
  const size_t bytes = size_class * kUnit;
  if (fresh_bytes < bytes) {
    fresh = static_cast<char*>(from_malloc(kChunk));
    fresh_bytes = kChunk;
  }
  // A block begins where the class of the next one ends: only a chunk's first unit is lost.
  void* block = with_class(fresh, size_class);
  fresh += bytes;
  fresh_bytes -= bytes;
  return block;
}

}  // namespace

void* operator new(size_t bytes) {
  if (bytes > kLargest) [[unlikely]]
    return with_class(from_malloc(bytes), 0);
  const size_t size_class = (bytes + sizeof(size_t) + kUnit - 1) / kUnit;
  Freed*& list = freed[size_class];
  if (list == nullptr) [[unlikely]]
    return cut(size_class);
  Freed* block = list;
  list = block->next;
  return block;
}

void operator delete(void* block) noexcept {
  if (block == nullptr) return;
  const size_t size_class = class_of(block);
  if (size_class == 0) [[unlikely]] {
    std::free(static_cast<char*>(block) - kUnit);
    return;
  }
  Freed*& list = freed[size_class];
  list = new (block) Freed{list};
}

void operator delete(void* block, size_t) noexcept { operator delete(block); }

#endif
