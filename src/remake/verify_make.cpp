#include "remake/verify_make.h"

#include <algorithm>
#include <fmt/format.h>

#include "make/read.h"
#include "make/text.h"
#include "world/tree_diff.h"

namespace nacre::remake {

namespace {

constexpr int64_t kLater = 90'061'000'000'001;  // a day, an hour, a minute and a second, in ns

// What these do depends on their words and on the files alone.
constexpr std::string_view kSteady[] = {
    ":",     "[",       "basename", "cat",   "cd",    "chmod", "cmp",  "cp",   "cut",
    "diff",  "dirname", "echo",     "exit",  "expr",  "false", "grep", "head", "ln",
    "mkdir", "mv",      "printf",   "rm",    "rmdir", "sed",   "seq",  "set",  "sort",
    "tail",  "tee",     "test",     "touch", "tr",    "true",  "uniq", "wc"};

bool is_steady(const std::string& name) {
  return std::find(std::begin(kSteady), std::end(kSteady), name) != std::end(kSteady);
}

// The first path that differs in more than its times; empty if none does.
std::string first_difference(world::FileTree before, world::FileTree after) {
  for (const world::Change& change : world::compare(before, after)) {
    const bool is_real =
        change.kind != world::Change::kChanged || change.contents || change.mode || change.owner;
    if (is_real) return change.path;
  }
  return "";
}

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

class Verifier {
 public:
  Verifier(const SourceFile& makefile, const simulate::Scene& scene,
           const commands::CardLibrary& cards, const MakeCall& call, const VerifyOptions& options)
      : makefile_(makefile), scene_(scene), cards_(cards), call_(call), options_(options) {}

  MakeReport run() {
    report_.first = run_make(makefile_, scene_, cards_, call_);
    if (report_.first.status != 0) {
      for (const char* name : {"second-make", "idempotence", "parallel", "determinism"})
        add(name, Verdict::kOpen, "the first make fails: " + first_line(report_.first.errors));
      return std::move(report_);
    }
    simulate::Scene after = scene_;
    after.tree = report_.first.tree;
    const MakeOutcome again = run_make(makefile_, after, cards_, call_);
    second_make(again);
    idempotence(again);
    parallel();
    determinism();
    return std::move(report_);
  }

 private:
  void add(std::string_view name, Verdict verdict, std::string reason, std::string witness = "") {
    report_.properties.push_back({name, verdict, std::move(reason), {}, std::move(witness)});
  }

  // Commands whose effect is not known; empty: there are none.
  [[nodiscard]] std::string unknown() const {
    std::set<std::string> names;
    for (const auto& [target, commands] : report_.first.unknown)
      names.insert(commands.begin(), commands.end());
    return make::join_words({names.begin(), names.end()});
  }

  // What a proof has to assume of commands that were called with -o.
  [[nodiscard]] std::string assumption() const {
    const auto& names = report_.first.uninterpreted;
    if (names.empty()) return "";
    return fmt::format("; assuming that {} only writes the file after -o", make::join_words(names));
  }

  void prove(std::string_view name, std::string reason) {
    if (const std::string names = unknown(); !names.empty()) {
      add(name, Verdict::kOpen, fmt::format("what {} does is not known", names));
    } else {
      add(name, Verdict::kProved, std::move(reason) + assumption());
    }
  }

  // Phony targets run each time; that is what they are for.
  void second_make(const MakeOutcome& again) {
    const auto phony = make::read_makefile(makefile_, {}).listed(".PHONY");
    std::vector<std::string> files;
    for (const std::string& target : again.ran) {
      if (std::find(phony.begin(), phony.end(), target) == phony.end()) files.push_back(target);
    }
    const bool is_sure = std::any_of(files.begin(), files.end(), [&](const std::string& target) {
      return !report_.first.unknown.contains(target);
    });
    if (files.empty()) {
      prove("second-make", "after the first make, none of its files is out of date");
    } else if (is_sure) {
      add("second-make", Verdict::kRefuted, "a file is remade although nothing has changed",
          fmt::format("make; make: the recipe of {} runs again", make::join_words(files)));
    } else {
      add("second-make", Verdict::kOpen,
          fmt::format("whether {} makes {} is not known", unknown(), make::join_words(files)));
    }
  }

  void idempotence(const MakeOutcome& again) {
    std::string witness;
    if (again.status != 0) {
      witness = "make; make: the second one fails: " + first_line(again.errors);
    } else if (const std::string path = first_difference(report_.first.tree, again.tree);
               !path.empty()) {
      witness = fmt::format("make; make: the second one changes {}", path);
    }
    const std::string names = unknown();
    if (witness.empty()) {
      prove("idempotence", "the second make succeeds and leaves every file as it is");
    } else if (names.empty()) {
      add("idempotence", Verdict::kRefuted, "the second make does something else", witness);
    } else {
      add("idempotence", Verdict::kOpen,
          fmt::format("{}, but what {} does is not known", witness, names));
    }
  }

  // The next choices of a depth-first search; false: all were tried.
  static bool advance(std::vector<size_t>& choices, const std::vector<size_t>& alternatives) {
    choices.resize(alternatives.size());
    while (!choices.empty()) {
      if (++choices.back() < alternatives[choices.size() - 1]) return true;
      choices.pop_back();
    }
    return false;
  }

  [[nodiscard]] std::string difference(const MakeOutcome& outcome) const {
    if (outcome.status != 0) return "make fails: " + first_line(outcome.errors);
    const std::string path = first_difference(report_.first.tree, outcome.tree);
    return path.empty() ? "" : path + " differs";
  }

  void parallel() {
    MakeCall call = call_;
    call.jobs = options_.max_jobs;
    call.schedule = 0;
    for (unsigned order = 1; order <= options_.max_orders; order++) {
      const MakeOutcome outcome = run_make(makefile_, scene_, cards_, call);
      if (const std::string what = difference(outcome); !what.empty()) {
        add("parallel", Verdict::kRefuted, "the order of recipes that make may run at once matters",
            fmt::format("make -j{}: {} if the lines of recipes run in this order: {}", call.jobs,
                        what, make::join_words(outcome.lines)));
        return;
      }
      if (!advance(call.choices, outcome.alternatives)) {
        prove("parallel", order == 1 ? "no two recipes can run at once"
                                     : fmt::format("all {} orders of recipe lines lead to the same "
                                                   "files",
                                                   order));
        return;
      }
    }
    add("parallel", Verdict::kOpen,
        fmt::format("{} orders of recipe lines lead to the same files; there are more",
                    options_.max_orders));
  }

  void determinism() {
    simulate::Scene later = scene_;
    later.tree.now += kLater;
    const MakeOutcome outcome = run_make(makefile_, later, cards_, call_);
    std::string what = difference(outcome);
    if (what.empty() && outcome.output != report_.first.output) what = "it prints something else";
    if (!what.empty()) {
      add("determinism", Verdict::kRefuted, "the result depends on the clock",
          fmt::format("make at another time: {}", what));
      return;
    }
    std::vector<std::string> varying;
    for (const std::string& name : report_.first.commands) {
      if (!is_steady(name)) varying.push_back(name);
    }
    if (makefile_.bytes().find("$$$$") != std::string_view::npos) varying.emplace_back("$$");
    if (report_.first.calls_shell) varying.emplace_back("$(shell)");
    if (varying.empty()) {
      prove("determinism", "every command depends on its words and files alone");
    } else {
      add("determinism", Verdict::kOpen,
          fmt::format("another clock makes no difference, but {} may print or write something "
                      "else each time",
                      make::join_words(varying)));
    }
  }

  const SourceFile& makefile_;
  const simulate::Scene& scene_;
  const commands::CardLibrary& cards_;
  const MakeCall& call_;
  const VerifyOptions& options_;
  MakeReport report_;
};

}  // namespace

MakeReport verify_make(const SourceFile& makefile, const simulate::Scene& scene,
                       const commands::CardLibrary& cards, const MakeCall& call,
                       const VerifyOptions& options) {
  return Verifier(makefile, scene, cards, call, options).run();
}

}  // namespace nacre::remake
