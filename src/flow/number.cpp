#include "flow/number.h"

#include <charconv>

namespace nacre::flow {

using regular::CharSet;
using regular::Context;
using regular::Lang;
using shell::ConditionalOp;

namespace {

Lang digit(Context& context, char first, char last) {
  return context.set(
      CharSet::range(static_cast<regular::Symbol>(first), static_cast<regular::Symbol>(last)));
}

// Digits without leading zeros whose number is greater than `bound`.
Lang greater(Context& context, const std::string& bound) {
  const Lang any = digit(context, '0', '9');
  Lang result = digit(context, '1', '9') +
                repeat(any, static_cast<uint32_t>(bound.size()), regular::kUnbounded);
  for (size_t i = 0; i < bound.size(); i++) {
    if (bound[i] == '9') continue;
    const Lang larger = digit(context, static_cast<char>(bound[i] + 1), '9');
    const auto rest = static_cast<uint32_t>(bound.size() - i - 1);
    result = result | (context.literal(bound.substr(0, i)) + larger + repeat(any, rest, rest));
  }
  return result;
}

// The numbers n > bound, as digits with a sign.
Lang above(Context& context, int64_t bound) {
  const Lang any = digit(context, '0', '9');
  const Lang zeros = star(context.literal("0"));
  const Lang plus_sign = optional(context.literal("+"));
  const Lang minus = context.literal("-");
  if (bound >= 0) return plus_sign + zeros + greater(context, std::to_string(bound));
  const Lang natural = plus_sign + plus(any);
  const std::string size = std::to_string(bound).substr(1);
  const Lang too_large = zeros + (greater(context, size) | context.literal(size));
  return natural | (minus + (plus(any) - too_large));
}

Lang exactly(Context& context, int64_t bound) {
  const Lang zeros = star(context.literal("0"));
  if (bound < 0)
    return context.literal("-") + zeros + context.literal(std::to_string(bound).substr(1));
  const Lang sign =
      bound == 0 ? optional(context.set(CharSet::of("+-"))) : optional(context.literal("+"));
  return sign + zeros + context.literal(std::to_string(bound));
}

}  // namespace

std::optional<int64_t> to_number(const std::optional<std::string>& text) {
  if (!text || text->empty()) return std::nullopt;
  int64_t result = 0;
  const char* end = text->data() + text->size();
  const auto [rest, error] = std::from_chars(text->data(), end, result);
  if (error != std::errc() || rest != end) return std::nullopt;
  return result;
}

ConditionalOp mirrored_op(ConditionalOp op) {
  switch (op) {
    case ConditionalOp::kNumberLess: return ConditionalOp::kNumberGreater;
    case ConditionalOp::kNumberLessEqual: return ConditionalOp::kNumberGreaterEqual;
    case ConditionalOp::kNumberGreater: return ConditionalOp::kNumberLess;
    case ConditionalOp::kNumberGreaterEqual: return ConditionalOp::kNumberLessEqual;
    default: return op;
  }
}

Lang numbers(Context& context, ConditionalOp op, int64_t bound) {
  const Lang blanks = star(context.set(CharSet::of(" \t\n")));
  const Lang all = optional(context.set(CharSet::of("+-"))) + plus(digit(context, '0', '9'));
  const Lang equal = exactly(context, bound);
  const Lang more = above(context, bound);
  const auto wanted = [&] {
    switch (op) {
      case ConditionalOp::kNumberEqual: return equal;
      case ConditionalOp::kNumberNotEqual: return all - equal;
      case ConditionalOp::kNumberGreater: return more;
      case ConditionalOp::kNumberGreaterEqual: return more | equal;
      case ConditionalOp::kNumberLess: return (all - more) - equal;
      default: return all - more;
    }
  };
  return blanks + wanted() + blanks;
}

}  // namespace nacre::flow
