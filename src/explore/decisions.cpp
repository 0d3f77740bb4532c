#include "explore/decisions.h"

#include <algorithm>
#include <fmt/format.h>

#include "world/simulation.h"

namespace nacre::explore {

using world::FileKind;
using world::NewNode;
using world::Use;

namespace {

constexpr std::string_view kProgramDirectories[] = {
    "/usr/bin", "/usr/sbin", "/bin", "/sbin", "/usr/local/bin", "/usr/local/sbin", "/usr/games"};
// Below a path that the script names, an unknown tree is followed this far.
constexpr size_t kDepthBelowNames = 3;

std::string_view parent_of(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == 0 ? "/" : path.substr(0, slash);
}
std::string_view name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool is_program_directory(std::string_view path) {
  return std::find(std::begin(kProgramDirectories), std::end(kProgramDirectories), path) !=
         std::end(kProgramDirectories);
}

// Where programs of packages are, besides the directories of PATH.
bool holds_programs(std::string_view path) {
  return path.starts_with("/usr/lib/") || path.starts_with("/usr/libexec/") ||
         path.starts_with("/lib/") || path.starts_with("/etc/init.d/");
}

// Below /usr/local a script installs its own programs: what it names there may be anything.
bool is_own_program(const Expectations& expected, std::string_view path) {
  return path.starts_with("/usr/local/") && expected.paths.contains(path);
}

// What packages install and nothing else touches: it is there, or a package is missing.
bool belongs_to_packages(std::string_view path) {
  return (path.starts_with("/usr/") && !path.starts_with("/usr/local/")) ||
         path.starts_with("/lib/") || path.starts_with("/bin/") || path.starts_with("/sbin/");
}

bool is_register(std::string_view path) {
  return path.size() > 2 && path[0] == '/' && path.substr(1, 1) == world::kRegisters &&
         path[2] == '/';
}

bool is_known_command(std::string_view name) {
  return utilities::find_utility(name) != nullptr || machine::find_builtin(name) != nullptr;
}

}  // namespace

const Answer& Decider::decide(Decision::Kind kind, std::string subject,
                              std::vector<Answer> answers) {
  const size_t at = decisions_.size();
  size_t chosen = at < choices_.size() ? std::min(choices_[at], answers.size() - 1) : 0;
  if (at >= limits_.max_decisions) {
    bounds_.insert(fmt::format("more than {} questions in one run", limits_.max_decisions));
    answers.resize(1);
    chosen = 0;
  }
  decisions_.push_back({kind, std::move(subject), std::move(answers), chosen});
  return decisions_.back().answer();
}

NewNode Decider::node(const std::string& path, FileKind kind, Use use) const {
  NewNode result;
  result.kind = kind;
  result.is_open = kind == FileKind::kRegular || kind == FileKind::kDirectory;
  result.mode = kind == FileKind::kDirectory ? 0755 : limits_.file_mode;
  const bool is_own =
      limits_.home == "/" || (!limits_.home.empty() && path.starts_with(limits_.home + "/"));
  if (is_own) {
    result.owner = limits_.user;
    result.group = limits_.group;
  }
  if (kind != FileKind::kRegular) return result;
  if (is_register(path)) {
    result.is_open = false;
  } else if (use == Use::kExecute || holds_programs(path)) {
    result.mode = 0755;
    result.is_open = false;
    result.bytes = world::executable(name_of(path));
  }
  return result;
}

std::vector<Answer> Decider::answers_for(const std::string& path, Use use) const {
  const Answer absent{"absent", belongs_to_packages(path) ? 1u : 0u};
  Answer file{"a file", 0, node(path, FileKind::kRegular, use)};
  Answer directory{"a directory", 0, node(path, FileKind::kDirectory, use)};
  Expectations::Kind expected = expected_.kind_of(path);
  if (is_register(path)) return {absent, file};
  if (use == Use::kInner || use == Use::kEnter || use == Use::kMakeDirectory)
    expected = Expectations::kDirectory;
  if (use == Use::kExecute) expected = Expectations::kFile;
  (expected == Expectations::kDirectory ? file : directory).rank =
      expected == Expectations::kUnknown ? 1 : 2;
  const bool is_file = expected != Expectations::kDirectory;
  const Answer& meant = is_file ? file : directory;
  const Answer& other = is_file ? directory : file;
  const bool is_missing_first =
      use == Use::kLook || use == Use::kCreate || use == Use::kMakeDirectory;
  if (is_missing_first && !belongs_to_packages(path)) return {absent, meant, other};
  Answer unlikely = absent;
  unlikely.rank = 1;
  if (use != Use::kExecute) return {meant, unlikely, other};
  Answer locked = file;
  locked.rank = 1;
  locked.node = node(path, FileKind::kRegular, Use::kLook);
  locked.node->mode = 0644;
  file.text = "an executable file";
  return {file, unlikely, locked, directory};
}

void Decider::add_deep_answers(const std::string& path, std::vector<Answer>& answers) const {
  NewNode link = node(path, FileKind::kLink, Use::kLook);
  link.mode = 0777;
  link.bytes = "no-such-file";
  answers.push_back({"a link to nothing", 2, link});
  link.bytes = ".";
  answers.push_back({"a link to its directory", 2, link});
  answers.push_back({"a named pipe", 2, node(path, FileKind::kFifo, Use::kLook)});
  if (limits_.user == 0) return;
  NewNode locked = node(path, FileKind::kRegular, Use::kLook);
  locked.owner = locked.group = 0;
  locked.mode = 0600;
  answers.push_back({"a file of root's, mode 0600", 2, locked});
}

// One question for a command, in whichever directory of PATH it is looked for.
std::optional<NewNode> Decider::program(const std::string& path, std::string_view name) {
  const std::string directory(parent_of(path));
  if (is_known_command(name)) return std::nullopt;  // it is in /usr/bin
  auto known = memory_.programs.find(name);
  if (known == memory_.programs.end()) {
    auto mentioned = expected_.program_dirs.find(name);
    const std::string place =
        mentioned == expected_.program_dirs.end() ? "/usr/bin" : mentioned->second;
    if (directory != place) return std::nullopt;
    const bool is_optional = expected_.optional_commands.contains(name);
    const bool is_there =
        !is_optional ||
        decide(Decision::kEntry, path, {{"a command", 0}, {"no command", 1}}).text == "a command";
    known = memory_.programs.emplace(std::string(name), is_there ? directory : "").first;
  }
  if (known->second != directory) return std::nullopt;
  return node(path, FileKind::kRegular, Use::kExecute);
}

std::optional<NewNode> Decider::entry(const std::string& path, Use use) {
  const std::string_view parent = parent_of(path);
  if (is_program_directory(parent) && !is_own_program(expected_, path))
    return program(path, name_of(path));
  const auto depth = static_cast<size_t>(std::count(path.begin(), path.end(), '/'));
  if (depth > expected_.max_depth + kDepthBelowNames) {
    bounds_.insert("directories deeper than the script names them are empty");
    return std::nullopt;
  }
  // Setting a register gives the same whether it was set before or not.
  if (is_register(path) && use == Use::kCreate) return std::nullopt;
  std::vector<Answer> answers = answers_for(path, use);
  if (limits_.is_deep && !is_register(path)) add_deep_answers(path, answers);
  return decide(Decision::kEntry, path, std::move(answers)).node;
}

std::vector<std::string> Decider::names(const std::string& directory) {
  const auto depth = static_cast<size_t>(std::count(directory.begin(), directory.end(), '/'));
  const bool is_named = depth < expected_.max_depth && !is_program_directory(directory) &&
                        !is_register(directory + "/");
  return is_named ? expected_.names_in(directory) : std::vector<std::string>();
}

std::vector<std::pair<std::string, NewNode>> Decider::others(
    const std::string& directory, const std::vector<std::string>& known) {
  if (is_program_directory(directory) || is_register(directory + "/")) return {};
  const auto depth = static_cast<size_t>(std::count(directory.begin(), directory.end(), '/'));
  if (depth >= expected_.max_depth + kDepthBelowNames) {
    bounds_.insert("directories deeper than the script names them are empty");
    return {};
  }
  std::vector<Answer> answers = {{"nothing else", 0}};
  auto add = [&](const std::string& name, FileKind kind, unsigned rank) {
    if (std::find(known.begin(), known.end(), name) != known.end()) return;
    Answer answer{fmt::format("also {}{}", name, kind == FileKind::kDirectory ? "/" : ""), rank};
    answer.others.emplace_back(name, node(directory + "/" + name, kind, Use::kLook));
    answers.push_back(std::move(answer));
  };
  add("other", FileKind::kRegular, 0);
  for (const std::string& name : expected_.names) add(name, FileKind::kRegular, 0);
  add("other", FileKind::kDirectory, 1);
  return decide(Decision::kListing, directory, std::move(answers)).others;
}

std::string Decider::contents(const std::string& path) {
  if (auto known = memory_.contents.find(path); known != memory_.contents.end())
    return known->second;
  std::vector<Answer> answers;
  auto add = [&](std::string text, const std::string& contents, unsigned rank) {
    Answer answer{std::move(text), rank};
    answer.contents = contents;
    if (limits_.has_open_lines && contents.ends_with('\n')) answer.contents.pop_back();
    answers.push_back(std::move(answer));
  };
  add("some text", "# text\n", 0);  // harmless where the file is sourced
  add("empty", "", 0);
  for (const std::string& text : expected_.contents) {
    add(fmt::format("the line {}", text.substr(0, text.find('\n'))), text, 0);
  }
  return memory_.contents[path] = decide(Decision::kContents, path, std::move(answers)).contents;
}

simulate::StubResult Decider::result_of(const std::vector<std::string>& words) {
  std::string line = fmt::format("{}", fmt::join(words, " "));
  if (auto known = memory_.commands.find(line); known != memory_.commands.end())
    return known->second;
  std::vector<Answer> answers = {{"succeeds", 0}, {"fails", 1}};
  answers[1].result.status = 1;
  return memory_.commands[line] = decide(Decision::kCommand, line, std::move(answers)).result;
}

std::string Decider::value_of(const std::string& name, const std::vector<Answer>& values) {
  return decide(Decision::kValue, name, values).contents;
}

namespace {

// Answers from decisions that were taken before.
class Replay final : public world::Oracle {
 public:
  Replay(const std::vector<Decision>& decisions, const Memory& memory) : memory_(memory) {
    for (const Decision& each : decisions) by_subject_[{each.kind, each.subject}] = &each;
  }
  std::optional<NewNode> entry(const std::string& path, Use) override {
    const Decision* found = find(Decision::kEntry, path);
    const bool has_node = found != nullptr && found->answer().node;
    if (is_program_directory(parent_of(path)) && !has_node) return program(path);
    return found == nullptr ? std::nullopt : found->answer().node;
  }
  // Those that were decided are found by their own decisions.
  std::vector<std::string> names(const std::string&) override { return {}; }
  std::vector<std::pair<std::string, NewNode>> others(const std::string& path,
                                                      const std::vector<std::string>&) override {
    const Decision* found = find(Decision::kListing, path);
    if (found == nullptr) return {};
    return found->answer().others;
  }
  std::string contents(const std::string& path) override {
    const Decision* found = find(Decision::kContents, path);
    return found == nullptr ? "" : found->answer().contents;
  }

 private:
  std::optional<NewNode> program(const std::string& path) const {
    auto known = memory_.programs.find(name_of(path));
    if (known == memory_.programs.end() || known->second != parent_of(path)) return std::nullopt;
    NewNode result;
    result.mode = 0755;
    result.bytes = world::executable(name_of(path));
    return result;
  }
  const Decision* find(Decision::Kind kind, const std::string& path) const {
    auto found = by_subject_.find({kind, path});
    return found == by_subject_.end() ? nullptr : found->second;
  }
  const Memory& memory_;
  std::map<std::pair<Decision::Kind, std::string>, const Decision*> by_subject_;
};

}  // namespace

world::FileTree first_tree(world::FileTree start, const std::vector<Decision>& decisions,
                           const Memory& memory) {
  Replay replay(decisions, memory);
  start.set_oracle(&replay);
  const world::Actor root;
  world::InodeId id = world::kNoInode;
  for (const Decision& decision : decisions) {
    if (decision.kind == Decision::kCommand || decision.kind == Decision::kValue) continue;
    if (start.find(root, decision.subject, false, id) < 0) continue;
    if (decision.kind == Decision::kListing) (void)start.entries(id);
    if (decision.kind == Decision::kContents) (void)start.bytes(id);
  }
  for (const auto& [name, directory] : memory.programs) {
    if (!directory.empty()) (void)start.find(root, directory + "/" + name, true, id);
  }
  start.set_oracle(nullptr);
  return start;
}

}  // namespace nacre::explore
