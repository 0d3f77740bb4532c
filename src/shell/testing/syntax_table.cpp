#include "shell/testing/syntax_table.h"

#include <cassert>
#include <cstdio>
#include <string_view>

#include "shell/testing/corpus.h"

namespace nacre::shell {

namespace {

// `sh valid`, `bash invalid 3`, `bash stops 3`, `tree bash`.
SyntaxExpectation read_expectation(const std::string& line) {
  SyntaxExpectation expectation;
  char first[16] = "", second[16] = "";
  [[maybe_unused]] const int count =
      std::sscanf(line.c_str(), "---- %15s %15s %u", first, second, &expectation.line);
  expectation.is_tree = std::string_view(first) == "tree";
  const auto dialect = dialect_named(expectation.is_tree ? second : first);
  assert(count >= 2 && dialect.has_value());
  expectation.dialect = *dialect;
  expectation.is_valid = expectation.is_tree || std::string_view(second) == "valid";
  expectation.is_told = std::string_view(second) != "stops";
  assert(expectation.is_valid || count == 3);
  return expectation;
}

}  // namespace

std::vector<SyntaxCase> read_syntax_table(const std::string& path) {
  const std::string table = read_file(path);
  std::vector<SyntaxCase> cases;
  for (size_t begin = 0; begin < table.size();) {
    const size_t end = std::min(table.find('\n', begin), table.size());
    const std::string line = table.substr(begin, end - begin);
    begin = end + 1;
    if (line.starts_with("#### ")) {
      cases.push_back({line.substr(5), "", {}});
    } else if (line.starts_with("---- ")) {
      cases.back().expectations.push_back(read_expectation(line));
    } else if (!cases.empty() && cases.back().expectations.empty()) {
      cases.back().text += line + "\n";
    } else if (!cases.empty() && cases.back().expectations.back().is_tree && !line.empty()) {
      cases.back().expectations.back().tree += line + "\n";
    }
  }
  return cases;
}

}  // namespace nacre::shell
