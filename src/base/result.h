// A value, or the reason why the user's input gives none. Used across modules instead of
// exceptions.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "base/span.h"

namespace nacre {

struct Error {
  Span span;  // in the text that was parsed
  std::string message;
  friend bool operator==(const Error&, const Error&) = default;
};

template <typename T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(Span span, std::string message) {
  return tl::unexpected<Error>(Error{span, std::move(message)});
}

}  // namespace nacre
