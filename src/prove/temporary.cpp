#include "prove/temporary.h"

#include <algorithm>

#include "shell/visitor.h"

namespace nacre::prove {

namespace {

// A command that makes a file with a new name: some line of its card says `fresh`.
bool makes_name(const Subject& subject, const purify::Call& call) {
  const auto invocation = purify::invocation_of(*subject.script, call);
  if (!invocation || !invocation->problems.empty() || invocation->has("-u")) return false;
  const auto& lines = invocation->card->properties;
  return std::any_of(lines.begin(), lines.end(), [](const commands::Property& each) {
    return each.key == commands::CardKey::kDoes &&
           each.value.find("fresh") != std::string_view::npos;
  });
}

// name=$(mktemp): the only value that the variable ever gets.
std::map<std::string, const purify::Call*> names_made(const Subject& subject) {
  std::map<std::string, const purify::Call*> result;
  std::map<std::string, unsigned> assigned;
  for (const purify::WordPlace& at : subject.script->words()) {
    if (at.assignment != nullptr) assigned[std::string(at.assignment->name)]++;
  }
  for (const purify::Call& call : subject.calls) {
    const shell::Part* around = call.place->substitution;
    const purify::WordPlace* at = around == nullptr ? nullptr : subject.script->word_of(*around);
    if (at == nullptr || at->assignment == nullptr || !makes_name(subject, call)) continue;
    const std::string text = subject.script->text(at->word->span);
    const bool is_whole = text.starts_with("$(") || text.starts_with("\"$(");
    const std::string name(at->assignment->name);
    if (is_whole && assigned[name] == 1 && call.place->loops == 0) result[name] = &call;
  }
  return result;
}

// rm -rf "$name"
bool removes(std::string_view text, const std::string& name) {
  std::string dense;
  for (char c : text) {
    if (c != '"' && c != '{' && c != '}') dense += c;
  }
  const std::string wanted = "$" + name;
  if (!dense.starts_with("rm ") || !dense.ends_with(" " + wanted)) return false;
  const std::string options = dense.substr(3, dense.size() - 3 - wanted.size());
  return options.find_first_not_of("-rfR ") == std::string::npos &&
         options.find('f') != std::string::npos;
}

bool is_removed(const Subject& subject, const purify::Call& call, const std::string& name) {
  if (call.is("trap")) {
    if (call.words.size() < 3 || !call.words[1].is_literal()) return false;
    const bool is_at_end =
        std::any_of(call.words.begin() + 2, call.words.end(), [](const shell::Word& word) {
          return word.is_literal() && (word.literal() == "EXIT" || word.literal() == "0");
        });
    if (!is_at_end) return false;
    const std::string_view handler = call.words[1].literal();
    if (removes(handler, name)) return true;
    const auto function = subject.script->functions().find(handler);
    if (function == subject.script->functions().end()) return false;
    return std::any_of(subject.calls.begin(), subject.calls.end(), [&](const purify::Call& each) {
      const shell::Command* body = function->second->body;
      const auto* group = body == nullptr ? nullptr : std::get_if<shell::BraceGroup>(&body->node);
      return group != nullptr && each.place->sequence == &group->body &&
             removes(subject.script->text(each.span()), name);
    });
  }
  const bool is_certain = call.place->parent == nullptr && call.place->function == nullptr;
  return is_certain && removes(subject.script->text(call.span()), name);
}

bool gets_only_into_paths(const Subject& subject, const std::string& name) {
  bool result = true;
  shell::walk(subject.script->tree().program(), shell::Visitor{[&](const shell::Part& part) {
                if (part.kind != shell::PartKind::kParameter || part.parameter().name != name)
                  return true;
                const purify::WordPlace* at = subject.script->word_of(part);
                if (at == nullptr || at->place == nullptr) return result = false;
                if (at->role == purify::WordRole::kRedirected) return true;
                const auto call =
                    std::find_if(subject.calls.begin(), subject.calls.end(),
                                 [&](const purify::Call& each) { return each.place == at->place; });
                if (call == subject.calls.end() || at->role != purify::WordRole::kArgument)
                  return result = false;
                // A command that acts on files prints none of their names unless it is asked to;
                // of others, nobody keeps what they print.
                const auto invocation = purify::invocation_of(*subject.script, *call);
                const bool acts = invocation &&
                                  invocation->property(commands::CardKey::kDoes) != nullptr &&
                                  knowledge_of(*subject.script, *call).again != Again::kNothing &&
                                  !invocation->has("-v");
                const bool is_test =
                    invocation && invocation->property(commands::CardKey::kChecks) != nullptr;
                if (!acts && !is_test) result = false;
                return true;
              }});
  return result;
}

}  // namespace

Temporaries::Temporaries(const Subject& subject) {
  for (const auto& [name, maker] : names_made(subject)) {
    if (!gets_only_into_paths(subject, name)) continue;
    const purify::Place* removal = nullptr;
    for (const purify::Call& call : subject.calls) {
      if (is_removed(subject, call, name)) removal = call.place;
    }
    if (removal == nullptr) continue;
    names_.insert(name);
    harmless_.insert(removal);
    harmless_.insert(maker->place);
  }
}

bool Temporaries::holds(std::string_view symbol) const {
  if (!symbol.starts_with('$')) return false;
  return names_.contains(symbol.substr(1, symbol.find('/') - 1));
}

bool Temporaries::is_harmless(const purify::Call& call) const {
  return harmless_.contains(call.place);
}

}  // namespace nacre::prove
