#include "terminal/mail.h"

#include <algorithm>

#include "machine/arithmetic.h"
#include "machine/machine.h"

namespace nacre::terminal {

using machine::parse_integer;
using machine::Variables;
namespace {

constexpr int64_t kDefaultSeconds = 600;

// Seconds between two looks, from MAILCHECK.
int64_t interval(const Variables& variables) {
  int64_t seconds = kDefaultSeconds;
  const std::string* text = variables.get("MAILCHECK");
  if (text != nullptr && (!parse_integer(*text, seconds) || seconds < 0)) return kDefaultSeconds;
  return seconds;
}

}  // namespace

void MailCheck::look(Machine& machine) {
  const Variables& variables = machine.state.variables;
  const std::string* list = variables.get("MAILPATH");
  const std::string* single = variables.get("MAIL");
  if (list == nullptr && single == nullptr) return;
  int64_t now = machine.os->clock_ns();
  if (now < next_look_) return;
  next_look_ = now + interval(variables) * 1'000'000'000;
  if (list == nullptr) return look_at(machine, *single, "");
  std::string_view rest = *list;
  while (!rest.empty()) {
    size_t end = std::min(rest.find(':'), rest.size());
    std::string_view box = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    size_t percent = std::min(box.find('%'), box.size());
    std::string message(box.substr(std::min(percent + 1, box.size())));
    look_at(machine, std::string(box.substr(0, percent)), std::move(message));
  }
}

void MailCheck::look_at(Machine& machine, const std::string& path, std::string message) {
  world::FileStatus status;
  int64_t modified = 0;
  if (machine.os->status(path.c_str(), true, status) >= 0 && status.size > 0) {
    modified = status.modified_ns;
  }
  auto [known, is_new] = modified_.try_emplace(path, modified);
  bool has_grown = !is_new && modified > known->second;
  known->second = modified;
  if (!has_grown) return;
  message = message.empty() ? "you have mail" : machine.expand_prompt(message);
  machine.write_all(machine.io[2], message + "\n");
}

}  // namespace nacre::terminal
