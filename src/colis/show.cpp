#include "colis/show.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/json_writer.h"
#include "colis/model.h"

namespace nacre::colis {

namespace {

constexpr const char* kStateKinds[] = {"normal", "error", "incomplete"};

// Things that are not files but kept as files are not shown.
bool is_register(const std::string& line) { return line.find("/%") != std::string::npos; }
std::vector<std::string> visible(std::vector<std::string> lines) {
  std::erase_if(lines, is_register);
  return lines;
}

void add_block(std::string& out, const char* name, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  out += fmt::format("  {}: |\n", name);
  for (const std::string& line : lines) out += fmt::format("    {}\n", line);
}

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

void add_section(std::string& out, const StatesReport& report, FinalState::Kind kind,
                 const char* title) {
  if (report.count(kind) == 0) return;
  out += fmt::format("* {}\n", title);
  for (const FinalState& state : report.states) {
    if (state.kind != kind) continue;
    out += fmt::format("- id: {}\n", state.id);
    add_block(out, "before", state.before);
    add_block(out, "after", state.after);
    add_block(out, "for example", state.model);
    add_block(out, "stdout", lines_in(state.stdout_text));
    add_block(out, "log", state.log);
  }
}

std::string escaped(std::string_view text) {
  std::string result;
  for (char c : text) {
    switch (c) {
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '&': result += "&amp;"; break;
      case '"': result += "&quot;"; break;
      default: result += c;
    }
  }
  return result;
}

void add_list(JsonWriter& json, const char* name, const std::vector<std::string>& lines) {
  json.key(name).begin_array();
  for (const std::string& line : lines) json.value(line);
  json.end_array();
}

class Graph {
 public:
  explicit Graph(const Clause& clause) : clause_(clause) {}
  void add(NodeId x, const char* label) {
    x = clause_.find(x);
    labels_[x] += labels_[x].empty() ? label : std::string(", ") + label;
    pending_.push_back(x);
  }
  std::string take() {
    std::string out = "digraph clause {\n  node [shape=box, fontname=\"sans-serif\"];\n";
    std::set<NodeId> seen;
    while (!pending_.empty()) {
      const NodeId x = pending_.back();
      pending_.pop_back();
      if (!seen.insert(x).second) continue;
      add_node(x, out);
    }
    return out + "}\n";
  }

 private:
  static unsigned number(NodeId x) { return static_cast<unsigned>(x); }
  void add_node(NodeId x, std::string& out) {
    const Node& node = clause_.node(x);
    std::string text = labels_[x].empty() ? "" : labels_[x] + "\\n";
    text += kinds_in_words(node.kinds);
    if (node.target) text += " to " + escape(*node.target);
    if ((node.kinds & kDirectory) != 0 && clause_.row(x).is_closed) text += "\\nfull";
    if (clause_.row(x).is_not_empty) text += "\\nnot empty";
    out += fmt::format("  n{} [label=\"{}\"];\n", number(x), text);
    if ((node.kinds & kDirectory) == 0) return;
    for (const std::string& name : clause_.names(x)) {
      if (name == world::kRegisters) continue;
      const Slot& slot = clause_.slot(*clause_.known_slot(x, name));
      if (!slot.may_be_there) {
        out += fmt::format(
            "  n{0} -> no{0}_{1} [style=dotted, label=\"{2}\"];\n  no{0}_{1} [shape=plain, "
            "label=\"⊥\"];\n",
            number(x), ++absent_, escape(name));
      }
      for (NodeId below : slot.nodes) {
        const NodeId child = clause_.find(below);
        out += fmt::format("  n{} -> n{} [label=\"{}{}\"{}];\n", number(x), number(child),
                           escape(name), slot.may_be_absent ? "?" : "",
                           slot.may_be_absent ? ", style=dashed" : "");
        pending_.push_back(child);
      }
    }
    // Nodes that are equal but for their own names.
    const RowId row = clause_.find_row(node.row);
    if (auto other = rows_.find(row); other != rows_.end() && other->second != x)
      out += fmt::format("  n{} -> n{} [dir=none, style=dotted, label=\"~\"];\n",
                         number(other->second), number(x));
    rows_.emplace(row, x);
  }
  static std::string escape(std::string_view text) {
    std::string result;
    for (char c : text) {
      if (c == '"' || c == '\\') result += '\\';
      if (static_cast<unsigned char>(c) >= ' ') result += c;
    }
    return result;
  }
  const Clause& clause_;
  std::map<NodeId, std::string> labels_;
  std::map<RowId, NodeId> rows_;
  std::vector<NodeId> pending_;
  unsigned absent_ = 0;
};

void add_html_list(std::string& out, const char* title, const std::vector<std::string>& lines) {
  out += fmt::format("<td><b>{}</b><pre>", title);
  for (const std::string& line : lines) out += escaped(line) + "\n";
  out += "</pre></td>";
}

}  // namespace

size_t StatesReport::count(FinalState::Kind kind) const {
  return static_cast<size_t>(std::count_if(
      states.begin(), states.end(), [&](const FinalState& state) { return state.kind == kind; }));
}

std::optional<StatesReport> report_on(const std::string& program, const SymbolicFiles& initial,
                                      const SymbolicRun& run, const SymbolicOptions& options,
                                      bool wants_graphs) {
  StatesReport report;
  report.program = program;
  report.initial = visible(facts_of(initial.clause, initial.initial));
  std::set<std::string> assumed;
  for (const FinalState::Kind kind :
       {FinalState::kNormal, FinalState::kError, FinalState::kIncomplete}) {
    size_t number = 0;
    for (const Outcome<SymbolicFiles>& outcome : run.outcomes) {
      const bool is_failure = outcome.behaviour == Behaviour::kFailure;
      const FinalState::Kind its_kind = is_failure                     ? FinalState::kIncomplete
                                        : outcome.state.context.result ? FinalState::kNormal
                                                                       : FinalState::kError;
      if (its_kind != kind) continue;
      if (options.bounds.is_over_time && options.bounds.is_over_time()) return std::nullopt;
      const SymbolicFiles& files = outcome.state.files;
      FinalState state;
      state.kind = kind;
      state.id = fmt::format("{}-{}", kStateKinds[kind], ++number);
      if (!options.prunes_initial) state.before = visible(facts_of(files.clause, files.initial));
      state.after = visible(facts_of(files.clause, files.root));
      if (!is_failure) state.model = visible(lines_of(model_of(files)));
      state.stdout_text = outcome.state.stdout_text;
      state.log = outcome.state.log;
      if (wants_graphs) state.graph = show_dot(files, !options.prunes_initial);
      assumed.insert(files.assumed.begin(), files.assumed.end());
      report.states.push_back(std::move(state));
    }
  }
  report.assumed.assign(assumed.begin(), assumed.end());
  return report;
}

std::string show_text(const StatesReport& report) {
  std::string out = "* Initial states\n- id: initial-1\n";
  add_block(out, "before", report.initial);
  add_section(out, report, FinalState::kNormal, "Normal states");
  add_section(out, report, FinalState::kError, "Error states");
  add_section(out, report, FinalState::kIncomplete, "Incomplete symbolic execution");
  out += fmt::format(
      "* Summary\n\n- Success cases: {}\n- Error cases: {}\n- Incomplete symbolic execution: {}\n",
      report.count(FinalState::kNormal), report.count(FinalState::kError),
      report.count(FinalState::kIncomplete));
  for (const std::string& line : report.assumed) out += fmt::format("- Assumed: {}\n", line);
  return out;
}

std::string show_json(const StatesReport& report) {
  JsonWriter json(JsonWriter::Shape::kIndented);
  json.begin_object().field("program", report.program);
  json.field("success", report.count(FinalState::kNormal));
  json.field("error", report.count(FinalState::kError));
  json.field("incomplete", report.count(FinalState::kIncomplete));
  add_list(json, "initial", report.initial);
  add_list(json, "assumed", report.assumed);
  json.key("states").begin_array();
  for (const FinalState& state : report.states) {
    json.begin_object().field("id", state.id).field("kind", kStateKinds[state.kind]);
    add_list(json, "before", state.before);
    add_list(json, "after", state.after);
    add_list(json, "example", state.model);
    json.field("stdout", state.stdout_text);
    add_list(json, "log", state.log);
    json.end_object();
  }
  json.end_array().end_object();
  return json.take() + "\n";
}

std::string show_html(const StatesReport& report) {
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title><style>"
      "body{{font-family:sans-serif;margin:2em}}pre{{margin:0 1em 1em 0}}td{{vertical-align:top}}"
      ".error summary{{color:#a00}}.incomplete "
      "summary{{color:#a60}}</style></head><body>\n<h1>{0}</h1>\n"
      "<p>{1} success, {2} error, {3} incomplete</p>\n",
      escaped(report.program), report.count(FinalState::kNormal), report.count(FinalState::kError),
      report.count(FinalState::kIncomplete));
  for (const std::string& line : report.assumed) out += "<p>Assumed: " + escaped(line) + "</p>\n";
  for (const FinalState& state : report.states) {
    const std::string last = state.log.empty() ? "" : ": " + state.log.back();
    out += fmt::format("<details class=\"{}\"><summary>{}{}</summary><table><tr>",
                       kStateKinds[state.kind], state.id, escaped(last));
    add_html_list(out, "before", state.before);
    add_html_list(out, "after", state.after);
    add_html_list(out, "for example", state.model);
    add_html_list(out, "stdout", lines_in(state.stdout_text));
    add_html_list(out, "log", state.log);
    out += "</tr></table></details>\n";
  }
  return out + "</body></html>\n";
}

std::string show_dot(const SymbolicFiles& files, bool with_initial) {
  Graph graph(files.clause);
  if (with_initial) graph.add(files.initial, "before");
  graph.add(files.root, "after");
  return graph.take();
}

}  // namespace nacre::colis
