// The lines of a Dockerfile to instructions, in the order of BuildKit's parser: directives while
// there are any, then comments, blank lines and instructions, each with its here-documents.
#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "base/ascii.h"
#include "docker/lines.h"
#include "docker/parse_arguments.h"
#include "docker/syntax.h"
#include "docker/text.h"

namespace nacre::docker {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// `# name = value`, where the name is letters and digits.
std::optional<Directive> read_directive(std::string_view line) {
  std::string_view rest = trim_left(line);
  if (!rest.starts_with('#')) return std::nullopt;
  rest = trim_left(rest.substr(1));
  size_t end = 0;
  while (end < rest.size() && (is_letter(rest[end]) || (end > 0 && is_digits(rest.substr(end, 1)))))
    end++;
  const std::string_view after = trim_left(rest.substr(end));
  if (end == 0 || !after.starts_with('=')) return std::nullopt;
  const std::string_view value = trim(after.substr(1));
  if (value.empty()) return std::nullopt;
  return Directive{lower_case(rest.substr(0, end)), std::string(value), {}};
}

bool is_known(const Directive& directive) {
  return directive.name == "escape" || directive.name == "syntax" || directive.name == "check";
}

class Parser {
 public:
  explicit Parser(const SourceFile& source) : reader_(source, '\\') { file_.source = source; }

  File run() {
    if (file_.source.bytes().starts_with(kByteOrderMark)) {
      add_item(ItemKind::kBlank, {0, static_cast<uint32_t>(kByteOrderMark.size())});
      reader_.set_position(static_cast<uint32_t>(kByteOrderMark.size()));
    }
    directives();
    while (!reader_.at_end()) item();
    std::sort(file_.comments.begin(), file_.comments.end(),
              [](Span a, Span b) { return a.begin < b.begin; });
    return std::move(file_);
  }

 private:
  void add_item(ItemKind kind, Span span, size_t index = 0) {
    file_.items.push_back({kind, span, index});
  }

  void directives() {
    while (!reader_.at_end()) {
      auto directive = read_directive(reader_.text(reader_.peek()));
      if (!directive || !is_known(*directive)) return;
      const uint32_t begin = reader_.at();
      directive->span = reader_.physical();
      add_item(ItemKind::kDirective, {begin, reader_.at()}, file_.directives.size());
      file_.comments.push_back(directive->span);
      apply(*directive);
      file_.directives.push_back(*std::move(directive));
    }
  }

  void apply(const Directive& directive) {
    const bool is_again =
        std::any_of(file_.directives.begin(), file_.directives.end(),
                    [&](const Directive& each) { return each.name == directive.name; });
    if (is_again) {
      problem(directive.span, fmt::format("only one {} directive can be used", directive.name));
    } else if (directive.name == "escape") {
      const bool is_valid = directive.value == "\\" || directive.value == "`";
      if (!is_valid) problem(directive.span, "the escape character must be \\ or `");
      if (is_valid) file_.escape = directive.value[0];
      reader_.set_escape(file_.escape);
    }
  }

  void item() {
    const uint32_t begin = reader_.at();
    const std::string_view line = reader_.text(reader_.peek());
    if (trim_left(line).empty()) {
      reader_.physical();
      return add_item(ItemKind::kBlank, {begin, reader_.at()});
    }
    if (is_comment(line)) {
      Span comment = reader_.physical();
      comment.begin += static_cast<uint32_t>(line.size() - trim_left(line).size());
      file_.comments.push_back(comment);
      return add_item(ItemKind::kComment, {begin, reader_.at()});
    }
    auto logical = std::make_shared<Line>(reader_.logical());
    for (const Span comment : logical->comments) add_inner_comment(comment);
    Instruction made = read_instruction(std::move(logical), 0, file_.escape, file_.problems);
    if (may_hold_documents(made)) here_documents(made);
    add_item(ItemKind::kInstruction, {begin, reader_.at()}, file_.instructions.size());
    file_.instructions.push_back(std::move(made));
  }

  void add_inner_comment(Span line) {
    const std::string_view text = reader_.text(line);
    line.begin += static_cast<uint32_t>(text.size() - trim_left(text).size());
    file_.comments.push_back(line);
  }

  // Their bodies follow the line, in the order in which they are named.
  void here_documents(Instruction& instruction) {
    for (HereDocument& each : find_here_documents(instruction)) {
      each.body = {reader_.at(), reader_.at()};
      each.is_terminated = false;
      while (!reader_.at_end() && !each.is_terminated) {
        const uint32_t begin = reader_.at();
        const Span line = reader_.physical();
        std::string_view text = reader_.text(line);
        if (each.strips_tabs)
          text.remove_prefix(std::min(text.find_first_not_of('\t'), text.size()));
        each.is_terminated = text == each.name;
        each.body.end = each.is_terminated ? begin : reader_.at();
        each.end = each.is_terminated ? line : Span{reader_.at(), reader_.at()};
        instruction.span.end = each.is_terminated ? line.end : reader_.at();
      }
      if (!each.is_terminated) {
        problem(each.introducer,
                fmt::format("the here-document has no end: there is no line {}", each.name));
      }
      add_document(instruction, std::move(each));
    }
  }

  // ONBUILD RUN <<EOF: the document belongs to both.
  static void add_document(Instruction& instruction, HereDocument document) {
    if (instruction.inner) {
      Instruction inner = *instruction.inner;
      inner.span.end = instruction.span.end;
      inner.here_documents.push_back(document);
      instruction.inner = std::make_shared<const Instruction>(std::move(inner));
    }
    instruction.here_documents.push_back(std::move(document));
  }

  void problem(Span span, std::string message) {
    file_.problems.push_back({span, std::move(message)});
  }

  File file_;
  LineReader reader_;
};

}  // namespace

File parse(const SourceFile& source) { return Parser(source).run(); }

std::string print(const File& file) {
  std::string result;
  result.reserve(file.source.bytes().size());
  for (const Item& item : file.items) result += file.source.text(item.span);
  return result;
}

}  // namespace nacre::docker
