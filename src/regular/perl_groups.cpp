#include <algorithm>
#include <fmt/core.h>

#include "regular/char_classes.h"
#include "regular/perl_parser.h"

namespace nacre::regular {

using regex::Greed;

namespace {

bool is_name_byte(int c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c >= 0x80;
}

constexpr const char* kNotRegular = "is not regular and not supported";

}  // namespace

// Skips what cannot hold a group: escapes, classes, \Q...\E, comments. Exact enough to tell \12 the
// octal number from \12 the reference.
void PerlParser::count_groups() {
  PatternReader reader = reader_;
  while (!reader.at_end()) {
    if (reader.take("\\Q")) {
      const size_t end = reader.rest().find("\\E");
      reader.skip(static_cast<uint32_t>(std::min(end, reader.rest().size())));
    } else if (reader.take('\\')) {
      if (!reader.at_end()) reader.skip();
    } else if (reader.take('[')) {
      reader.take('^');
      reader.take(']');
      while (!reader.at_end() && !reader.take(']')) reader.skip(reader.peek() == '\\' ? 2 : 1);
    } else if (reader.take("(?")) {
      const bool is_named =
          reader.looking_at("P<") || reader.looking_at("'") ||
          (reader.looking_at("<") && reader.peek(1) != '=' && reader.peek(1) != '!');
      if (is_named) ++groups_in_all_;
    } else if (reader.take("(*")) {
      continue;
    } else if (reader.take('(')) {
      ++groups_in_all_;
    } else {
      reader.skip();
    }
  }
}

std::optional<uint32_t> PerlParser::group_named(std::string_view name) const {
  const auto& names = builder_.regex().group_names;
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](const GroupName& group) { return group.name == name; });
  if (found == names.end()) return std::nullopt;
  return found->index;
}

// The reader stands after the `(`.
Result<NodeId> PerlParser::parse_group(bool& repeatable) {
  const uint32_t begin = reader_.pos() - 1;
  if (++nesting_ > Regex::kMaxDepth / 2) return error(begin, "the pattern is too deeply nested");
  struct Leave {
    uint32_t& nesting;
    ~Leave() { --nesting; }
  } leave{nesting_};
  if (!python() && reader_.peek() == '*') {
    return error(begin, std::string("a verb such as (*ACCEPT) ") + kNotRegular);
  }
  if (!reader_.take('?')) {
    if (flags_.no_captures) return parse_body(begin, 0, false);
    return parse_capture(begin, {}, 0);
  }
  if (reader_.at_end()) return error(begin, "unexpected end of pattern");
  if (reader_.take(':')) return parse_body(begin, 0, false);
  if (reader_.take('>')) return parse_body(begin, 0, true);
  if (reader_.take('=')) return parse_look(begin, false, false);
  if (reader_.take('!')) return parse_look(begin, false, true);
  if (reader_.take("<=")) return parse_look(begin, true, false);
  if (reader_.take("<!")) return parse_look(begin, true, true);
  if (reader_.take('#')) {
    return error(begin,
                 python() ? "missing ), unterminated comment" : "missing ) after (?# comment");
  }
  if (reader_.take('(')) {
    return error(begin, std::string("a conditional group ") + kNotRegular);
  }
  if (reader_.take('P')) return parse_python_extension(begin);
  if (python()) {
    if (reader_.take('<')) {
      const int c = reader_.peek();
      return error(begin, c < 0 ? "unexpected end of pattern"
                                : fmt::format("unknown extension ?<{}", static_cast<char>(c)));
    }
    return parse_flags(begin, repeatable);
  }
  return parse_pcre_extension(begin, repeatable);
}

// After (? what only PCRE has.
Result<NodeId> PerlParser::parse_pcre_extension(uint32_t begin, bool& repeatable) {
  if (reader_.take('|')) return parse_branch_reset(begin);
  if (reader_.peek() == '<' || reader_.peek() == '\'') {
    const char close = reader_.peek() == '<' ? '>' : '\'';
    reader_.skip();
    const uint32_t name_at = reader_.pos();
    const auto name = parse_group_name(close);
    if (!name) return tl::unexpected(name.error());
    return parse_capture(begin, *name, name_at);
  }
  const int next = reader_.peek();
  const bool is_signed =
      (next == '+' || next == '-') && reader_.peek(1) >= '0' && reader_.peek(1) <= '9';
  if (next == 'R' || next == '&' || is_signed || (next >= '0' && next <= '9')) {
    return error(begin, std::string("recursion ") + kNotRegular);
  }
  if (next == 'C') return error(begin, std::string("a callout ") + kNotRegular);
  return parse_flags(begin, repeatable);
}

Result<NodeId> PerlParser::parse_capture(uint32_t begin, std::string_view name, uint32_t name_at) {
  const uint32_t index = ++builder_.regex().group_count;
  if (index >= group_state_.size()) group_state_.resize(index + 1);
  if (!name.empty()) {
    if (group_named(name)) {
      return error(name_at,
                   python()
                       ? fmt::format("redefinition of group name '{}' as group {}; was group {}",
                                     name, index, *group_named(name))
                       : "two named subpatterns have the same name (PCRE2_DUPNAMES not set)");
    }
    builder_.regex().group_names.push_back({std::string(name), index});
  }
  group_state_[index] = 1;
  auto body = parse_body(begin, index, false);
  if (body) group_state_[index] = 2;
  return body;
}

Result<NodeId> PerlParser::parse_body(uint32_t begin, uint32_t index, bool is_atomic) {
  const PerlFlags before = flags_;
  auto body = parse_alternatives();
  if (!body) return body;
  flags_ = before;
  if (!reader_.take(')')) {
    return error(begin,
                 python() ? "missing ), unterminated subpattern" : "missing closing parenthesis");
  }
  return builder_.group(*body, index, is_atomic, reader_.span_from(begin));
}

// (?|(a)|(b)): every alternative counts its groups from the same number.
Result<NodeId> PerlParser::parse_branch_reset(uint32_t begin) {
  const PerlFlags before = flags_;
  const uint32_t first = builder_.regex().group_count;
  uint32_t most = first;
  std::vector<NodeId> branches;
  do {
    builder_.regex().group_count = first;
    auto branch = parse_branch();
    if (!branch) return branch;
    branches.push_back(*branch);
    most = std::max(most, builder_.regex().group_count);
  } while (reader_.take('|'));
  builder_.regex().group_count = most;
  flags_ = before;
  if (!reader_.take(')')) return error(begin, "missing closing parenthesis");
  const Span span = reader_.span_from(begin);
  return builder_.group(builder_.choice(branches, span), 0, false, span);
}

Result<NodeId> PerlParser::parse_look(uint32_t begin, bool is_behind, bool is_negative) {
  ++look_nesting_;
  const auto group = parse_body(begin, 0, false);
  --look_nesting_;
  if (!group) return group;
  const NodeId body = builder_.regex().get<regex::Group>(*group)->body;
  if (is_behind) {
    const Regex& regex = builder_.regex();
    const auto* choice = regex.get<regex::Choice>(body);
    const bool each_alone = choice != nullptr && !python();
    const std::vector<NodeId> parts =
        each_alone
            ? std::vector<NodeId>(regex.children(*choice).begin(), regex.children(*choice).end())
            : std::vector<NodeId>{body};
    for (NodeId part : parts) {
      const auto [least, most] = width(regex, part);
      if (least == most) continue;
      return error(begin, python() ? "look-behind requires fixed-width pattern"
                                   : "lookbehind assertion is not fixed length");
    }
  }
  return builder_.look(body, is_behind, is_negative, reader_.span_from(begin));
}

std::optional<Error> PerlParser::set_flag(PerlFlags& flags, int letter, bool on, uint32_t begin) {
  switch (letter) {
    case 'i': flags.folds_case = on; return std::nullopt;
    case 'm': flags.is_multiline = on; return std::nullopt;
    case 's': flags.dot_is_all = on; return std::nullopt;
    case 'x': flags.is_verbose = on; return std::nullopt;
    default: break;
  }
  if (python() && on && letter == 'a') {
    flags.is_ascii = true;
    return std::nullopt;
  }
  if (python() && on && letter == 'u' && alphabet_ == Alphabet::kCodePoints) {
    flags.is_ascii = false;
    return std::nullopt;
  }
  if (!python() && letter == 'n') {
    flags.no_captures = on;
    return std::nullopt;
  }
  if (!python() && letter == 'U') {
    flags.is_lazy = on;
    return std::nullopt;
  }
  if (!python() && letter == 'J') return std::nullopt;
  if (!python()) {
    return Error{reader_.span_from(begin), "unrecognized character after (? or (?-"};
  }
  return Error{reader_.span_from(begin), "unknown flag"};
}

// (?i-s) and (?i-s:...); the reader stands at the first flag.
Result<NodeId> PerlParser::parse_flags(uint32_t begin, bool& repeatable) {
  PerlFlags flags = flags_;
  bool on = true;
  bool any = false;
  if (!python() && reader_.take('^')) {
    flags.folds_case = flags.is_multiline = flags.dot_is_all = flags.is_verbose = false;
    flags.no_captures = false;
    any = true;
  }
  for (;; any = true) {
    const int c = reader_.peek();
    if (c == ')' || c == ':') break;
    if (c < 0) {
      return error(begin, !python() ? "missing closing parenthesis"
                          : any     ? "missing -, : or )"
                                    : "unexpected end of pattern");
    }
    const bool is_flag =
        std::string_view("aiLmsux").find(static_cast<char>(c)) != std::string_view::npos;
    if (python() && !any && !is_flag && c != '-') {
      return error(begin, fmt::format("unknown extension ?{}", static_cast<char>(c)));
    }
    reader_.skip();
    if (c == '-' && on) {
      on = false;
      if (python() && (reader_.peek() < 'a' || reader_.peek() > 'z')) {
        return error(begin, "missing flag");
      }
      continue;
    }
    if (auto failed = set_flag(flags, c, on, begin)) return tl::unexpected(*failed);
  }
  if (reader_.take(':')) {
    const PerlFlags outside = std::exchange(flags_, flags);
    auto body = parse_body(begin, 0, false);
    flags_ = outside;
    return body;
  }
  if (python()) {
    if (!on || !any) return error(begin, any ? "missing :" : "unexpected end of pattern");
    if (!flags_may_follow_ || nesting_ > 1)
      return error(begin, "global flags not at the start of the expression");
  }
  reader_.skip();
  flags_ = flags;
  if (python()) {
    builder_.regex().word = word_characters(flags_.is_ascii ? Alphabet::kBytes : alphabet_);
  }
  repeatable = false;
  return builder_.empty(reader_.span_from(begin));
}

Result<std::string_view> PerlParser::parse_group_name(char close) {
  const uint32_t begin = reader_.pos();
  while (is_name_byte(reader_.peek())) reader_.skip();
  const std::string_view name = reader_.text().substr(begin, reader_.pos() - begin);
  if (name.empty()) {
    return error_here(python() ? "missing group name" : "subpattern name expected");
  }
  if (name[0] >= '0' && name[0] <= '9') {
    return error(begin, python() ? fmt::format("bad character in group name '{}'", name)
                                 : "subpattern name must start with a non-digit");
  }
  if (!reader_.take(close)) {
    return error(begin, python() ? fmt::format("missing {}, unterminated name", close)
                                 : "syntax error in subpattern name (missing terminator?)");
  }
  return name;
}

// After (?P
Result<NodeId> PerlParser::parse_python_extension(uint32_t begin) {
  if (reader_.take('<')) {
    const uint32_t name_at = reader_.pos();
    const auto name = parse_group_name('>');
    if (!name) return tl::unexpected(name.error());
    return parse_capture(begin, *name, name_at);
  }
  if (reader_.take('=')) return parse_named_reference(begin, ')');
  if (!python() && reader_.take('>')) {
    return error(begin, std::string("recursion ") + kNotRegular);
  }
  if (!python()) return error(begin, "unrecognized character after (?P");
  const int c = reader_.peek();
  return error(begin, c < 0 ? "unexpected end of pattern"
                            : fmt::format("unknown extension ?P{}", static_cast<char>(c)));
}

Result<NodeId> PerlParser::parse_named_reference(uint32_t begin, char close) {
  const uint32_t name_at = reader_.pos();
  const auto name = parse_group_name(close);
  if (!name) return tl::unexpected(name.error());
  const auto group = group_named(*name);
  if (!group) {
    return error(name_at, python() ? fmt::format("unknown group name '{}'", *name)
                                   : "reference to non-existent subpattern");
  }
  return reference(*group, begin);
}

Result<NodeId> PerlParser::reference(uint32_t group, uint32_t begin) {
  if (python() && (group >= group_state_.size() || group_state_[group] == 0)) {
    return error(begin, fmt::format("invalid group reference {}", group));
  }
  if (python() && group_state_[group] == 1) {
    return error(begin, "cannot refer to an open group");
  }
  if (!python() && group > groups_in_all_) {
    return error(begin, "reference to non-existent subpattern");
  }
  return builder_.back_reference(group, flags_.folds_case, reader_.span_from(begin));
}

std::pair<uint64_t, uint64_t> width(const Regex& regex, NodeId id) {
  using Width = std::pair<uint64_t, uint64_t>;
  constexpr uint64_t kMax = kUnbounded;
  const regex::Node& node = regex.node(id);
  if (std::holds_alternative<regex::Literal>(node) || std::holds_alternative<regex::Class>(node)) {
    return {1, 1};
  }
  if (const auto* group = std::get_if<regex::Group>(&node)) return width(regex, group->body);
  if (const auto* repeat = std::get_if<regex::Repeat>(&node)) {
    const auto [least, most] = width(regex, repeat->body);
    const uint64_t upper = most == 0                   ? 0
                           : repeat->max == kUnbounded ? kMax
                                                       : std::min(kMax, most * repeat->max);
    return {std::min(kMax, least * repeat->min), upper};
  }
  if (const auto* sequence = std::get_if<regex::Sequence>(&node)) {
    Width sum{0, 0};
    for (NodeId child : regex.children(*sequence)) {
      const auto [least, most] = width(regex, child);
      sum = {std::min(kMax, sum.first + least), std::min(kMax, sum.second + most)};
    }
    return sum;
  }
  if (const auto* choice = std::get_if<regex::Choice>(&node)) {
    Width join{kMax, 0};
    for (NodeId child : regex.children(*choice)) {
      const auto [least, most] = width(regex, child);
      join = {std::min(join.first, least), std::max(join.second, most)};
    }
    return join;
  }
  if (std::holds_alternative<regex::BackReference>(node)) return {0, kMax};
  return {0, 0};
}

}  // namespace nacre::regular
