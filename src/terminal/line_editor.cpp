#include "terminal/line_editor.h"

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cwchar>
#include <fmt/format.h>
#include <histedit.h>

#include "machine/machine.h"
#include "terminal/completion.h"

namespace nacre::terminal {

using machine::Option;
namespace {

constexpr char kCompleteName[] = "nacre-complete";
constexpr size_t kListWidth = 80;

}  // namespace

// What libedit calls while a line is edited. Every call leads back here by its client data.
struct LineEditor::Editor {
  explicit Editor(Machine& of) : machine(of) {}

  static Editor& of(EditLine* line) {
    void* data = nullptr;
    el_get(line, EL_CLIENTDATA, &data);
    return *static_cast<Editor*>(data);
  }

  static char* show_prompt(EditLine* line) { return of(line).prompt.data(); }

  // One character of the locale, read through the machine's world. -1 with errno after an error.
  static int read_character(EditLine* line, wchar_t* character) {
    Editor& self = of(line);
    std::mbstate_t state{};
    while (true) {
      char byte = 0;
      int got = self.read_byte(byte);
      if (got <= 0) return got;
      size_t size = std::mbrtowc(character, &byte, 1, &state);
      if (size == static_cast<size_t>(-2)) continue;
      if (size == static_cast<size_t>(-1)) *character = static_cast<unsigned char>(byte);
      return 1;
    }
  }

  int read_byte(char& byte) {
    while (true) {
      // A signal that came while the prompt was printed interrupts no read that begins after it.
      int signal = machine.os->peek_signal();
      ssize_t got = signal != 0 && signal != SIGCHLD ? -EINTR : machine.os->read(0, &byte, 1);
      if (got != -EINTR) return got < 0 ? -1 : static_cast<int>(got);
      signal = machine.os->peek_signal();
      if (signal != SIGCHLD) {
        if (signal == 0) continue;
        errno = EINTR;
        return -1;
      }
      // set -b: the end of a job is reported at once.
      machine.write_all(2, "\r\n");
      machine.report_jobs();
      if (!machine.state.traps.actions[SIGCHLD]) machine.os->take_signal();
      el_set(line, EL_REFRESH);
    }
  }

  static unsigned char complete_word(EditLine* line, int) {
    Editor& self = of(line);
    const LineInfo* info = el_line(line);
    std::string_view text(info->buffer, static_cast<size_t>(info->cursor - info->buffer));
    Completion completion = complete(self.machine, text);
    if (!completion.insertion.empty()) {
      el_insertstr(line, completion.insertion.c_str());
      return CC_REFRESH;
    }
    if (completion.candidates.size() < 2) return CC_REFRESH_BEEP;
    self.list(completion.candidates);
    return CC_REDISPLAY;
  }

  // In columns below the line.
  void list(const std::vector<std::string>& names) {
    size_t width = 0;
    for (const std::string& name : names) width = std::max(width, name.size() + 2);
    size_t columns = std::max<size_t>(1, kListWidth / width);
    std::string text = "\r\n";
    for (size_t i = 0; i < names.size(); ++i) {
      bool ends_line = (i + 1) % columns == 0 || i + 1 == names.size();
      text += ends_line ? names[i] + "\r\n" : fmt::format("{:<{}}", names[i], width);
    }
    machine.write_all(2, text);
  }

  // libedit walks through the machine's own history; events are numbered as `fc -l` does.
  static int visit_history(void* data, HistEvent* event, int op, int number) {
    Editor& self = *static_cast<Editor*>(data);
    size_t size = self.machine.state.history.size();
    size_t wanted = self.at_entry;
    switch (op) {
      case H_FIRST: wanted = 1; break;
      case H_LAST: wanted = size; break;
      case H_NEXT: ++wanted; break;
      case H_PREV: --wanted; break;
      case H_CURR: break;
      case H_SET: wanted = size + 1 - static_cast<size_t>(number); break;
      case H_GETSIZE: event->num = static_cast<int>(size); return 0;
      default: return -1;
    }
    if (wanted < 1 || wanted > size) return -1;
    self.at_entry = wanted;
    self.entry = self.machine.state.history[size - wanted] + "\n";
    event->num = static_cast<int>(size + 1 - wanted);
    event->str = self.entry.c_str();
    return 0;
  }

  // As `set -o vi` and `set -o emacs` say.
  void choose_keys() {
    bool wants_vi = machine.state.options.has(Option::kVi);
    if (has_keys && wants_vi == uses_vi) return;
    uses_vi = wants_vi;
    has_keys = true;
    el_set(line, EL_EDITOR, wants_vi ? "vi" : "emacs");
    el_set(line, EL_BIND, "^I", kCompleteName, nullptr);
    el_set(line, EL_BIND, "^R", "em-inc-search-prev", nullptr);
    el_source(line, nullptr);  // ~/.editrc
  }

  Machine& machine;
  EditLine* line = nullptr;
  std::string prompt;
  std::string entry;    // of the history, with a newline as libedit wants it
  size_t at_entry = 0;  // counted from the newest, which is 1
  bool uses_vi = false;
  bool has_keys = false;
};

std::unique_ptr<LineEditor> LineEditor::open(Machine& machine) {
  const std::string* term = machine.state.variables.get("TERM");
  bool can_edit = machine.os->is_terminal(0) && machine.os->is_terminal(2) && term != nullptr &&
                  !term->empty() && *term != "dumb";
  if (!can_edit) return nullptr;
  std::setlocale(LC_CTYPE, "");  // libedit decodes keys with it
  auto editor = std::make_unique<Editor>(machine);
  editor->line = el_init("sh", stdin, stderr, stderr);
  if (editor->line == nullptr) return nullptr;
  EditLine* line = editor->line;
  el_set(line, EL_CLIENTDATA, editor.get());
  el_set(line, EL_PROMPT, &Editor::show_prompt);
  el_set(line, EL_GETCFN, &Editor::read_character);
  el_set(line, EL_HIST, &Editor::visit_history, editor.get());
  el_set(line, EL_ADDFN, kCompleteName, "Complete the word", &Editor::complete_word);
  return std::unique_ptr<LineEditor>(new LineEditor(std::move(editor)));
}

LineEditor::LineEditor(std::unique_ptr<Editor> editor) : editor_(std::move(editor)) {}
LineEditor::~LineEditor() { el_end(editor_->line); }

int LineEditor::read(const std::string& prompt, std::string& to) {
  editor_->choose_keys();
  editor_->prompt = prompt;
  editor_->at_entry = 0;
  el_resize(editor_->line);
  int count = 0;
  const char* text = el_gets(editor_->line, &count);
  if (text == nullptr || count <= 0) return count < 0 && errno == EINTR ? -EINTR : 0;
  to.append(text, static_cast<size_t>(count));
  return count;
}

}  // namespace nacre::terminal
