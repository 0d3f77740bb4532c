// One stage of a pipeline after it was typed: what the rules about pipelines look at.
// Internal to this module.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "commands/behaviour.h"
#include "commands/stream.h"
#include "flow/value.h"

namespace nacre::flow {

struct Stage {
  Span span;              // of the command
  std::string name;       // of the command, for messages
  bool is_piped = false;  // another stage writes into it
  commands::Stream input;
  commands::Behaviour behaviour;
  std::optional<Lang> described = std::nullopt;  // by an annotation: the lines it is about
  bool stops_early = false;                      // it may end before it has read all
  bool is_endless = false;                       // it prints until its reader ends
  bool reads_known_file = false;                 // an operand, whose lines are known
  bool drops_output = false;                     // >/dev/null: only its status counts
  bool is_tested = false;                        // it decides a condition
  bool drops_errors = false;                     // 2>/dev/null: the author expects it to fail
  bool prints_words = false;                     // what it prints is its own words: echo, printf
  std::optional<Lang> skeleton = std::nullopt;   // of these words: see Value::skeleton
  bool holds_setting = false;     // and some of them, or its input, are in a variable of the script
  bool is_own_text = false;       // what it prints is the script's, or safe to run: see Io
  bool fetches = false;           // what it prints comes over a network
  bool interprets_input = false;  // what it reads is code, which it runs
};

// What becomes of the words that the first stage prints, if every later one takes line by line:
// see Value::skeleton.
std::optional<Lang> skeleton_printed(std::span<const Stage> stages);

}  // namespace nacre::flow
