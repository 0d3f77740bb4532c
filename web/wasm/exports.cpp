#include "exports.h"

#include <emscripten.h>

namespace {
std::string kept;
}

namespace nacre::web {

const char* answer(std::string text) {
  kept = std::move(text);
  return kept.data();
}

}  // namespace nacre::web

extern "C" EMSCRIPTEN_KEEPALIVE const char* nacre_answer() { return kept.data(); }
extern "C" EMSCRIPTEN_KEEPALIVE size_t nacre_answer_size() { return kept.size(); }
