// The tree of a Dockerfile. It keeps every byte: the items of a File follow each other without a
// gap and cover the whole text, so that an unchanged tree prints as the file it came from, and the
// spans of what lies in an item (flags, words, here-documents) are places in the file.
//
//   File file = parse(source);
//   for (const Instruction& each : file.instructions) use(each.keyword, each.words);
//
// An instruction may run over several lines: BuildKit joins them, and so does `Instruction::line`,
// whose text is what the builder sees, with a map back to the file. Plain immutable data.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/source_file.h"
#include "base/text_map.h"

namespace nacre::docker {

enum class Keyword : uint8_t {
  kAdd,
  kArg,
  kCmd,
  kCopy,
  kEntrypoint,
  kEnv,
  kExpose,
  kFrom,
  kHealthcheck,
  kLabel,
  kMaintainer,
  kOnbuild,
  kRun,
  kShell,
  kStopsignal,
  kUser,
  kVolume,
  kWorkdir,
  kUnknown,
};

// "RUN"; of an unknown one "".
std::string_view name_of(Keyword keyword);

// A line as the builder sees it: continued lines joined, comments between them left out.
struct Line {
  // From `at` on, the text is a copy of the file from `from` on.
  struct Piece {
    uint32_t at;
    uint32_t from;
  };
  std::string text;
  std::vector<Piece> pieces;
  Span span;                      // in the file, without the last newline
  std::vector<Span> comments;     // lines of comment within it
  std::vector<Span> empty_lines;  // blank lines within it

  // Where [begin, end) of the text stands in the file.
  [[nodiscard]] Span place(size_t begin, size_t end) const;
  // The map of the text from `begin` on.
  [[nodiscard]] TextMap map_from(size_t begin) const;
};

// `text` is as it is written, with its quotes; of JSON, the string that it stands for.
struct Word {
  std::string text;
  Span span;
};

// `--name=value` or `--name` before the arguments.
struct Flag {
  std::string name;
  std::string value;
  bool has_value = false;
  Span span;
};

// Of ENV, LABEL and ARG.
struct Pair {
  Word key;
  Word value;
  bool has_value = false;
};

// The shell form is everything that is not a JSON list of strings.
enum class Form : uint8_t { kShell, kJson };

struct HereDocument {
  std::string name;
  bool expands = true;       // its delimiter is not quoted
  bool strips_tabs = false;  // <<-
  bool is_terminated = true;
  Span introducer;  // <<EOF
  Span body;        // without the line of the delimiter
  Span end;         // that line, without its newline
};

struct Instruction {
  Keyword keyword = Keyword::kUnknown;
  std::string name;  // as it is written
  Span name_span;
  Span span;  // with its here-documents, without the last newline
  std::shared_ptr<const Line> line;
  size_t rest = 0;  // where its arguments begin in the line, after the flags
  std::vector<Flag> flags;
  Form form = Form::kShell;
  std::vector<Word> words;   // of the JSON list, or those between blanks
  std::vector<Pair> pairs;   // ENV, LABEL, ARG
  bool is_legacy = false;    // `ENV name value`
  bool lacks_value = false;  // one of its flags does: the first argument was meant to be that
  std::vector<HereDocument> here_documents;
  std::shared_ptr<const Instruction> inner;  // of ONBUILD; the command of HEALTHCHECK CMD

  [[nodiscard]] std::string_view arguments() const {
    return std::string_view(line->text).substr(rest);
  }
  [[nodiscard]] Span arguments_span() const { return line->place(rest, line->text.size()); }
  [[nodiscard]] const Flag* flag(std::string_view name) const;
};

enum class ItemKind : uint8_t { kBlank, kComment, kDirective, kInstruction };

struct Item {
  ItemKind kind = ItemKind::kBlank;
  Span span;         // with the newline
  size_t index = 0;  // kInstruction: in File::instructions; kDirective: in File::directives
};

// `# escape=...` and the like, in the first lines.
struct Directive {
  std::string name;  // in lower case
  std::string value;
  Span span;
};

// What the builder refuses.
struct Problem {
  Span span;
  std::string message;
};

struct File {
  SourceFile source;
  char escape = '\\';
  std::vector<Directive> directives;
  std::vector<Item> items;
  std::vector<Instruction> instructions;
  std::vector<Span> comments;  // all of them, also those within instructions; sorted
  std::vector<Problem> problems;
};

// Linear in the size of the text; never fails. What is wrong is in `problems`, and what follows is
// parsed on.
File parse(const SourceFile& source);

// The text of the items, one after the other.
std::string print(const File& file);

}  // namespace nacre::docker
