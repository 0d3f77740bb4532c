// The files of a world, for what cards say that commands do (commands/effect_run.h): a command
// without a model of its own runs so, and the models are tested against the cards.
#pragma once

#include <optional>

#include "commands/effect_run.h"
#include "utilities/utility.h"

namespace nacre::utilities {

class OsStore {
 public:
  explicit OsStore(Context& context) : context_(context) {}

  int call(commands::EffectCall call, const std::string& a, const std::string& b);
  bool is(commands::PathTest test, const std::string& path);
  bool related(commands::PathRelation relation, const std::string& a, const std::string& b);
  std::vector<std::string> list(commands::PathList::Kind kind, const std::string& path);
  size_t choose(size_t) { return 0; }  // the first block of `either` is the usual one
  std::string fresh(const commands::EffectWords& words);
  void print(const std::string& text) { context_.out(text + "\n"); }
  void failed(const std::string& what, int error);

 private:
  int remove(const std::string& path);
  int write(const std::string& path, int flags);
  int change_owner(const std::string& owner, const std::string& path, bool is_group);
  int change_mode_of(const std::string& text, const std::string& path);
  int change_modes(const std::string& text, const std::string& path, bool is_operand);
  void add_below(const std::string& path, bool follows, std::vector<std::string>& found);

  Context& context_;
};

// Runs the `does` line that context.arguments mean; nothing if the cards do not tell.
[[nodiscard]] std::optional<int> run_card(const commands::CardLibrary& cards, Context& context);

}  // namespace nacre::utilities
