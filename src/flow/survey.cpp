#include "flow/survey.h"

#include <algorithm>

#include "flow/assigned.h"
#include "shell/visitor.h"

namespace nacre::flow {

using shell::ParameterOp;

namespace {

// `export x`, `declare -x x`, `set -a`.
void survey_exports(const shell::SimpleCommand& simple, Survey::Words& out) {
  if (simple.words.empty() || !simple.words[0].is_literal()) return;
  const std::string_view name = simple.words[0].literal();
  if (name != "export" && name != "declare" && name != "typeset" && name != "set") return;
  for (const shell::Word& word : simple.words.subspan(1)) {
    const std::string_view text =
        word.parts().empty() || !word.parts()[0].is_text() ? "" : word.parts()[0].text();
    const bool is_all = text == "-a" || text == "allexport" || text.empty();
    if (name == "set" ? is_all : text.empty()) out.insert("*");
    if (name == "export" || name == "declare" || name == "typeset")
      out.insert(std::string(text.substr(0, text.find_first_of("=+["))));
  }
}

// `unset x`
void survey_unset(const shell::SimpleCommand& simple, Survey::Words& out) {
  if (simple.words.empty() || !simple.words[0].is_literal()) return;
  if (simple.words[0].literal() != "unset") return;
  for (const shell::Word& word : simple.words.subspan(1)) {
    if (word.is_literal()) out.insert(std::string(word.literal()));
  }
}

// `x=1 sudo "$0"`
void survey_passed(const shell::SimpleCommand& simple, const shell::Tree& tree,
                   Survey::Words& out) {
  const bool runs_itself =
      std::any_of(simple.words.begin(), simple.words.end(), [&](const shell::Word& word) {
        return tree.text(word.span) == "$0" || tree.text(word.span) == "\"$0\"";
      });
  if (!runs_itself) return;
  for (const shell::Assignment& given : simple.assignments) out.insert(std::string(given.name));
}

// `declare -A x`, `local -gA x=(...)`.
void survey_associative(const shell::SimpleCommand& simple, Survey::Words& out) {
  if (simple.words.empty() || !simple.words[0].is_literal()) return;
  const std::string_view name = simple.words[0].literal();
  if (name != "declare" && name != "local" && name != "typeset" && name != "readonly") return;
  bool is_associative = false;
  for (const shell::Word& word : simple.words) {
    const std::string_view text =
        word.parts().empty() || !word.parts()[0].is_text() ? "" : word.parts()[0].text();
    is_associative |= text.starts_with('-') && text.find('A') != std::string_view::npos;
    if (is_associative) out.insert(std::string(text.substr(0, text.find_first_of("=+["))));
  }
}

// `${x:-$y}`: y
std::string_view fallback_of(const shell::Parameter& node) {
  if (node.op != ParameterOp::kDefault && node.op != ParameterOp::kAssign) return {};
  if (!node.argument || node.argument->parts().size() != 1) return {};
  const shell::Part& part = node.argument->parts()[0];
  return part.kind == shell::PartKind::kParameter ? part.parameter().name : std::string_view();
}

// `exec < file`
bool redirects_input(const shell::Command& command, const shell::SimpleCommand& simple) {
  return simple.words.size() == 1 && simple.words[0].is_literal() &&
         simple.words[0].literal() == "exec" &&
         std::any_of(command.redirections.begin(), command.redirections.end(),
                     [](const shell::Redirection& redirection) {
                       return redirection.op == shell::RedirectOp::kInput &&
                              redirection.descriptor <= 0;
                     });
}

// `if a; then b`, `a && b`
void survey_guards(const shell::Command& command, const shell::Tree& tree,
                   std::vector<Survey::Guarded>& out) {
  if (const auto* branch = std::get_if<shell::If>(&command.node)) {
    for (const shell::IfArm& arm : branch->arms) {
      for (const shell::Item& item : arm.condition.items)
        if (item.command) out.push_back({tree.text(item.command->span), arm.body.span});
    }
  }
  const auto* list = std::get_if<shell::AndOr>(&command.node);
  for (size_t i = 1; list && i < list->items.size(); i++) {
    const bool is_and = list->items[i].op == shell::AndOrOp::kAnd;
    if (is_and)
      out.push_back({tree.text(list->items[0].command->span), list->items[i].command->span});
  }
}

// `x=$x`, `export x="$x"`: nothing is set that was not set before.
bool is_self(const Assigned& assigned, const shell::Tree& tree) {
  const std::string name(assigned.name);
  const std::string_view rest = text_after(tree, name, assigned.span.begin);
  for (const std::string& each :
       {"=\"${" + name + "}\"", "=\"$" + name + "\"", "=${" + name + "}", "=$" + name}) {
    if (!rest.starts_with(each)) continue;
    return rest.size() == each.size() ||
           std::string_view("\n ;").find(rest[each.size()]) != rest.npos;
  }
  return false;
}

bool contains(Span outer, Span inner) {
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

}  // namespace

std::string_view text_after(const shell::Tree& tree, std::string_view name, uint32_t begin) {
  const std::string_view bytes = tree.file().bytes();
  if (begin > bytes.size() || !bytes.substr(begin).starts_with(name)) return {};
  return bytes.substr(begin + name.size());
}

bool has_own_default(const shell::Parameter& node) {
  const bool counts = node.op == ParameterOp::kLength && node.subscript != nullptr;  // ${#x[@]}
  return counts || node.op == ParameterOp::kDefault || node.op == ParameterOp::kAssign ||
         node.op == ParameterOp::kError || node.op == ParameterOp::kAlternative ||
         node.op == ParameterOp::kNames || node.op == ParameterOp::kKeys;
}

Survey survey_of(const shell::Tree& tree) {
  Survey result;
  for (const Assigned& assigned : assigned_in(tree.program())) {
    if (!is_self(assigned, tree)) result.assigned.insert(std::string(assigned.name));
    result.assignments.emplace(assigned.name, assigned.span);
  }
  walk(tree.program(),
       shell::Visitor{[&](const shell::Command& command) {
                        survey_guards(command, tree, result.guarded);
                        if (const auto* simple = std::get_if<shell::SimpleCommand>(&command.node)) {
                          survey_exports(*simple, result.exported);
                          survey_unset(*simple, result.unset);
                          survey_associative(*simple, result.associative);
                          if (!simple->assignments.empty())
                            survey_passed(*simple, tree, result.passed);
                          result.redirects_input |= redirects_input(command, *simple);
                        }
                        if (const auto* function = std::get_if<shell::Function>(&command.node))
                          result.functions.emplace(function->name->text, function);
                      },
                      [&](const shell::Parameter& node) {
                        result.reads[node.name]++;
                        if (has_own_default(node)) result.defaulted.insert(std::string(node.name));
                        if (const auto name = fallback_of(node); !name.empty())
                          result.fallbacks.insert(std::string(name));
                      }});
  return result;
}

bool Survey::is_set_alike(std::string_view variable, Span place) const {
  const auto [begin, end] = assignments.equal_range(variable);
  for (const Guarded& here : guarded) {
    if (!contains(here.body, place)) continue;
    for (const Guarded& there : guarded) {
      if (there.condition != here.condition || there.body == here.body) continue;
      const auto is_there = [&](const auto& entry) {
        return entry.second.begin < place.begin && contains(there.body, entry.second);
      };
      if (std::any_of(begin, end, is_there)) return true;
    }
  }
  return false;
}

}  // namespace nacre::flow
