#include <algorithm>
#include <fmt/format.h>

#include "explore/html.h"
#include "explore/show.h"
#include "world/tree_diff.h"

namespace nacre::explore {

using world::FileKind;
using world::FileTree;
using world::InodeId;

namespace {

// What is at a path, in a word; empty: nothing that was decided.
std::string kind_at(FileTree& tree, const std::string& path) {
  const world::Actor root;
  InodeId id = world::kNoInode;
  if (tree.find(root, path, false, id) < 0) return "";
  const world::Inode& inode = tree.at(id);
  switch (inode.kind) {
    case FileKind::kDirectory: return "directory";
    case FileKind::kLink: return "link to " + inode.bytes;
    case FileKind::kFifo: return "named pipe";
    default: return fmt::format("file, {:04o}", inode.mode & 07777);
  }
}

// The paths that were asked for or changed.
std::map<std::string, std::string> paths_of(const Outcome& outcome, FileTree& before,
                                            FileTree& after) {
  std::map<std::string, std::string> result;
  for (const Decision& each : outcome.decisions) {
    if (each.kind == Decision::kEntry) result[each.subject] = "";
  }
  for (const world::Change& change : world::compare(before, after)) {
    result[change.path] = change.kind == world::Change::kCreated   ? "new"
                          : change.kind == world::Change::kRemoved ? "gone"
                                                                   : "other";
  }
  return result;
}

std::string trees(const Outcome& outcome, const World& start) {
  FileTree before = first_tree(start.tree, outcome.decisions, outcome.after.memory);
  FileTree after = outcome.after.tree;
  std::string result =
      "<table class=\"trees\"><tr><th>path</th><th>before</th><th>after</th></tr>\n";
  for (const auto& [path, change] : paths_of(outcome, before, after)) {
    const std::string registers = fmt::format("/{}/", world::kRegisters);
    const std::string name =
        path.starts_with(registers) ? "[" + path.substr(registers.size()) + "]" : path;
    const auto cell = [](const std::string& text) {
      return text.empty() ? std::string("<span class=\"weak\">absent</span>") : html_text(text);
    };
    result += fmt::format(
        "<tr class=\"{}\"><td class=\"path\">{}</td><td>{}</td><td>{}</td></tr>\n", change,
        html_text(name), cell(kind_at(before, path)), cell(kind_at(after, path)));
  }
  return result + "</table>\n";
}

std::string outcome_html(const Report& report, const Outcome& outcome, const World& start,
                         const ShowOptions& options, size_t index) {
  const bool is_ok = outcome.succeeded();
  std::string message = outcome.message.empty() ? outcome.last.text : outcome.message;
  if (is_ok) message = outcome.changes.empty() ? "changes nothing" : outcome.changes[0];
  std::string result = fmt::format(
      "<details class=\"outcome\" id=\"o{}\"><summary><b class=\"{}\">{}</b> "
      "<span class=\"tag\">{} runs</span><span class=\"tag\">rank {}</span>{} {}</summary>\n",
      index + 1, is_ok ? "ok" : "fails", html_text(outcome.how()), outcome.runs, outcome.rank,
      is_ok ? "" : fmt::format("line {}:", outcome.last.line), html_text(message));
  if (!is_ok)
    result += fmt::format("<p><code>{}</code> ends with status {}.</p>\n",
                          html_text(outcome.last.text), outcome.status);
  result += fmt::format("<p>If: {}</p>\n", html_text(condition_of(report, outcome)));
  result += trees(outcome, start);
  if (index < options.scenes.size() && !options.scenes[index].empty())
    result += fmt::format("<p>Replay: <code>nacre step --scene {} {}</code></p>\n",
                          html_text(options.scenes[index]), html_text(report.script));
  return result + "</details>\n";
}

// The witnesses' questions as a tree: each node is a question, its branches are the answers.
struct QuestionNode {
  std::string subject;
  std::map<size_t, std::pair<std::string, QuestionNode>> answers;
  std::vector<size_t> ends;  // outcomes

  void add(const Outcome& outcome, size_t index, size_t depth) {
    if (depth == outcome.decisions.size()) return ends.push_back(index);
    const Decision& decision = outcome.decisions[depth];
    subject = decision.subject;
    auto& [text, next] = answers[decision.chosen];
    text = decision.answer().text;
    next.add(outcome, index, depth + 1);
  }
};

std::string link_to(const Report& report, size_t index) {
  const Outcome& outcome = report.outcomes[index];
  return fmt::format("<a class=\"{}\" href=\"#o{}\">{}</a> ", outcome.succeeded() ? "ok" : "fails",
                     index + 1, html_text(outcome.how()));
}

// A chain of questions with one answer each is one line.
std::string tree_html(const Report& report, const QuestionNode& node, bool is_open) {
  std::string ends;
  for (const size_t each : node.ends) ends += link_to(report, each);
  if (node.answers.empty()) return ends;
  std::string result = ends;
  for (const auto& [chosen, branch] : node.answers) {
    const QuestionNode* next = &branch.second;
    std::string text = fmt::format("<span class=\"path\">{}</span>: {}", html_text(node.subject),
                                   html_text(branch.first));
    while (next->answers.size() == 1 && next->ends.empty()) {
      const auto& only = next->answers.begin()->second;
      text += fmt::format(", <span class=\"path\">{}</span>: {}", html_text(next->subject),
                          html_text(only.first));
      next = &only.second;
    }
    const std::string inner = tree_html(report, *next, false);
    result += next->answers.empty()
                  ? fmt::format("<div>{} → {}</div>\n", text, inner)
                  : fmt::format("<details{}><summary>{}</summary>\n{}</details>\n",
                                is_open ? " open" : "", text, inner);
  }
  return result;
}

std::string list_html(std::string_view title, const std::set<std::string>& items) {
  if (items.empty()) return "";
  return fmt::format("<p><b>{}:</b> {}</p>\n", title,
                     html_text(fmt::format("{}", fmt::join(items, "; "))));
}

}  // namespace

std::string show_html(const Report& report, const World& start,
                      const std::vector<Finding>& findings, const ShowOptions& options) {
  std::string words = report.script;
  for (const std::string& word : report.arguments) words += " " + word;
  std::string body = fmt::format("<h1><code>{}</code></h1>\n", html_text(words));
  if (!report.refusal.empty())
    return html_page(words,
                     body + fmt::format("<p>Not explored: {}</p>", html_text(report.refusal)));
  body += fmt::format("<p>{} outcomes in {} runs; {}.</p>\n", report.outcomes.size(), report.runs,
                      report.is_complete() ? "complete" : "not complete");
  if (!findings.empty()) {
    body += "<h2>Findings</h2>\n<ul>\n";
    for (const Finding& each : findings)
      body += fmt::format(
          "<li><span class=\"tag\">{}</span>line {}: {} <span class=\"weak\">{}"
          "</span></li>\n",
          each.code, each.place.line, html_text(each.message), html_text(each.before));
    body += "</ul>\n";
  }
  body += "<h2>Outcomes</h2>\n";
  for (size_t i = 0; i < report.outcomes.size(); ++i)
    body += outcome_html(report, report.outcomes[i], start, options, i);
  QuestionNode root;
  for (size_t i = 0; i < report.outcomes.size(); ++i) root.add(report.outcomes[i], i, 0);
  body += "<h2>Decisions</h2>\n" + tree_html(report, root, true);
  body += "<h2>What this does not say</h2>\n";
  body += list_html("Not tried", report.bounds);
  body += list_html("By representatives or assumed", report.assumed);
  body += list_html("No model of", report.unmodelled);
  if (report.is_complete())
    body += "<p>Nothing: every outcome over every file system is here.</p>\n";
  return html_page(words, body);
}

}  // namespace nacre::explore
