#include "prove/knowledge.h"

#include <algorithm>
#include <iterator>

namespace nacre::prove {

namespace {

struct Row {
  std::string_view name;
  Varies varies;
  Again again;
  bool is_posix;
};

// Sorted by name.
constexpr Row kRows[] = {
    {".", Varies::kUnknown, Again::kUnknown, true},
    {":", Varies::kNo, Again::kNothing, true},
    {"[", Varies::kNo, Again::kNothing, true},
    {"[[", Varies::kNo, Again::kNothing, false},
    {"awk", Varies::kNo, Again::kUnknown, true},
    {"basename", Varies::kNo, Again::kNothing, true},
    {"break", Varies::kNo, Again::kNothing, true},
    {"cat", Varies::kNo, Again::kNothing, true},
    {"cd", Varies::kNo, Again::kNothing, true},
    {"chgrp", Varies::kNo, Again::kSame, true},
    {"chmod", Varies::kNo, Again::kSame, true},
    {"chown", Varies::kNo, Again::kSame, true},
    {"cksum", Varies::kNo, Again::kNothing, true},
    {"cmp", Varies::kNo, Again::kNothing, true},
    {"comm", Varies::kNo, Again::kNothing, true},
    {"command", Varies::kNo, Again::kUnknown, true},
    {"continue", Varies::kNo, Again::kNothing, true},
    {"cp", Varies::kNo, Again::kUnknown, true},
    {"cut", Varies::kNo, Again::kNothing, true},
    {"date", Varies::kClock, Again::kNothing, true},
    {"declare", Varies::kNo, Again::kNothing, false},
    {"diff", Varies::kNo, Again::kNothing, true},
    {"dirname", Varies::kNo, Again::kNothing, true},
    {"echo", Varies::kNo, Again::kNothing, true},
    {"eval", Varies::kUnknown, Again::kUnknown, true},
    {"exec", Varies::kNo, Again::kUnknown, true},
    {"exit", Varies::kNo, Again::kNothing, true},
    {"export", Varies::kNo, Again::kNothing, true},
    {"expr", Varies::kNo, Again::kNothing, true},
    {"false", Varies::kNo, Again::kNothing, true},
    {"find", Varies::kOrder, Again::kUnknown, true},
    {"fold", Varies::kNo, Again::kNothing, true},
    {"getopts", Varies::kNo, Again::kNothing, true},
    {"grep", Varies::kNo, Again::kNothing, true},
    {"head", Varies::kNo, Again::kNothing, true},
    {"hostname", Varies::kHost, Again::kUnknown, false},
    {"id", Varies::kNo, Again::kNothing, true},
    {"join", Varies::kNo, Again::kNothing, true},
    {"let", Varies::kNo, Again::kNothing, false},
    {"ln", Varies::kNo, Again::kUnknown, true},
    {"local", Varies::kNo, Again::kNothing, false},
    {"ls", Varies::kNo, Again::kNothing, true},
    {"mkdir", Varies::kNo, Again::kFails, true},
    {"mktemp", Varies::kRandom, Again::kUnknown, false},
    {"mv", Varies::kNo, Again::kFails, true},
    {"nl", Varies::kNo, Again::kNothing, true},
    {"od", Varies::kNo, Again::kNothing, true},
    {"paste", Varies::kNo, Again::kNothing, true},
    {"printf", Varies::kNo, Again::kNothing, true},
    {"pwd", Varies::kNo, Again::kNothing, true},
    {"read", Varies::kNo, Again::kNothing, true},
    {"readlink", Varies::kNo, Again::kNothing, false},
    {"readonly", Varies::kNo, Again::kNothing, true},
    {"return", Varies::kNo, Again::kNothing, true},
    {"rev", Varies::kNo, Again::kNothing, false},
    {"rm", Varies::kNo, Again::kFails, true},
    {"rmdir", Varies::kNo, Again::kFails, true},
    {"sed", Varies::kNo, Again::kUnknown, true},
    {"seq", Varies::kNo, Again::kNothing, false},
    {"set", Varies::kNo, Again::kNothing, true},
    {"shift", Varies::kNo, Again::kNothing, true},
    {"sleep", Varies::kNo, Again::kNothing, true},
    {"sort", Varies::kNo, Again::kNothing, true},
    {"tac", Varies::kNo, Again::kNothing, false},
    {"tail", Varies::kNo, Again::kNothing, true},
    {"tar", Varies::kNo, Again::kUnknown, false},
    {"tee", Varies::kNo, Again::kSame, true},
    {"test", Varies::kNo, Again::kNothing, true},
    {"touch", Varies::kNo, Again::kSame, true},
    {"tr", Varies::kNo, Again::kNothing, true},
    {"trap", Varies::kNo, Again::kUnknown, true},
    {"true", Varies::kNo, Again::kNothing, true},
    {"type", Varies::kNo, Again::kNothing, true},
    {"umask", Varies::kNo, Again::kNothing, true},
    {"uname", Varies::kNo, Again::kNothing, true},
    {"uniq", Varies::kNo, Again::kNothing, true},
    {"unset", Varies::kNo, Again::kNothing, true},
    {"uptime", Varies::kState, Again::kNothing, false},
    {"wait", Varies::kNo, Again::kNothing, true},
    {"wc", Varies::kNo, Again::kNothing, true},
    {"whoami", Varies::kNo, Again::kNothing, false},
    {"xargs", Varies::kUnknown, Again::kUnknown, true},
};

bool mentions(const purify::Call& call, std::initializer_list<std::string_view> words) {
  return std::any_of(call.words.begin(), call.words.end(), [&](const shell::Word& word) {
    if (!word.is_literal()) return false;
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view each) { return word.literal().starts_with(each); });
  });
}

// find ... -exec rm -f {} +: nothing is left to find, whatever the order was.
bool removes_found(const purify::Call& call) {
  for (size_t i = 1; i + 2 < call.words.size(); i++) {
    const auto is = [&](size_t at, std::string_view text) {
      return call.words[at].is_literal() && call.words[at].literal() == text;
    };
    if (is(i, "-exec"))
      return is(i + 1, "rm") && is(i + 2, "-f") && !mentions(call, {"-print", "-delete", "-ls"});
  }
  return false;
}

// What options and operands change of a row.
void refine(const purify::Call& call, Knowledge& known) {
  if (call.is("mkdir") && call.has('p', "--parents")) known.again = Again::kSame;
  if (call.is("rm") && call.has('f', "--force")) known.again = Again::kSame;
  if (call.is("ln") && call.has('s', "--symbolic") && call.has('f', "--force") && call.has('n'))
    known.again = Again::kSame;
  if (call.is("date") && mentions(call, {"-d", "--date", "-r", "--reference"}))
    known.varies = Varies::kNo;
  if (call.is("uname") && (call.has('n') || call.has('a'))) known.varies = Varies::kHost;
  if (call.is("ls") && (call.has('l') || call.has('U') || call.has('f') || call.has('i') ||
                        call.has('t') || call.has('u') || call.has('c')))
    known.varies = Varies::kState;
  if (call.is("sort") && call.has('o')) known.again = Again::kUnknown;
  if (call.is("sort") && call.has('R')) known.varies = Varies::kRandom;
  if (call.is("tee") && call.has('a', "--append")) known.again = Again::kUnknown;
  const bool is_program = call.words.size() > 1 && call.words[1].is_literal();
  if (call.is("sed") && is_program && !call.has('i', "--in-place") && !call.has('f') &&
      call.words[1].literal().find_first_of("wWeF") == std::string_view::npos)
    known.again = Again::kNothing;
  if (call.is("awk") && is_program) {
    const std::string_view text = call.words[1].literal();
    const bool is_plain = text.find_first_of(">|") == std::string_view::npos &&
                          text.find("system") == std::string_view::npos &&
                          text.find("getline") == std::string_view::npos;
    if (is_plain) known.again = Again::kNothing;
    const bool is_fixed = text.find("rand") == std::string_view::npos &&
                          text.find("time") == std::string_view::npos &&
                          text.find(" in ") == std::string_view::npos;
    if (!is_fixed || !is_plain) known.varies = Varies::kUnknown;
  }
  if (call.is("find")) {
    const bool acts = mentions(call, {"-exec", "-ok", "-delete", "-fprint", "-fls"});
    if (!acts) known.again = Again::kNothing;
    const bool only_removes = removes_found(call);
    if (only_removes) known.again = Again::kSame;
    if (mentions(call, {"-mtime", "-mmin", "-newer", "-atime", "-ctime", "-amin", "-cmin", "-ls",
                        "-printf", "-used"}))
      known.varies = Varies::kUnknown;
    else if (acts)
      known.varies = only_removes ? Varies::kNo : Varies::kUnknown;
  }
  if (call.is("exec") && call.words.size() == 1) known.again = Again::kNothing;
  if (call.is("exec") && call.words.size() > 1) known.varies = Varies::kUnknown;
  if (call.is("command")) {
    const bool asks = call.has('v') || call.has('V');
    known.again = asks ? Again::kNothing : Again::kUnknown;
    if (!asks) known.varies = Varies::kUnknown;
  }
  if (call.is("trap") || call.is("tar")) known.varies = Varies::kUnknown;
  known.writes_last = call.is("ln") || call.is("cp");
}

}  // namespace

Knowledge knowledge_of(const purify::Call& call) {
  const Row* found =
      std::lower_bound(std::begin(kRows), std::end(kRows), call.name,
                       [](const Row& row, std::string_view name) { return row.name < name; });
  if (found == std::end(kRows) || found->name != call.name) return {};
  Knowledge result{found->varies, found->again, found->is_posix, false};
  refine(call, result);
  return result;
}

std::string_view describe(Varies varies) {
  switch (varies) {
    case Varies::kNo: return "the same on every run";
    case Varies::kClock: return "the clock";
    case Varies::kRandom: return "chance";
    case Varies::kHost: return "the name of the host";
    case Varies::kOrder: return "the order of a directory";
    case Varies::kState: return "the state of the machine";
    case Varies::kNetwork: return "the network";
    case Varies::kUnknown: break;
  }
  return "a command that is not known";
}

}  // namespace nacre::prove
