#include "flow/annotations.h"

#include <algorithm>
#include <fmt/core.h>
#include <memory>

#include "base/codes.h"
#include "commands/stream_text.h"
#include "flow/same_command.h"
#include "regular/decide.h"
#include "regular/parse_type.h"
#include "shell/parse.h"
#include "shell/visitor.h"

namespace nacre::flow {

namespace {

using shell::Command;

Lang texts_with_newlines(Context& context) {
  return context.all() + context.literal("\n") + context.all();
}

// Whether a type names the newline by itself, and not only as one of a set: `[^\n]+\n[^\n]+`.
bool names_newline(std::string_view type) {
  bool is_in_set = false;
  for (size_t i = 0; i < type.size(); i++) {
    if (type[i] == '\\' && i + 1 < type.size()) {
      if (type[++i] == 'n' && !is_in_set) return true;
    } else if (type[i] == '[' && !is_in_set) {
      is_in_set = true;
      const size_t first = i + (i + 1 < type.size() && type[i + 1] == '^' ? 2 : 1);
      if (first < type.size() && type[first] == ']') i = first;
    } else if (type[i] == '[' && i + 1 < type.size() && type[i + 1] == ':') {
      i = std::min(type.find(":]", i), type.size() - 2) + 1;
    } else if (type[i] == ']') {
      is_in_set = false;
    }
  }
  return false;
}

// Pieces of a type between the operators `separator` that stand in no group or set.
std::vector<std::string_view> pieces_of(std::string_view type, char separator) {
  std::vector<std::string_view> result;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i < type.size(); i++) {
    if (type[i] == '\\') {
      i++;
    } else if (type[i] == '[') {
      i = std::min(type.find(']', std::min(i + 2, type.size())), type.size());
    } else if (type[i] == '(') {
      depth++;
    } else if (type[i] == ')') {
      depth--;
    } else if (type[i] == separator && depth == 0) {
      result.push_back(type.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  result.push_back(type.substr(begin));
  return result;
}

// `~(a)`, `(~(a)&!(b))`: says only what lines are not.
bool is_negative(std::string_view type) {
  while (type.starts_with('(') && type.ends_with(')')) type = type.substr(1, type.size() - 2);
  const auto operands = pieces_of(type, '&');
  return std::all_of(operands.begin(), operands.end(), [](std::string_view operand) {
    return operand.starts_with('~') || operand.starts_with('!');
  });
}

// The type without its negative alternatives; nothing if it has none, or nothing else.
std::optional<std::string> described_part(std::string_view type) {
  std::string result;
  const auto alternatives = pieces_of(type, '|');
  size_t kept = 0;
  for (const std::string_view alternative : alternatives) {
    if (is_negative(alternative)) continue;
    if (kept++ > 0) result += '|';
    result += alternative;
  }
  const bool is_part = kept > 0 && kept < alternatives.size();
  return is_part ? std::optional(result) : std::nullopt;
}

// With `\"` and `\\` read as in a quoted text.
std::string unescaped(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); i++) {
    if (text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '"' || text[i + 1] == '\\')) i++;
    result += text[i];
  }
  return result;
}

// What runs in `x=$(...)`: its first or its last statement.
const Command* inner_statement(const shell::SimpleCommand& simple, bool is_last) {
  if (!simple.words.empty() || simple.assignments.size() != 1) return nullptr;
  std::span<const shell::Part> parts = simple.assignments[0].value.parts();
  if (parts.size() == 1 && parts[0].kind == shell::PartKind::kDoubleQuoted)
    parts = parts[0].parts();
  if (parts.size() != 1 || parts[0].kind != shell::PartKind::kCommand) return nullptr;
  const auto items = parts[0].command().body.items;
  if (items.empty()) return nullptr;
  return is_last ? items.back().command : items.front().command;
}

// The command that reads the statement's input (`is_last` false) or writes its output.
const Command* edge_stage(const Command* command, bool is_last) {
  const auto edge = [&](const auto& items) -> const Command* {
    if (items.empty()) return nullptr;  // `time` alone
    return is_last ? items.back().command : items.front().command;
  };
  while (true) {
    const Command* inner = nullptr;
    if (const auto* list = std::get_if<shell::AndOr>(&command->node)) inner = edge(list->items);
    if (const auto* pipeline = std::get_if<shell::Pipeline>(&command->node))
      inner = edge(pipeline->items);
    if (const auto* simple = std::get_if<shell::SimpleCommand>(&command->node))
      inner = inner_statement(*simple, is_last);
    if (inner == nullptr) return command;
    command = inner;
  }
}

std::string variable_name(std::string_view subject) {
  if (subject.starts_with('$')) subject.remove_prefix(1);
  if (subject.starts_with('{') && subject.ends_with('}'))
    subject = subject.substr(1, subject.size() - 2);
  return std::string(subject);
}

}  // namespace

Stream AnnotatedType::stream() const {
  if (is_text) return commands::stream_of(lang);
  return Stream(lang);
}

// Reads the comments and puts each annotation where it belongs.
class AnnotationPlacer {
 public:
  AnnotationPlacer(const shell::Tree& tree, Context& context, const nacre::Files* files,
                   uint64_t max_bytes, Annotations& result)
      : tree_(tree), context_(context), files_(files), max_bytes_(max_bytes), result_(result) {}

  void run() {
    for (const shell::Comment& comment : tree_.comments()) {
      AnnotationText text = read_annotation(tree_.text(comment.span), comment.span.begin);
      if (!text.problem.empty()) mistake("S020", comment.span, std::move(text.problem));
      if (!text.annotation) continue;
      if (statements_.empty()) find_statements();
      place(*text.annotation, comment.span);
    }
  }

 private:
  void mistake(std::string_view code, Span span, std::string message) {
    result_.mistakes_.push_back(
        finding(code, tree_.file(), span, std::move(message), Confidence::kCertain));
  }

  void find_statements() {
    shell::walk(tree_.program(), shell::Visitor{[&](const shell::Sequence& sequence) {
                  for (const shell::Item& item : sequence.items) {
                    if (item.command) statements_.push_back(item.command);
                  }
                }});
  }

  void place(const Annotation& annotation, Span comment) {
    if (annotation.kind == AnnotationKind::kConcretize) return concretize(annotation, comment);
    const auto type = parse(annotation);
    if (!type) return;
    switch (annotation.kind) {
      case AnnotationKind::kName: names_.emplace_back(annotation.subject, type->lang); break;
      case AnnotationKind::kVariable: place_variable(annotation, *type); break;
      case AnnotationKind::kFile: place_file(annotation, type->stream()); break;
      default: place_on_command(annotation, comment, *type); break;
    }
  }

  std::optional<AnnotatedType> parse(const Annotation& annotation) {
    const auto lookup = [&](Context&, std::string_view name) -> std::optional<Lang> {
      for (auto known = names_.rbegin(); known != names_.rend(); ++known) {
        if (known->first == name) return known->second;
      }
      return std::nullopt;
    };
    const regular::TypeOptions options{.lookup = lookup};
    const auto type = regular::parse_type(context_, annotation.type, options);
    if (!type) {
      const uint32_t begin = annotation.type_span.begin;
      const Span place = type.error().span;
      mistake("S020", {begin + place.begin, begin + place.end},
              fmt::format("this is not a type: {}", type.error().message));
      return std::nullopt;
    }
    const bool is_of_lines =
        annotation.kind != AnnotationKind::kName && annotation.kind != AnnotationKind::kVariable;
    if (!is_of_lines) return AnnotatedType{*type, false, annotation.type};
    const bool is_text = names_newline(annotation.type) &&
                         !regular::disjoint(*type, texts_with_newlines(context_)).yes();
    AnnotatedType result{is_text ? *type : *type & commands::any_text(context_), is_text,
                         annotation.type};
    if (const auto part = is_text ? std::nullopt : described_part(annotation.type)) {
      const auto described = regular::parse_type(context_, *part, options);
      if (described) result.described = *described;
    }
    return result;
  }

  // The statement below the comment, or the innermost one that it stands in.
  [[nodiscard]] const Command* statement_of(Span comment) const {
    const Command* within = nullptr;
    for (const Command* statement : statements_) {
      const auto above = tree_.comments_above(statement->span);
      if (!above.empty() && above.front().span.begin <= comment.begin &&
          comment.begin <= above.back().span.begin)
        return statement;
      if (statement->span.contains(comment)) within = statement;
    }
    return within;
  }

  [[nodiscard]] const Command* next_statement(Span span) const {
    const Command* next = nullptr;
    for (const Command* statement : statements_) {
      if (statement->span.begin < span.begin) continue;
      if (next == nullptr || statement->span.begin < next->span.begin) next = statement;
    }
    return next;
  }

  // Nothing is read: the stages of the statement may print less than is known of them.
  void place_blindness(Span comment) {
    const Command* statement = statement_of(comment);
    if (statement == nullptr) return;
    shell::walk(*statement, shell::Visitor{[&](const Command& command) {
      result_.commands_[&command].is_blind = true;
    }});
  }

  void place_variable(const Annotation& annotation, const AnnotatedType& type) {
    const Command* statement = next_statement(annotation.span);
    if (statement == nullptr) {
      return mistake("S021", annotation.span, "no command follows this annotation");
    }
    result_.variables_[statement].push_back(
        {variable_name(annotation.subject), annotation.span, type.lang});
  }

  void concretize(const Annotation& annotation, Span comment) {
    if (files_ == nullptr) return place_blindness(comment);
    const auto text = files_->read(annotation.type, max_bytes_);
    if (!text) {
      return mistake("S021", annotation.span,
                     fmt::format("the file {} cannot be read", annotation.type));
    }
    place_file(annotation, commands::lines_of_text(context_, *text));
  }

  void place_file(const Annotation& annotation, const Stream& lines) {
    const auto wanted = parse_subject(annotation.subject);
    const auto* simple =
        wanted ? std::get_if<shell::SimpleCommand>(&wanted->tree.program().items[0].command->node)
               : nullptr;
    if (simple == nullptr || simple->words.size() != 1) {
      return mistake("S020", annotation.span, "this is not the name of a file");
    }
    const std::string name = meaning_of(simple->words[0]);
    bool is_used = false;
    shell::walk(tree_.program(), shell::Visitor{[&](const shell::Word& word) {
                  if (word.span.begin < annotation.span.begin || meaning_of(word) != name) return;
                  result_.files_.insert_or_assign({word.span.begin, word.span.end}, lines);
                  is_used = true;
                }});
    if (!is_used) {
      mistake("S021", annotation.span,
              fmt::format("nothing below names the file {}", annotation.subject));
    }
  }

  // The text as one command; nothing if it is not one.
  [[nodiscard]] std::optional<shell::ParseResult> parse_subject(const std::string& text) const {
    auto parsed = shell::parse_file(SourceFile("annotation", text), tree_.dialect());
    if (!parsed.is_valid() || parsed.tree.program().items.size() != 1) return std::nullopt;
    return parsed;
  }

  [[nodiscard]] std::vector<const Command*> find_stages(const Command& statement,
                                                        const std::string& subject) const {
    std::vector<const Command*> found;
    for (const std::string& text : {subject, unescaped(subject)}) {
      const auto wanted = parse_subject(text);
      if (!wanted) continue;
      shell::walk(statement, shell::Visitor{[&](const Command& command) {
                    if (is_same_command(*wanted->tree.program().items[0].command, command))
                      found.push_back(&command);
                  }});
      if (!found.empty()) break;
    }
    return found;
  }

  void place_on_command(const Annotation& annotation, Span comment, const AnnotatedType& type) {
    const Command* statement = statement_of(comment);
    if (statement == nullptr) {
      return mistake("S021", annotation.span,
                     fmt::format("{} has no command below it", annotation.keyword));
    }
    std::vector<const Command*> stages;
    if (annotation.subject.empty()) {
      stages = {edge_stage(statement, annotation.side == Side::kOutput)};
    } else {
      stages = find_stages(*statement, annotation.subject);
    }
    if (stages.empty()) {
      mistake("S021", annotation.span,
              fmt::format("the statement below has no command `{}`", annotation.subject));
    }
    for (const Command* stage : stages) attach(result_.commands_[stage], annotation, type);
  }

  static void attach(CommandNotes& notes, const Annotation& annotation, const AnnotatedType& type) {
    const bool is_input = annotation.side == Side::kInput;
    if (annotation.kind == AnnotationKind::kAssume) {
      (is_input ? notes.input : notes.output) = type.stream();
      if (!is_input) notes.described = type.described;
      return;
    }
    auto& assertions = is_input ? notes.input_assertions : notes.output_assertions;
    assertions.push_back(
        {annotation.keyword, annotation.span, type, annotation.kind == AnnotationKind::kContains});
  }

  const shell::Tree& tree_;
  Context& context_;
  const nacre::Files* files_;
  uint64_t max_bytes_;
  Annotations& result_;
  std::vector<const Command*> statements_;  // outer ones before those within them
  std::vector<std::pair<std::string, Lang>> names_;
};

Annotations::Annotations(const shell::Tree& tree, Context& context, const nacre::Files* files,
                         uint64_t max_bytes) {
  AnnotationPlacer(tree, context, files, max_bytes, *this).run();
}

const CommandNotes* Annotations::of(const Command& command) const {
  const auto found = commands_.find(&command);
  return found == commands_.end() ? nullptr : &found->second;
}

std::span<const VariableNote> Annotations::variables_before(const Command& statement) const {
  const auto found = variables_.find(&statement);
  return found == variables_.end() ? std::span<const VariableNote>() : found->second;
}

std::optional<Stream> Annotations::file_named_by(Span word) const {
  const auto found = files_.find({word.begin, word.end});
  return found == files_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace nacre::flow
