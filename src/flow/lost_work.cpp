#include "flow/lost_work.h"

#include <fmt/core.h>

#include "base/codes.h"

namespace nacre::flow {

namespace {

using commands::Behaviour;
using commands::Order;
using regular::TrPlan;

// What becomes of a byte; nothing if it is removed.
std::optional<uint8_t> fate(const TrPlan& plan, uint8_t byte) {
  if (plan.removed[byte]) return std::nullopt;
  return plan.map[byte];
}

// Whether `second` takes back all that `first` does, so that it prints the same alone, whatever is
// read. If it only does the same once more (`tr ' ' '\n' | tr -s ' \n' '\n'`), the first is a step
// on the way.
bool is_taken_back(const TrPlan& first, const TrPlan& second) {
  if (first.squeezed.any()) return false;
  for (uint32_t i = 0; i < 256; i++) {
    const auto byte = static_cast<uint8_t>(i);
    const auto between = fate(first, byte);
    if (between == byte) continue;
    if (!between || fate(second, *between) != fate(second, byte)) return false;
    if (fate(second, *between) == between) return false;
  }
  return true;
}

// An order that options ask for. `sort | wc -l` and `sort | sort -r` are habits, and harmless.
bool is_order_lost(const Behaviour& behaviour, const Behaviour& next) {
  return behaviour.only_orders && !behaviour.is_plain_order && next.discards_order;
}

// `uniq | sort`: whoever sorts the lines afterwards knows that they were not in order. Where equal
// ones are removed again behind it, the first time is only to have less to sort.
bool is_sorted_too_late(const Stage& stage, std::span<const Stage> following) {
  const Behaviour& behaviour = stage.behaviour;
  const Behaviour& next = following[0].behaviour;
  const bool only_drops = behaviour.needs_grouped && behaviour.trace;
  if (!only_drops || stage.input.order != Order::kUnknown || !next.is_plain_order) return false;
  const bool drops_again =
      !next.only_orders || (following.size() > 1 && following[1].behaviour.needs_grouped);
  return !drops_again;
}

}  // namespace

std::optional<Diagnostic> lost_work(const SourceFile& file, const Stage& stage,
                                    std::span<const Stage> following) {
  if (following.empty() || !following[0].is_piped) return std::nullopt;
  const Stage& next = following[0];
  const auto report = [&](const char* code, std::string message, const char* note) {
    Diagnostic result = finding(code, file, stage.span, std::move(message));
    result.notes.push_back({file, next.span, note});
    return result;
  };
  if (is_order_lost(stage.behaviour, next.behaviour))
    return report("T104",
                  fmt::format("the order that {} gives is lost: {} prints the same for any order",
                              stage.name, next.name),
                  "the order is lost here");
  if (stage.behaviour.byte_plan && next.behaviour.byte_plan &&
      is_taken_back(*stage.behaviour.byte_plan, *next.behaviour.byte_plan))
    return report("T104",
                  fmt::format("what {} does here is lost: the next {} prints the same without it",
                              stage.name, next.name),
                  "this alone prints the same");
  if (is_sorted_too_late(stage, following))
    return report(
        "T106",
        fmt::format("{} compares only neighbours, and the lines are sorted behind it", stage.name),
        "sort them before");
  return std::nullopt;
}

}  // namespace nacre::flow
