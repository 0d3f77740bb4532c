// Dockerfiles and Makefiles of a corpus: whether their trees print as the files they came from,
// with every part in its place, and what checking them costs.
//
//   bench_build_files docker|make FILE...
#include <cstdio>
#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <vector>

#include "commands/card_library.h"
#include "docker/check.h"
#include "make/check.h"
#include "make/syntax.h"

namespace nacre {

namespace {

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::string read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

// The items follow each other without a gap, and their parts lie in them.
bool covers(const docker::File& file) {
  uint32_t at = 0;
  for (const docker::Item& item : file.items) {
    if (item.span.begin != at) return false;
    at = item.span.end;
    if (item.kind != docker::ItemKind::kInstruction) continue;
    const docker::Instruction& each = file.instructions[item.index];
    for (const docker::Word& word : each.words) {
      if (!item.span.contains(word.span)) return false;
    }
  }
  return at == file.source.whole().end;
}

bool covers(const std::string& text, const std::vector<make::Statement>& statements) {
  uint32_t at = 0;
  for (const make::Statement& each : statements) {
    if (each.span.begin != at) return false;
    at = each.span.end;
    for (Span part : {each.keyword, each.name, each.operation, each.value, each.body, each.targets,
                      each.prerequisites, each.inline_recipe, each.comment}) {
      if (!part.empty() && !each.span.contains(part)) return false;
    }
  }
  return at == text.size();
}

bool round_trips(std::string_view kind, const SourceFile& file) {
  if (kind == "docker") {
    const docker::File tree = docker::parse(file);
    return docker::print(tree) == file.bytes() && covers(tree);
  }
  const std::string text(file.bytes());
  const auto statements = make::parse(text);
  return make::print(text, statements) == text && covers(text, statements);
}

size_t findings_in(std::string_view kind, const SourceFile& file,
                   const commands::CardLibrary& cards) {
  return kind == "docker" ? docker::check(file, cards).findings.size()
                          : make::check(file, cards, {}).findings.size();
}

int run(std::string_view kind, const std::vector<SourceFile>& files) {
  size_t failures = 0, findings = 0;
  for (const SourceFile& file : files) {
    if (round_trips(kind, file)) continue;
    failures++;
    fmt::print("  not the same: {}\n", file.name());
  }
  const commands::CardLibrary cards;
  const double begin = cpu_seconds();
  for (const SourceFile& file : files) findings += findings_in(kind, file, cards);
  fmt::print(
      "{}: {} files, {} round trips; checked in {:.2f} s of CPU ({:.2f} ms a file), {} findings\n",
      kind, files.size(), files.size() - failures, cpu_seconds() - begin,
      1e3 * (cpu_seconds() - begin) / static_cast<double>(files.size()), findings);
  return failures == 0 ? 0 : 1;
}

}  // namespace

}  // namespace nacre

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: bench_build_files docker|make FILE...\n");
    return 2;
  }
  std::vector<nacre::SourceFile> files;
  for (int i = 2; i < argc; i++) files.emplace_back(argv[i], nacre::read_file(argv[i]));
  return nacre::run(argv[1], files);
}
