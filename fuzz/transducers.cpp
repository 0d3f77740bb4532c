// Transducers against a naive simulation, one word at a time.
#include <cstdio>
#include <cstdlib>

#include "regular/testing/naive_transducers.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 200) return 0;
  nacre::regular::NaiveTransducers naive({reinterpret_cast<const char*>(data), size});
  if (!naive.check()) {
    std::fprintf(stderr, "%s\n", naive.why().c_str());
    std::abort();
  }
  return 0;
}
