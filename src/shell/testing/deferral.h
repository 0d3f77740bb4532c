// What must hold of bodies that a parser leaves out: read later, each is what it would have been.
#pragma once

#include <map>
#include <string>

#include "shell/bodies.h"
#include "shell/parse.h"
#include "shell/print.h"
#include "shell/visitor.h"

namespace nacre::shell {

// Of a text without mistakes. Counts the bodies that were left out in `deferred`. With an index of
// them, more may be.
inline bool defers_faithfully(const ParseResult& whole, ParseOptions options, size_t& deferred,
                              const BodyIndex* index = nullptr) {
  std::map<uint32_t, const Command*> bodies;  // by where their functions begin
  walk(whole.tree.program(), Visitor{[&](const Command& command) {
         if (const auto* function = std::get_if<Function>(&command.node))
           bodies.emplace(command.span.begin, function->body);
       }});
  options.defers_bodies = true;
  options.bodies = index;
  const ParseResult outline = parse_file(whole.tree.file(), options);
  options.defers_bodies = false;
  bool is_faithful = outline.is_valid();
  walk(outline.tree.program(), Visitor{[&](const Command& command) {
         const auto* function = std::get_if<Function>(&command.node);
         if (!function || function->body) return;
         deferred++;
         const auto known = bodies.find(command.span.begin);
         const ParseResult body =
             parse_file(SourceFile("body", std::string(function->unread)), options);
         const auto items = body.tree.program().items;
         is_faithful &= known != bodies.end() && body.is_valid() && items.size() == 1 &&
                        to_source(*items[0].command) == to_source(*known->second);
       }});
  return is_faithful;
}

}  // namespace nacre::shell
