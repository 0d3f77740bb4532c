#include "shell/bodies.h"

#include <algorithm>
#include <functional>

#include "shell/parse.h"
#include "shell/visitor.h"

namespace nacre::shell {

namespace {

bool ends_line(std::string_view text, size_t at) {
  const size_t next = text.find_first_not_of(" \t", at);
  return next == std::string_view::npos || text[next] == '\n';
}

bool holds_its_documents(const Command& body) {
  bool result = true;
  walk(body, Visitor{[&](const HereDocument& document) {
         result &= document.span.end <= body.span.end;
       }});
  return result;
}

}  // namespace

BodyIndex::BodyIndex(const SourceFile& text, Dialect dialect) : text_size_(text.bytes().size()) {
  const ParseResult parsed = parse_file(text, dialect);
  if (!parsed.is_valid()) return;
  walk(parsed.tree.program(), Visitor{[&](const Command& command) {
         const auto* function = std::get_if<Function>(&command.node);
         if (function == nullptr || function->body == nullptr) return;
         const Command& body = *function->body;
         const bool is_plain = std::holds_alternative<BraceGroup>(body.node) &&
                               body.redirections.empty() &&
                               ends_line(text.bytes(), body.span.end) && holds_its_documents(body);
         if (is_plain) bodies_.emplace_back(body.span.begin, body.span.end);
       }});
  std::sort(bodies_.begin(), bodies_.end());
}

std::optional<uint32_t> BodyIndex::end_of(uint32_t begin) const {
  const auto found =
      std::lower_bound(bodies_.begin(), bodies_.end(), std::pair(begin, uint32_t{0}));
  const bool is_known = found != bodies_.end() && found->first == begin;
  return is_known ? std::optional(found->second) : std::nullopt;
}

std::shared_ptr<const BodyIndex> BodyCache::index_of(const SourceFile& text, Dialect dialect) {
  const std::pair key(std::hash<std::string_view>()(text.bytes()), dialect);
  {
    const std::lock_guard lock(mutex_);
    const auto known = entries_.find(key);
    if (known != entries_.end() && known->second.text.bytes() == text.bytes())
      return known->second.index;
  }
  auto index = std::make_shared<const BodyIndex>(text, dialect);
  const std::lock_guard lock(mutex_);
  const size_t size = text.bytes().size();
  if (size <= left_ && entries_.try_emplace(key, Entry{text, index}).second) left_ -= size;
  return index;
}

}  // namespace nacre::shell
