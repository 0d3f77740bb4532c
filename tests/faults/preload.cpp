// Makes one call fail: the N-th of a kind since main() began, as FAULT=KIND:N says. With
// FAULT_COUNT=FILE the numbers of calls are written there at the end. Loaded with LD_PRELOAD.
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

namespace {

enum Kind { kMalloc, kRead, kWrite, kOpen, kKinds };
constexpr const char* kNames[kKinds] = {"malloc", "read", "write", "open"};

std::atomic<long> counts[kKinds];
int failing_kind = -1;
long failing_call = 0;
bool is_started = false;

bool fails(Kind kind) {
  if (!is_started) return false;
  return counts[kind]++ == failing_call && failing_kind == kind;
}

template <typename Function>
Function* next(Function*& known, const char* name) {
  if (known == nullptr) known = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
  return known;
}

__attribute__((constructor)) void start() {
  if (const char* fault = std::getenv("FAULT")) {
    const char* colon = std::strchr(fault, ':');
    for (int i = 0; i < kKinds && colon != nullptr; i++) {
      if (std::strncmp(fault, kNames[i], static_cast<size_t>(colon - fault)) == 0) failing_kind = i;
    }
    if (colon != nullptr) failing_call = std::atol(colon + 1);
  }
}

__attribute__((destructor)) void finish() {
  is_started = false;
  const char* path = std::getenv("FAULT_COUNT");
  FILE* file = path == nullptr ? nullptr : std::fopen(path, "w");
  if (file == nullptr) return;
  for (int i = 0; i < kKinds; i++) std::fprintf(file, "%s %ld\n", kNames[i], counts[i].load());
  std::fclose(file);
}

}  // namespace

extern "C" {

// The first call of main(): before it, there is nobody who could catch anything.
int mallopt(int, int) {
  is_started = true;
  return 1;
}

void* __libc_malloc(size_t);
void* malloc(size_t size) {
  if (!fails(kMalloc)) return __libc_malloc(size);
  errno = ENOMEM;
  return nullptr;
}

ssize_t read(int fd, void* buffer, size_t size) {
  static ssize_t (*real)(int, void*, size_t) = nullptr;
  if (!fails(kRead)) return next(real, "read")(fd, buffer, size);
  errno = EIO;
  return -1;
}

ssize_t write(int fd, const void* buffer, size_t size) {
  static ssize_t (*real)(int, const void*, size_t) = nullptr;
  if (!fails(kWrite)) return next(real, "write")(fd, buffer, size);
  errno = ENOSPC;
  return -1;
}

int open(const char* path, int flags, ...) {
  static int (*real)(const char*, int, unsigned) = nullptr;
  __builtin_va_list list;
  __builtin_va_start(list, flags);
  const unsigned mode = __builtin_va_arg(list, unsigned);
  __builtin_va_end(list);
  if (!fails(kOpen)) return next(real, "open")(path, flags, mode);
  errno = EMFILE;
  return -1;
}

}  // extern "C"
