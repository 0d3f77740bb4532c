#include "regular/regex.h"

#include <algorithm>
#include <cassert>

namespace nacre::regular {

NodeId RegexBuilder::add(regex::Node node, Span span, uint32_t depth) {
  if (depth > Regex::kMaxDepth) too_deep_ = true;
  regex_.nodes_.push_back(node);
  regex_.spans_.push_back(span);
  depths_.push_back(depth);
  return static_cast<NodeId>(regex_.nodes_.size() - 1);
}

NodeId RegexBuilder::set(const CharSet& set, Span span) {
  const uint32_t size = set.size();
  if (size == 0) return leaf(regex::Nothing{}, span);
  if (size == 1) return literal(set.min(), span);
  auto& sets = regex_.sets_;
  if (sets.empty() || sets.back() != set) sets.push_back(set);
  return leaf(regex::Class{static_cast<uint32_t>(sets.size() - 1)}, span);
}

template <typename List>
NodeId RegexBuilder::list(std::span<const NodeId> items, Span span) {
  if (items.size() == 1) return items.front();
  uint32_t deepest = 0;
  for (NodeId item : items) deepest = std::max(deepest, depth(item));
  const auto first = static_cast<uint32_t>(regex_.children_.size());
  regex_.children_.insert(regex_.children_.end(), items.begin(), items.end());
  return add(List{first, static_cast<uint32_t>(items.size())}, span, deepest + 1);
}

NodeId RegexBuilder::sequence(std::span<const NodeId> items, Span span) {
  if (items.empty()) return empty(span);
  return list<regex::Sequence>(items, span);
}

NodeId RegexBuilder::choice(std::span<const NodeId> items, Span span) {
  assert(!items.empty());
  return list<regex::Choice>(items, span);
}

NodeId RegexBuilder::intersection(std::span<const NodeId> items, Span span) {
  assert(!items.empty());
  return list<regex::Intersection>(items, span);
}

NodeId RegexBuilder::repeat(NodeId body, uint32_t min, uint32_t max, regex::Greed greed,
                            Span span) {
  return add(regex::Repeat{body, min, max, greed}, span, depth(body) + 1);
}

NodeId RegexBuilder::group(NodeId body, uint32_t index, bool is_atomic, Span span) {
  return add(regex::Group{body, index, is_atomic}, span, depth(body) + 1);
}

NodeId RegexBuilder::look(NodeId body, bool is_behind, bool is_negative, Span span) {
  return add(regex::Look{body, is_behind, is_negative}, span, depth(body) + 1);
}

NodeId RegexBuilder::complement(NodeId body, Span span) {
  return add(regex::Complement{body}, span, depth(body) + 1);
}

}  // namespace nacre::regular
