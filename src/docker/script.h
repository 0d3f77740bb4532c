// The shell program of a RUN instruction: its text put together as the builder gives it to the
// shell, its tree with spans in the Dockerfile, and the command lines in it with what the stage's
// variables make of their words. PowerShell and cmd programs are not read: they have no tree.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "commands/card_library.h"
#include "docker/call.h"
#include "docker/stages.h"
#include "shell/parse.h"

namespace nacre::docker {

struct Script {
  const Step* step = nullptr;
  std::string text;  // what the shell gets; of a JSON list nothing
  std::vector<std::unique_ptr<shell::ParseResult>> programs;  // itself, then those of `sh -c`
  std::vector<Call> calls;                                    // in the order of the text
  std::vector<Usage> usages;                                  // of those that have a card
  std::set<std::string, std::less<>> assigned;                // variables that it sets itself
  size_t commands = 0;                                        // simple ones
  Span pipe;            // the first one whose commands can fail, without pipefail; empty: none
  Span unnoticed_pipe;  // the first of them whose last command succeeds without its input, too
  bool sets_pipefail = false;
  bool is_document = false;   // RUN <<EOF
  bool has_errexit = false;   // in a document: `set -e`, or one that the shell is started with
  bool is_joined = true;      // at the top level there is nothing but &&
  bool reads_status = false;  // $?, or `set +e`: a failure is foreseen

  [[nodiscard]] const shell::ParseResult& program() const { return *programs.front(); }
};

// The program of a RUN step; nothing where no shell program is read.
std::unique_ptr<Script> read_script(const Stages& stages, const Step& step,
                                    const commands::CardLibrary& cards);

// Two RUN instructions of one command each, one right after the other, with the same flags.
bool are_consecutive(const Script& first, const Script& second);

}  // namespace nacre::docker
