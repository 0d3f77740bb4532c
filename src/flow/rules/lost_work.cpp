// T104, T106: stages whose work the next one undoes: an order before a command that prints the same
// for any order, characters that are translated and then translated back, `uniq` before the lines
// are sorted.
//
//   T104: sort -n f | shuf
//   quiet: shuf f | sort -n
//   T106: cat f | uniq | sort
//   quiet: cat f | sort | uniq
#include <fmt/format.h>

#include "flow/rules/publish.h"

namespace nacre::flow::rules {

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

// `uniq | sort`: an author who sorts the lines afterwards knows that they were not in order. Where
// equal ones are removed again after it, the first time is only to have less to sort.
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

void lost_work(const StageEvent& event, RuleContext& in) {
  const Stage& stage = event.stage();
  const Stage* next = event.next();
  if (event.ignores_input() || event.is_starved() || !next || !next->is_piped) return;
  const auto report = [&](std::string_view code, std::string message, std::string note) {
    Diagnostic result = in.finding(code, stage.span, std::move(message));
    result.notes.push_back(in.note(next->span, std::move(note)));
    in.report_of_stage(std::move(result));
  };
  if (is_order_lost(stage.behaviour, next->behaviour))
    return report("T104",
                  fmt::format("the order that {} gives is lost: {} prints the same for any order",
                              stage.name, next->name),
                  "the order is lost here");
  if (stage.behaviour.byte_plan && next->behaviour.byte_plan &&
      is_taken_back(*stage.behaviour.byte_plan, *next->behaviour.byte_plan))
    return report("T104",
                  fmt::format("the work of {} is lost: the next {} prints the same without it",
                              stage.name, next->name),
                  "this alone prints the same");
  if (is_sorted_too_late(stage, event.after))
    return report("T106",
                  fmt::format("{} compares only adjacent lines, but they are sorted after it: "
                              "equal lines are kept; sort first",
                              stage.name),
                  "sort before this");
}

}  // namespace nacre::flow::rules
