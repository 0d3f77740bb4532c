// Replaces operator new and delete of the program `nacre` (not of the library: an embedding brings
// its own), unless it is built with sanitizers, which watch over the blocks of malloc.
//
// The trees, values and terms of one check are a million small blocks that live for microseconds or
// to the end. glibc spends 170 instructions on making and freeing one, a sixth of all that a check
// does; here they come from lists by size, one set for each thread, in thirty.
//
//   [ size class | what the caller gets ... ]
//
// 1. Every block that operator new returns has its class before it, 0 for those that malloc made,
//    so that operator delete needs to know nothing else.
// 2. A freed block goes to the list of the thread that frees it. A list that grows beyond
//    kMaxUnits, and all lists of a thread that ends, go to a pool from which every thread takes
//    before it asks malloc: memory that one thread makes and another frees is reused, and so is the
//    memory of finished threads.
// 3. Nothing is split, merged or returned to malloc.
#ifndef NACRE_SANITIZED

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <new>

namespace {

constexpr size_t kUnit = 16;  // alignment, and the difference between two classes
constexpr size_t kClasses = 64;
constexpr size_t kSmallest = 2;  // a class whose blocks have room for a Freed
constexpr size_t kLargest = (kClasses - 1) * kUnit - sizeof(size_t);
constexpr size_t kChunk = size_t{32} << 10;                      // that malloc is asked for at once
constexpr ptrdiff_t kMaxUnits = (ptrdiff_t{512} << 10) / kUnit;  // in a list of one thread

struct Freed {
  Freed* next;
  Freed* next_list;  // in the pool: the head of another list of the same class
};

struct Chunk {
  Chunk* next;
  size_t bytes;
};

struct Lists {
  Freed* heads[kClasses];
  ptrdiff_t units[kClasses];  // in the list, and too few in one that came from the pool
  bool is_inherited;          // the pool will get them
  char* fresh;
  size_t fresh_bytes;
};

constinit thread_local Lists mine = {};

// What no thread has at the moment.
struct Pool {
  std::mutex mutex;
  Freed* lists[kClasses] = {};
  Chunk* chunks = nullptr;
  std::atomic<bool> has_any = false;  // so that a program of one thread seldom takes the mutex
};

constinit Pool pool;

void give_list(size_t size_class) {
  Freed* head = mine.heads[size_class];
  if (head == nullptr) return;
  head->next_list = pool.lists[size_class];
  pool.lists[size_class] = head;
  mine.heads[size_class] = nullptr;
  mine.units[size_class] = 0;
  pool.has_any.store(true, std::memory_order_relaxed);
}

bool take_list(size_t size_class) {
  if (!pool.has_any.load(std::memory_order_relaxed)) return false;
  const std::lock_guard lock(pool.mutex);
  Freed* head = pool.lists[size_class];
  if (head == nullptr) return false;
  pool.lists[size_class] = head->next_list;
  mine.heads[size_class] = head;
  mine.units[size_class] = 0;
  return true;
}

// Hands everything to the pool when its thread ends.
struct Inheritance {
  Inheritance() = default;
  Inheritance(const Inheritance&) = delete;
  Inheritance& operator=(const Inheritance&) = delete;
  ~Inheritance() {
    const std::lock_guard lock(pool.mutex);
    for (size_t i = kSmallest; i < kClasses; i++) give_list(i);
    if (mine.fresh_bytes >= sizeof(Chunk)) {
      pool.chunks = new (mine.fresh + kUnit) Chunk{pool.chunks, mine.fresh_bytes};
      pool.has_any.store(true, std::memory_order_relaxed);
    }
    mine.fresh_bytes = 0;
  }
};

void register_heir() {
  static thread_local Inheritance inheritance;
  mine.is_inherited = true;
}

size_t& class_of(void* block) { return static_cast<size_t*>(block)[-1]; }

// The block after its class, where it is aligned.
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

bool take_chunk(size_t bytes) {
  if (!pool.has_any.load(std::memory_order_relaxed)) return false;
  const std::lock_guard lock(pool.mutex);
  Chunk* chunk = pool.chunks;
  if (chunk == nullptr || chunk->bytes < bytes) return false;
  pool.chunks = chunk->next;
  mine.fresh = reinterpret_cast<char*>(chunk) - kUnit;
  mine.fresh_bytes = chunk->bytes;
  return true;
}

void* cut(size_t size_class) {
  const size_t bytes = size_class * kUnit;
  if (mine.fresh_bytes < bytes && !take_chunk(bytes)) {
    mine.fresh = static_cast<char*>(from_malloc(kChunk));
    mine.fresh_bytes = kChunk;
  }
  // A block begins where the class of the next one ends: only a chunk's first unit is lost.
  void* block = with_class(mine.fresh, size_class);
  mine.fresh += bytes;
  mine.fresh_bytes -= bytes;
  return block;
}

Freed* pop(size_t size_class) {
  Freed*& head = mine.heads[size_class];
  Freed* block = head;
  head = block->next;
  mine.units[size_class] -= static_cast<ptrdiff_t>(size_class);
  return block;
}

void* refill(size_t size_class) {
  if (!mine.is_inherited) register_heir();
  return take_list(size_class) ? pop(size_class) : cut(size_class);
}

}  // namespace

void* operator new(size_t bytes) {
  if (bytes > kLargest) [[unlikely]]
    return with_class(from_malloc(bytes), 0);
  const size_t size_class = std::max(kSmallest, (bytes + sizeof(size_t) + kUnit - 1) / kUnit);
  if (mine.heads[size_class] == nullptr) [[unlikely]]
    return refill(size_class);
  return pop(size_class);
}

void operator delete(void* block) noexcept {
  if (block == nullptr) return;
  const size_t size_class = class_of(block);
  if (size_class == 0) [[unlikely]] {
    std::free(static_cast<char*>(block) - kUnit);
    return;
  }
  Freed*& head = mine.heads[size_class];
  head = new (block) Freed{head, nullptr};
  mine.units[size_class] += static_cast<ptrdiff_t>(size_class);
  if (mine.is_inherited && mine.units[size_class] < kMaxUnits) [[likely]]
    return;
  if (!mine.is_inherited) return register_heir();
  const std::lock_guard lock(pool.mutex);
  give_list(size_class);
}

void operator delete(void* block, size_t) noexcept { operator delete(block); }

#endif
