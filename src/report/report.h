// Turns findings into what people and programs read. Every format is one function from a Report to
// text; `formats()` is the list of them. Nothing here prints.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace nacre::report {

struct Report {
  std::vector<Diagnostic> findings;  // sorted by the emitter
  std::vector<std::string> files;    // every file that was looked at, in order
  std::string_view version;          // of nacre
  bool is_finished = true;  // false: a file could not be read, parsed or analysed to the end
};

struct Style {
  bool is_colored = false;
  unsigned width = 100;  // cells of a line of source that are shown
};

struct Format {
  std::string_view name;
  std::string (*render)(const Report&, const Style&);
};

std::span<const Format> formats();
const Format* find_format(std::string_view name);

// The formats, each beside its relatives: text.cpp, lines.cpp, xml.cpp, json.cpp, sarif.cpp,
// diff.cpp.
std::string text(const Report& report, const Style& style);
std::string gcc(const Report& report, const Style& style);
std::string github(const Report& report, const Style& style);
std::string checkstyle(const Report& report, const Style& style);
std::string junit(const Report& report, const Style& style);
std::string json(const Report& report, const Style& style);
std::string jsonl(const Report& report, const Style& style);
std::string gitlab(const Report& report, const Style& style);
std::string sarif(const Report& report, const Style& style);
std::string diff(const Report& report, const Style& style);

// How often each code is reported, most often first.
std::string statistics(const Report& report);

}  // namespace nacre::report
