#include "shell/embedded.h"

#include <optional>
#include <string>

#include "base/ascii.h"
#include "base/path.h"
#include "shell/parser.h"
#include "shell/visitor.h"

namespace nacre::shell {

namespace {

using Words = std::span<const Word>;

struct Found {
  EmbeddedKind kind;
  Words words;  // joined by blanks
  Dialect dialect;
};

std::string_view literal(const Word& word) {
  return word.is_literal() ? word.literal() : std::string_view();
}

// sh -c TEXT, wherever it begins: after sudo, env, find -exec, xargs, in front of nothing.
std::optional<Found> find_shell(Words words) {
  for (size_t i = 0; i < words.size(); i++) {
    auto dialect = dialect_named(base_name(literal(words[i])));
    if (!dialect || words[i].is_quoted()) continue;
    for (size_t k = i + 1; k + 1 < words.size(); k++) {
      std::string_view option = literal(words[k]);
      if (option.size() < 2 || (option[0] != '-' && option[0] != '+')) {
        if (*dialect == Dialect::kBusybox && (option == "sh" || option == "ash")) continue;
        break;
      }
      bool is_program =
          option[0] == '-' && option[1] != '-' && option.find('c') != std::string_view::npos;
      if (is_program) return Found{EmbeddedKind::kShell, words.subspan(k + 1, 1), *dialect};
      if (option == "-o" || option == "+o" || option == "-O" || option == "+O") k++;
    }
  }
  return std::nullopt;
}

std::optional<Found> find_trap(Words words, Dialect dialect) {
  size_t at = words.size() > 1 && literal(words[1]) == "--" ? 2 : 1;
  if (at + 1 >= words.size()) return std::nullopt;
  std::string_view action = literal(words[at]);
  bool is_action = !action.empty() && action[0] != '-' && !is_digits(action);
  if (!is_action) return std::nullopt;
  return Found{EmbeddedKind::kTrap, words.subspan(at, 1), dialect};
}

// ssh [options] host command...
std::optional<Found> find_ssh(Words words) {
  constexpr std::string_view kWithArgument = "BbcDEeFIiJLlmOopQRSWw";
  size_t at = 1;
  while (at < words.size()) {
    std::string_view option = literal(words[at]);
    if (option.size() < 2 || option[0] != '-') break;
    bool takes_next = option.size() == 2 && kWithArgument.find(option[1]) != std::string_view::npos;
    at += takes_next ? 2 : 1;
  }
  if (at + 1 >= words.size()) return std::nullopt;
  return Found{EmbeddedKind::kSsh, words.subspan(at + 1), Dialect::kSh};
}

std::optional<Found> find_in(Words words, Dialect dialect) {
  if (words.size() < 2) return std::nullopt;
  std::string_view name = base_name(literal(words[0]));
  if (name == "eval") return Found{EmbeddedKind::kEval, words.subspan(1), dialect};
  if (name == "trap") return find_trap(words, dialect);
  if (auto shell = find_shell(words)) return shell;
  if (name == "ssh") return find_ssh(words);
  return std::nullopt;
}

// The value of literal parts, and where each byte of it stands in the file.
void append_text(std::span<const Part> parts, std::string& text, TextMap& map) {
  for (const Part& part : parts) {
    if (!part.is_text()) {
      append_text(part.parts(), text, map);
      continue;
    }
    auto at = static_cast<uint32_t>(text.size());
    if (part.kind == PartKind::kLiteral && part.span.size() == part.size) {
      map.add_copy(at, part.span.begin);
    } else if (part.kind == PartKind::kSingleQuoted && part.span.size() == part.size + 2) {
      map.add_copy(at, part.span.begin + 1);
    } else if (part.kind == PartKind::kAnsiQuoted && part.span.size() == part.size + 3) {
      map.add_copy(at, part.span.begin + 2);
    } else {
      map.add_whole(at, part.span);
    }
    text += part.text();
  }
}

std::optional<Embedded> parse_found(const Tree& tree, const Command& host, const Found& found) {
  TextMap map(nullptr);
  std::string text;
  for (const Word& word : found.words) {
    if (!word.is_literal()) return std::nullopt;
    if (&word != &found.words.front()) {
      map.add_whole(static_cast<uint32_t>(text.size()), {word.span.begin, word.span.begin});
      text += ' ';
    }
    append_text(word.parts(), text, map);
  }
  if (text.empty()) return std::nullopt;
  Span span = cover(found.words.front().span, found.words.back().span);
  map.add_whole(static_cast<uint32_t>(text.size()), {span.end, span.end});
  ParseOptions options;
  options.dialect = found.dialect;
  Parser parser(tree.file(), {}, options, /*recovers=*/true);
  parser.set_map(&map);
  parser.set_text(text);
  return Embedded{found.kind, &host, span, parse_all(parser, tree.file(), found.dialect)};
}

}  // namespace

ParseResult parse_elsewhere(const SourceFile& file, Span place, std::string_view text,
                            const ParseOptions& options) {
  TextMap map(place);
  Parser parser(file, text, options, /*recovers=*/true);
  parser.set_map(&map);
  parser.expect_text(text.size());
  return parse_all(parser, file, options.dialect);
}

ParseResult parse_mapped(const SourceFile& file, TextMap map, std::string_view text,
                         const ParseOptions& options) {
  Parser parser(file, {}, options, /*recovers=*/true);
  parser.set_map(&map);
  parser.set_text(text);
  return parse_all(parser, file, options.dialect);
}

std::vector<Embedded> find_embedded(const Tree& tree) {
  std::vector<Embedded> result;
  walk(tree.program(), Visitor{[&](const Command& command) {
         const auto* simple = std::get_if<SimpleCommand>(&command.node);
         if (simple == nullptr) return;
         auto found = find_in(simple->words, tree.dialect());
         if (!found) return;
         if (auto embedded = parse_found(tree, command, *found)) {
           result.push_back(std::move(*embedded));
         }
       }});
  return result;
}

}  // namespace nacre::shell
