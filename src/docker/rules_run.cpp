// Rules about the commands of RUN.
#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "base/ascii.h"
#include "docker/rules.h"
#include "docker/text.h"

namespace nacre::docker {

namespace {

template <typename F>
void for_each_call(const Facts& facts, F&& f) {
  for (const auto& script : facts.scripts) {
    for (const Call& call : script->calls) f(*script, call);
  }
}

}  // namespace

// RUN top                          # reported
// RUN apt-get install -y vim       # not
// RUN start-database && kill $!    # not
void report_pointless(const Facts& facts, Findings& findings) {
  for_each_usage(facts, [&](const Script& script, const Usage& usage) {
    const commands::Property* line = usage.property(commands::CardKey::kPointless);
    // What looks at processes may look at those that the same RUN has started.
    const bool is_first = usage.call == &script.calls.front();
    const bool looks_at_processes = line != nullptr && line->value.starts_with("processes");
    if (line == nullptr || (looks_at_processes && !is_first)) return;
    findings.add("D401", usage.call->name_span,
                 fmt::format("{}: {}", usage.call->name, line->value), {"DL3001"});
  });
}

// RUN cd /opt                      # reported: it is forgotten at the end of the RUN
// RUN cd /opt && make              # reported: WORKDIR would do
// RUN make && (cd sub && make)     # not
void report_cd(const Facts& facts, Findings& findings) {
  for (const auto& script : facts.scripts) {
    if (script->calls.empty()) continue;
    const Call* call = nullptr;
    if (script->calls.front().name == "cd") call = &script->calls.front();
    if (script->calls.back().name == "cd") call = &script->calls.back();
    if (call == nullptr || call->words.empty()) continue;
    const bool is_last = call == &script->calls.back();
    findings.add("D402", call->span,
                 is_last ? "the next RUN does not begin in this directory; use WORKDIR"
                         : "use WORKDIR: it also applies to the steps that follow",
                 {"DL3003"});
  }
}

// RUN sudo make install            # reported
// RUN apt-get install -y sudo      # not
void report_sudo(const Facts& facts, Findings& findings) {
  for_each_call(facts, [&](const Script&, const Call& call) {
    if (call.name != "sudo") return;
    findings.add("D403", call.name_span,
                 "sudo has no terminal here and may drop the environment; use USER", {"DL3004"});
  });
}

// RUN a + RUN b                    # reported
// RUN a && b + RUN c               # not: someone has thought about the layers
void report_consecutive(const Facts& facts, Findings& findings) {
  for (size_t i = 1; i < facts.scripts.size(); i++) {
    const Script& second = *facts.scripts[i];
    if (!are_consecutive(*facts.scripts[i - 1], second)) continue;
    findings.add("D404", second.step->instruction->name_span,
                 "this RUN could be joined with the one before: each makes a layer", {"DL3059"});
  }
}

// RUN curl https://a | sh                                                  # reported
// SHELL ["/bin/bash", "-o", "pipefail", "-c"] + RUN curl https://a | sh  # not
// RUN echo a | tee b                                                       # not: echo succeeds
void report_pipes(const Facts& facts, Findings& findings) {
  for (const auto& script : facts.scripts) {
    if (script->unnoticed_pipe.empty() || facts.shell_of(*script->step).has_pipefail) continue;
    findings.add("D405", script->unnoticed_pipe,
                 "the status of a pipe is that of its last command: a failure before it goes "
                 "unnoticed; set pipefail, in a SHELL that has it",
                 {"DL4006"});
  }
}

// RUN ln -sf /bin/bash /bin/sh     # reported
void report_changed_shell(const Facts& facts, Findings& findings) {
  for_each_call(facts, [&](const Script&, const Call& call) {
    if (call.name != "ln" || call.words.empty()) return;
    const std::string& target = call.words.back().text;
    if (target != "/bin/sh" && target != "/usr/bin/sh") return;
    findings.add("D406", call.span, "use SHELL to change the shell of RUN", {"DL4005"});
  });
}

// RUN wget a + RUN curl b          # reported
void report_two_downloaders(const Facts& facts, Findings& findings) {
  std::map<size_t, std::pair<const Call*, const Call*>> by_stage;
  for_each_call(facts, [&](const Script& script, const Call& call) {
    auto& [wget, curl] = by_stage[script.step->stage];
    if (call.name == "wget" && wget == nullptr) wget = &call;
    if (call.name == "curl" && curl == nullptr) curl = &call;
  });
  for (const auto& [stage, both] : by_stage) {
    const auto& [wget, curl] = both;
    if (wget == nullptr || curl == nullptr) continue;
    const bool is_wget_first = wget->span.begin < curl->span.begin;
    Diagnostic& made =
        findings.add("D407", (is_wget_first ? curl : wget)->name_span,
                     "the stage uses both wget and curl; one of them is enough", {"DL4001"});
    made.notes.push_back(
        {facts.file.source, (is_wget_first ? wget : curl)->name_span, "the other one"});
  }
}

// RUN wget https://a               # reported
// RUN wget -q https://a            # not
void report_progress(const Facts& facts, Findings& findings) {
  for_each_usage(facts, [&](const Script&, const Usage& usage) {
    const commands::Property* line = usage.property(commands::CardKey::kProgress);
    if (line == nullptr || usage.has_any(line->value) || usage.has_unknown) return;
    Diagnostic& made = findings.add(
        "D408", usage.call->name_span,
        fmt::format("{} fills the log of the build with a progress bar; add --progress=dot:giga",
                    usage.call->name),
        {usage.hadolint_name("progress")});
    const uint32_t at = usage.call->name_span.end;
    made.fixes = {{"show less", {{{at, at}, " --progress=dot:giga"}}, false}};
  });
}

// RUN useradd -u 123456 app        # reported
// RUN useradd -l -u 123456 app     # not
void report_large_user(const Facts& facts, Findings& findings) {
  constexpr size_t kDigits = 5;
  for_each_usage(facts, [&](const Script&, const Usage& usage) {
    if (usage.call->name != "useradd") return;
    const GivenFlag* number = usage.flag("-u") != nullptr ? usage.flag("-u") : usage.flag("--uid");
    if (number == nullptr || !is_digits(number->value) || number->value.size() <= kDigits) return;
    if (usage.has("-l") || usage.has("--no-log-init")) return;
    Diagnostic& made = findings.add(
        "D409", usage.call->span,
        fmt::format("with user {} the sparse /var/log/lastlog becomes a huge layer; add -l",
                    number->value),
        {"DL3046"});
    const uint32_t at = usage.call->name_span.end;
    made.fixes = {{"add -l", {{{at, at}, " -l"}}, false}};
  });
}

// RUN <<EOF + two commands                 # reported
// RUN <<EOF + set -e + two commands        # not
void report_unchecked_documents(const Facts& facts, Findings& findings) {
  for (const auto& script : facts.scripts) {
    if (!script->is_document || script->has_errexit) continue;
    if (script->program().tree.program().items.size() < 2) continue;
    const HereDocument& document = script->step->instruction->here_documents[0];
    Diagnostic& made = findings.add(
        "D410", document.introducer,
        "a failing command in this here-document does not stop it; begin with set -e", {});
    if (script->reads_status) continue;
    const std::string_view body = facts.file.source.text(document.body);
    const size_t first = body.starts_with("#!") ? body.find('\n') + 1 : 0;
    const uint32_t at = document.body.begin + static_cast<uint32_t>(first);
    made.fixes = {{"begin with set -e", {{{at, at}, "set -e\n"}}, false}};
  }
}

}  // namespace nacre::docker
