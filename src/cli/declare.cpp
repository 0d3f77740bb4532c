#include "cli/declare.h"

#include <filesystem>
#include <fmt/format.h>

#include "base/path.h"
#include "cli/output.h"
#include "cli/read_operand.h"
#include "cli/verb.h"
#include "cli/write_file.h"
#include "project/cards.h"
#include "shell/parse.h"

namespace nacre::cli {

namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMaxCardBytes = 1u << 20;

int refuse(std::string_view message) { return complain("type", message); }

// The words of a command line of constants; empty if it is not one.
std::vector<std::string> words_of(const std::string& command_line) {
  const auto parsed = shell::parse_file(SourceFile("command", command_line), shell::Dialect::kBash);
  const auto items = parsed.tree.program().items;
  if (!parsed.is_valid() || items.size() != 1) return {};
  const auto* simple = std::get_if<shell::SimpleCommand>(&items[0].command->node);
  if (simple == nullptr) return {};
  std::vector<std::string> result;
  for (const shell::Word& word : simple->words) {
    if (!word.is_literal()) return {};
    result.emplace_back(word.literal());
  }
  return result;
}

// What a declaration adds to a card: its options, and a line for each side of the type.
struct Declaration {
  std::vector<std::string> options;
  std::string conditions;  // "-l first:list"
  std::string input, output;
};

// `IN -> OUT`, or what it prints only. The arrow stands between blanks.
void split_type(const std::string& type, Declaration& declaration) {
  const size_t arrow = type.find(" -> ");
  declaration.output = arrow == std::string::npos ? type : type.substr(arrow + 4);
  if (arrow != std::string::npos) declaration.input = type.substr(0, arrow);
}

// Options become conditions, a first operand too (`git branch`); more operands say nothing.
std::string read_words(const std::vector<std::string>& words, Declaration& declaration) {
  bool has_operand = false;
  for (size_t i = 1; i < words.size(); i++) {
    const bool is_option = words[i].size() > 1 && words[i][0] == '-';
    if (words[i].find_first_of(" \t|:") != std::string::npos)
      return fmt::format("'{}' cannot be written in a card", words[i]);
    if (is_option)
      declaration.options.push_back(words[i]);
    else if (has_operand)
      return "a declaration has one operand at most";
    declaration.conditions += (is_option ? "" : "first:") + words[i] + " ";
    has_operand |= !is_option;
  }
  return "";
}

// `output    -l first:list : `, and what comes after it.
std::string property(std::string_view key, const Declaration& declaration,
                     const std::string& value) {
  return fmt::format("{:<9} {}: {}\n", key, declaration.conditions, value);
}

std::vector<std::string> properties_of(const Declaration& declaration) {
  std::vector<std::string> result;
  if (declaration.input == "()")
    result.push_back(property("reads", declaration, "nothing"));
  else if (!declaration.input.empty())
    result.push_back(property("input", declaration, declaration.input));
  result.push_back(property("output", declaration, declaration.output));
  return result;
}

// Where the first property stands, or the end: options come before it.
size_t begin_of_properties(std::string_view card) {
  size_t result = card.size();
  for (const std::string_view key : {"\ninput ", "\nreads ", "\noutput "}) {
    const size_t at = card.find(key);
    if (at != std::string_view::npos) result = std::min(result, at + 1);
  }
  return result;
}

// The card so far, or a new one. What is declared last comes first, since the first line that fits
// is the answer; what was declared of the same words before is gone.
std::string card_with(std::string card, const std::string& name, const Declaration& declaration) {
  if (card.empty()) card = fmt::format("command   {}\nopen\nstyle     posix\n", name);
  if (!card.ends_with('\n')) card += '\n';
  for (const char* key : {"input", "reads", "output"}) {
    std::string begin = property(key, declaration, "");
    begin.pop_back();
    const size_t old = card.find("\n" + begin);
    if (old != std::string::npos) card.erase(old + 1, card.find('\n', old + 1) - old);
  }
  std::string added;
  for (const std::string& option : declaration.options) {
    const std::string line = fmt::format("option    {}\n", option);
    if (card.find(line) == std::string::npos) added += line;
  }
  for (const std::string& line : properties_of(declaration)) added += line;
  return card.insert(begin_of_properties(card), added);
}

Result<std::string> existing_card(const std::string& path) {
  if (host_files().kind(path) == FileKind::kMissing) return std::string();
  auto text = host_files().read(path, kMaxCardBytes);
  if (!text) return fail({}, fmt::format("{}: {}", path, text.error().message));
  return text;
}

}  // namespace

int declare_type(const std::string& command_line, const std::string& type) {
  const std::vector<std::string> words = words_of(command_line);
  if (words.empty()) return refuse("--declare needs a command line of constant words");
  const std::string name = words[0].substr(words[0].rfind('/') + 1);
  const commands::CardLibrary builtin;
  if (const commands::Card* card = builtin.find(name); card != nullptr)
    return refuse(
        fmt::format("{} has a card (`nacre card {}`); to replace it, write one", name, name));
  Declaration declaration;
  if (const std::string problem = read_words(words, declaration); !problem.empty())
    return refuse(problem);
  split_type(type, declaration);

  const std::string directory =
      project::card_directory(host_files(), host_files().working_directory());
  const std::string path = directory + "/" + name + ".card";
  const auto before = existing_card(path);
  if (!before) return refuse(before.error().message);
  const std::string text = card_with(*before, name, declaration);
  commands::CardLibrary trial;
  if (const auto added = trial.add(SourceFile(path, text)); !added)
    return refuse(added.error().message);
  std::error_code error;
  fs::create_directories(directory, error);
  const auto written = error ? fail({}, error.message()) : write_file(path, text);
  if (!written) return refuse(fmt::format("{}: {}", path, written.error().message));
  print_text(text);
  return kClean;
}

}  // namespace nacre::cli
