// The residual command is built from the top of the stack downwards: each frame puts what is left
// of its own command around the text of the frame above it.
#include "machine/control.h"

#include <fmt/format.h>

#include "machine/node_text.h"
#include "machine/quote.h"
#include "machine/word_progress.h"

namespace nacre::machine {
namespace {

class Residual {
 public:
  Residual(const Machine& machine, const ControlLimits& limits)
      : machine_(machine), limits_(limits) {}

  std::string build() {
    size_t visited = 0;
    for (size_t i = machine_.frames.size(); i-- > 0 && visited <= limits_.frames;) {
      // Words and substitutions are shown by the command that they are for.
      if (is_expansion(machine_.frames[i])) continue;
      around(i);
      visited += inner_.empty() ? 0 : 1;
      if (inner_.size() >= limits_.bytes) break;
    }
    std::string text = std::move(before_) + std::move(inner_);
    if (text.size() > limits_.bytes) {
      text.resize(limits_.bytes);
      text += "...";
    }
    return text + documents_;
  }

 private:
  static bool is_expansion(const Frame& frame) {
    return frame.is<WordFrame>() || frame.is<ParameterFrame>() || frame.is<CommandSubstFrame>() ||
           frame.is<CompoundFrame>() || frame.is<ProcessSubstFrame>();
  }
  std::string text_of(const Node& node) const {
    return node_text(node, machine_.names(), limits_.bytes);
  }
  std::string nested(const Node& node) const {
    return nested_text(node, machine_.names(), limits_.bytes);
  }
  // `inner_` as a part of something else: what is left of a list needs braces.
  std::string nested_inner(const Node& node) const {
    bool is_list = node.kind == NodeKind::kSequence || node.kind == NodeKind::kAndOr ||
                   node.kind == NodeKind::kWhile || node.kind == NodeKind::kFor;
    return is_list ? in_braces(inner_) : inner_;
  }
  // `a &` needs no `;` after it.
  static std::string ended(const std::string& text) {
    return text + (text.ends_with('&') ? " " : "; ");
  }
  static std::string in_braces(const std::string& text) { return "{ " + ended(text) + "}"; }
  // In place of a command that has ended and whose status is to be looked at.
  std::string last_result() const { return machine_.state.status == 0 ? "true" : "false"; }
  bool has_inner() const { return !inner_.empty(); }
  void then(const std::string& rest) {
    if (!rest.empty()) inner_ = has_inner() ? ended(inner_) + rest : rest;
  }

  void around(size_t i) {
    const Frame& frame = machine_.frames[i];
    switch (frame.kind()) {
      case FrameKind::kSequence: return sequence(frame);
      case FrameKind::kAndOr: return and_or(frame);
      case FrameKind::kNot:
        inner_ = "! " + (has_inner() ? nested_inner(*frame.node->children[0])
                                     : nested(*frame.node->children[0]));
        return;
      case FrameKind::kIf: return conditional(frame);
      case FrameKind::kWhile: return loop(frame);
      case FrameKind::kFor: return for_loop(i);
      case FrameKind::kCase: return choice(i);
      case FrameKind::kGroup: return group(i);
      case FrameKind::kSimple: return simple(i);
      case FrameKind::kSubshell:
        if (has_inner()) {
          inner_ = "(" + inner_ + ")";
        } else if (frame.node != nullptr) {
          inner_ = text_of(*frame.node);
        }
        return;
      // The command waits for what it has started; the stages are processes of their own.
      case FrameKind::kPipeline:
      case FrameKind::kBackground:
      case FrameKind::kConditional:
      case FrameKind::kArithmetic:
      case FrameKind::kSelect:
      case FrameKind::kCoproc:
      case FrameKind::kDefinition: inner_ = text_of(*frame.node); return;
      case FrameKind::kTime: inner_ = has_inner() ? "time " + inner_ : text_of(*frame.node); return;
      case FrameKind::kArithmeticLoop: then(text_of(*frame.node)); return;
      case FrameKind::kTrap:  // interrupts what is below it
        if (has_inner()) before_ += ended(inner_);
        inner_.clear();
        return;
      default: return;  // nothing of its own
    }
  }

  void sequence(const Frame& frame) {
    const Node& node = *frame.node;
    if (frame.as<SequenceFrame>().next == 0) {
      inner_ = text_of(node);
      return;
    }
    for (size_t i = frame.as<SequenceFrame>().next; i < node.children.size(); ++i) {
      then(text_of(*node.children[i]));
    }
  }

  void and_or(const Frame& frame) {
    const Node& node = *frame.node;
    size_t next = frame.as<AndOrFrame>().next;
    if (next == 0) {
      inner_ = text_of(node);
      return;
    }
    if (has_inner()) {
      inner_ = nested_inner(*node.children[next - 1]);
    } else {  // the one before has ended
      inner_ = last_result();
    }
    for (size_t i = next; i < node.children.size(); ++i) {
      inner_ += node.ops[i] == shell::AndOrOp::kAnd ? " && " : " || ";
      inner_ += nested(*node.children[i]);
    }
  }

  void conditional(const Frame& frame) {
    const Node& node = *frame.node;
    const auto& self = frame.as<IfFrame>();
    if (self.phase == IfFrame::Phase::kStart) {
      inner_ = text_of(node);
      return;
    }
    std::string text = "if " + (has_inner() ? inner_ : last_result());
    for (size_t i = 2 * self.arm + 1; i < node.children.size(); ++i) {
      bool is_else = i + 1 == node.children.size() && node.children.size() % 2 != 0;
      text = ended(text) + (i % 2 == 1 ? "then " : is_else ? "else " : "elif ");
      text += text_of(*node.children[i]);
    }
    inner_ = ended(text) + "fi";
  }

  void loop(const Frame& frame) {
    const Node& node = *frame.node;
    std::string whole = text_of(node);
    switch (frame.as<WhileFrame>().phase) {
      case WhileFrame::Phase::kStart: inner_ = whole; return;
      case WhileFrame::Phase::kCondition:
        if (!has_inner()) inner_ = last_result();
        inner_ = fmt::format("{} {}do {}done", node.negated ? "until" : "while", ended(inner_),
                             ended(text_of(*node.children[1])));
        return;
      case WhileFrame::Phase::kBody: then(whole); return;
    }
  }

  // The fields of the frame at `i`, without those of the frames above it.
  std::vector<std::string> fields_of(size_t i, size_t from) const {
    size_t end = i + 1 < machine_.frames.size() ? machine_.frames[i + 1].base.fields
                                                : machine_.fields.size();
    std::vector<std::string> result;
    for (size_t at = from; at < std::min(end, machine_.fields.size()); ++at) {
      result.push_back(quoted_if_needed(machine_.fields[at]));
    }
    return result;
  }

  void for_loop(size_t i) {
    const Frame& frame = machine_.frames[i];
    const Node& node = *frame.node;
    const auto& self = frame.as<ForFrame>();
    bool expands = self.phase == ForFrame::Phase::kWords;
    std::vector<std::string> words = fields_of(i, frame.base.fields + (expands ? 0 : self.next));
    if (expands) {
      if (auto word = word_above(machine_, i); word && !word->empty()) words.push_back(*word);
      for (size_t at = self.next; at < node.words.size(); ++at) {
        words.emplace_back(node.words[at].written);
      }
    }
    bool has_in = node.has_in || !expands;
    std::string list = has_in ? fmt::format(" in {}", fmt::join(words, " ")) : "";
    if (list.ends_with(' ')) list.pop_back();
    then(fmt::format("for {}{}; do {}done", machine_.names().text(node.name), list,
                     ended(text_of(*node.children[0]))));
  }

  void choice(size_t i) {
    const Frame& frame = machine_.frames[i];
    const Node& node = *frame.node;
    const auto& self = frame.as<CaseFrame>();
    std::string subject(node.words[0].written);
    std::optional<std::string> word = word_above(machine_, i);
    bool has_subject = self.phase >= CaseFrame::Phase::kArms;
    if (has_subject) {
      subject = quoted_if_needed(
          machine_.text.substr(frame.base.text, self.subject_end - frame.base.text));
    } else if (self.phase == CaseFrame::Phase::kSubjectDone) {
      subject = word ? *word : quoted_if_needed(machine_.text.substr(frame.base.text));
    }
    std::string text = fmt::format("case {} in", subject);
    for (size_t at = self.arm; at < node.arms.size(); ++at) {
      const CaseArm& arm = node.arms[at];
      bool is_current = has_subject && at == self.arm && self.pattern > 0;
      for (size_t p = is_current ? self.pattern - 1 : 0; p < arm.patterns.size(); ++p) {
        bool is_expanding = is_current && p + 1 == self.pattern && word;
        text += text.ends_with("in") || text.ends_with(";") || text.ends_with("&") ? " " : " | ";
        text += is_expanding ? *word : std::string(arm.patterns[p].written);
      }
      text += ") " + (arm.body == nullptr ? "" : text_of(*arm.body));
      text += arm.falls_through ? ";&" : ";;";
    }
    inner_ = text + " esac";
  }

  // Operator and descriptor of a redirection, without its target.
  static std::string operator_of(const Redirect& redirect) {
    std::string_view text = redirect.written;
    size_t end = text.find_first_of("<>&");
    while (end < text.size() && std::string_view("<>&|-").find(text[end]) != std::string_view::npos)
      ++end;
    return std::string(text.substr(0, end));
  }

  static bool is_document(const Redirect& redirect) {
    return redirect.op == shell::RedirectOp::kHereDocument;
  }
  void add_document(const Redirect& redirect, std::string_view body) {
    std::string_view newline = body.empty() || body.ends_with('\n') ? "" : "\n";
    documents_ += fmt::format("\n{}{}{}", body, newline, redirect.delimiter);
  }

  // A redirection whose target has become `value`.
  std::string redirected(const Redirect& redirect, const std::string& value, bool is_done) {
    if (is_document(redirect)) {
      add_document(redirect, value);
      std::string before(redirect.written.substr(0, redirect.written.find('<')));
      return before + "<<" + quoted(redirect.delimiter);
    }
    return operator_of(redirect) + (is_done ? quoted_if_needed(value) : value);
  }

  // `done`: how many were opened; the next one may be in progress.
  void add_redirects(size_t i, uint32_t shown, size_t done, bool has_current,
                     std::vector<std::string>& pieces) {
    const Frame& frame = machine_.frames[i];
    const Node& node = *frame.node;
    for (size_t at = 0; at < node.redirects.size(); ++at) {
      const Redirect& redirect = node.redirects[at];
      if (at < done && shown + at < machine_.shown_values.size()) {
        pieces.push_back(redirected(redirect, machine_.shown_values[shown + at], true));
      } else if (at == done && has_current) {
        QuoteMarks marks = is_document(redirect) ? QuoteMarks::kHidden : QuoteMarks::kShown;
        std::optional<std::string> word = word_above(machine_, i, marks);
        std::string value = word ? *word : machine_.text.substr(frame.base.text);
        pieces.push_back(redirected(redirect, value, !word));
      } else {
        if (is_document(redirect)) add_document(redirect, redirect.target.written);
        pieces.emplace_back(redirect.written);
      }
    }
  }

  void group(size_t i) {
    const Frame& frame = machine_.frames[i];
    const auto& self = frame.as<GroupFrame>();
    const Node& body = *frame.node->children[0];
    bool has_current = self.phase == GroupFrame::Phase::kTargetDone;
    std::vector<std::string> pieces = {has_inner() ? nested_inner(body) : nested(body)};
    if (self.phase == GroupFrame::Phase::kBody && !has_inner()) pieces = {":"};
    add_redirects(i, self.shown, has_current ? self.next - 1 : self.next, has_current, pieces);
    inner_ = fmt::format("{}", fmt::join(pieces, " "));
  }

  void add_assignments(size_t i, std::vector<std::string>& pieces) const {
    using Phase = SimpleFrame::Phase;
    const Frame& frame = machine_.frames[i];
    const auto& self = frame.as<SimpleFrame>();
    const Node& node = *frame.node;
    bool has_current = self.phase == Phase::kValueDone || self.phase == Phase::kKeyDone;
    size_t done = self.phase < Phase::kAssignments    ? 0
                  : self.phase == Phase::kAssignments ? self.next
                  : has_current                       ? self.next - 1
                                                      : node.assignments.size();
    for (size_t at = 0; at < node.assignments.size(); ++at) {
      const Assignment& assignment = node.assignments[at];
      std::string value(assignment.value.written);
      size_t shown = self.shown + node.redirects.size() + at;
      if (at < done && shown < machine_.shown_values.size()) {
        const std::string& now = machine_.shown_values[shown];
        value = now.empty() ? "" : quoted_if_needed(now);
      } else if (at == done && has_current) {
        std::optional<std::string> word = word_above(machine_, i);
        value = word ? *word : quoted_if_needed(machine_.text.substr(frame.base.text));
      }
      pieces.push_back(fmt::format("{}={}", machine_.names().text(assignment.name), value));
    }
  }

  void simple(size_t i) {
    using Phase = SimpleFrame::Phase;
    const Frame& frame = machine_.frames[i];
    const auto& self = frame.as<SimpleFrame>();
    const Node& node = *frame.node;
    bool has_current = self.phase == Phase::kTargetDone;
    size_t done = self.phase < Phase::kRedirects    ? 0
                  : self.phase == Phase::kRedirects ? self.next
                  : has_current                     ? self.next - 1
                                                    : node.redirects.size();
    std::vector<std::string> pieces;
    if (has_inner()) {  // a function, or what `eval` reads
      pieces.push_back(node.redirects.empty() ? inner_ : in_braces(inner_));
    } else {
      add_assignments(i, pieces);
      for (std::string& field : fields_of(i, frame.base.fields)) pieces.push_back(std::move(field));
      if (self.phase <= Phase::kSeparator) {
        if (auto word = word_above(machine_, i); word && !word->empty()) pieces.push_back(*word);
        for (size_t at = self.next; at < node.words.size(); ++at) {
          pieces.emplace_back(node.words[at].written);
        }
      }
    }
    add_redirects(i, self.shown, done, has_current, pieces);
    inner_ = fmt::format("{}", fmt::join(pieces, " "));
  }

  const Machine& machine_;
  const ControlLimits& limits_;
  std::string inner_;
  std::string before_;     // of a trap that interrupts the rest
  std::string documents_;  // bodies of here-documents
};

}  // namespace

Control control_of(const Machine& machine, const ControlLimits& limits) {
  Control control;
  control.line = machine.state.line;
  control.text = Residual(machine, limits).build();
  for (size_t i = machine.frames.size(); i-- > 0;) {
    const Frame& frame = machine.frames[i];
    if (frame.is<CommandSubstFrame>() || frame.node == nullptr) continue;
    control.span = frame.node->span;
    if (frame.node->line != 0) control.line = frame.node->line;
    if (const auto* simple = frame.get<SimpleFrame>()) {
      bool is_top = i + 1 == machine.frames.size();
      control.is_new = simple->phase == SimpleFrame::Phase::kStart && is_top;
      for (size_t at = frame.base.fields; at < machine.fields.size(); ++at) {
        control.fields.emplace_back(machine.fields[at]);
      }
    }
    break;
  }
  return control;
}

}  // namespace nacre::machine
