#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>

#include "commands/effect.h"

namespace nacre::commands {

namespace {

struct EffectCallName {
  std::string_view name;
  EffectCall call;
  int paths;
};
constexpr EffectCallName kEffectCalls[] = {
    {"mkdir", EffectCall::kMkdir, 1},         {"create", EffectCall::kCreate, 1},
    {"write", EffectCall::kWrite, 1},         {"append", EffectCall::kAppend, 1},
    {"read", EffectCall::kRead, 1},           {"unlink", EffectCall::kUnlink, 1},
    {"rmdir", EffectCall::kRmdir, 1},         {"remove", EffectCall::kRemove, 1},
    {"mkfifo", EffectCall::kMkfifo, 1},       {"stamp", EffectCall::kStamp, 1},
    {"enter", EffectCall::kEnter, 1},         {"rename", EffectCall::kRename, 2},
    {"symlink", EffectCall::kSymlink, 2},     {"link", EffectCall::kLink, 2},
    {"chmod", EffectCall::kChmod, 2},         {"chown", EffectCall::kChown, 2},
    {"chgrp", EffectCall::kChgrp, 2},         {"copy", EffectCall::kCopy, 2},
    {"copytree", EffectCall::kCopyTree, 2},   {"overtree", EffectCall::kOverTree, 2},
    {"chmodtree", EffectCall::kChmodTree, 2},
};

template <typename Value>
struct EffectWord {
  std::string_view name;
  Value value;
};
constexpr EffectWord<PathTest> kEffectTests[] = {
    {"there", PathTest::kThere},
    {"lthere", PathTest::kLthere},
    {"missing", PathTest::kMissing},
    {"absent", PathTest::kAbsent},
    {"dir", PathTest::kDirectory},
    {"ldir", PathTest::kLdirectory},
    {"file", PathTest::kFile},
    {"link", PathTest::kLink},
    {"empty", PathTest::kEmpty},
    {"nonempty", PathTest::kNonempty},
    {"readable", PathTest::kReadable},
    {"writable", PathTest::kWritable},
    {"executable", PathTest::kExecutable},
    {"dots", PathTest::kDots},
    {"dot", PathTest::kDot},
    {"root", PathTest::kRoot},
    {"slashed", PathTest::kSlashed},
    {"blank", PathTest::kBlank},
    {"made", PathTest::kMade},
};
constexpr EffectWord<PathRelation> kPathRelations[] = {
    {"same", PathRelation::kSame},
    {"lsame", PathRelation::kLsame},
    {"onto", PathRelation::kOnto},
    {"place", PathRelation::kPlace},
};
constexpr EffectWord<PathTerm::Kind> kPlainPaths[] = {
    {"first", PathTerm::kFirst}, {"last", PathTerm::kLast}, {"fresh", PathTerm::kFresh}};
constexpr EffectWord<PathTerm::Kind> kPathsOfPaths[] = {{"base", PathTerm::kBase},
                                                        {"parent", PathTerm::kParent},
                                                        {"bare", PathTerm::kBare},
                                                        {"target", PathTerm::kTarget}};
constexpr EffectWord<PathList::Kind> kEffectLists[] = {
    {"operands", PathList::kOperands},   {"sources", PathList::kSources},
    {"rest", PathList::kRest},           {"parents", PathList::kParents},
    {"ancestors", PathList::kAncestors}, {"entries", PathList::kEntries},
    {"below", PathList::kBelow},         {"chosen", PathList::kChosen},
};

template <typename Table>
auto find_effect_word(const Table& table, std::string_view name) {
  const auto* found = std::find_if(std::begin(table), std::end(table),
                                   [&](const auto& each) { return each.name == name; });
  return found == std::end(table) ? nullptr : found;
}

class EffectParser {
 public:
  explicit EffectParser(std::string_view text) : text_(text) { advance(); }

  Result<EffectProgram> run() {
    EffectProgram result = program();
    if (!token_.empty()) fail("'}' closes nothing");
    if (error_) return tl::unexpected<Error>(*error_);
    return result;
  }
  Result<EffectTest> run_test() {
    names_.push_back("P");
    EffectTest result = test();
    if (!token_.empty()) fail(fmt::format("'{}' follows a test that is complete", token_));
    if (error_) return tl::unexpected<Error>(*error_);
    return result;
  }

 private:
  // A word, one of { } ( ) ; = or a 'text' with its quotes; empty at the end.
  void advance() {
    at_ = std::min(text_.find_first_not_of(" \t\n", at_), text_.size());
    size_t end = at_;
    if (end < text_.size() && text_[end] == '\'') {
      end = std::min(text_.find('\'', end + 1), text_.size() - 1) + 1;
    } else if (end < text_.size() && kMarks.find(text_[end]) != std::string_view::npos) {
      ++end;
    } else {
      end = std::min(text_.find_first_of(" \t\n{}();", end), text_.size());
    }
    token_ = text_.substr(at_, end - at_);
    begin_ = at_;
    at_ = end;
  }
  std::string_view take() {
    const std::string_view result = token_;
    advance();
    return result;
  }
  bool take_if(std::string_view wanted) {
    if (token_ != wanted) return false;
    advance();
    return true;
  }
  void expect(std::string_view wanted) {
    if (!take_if(wanted)) fail(fmt::format("'{}' is expected, not '{}'", wanted, token_));
  }
  void fail(std::string message) {
    if (error_) return;
    error_ = Error{{static_cast<uint32_t>(begin_), static_cast<uint32_t>(at_)}, std::move(message)};
    at_ = text_.size();
    token_ = {};
  }

  EffectProgram program() {
    EffectProgram result;
    while (!token_.empty() && token_ != "}") {
      if (take_if(";")) continue;
      result.push_back(statement());
      if (!token_.empty() && token_ != "}" && token_ != ";")
        fail(fmt::format("';' is expected before '{}'", token_));
    }
    return result;
  }

  EffectProgram block() {
    constexpr int kMaxDepth = 50;
    EffectProgram result;
    if (++depth_ > kMaxDepth) fail("blocks are nested too deeply");
    const size_t known = names_.size();
    expect("{");
    result = program();
    expect("}");
    names_.resize(known);
    --depth_;
    return result;
  }

  Statement statement() {
    Statement result;
    const std::string_view word = take();
    if (word == "if") return if_statement();
    if (word == "each") return each_statement();
    if (word == "let") {
      result.kind = Statement::kLet;
      result.name = take();
      expect("=");
      result.paths.push_back(path());
      names_.push_back(result.name);
    } else if (word == "either") {
      result.kind = Statement::kEither;
      result.blocks.push_back(block());
      while (take_if("or")) result.blocks.push_back(block());
    } else if (word == "fail" || word == "stop") {
      result.kind = word == "fail" ? Statement::kFail : Statement::kStop;
      result.status = status();
    } else if (word == "print") {
      result.kind = Statement::kPrint;
      result.paths.push_back(path());
    } else if (word == "nothing" || word == "unknown") {
      result.kind = word == "nothing" ? Statement::kNothing : Statement::kUnknown;
    } else {
      result.kind = word == "try" ? Statement::kTry : Statement::kCall;
      call(result, word == "try" ? take() : word);
    }
    return result;
  }

  void call(Statement& result, std::string_view word) {
    const EffectCallName* found = find_effect_word(kEffectCalls, word);
    if (found == nullptr) return fail(fmt::format("'{}' is not a call", word));
    result.call = found->call;
    for (int i = 0; i < found->paths; ++i) result.paths.push_back(path());
  }

  Statement if_statement() {
    Statement result;
    result.kind = Statement::kIf;
    result.test.push_back(test());
    result.blocks.push_back(block());
    result.blocks.emplace_back();
    if (!take_if("else")) return result;
    if (take_if("if"))
      result.blocks[1].push_back(if_statement());
    else
      result.blocks[1] = block();
    return result;
  }

  Statement each_statement() {
    Statement result;
    result.kind = Statement::kEach;
    result.name = take();
    expect("in");
    const std::string_view word = take();
    const auto* found = find_effect_word(kEffectLists, word);
    if (found == nullptr) {
      fail(fmt::format("'{}' is not a list of paths", word));
      return result;
    }
    result.list.kind = found->value;
    if (found->value >= PathList::kParents) result.list.of.push_back(path());
    names_.push_back(result.name);
    result.blocks.push_back(block());
    names_.pop_back();
    return result;
  }

  int status() {
    int number = 1;
    const char* end = token_.data() + token_.size();
    auto [rest, problem] = std::from_chars(token_.data(), end, number);
    if (token_.empty() || problem != std::errc() || rest != end) return 1;
    advance();
    return number;
  }

  EffectTest test() {
    EffectTest result = atom();
    while (token_ == "and" || token_ == "or") {
      EffectTest both;
      both.kind = take() == "and" ? EffectTest::kAnd : EffectTest::kOr;
      both.of.push_back(std::move(result));
      both.of.push_back(atom());
      result = std::move(both);
    }
    return result;
  }

  EffectTest atom() {
    EffectTest result;
    if (take_if("(")) {
      result = test();
      expect(")");
    } else if (take_if("not")) {
      result.kind = EffectTest::kNot;
      result.of.push_back(atom());
    } else if (take_if("many")) {
      result.kind = EffectTest::kMany;
    } else if (take_if("given")) {
      result.kind = EffectTest::kGiven;
      result.option = option();
    } else {
      question(result);
    }
    return result;
  }

  void question(EffectTest& result) {
    const std::string_view word = take();
    if (const auto* property = find_effect_word(kEffectTests, word)) {
      result.property = property->value;
      result.paths.push_back(path());
    } else if (const auto* relation = find_effect_word(kPathRelations, word)) {
      result.kind = EffectTest::kRelation;
      result.relation = relation->value;
      result.paths.push_back(path());
      result.paths.push_back(path());
    } else {
      fail(fmt::format("'{}' is not a test", word));
    }
  }

  std::string_view option() {
    const std::string_view word = take();
    if (word.size() < 2 || word[0] != '-') fail(fmt::format("'{}' is not an option", word));
    return word;
  }

  PathTerm path() {
    PathTerm result;
    const std::string_view word = take();
    result.word = word;
    if (const auto* plain = find_effect_word(kPlainPaths, word)) {
      result.kind = plain->value;
    } else if (const auto* outer = find_effect_word(kPathsOfPaths, word)) {
      result.kind = outer->value;
      result.of.push_back(path());
    } else if (word == "option") {
      result.kind = PathTerm::kOption;
      result.word = option();
    } else if (word.size() >= 2 && word.starts_with('\'') && word.ends_with('\'')) {
      result.kind = PathTerm::kText;
      result.word = word.substr(1, word.size() - 2);
    } else if (std::find(names_.begin(), names_.end(), word) == names_.end()) {
      fail(word.empty() ? "a path is expected" : fmt::format("'{}' is not a path", word));
    }
    return result;
  }

  static constexpr std::string_view kMarks = "{}();";

  std::string_view text_;
  size_t at_ = 0;
  size_t begin_ = 0;
  std::string_view token_;
  std::vector<std::string_view> names_;  // of `let` and `each` around here
  int depth_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Result<EffectProgram> parse_effect(std::string_view text) { return EffectParser(text).run(); }
Result<EffectTest> parse_effect_test(std::string_view text) {
  return EffectParser(text).run_test();
}

}  // namespace nacre::commands
