// One joined line to an instruction: its name, flags and arguments, by the rules that BuildKit has
// for each name. What it would refuse is added to the problems.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "docker/syntax.h"

namespace nacre::docker {

// The instruction that begins at `begin` of the line: all of it, or what follows ONBUILD.
Instruction read_instruction(std::shared_ptr<const Line> line, size_t begin, char escape,
                             std::vector<Problem>& problems);

// RUN, COPY and ADD that are not in JSON form, also under ONBUILD.
bool may_hold_documents(const Instruction& instruction);
// Those that the line names (`<<EOF`), without their bodies.
std::vector<HereDocument> find_here_documents(const Instruction& instruction);

// A list of JSON strings from `begin` of the line to its end; nothing if it is not one.
// Builders before 2024 took no notice of what follows the list; for SHELL, files rely on it.
std::optional<std::vector<Word>> read_json_list(const Line& line, size_t begin,
                                                bool allows_comment = false);

// The end of the word that begins at `at`: quotes hold blanks, the escape character protects.
size_t end_of_word(std::string_view text, size_t at, char escape);

// The words between blanks, with their quotes; an escape character protects the next byte.
std::vector<Word> split_words(const Line& line, size_t begin, char escape);

}  // namespace nacre::docker
