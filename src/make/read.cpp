#include <algorithm>
#include <fmt/format.h>

#include "base/codes.h"
#include "make/makefile_reader.h"

namespace nacre::make {

Database MakefileReader::read() {
  read_source({database_.file, database_.file.bytes(), std::nullopt});
  finish();
  return std::move(database_);
}

ExpandHooks MakefileReader::hooks() {
  return {
      .undefined =
          [this](std::string_view) {
            return Text{"", !options_.environment};
          },
      .eval = [this](const Text& text) { eval(text); },
      .problem = [this](std::string_view code,
                        std::string message) { report(code, place_, std::move(message)); },
      .stop = [this](std::string_view) { stop(); },
      .shell = options_.shell,
      .wildcard = options_.wildcard,
  };
}

void MakefileReader::add_first_variables() {
  for (const auto& [name, variable] : builtin_variables()) {
    Variable first = variable;
    first.is_assumed = !options_.environment && name != "SHELL" && name != ".SHELLFLAGS";
    variables_.set(name, std::move(first));
  }
  if (options_.environment) {
    for (const auto& [name, value] : *options_.environment) {
      if (name == "SHELL") continue;
      variables_.set(name, {.value = value, .origin = Origin::kEnvironment});
    }
  }
  for (const auto& [name, value] : options_.command_line) {
    variables_.set(name, {.value = value, .origin = Origin::kCommandLine});
  }
}

void MakefileReader::report(std::string_view code, const Place& place, std::string message) {
  const bool is_sure = arm_ == kAlways;
  if (is_sure) database_.is_accepted = false;
  database_.findings.push_back(finding(code, place.file, place.span, std::move(message),
                                       is_sure ? Confidence::kCertain : Confidence::kLikely));
}

void MakefileReader::stop() {
  if (arm_ == kAlways) database_.is_accepted = false;
}

void MakefileReader::read_source(const Source& source) {
  if (nested_ >= options_.max_nested) {
    database_.is_exhausted = true;
    return;
  }
  nested_++;
  const std::vector<Conditional> outer = std::move(conditionals_);
  conditionals_.clear();
  add_to_makefile_list(source);
  Reader reader(source.text);
  while (auto statement = reader.next(state())) {
    if (++statements_ > options_.max_statements) {
      database_.is_exhausted = true;
      break;
    }
    place_ = source.place(statement->span);
    read_statement(source, *statement);
  }
  for (const Conditional& open : conditionals_) {
    arm_ = open.outer;
    report("M003", open.place,
           "this conditional has no `endif`: make stops at the end of the file");
  }
  while (!conditionals_.empty()) close_conditional();
  conditionals_ = outer;
  open_ = {};
  nested_--;
}

void MakefileReader::add_to_makefile_list(const Source& source) {
  if (source.fixed) return;
  const Variable* list = variables_.find("MAKEFILE_LIST");
  variables_.set("MAKEFILE_LIST",
                 {.value = (list != nullptr ? list->value : "") + " " + source.file.name(),
                  .is_recursive = false,
                  .is_assumed = true});
}

ReaderState MakefileReader::state() const {
  return {.rule_is_open = open_.maybe || !open_.rules.empty() || no_targets_,
          .recipe_prefix = database_.recipe_prefix};
}

bool MakefileReader::is_ignoring() const {
  return std::any_of(conditionals_.begin(), conditionals_.end(),
                     [](const Conditional& each) { return each.state != Conditional::kTaken; });
}

void MakefileReader::read_statement(const Source& source, const Statement& statement) {
  switch (statement.kind) {
    case Kind::kIf: return read_if(source, statement);
    case Kind::kElse: return read_else(source, statement);
    case Kind::kEndif: return read_endif(source, statement);
    default: break;
  }
  if (is_ignoring()) return;
  switch (statement.kind) {
    case Kind::kRecipe: return add_recipe(source, statement.body);
    case Kind::kAssign:
      if (statement.targets.empty()) return read_assignment(source, statement);
      return read_rule(source, statement);
    case Kind::kDefine: return read_define(source, statement);
    case Kind::kUndefine:
      close_rules();
      return variables_.remove(strip(expander_.expand(source.of(statement.name)).bytes));
    case Kind::kExport: return read_export(source, statement);
    case Kind::kInclude: return read_include(source, statement);
    case Kind::kVpath:
    case Kind::kLoad:
      close_rules();
      (void)expander_.expand(collapse_lines(source.of(statement.value)));
      return;
    case Kind::kRule:
    case Kind::kExpanded: return read_rule(source, statement);
    default: return;
  }
}

void MakefileReader::close_rules() {
  open_ = {};
  no_targets_ = false;
}

void MakefileReader::eval(const Text& text) {
  if (!is_known(text.bytes)) database_.has_unknown_parts = true;
  evaluated_.push_back(std::make_unique<std::string>(text.bytes));
  const Place place = place_;
  const OpenRules open = open_;
  const bool no_targets = no_targets_;
  close_rules();
  read_source({place.file, *evaluated_.back(), place.span});
  open_ = open;
  no_targets_ = no_targets;
  place_ = place;
}

void MakefileReader::read_assignment(const Source& source, const Statement& statement) {
  close_rules();
  const Text name = expander_.expand(collapse_lines(source.of(statement.name)));
  const std::string value = unquote(collapse_lines(source.of(statement.value)), "#", true);
  assign(source, statement, name, value);
}

void MakefileReader::read_define(const Source& source, const Statement& statement) {
  close_rules();
  if (!statement.is_closed) {
    report("M004", source.place(statement.span),
           "this `define` has no `endef`: make stops at the end of the file");
    is_in_unclosed_ = true;
    return;
  }
  std::string body = collapse_lines(source.of(statement.body));
  if (body.ends_with('\n')) body.pop_back();
  const Text name = expander_.expand(collapse_lines(strip(source.of(statement.name))));
  assign(source, statement, name, body);
}

void MakefileReader::assign(const Source& source, const Statement& statement, const Text& name,
                            const std::string& value) {
  const Place place = source.place(statement.span);
  const std::string_view known(strip(name.bytes));
  if (known.empty() && !name.is_assumed) {
    return report("M004", place, "this assignment has an empty name: make stops here");
  }
  if (!is_known(known)) {
    database_.has_unknown_parts = true;
    return;
  }
  database_.assignments.push_back({std::string(known), place, statement, !source.fixed, arm_});
  const Variable* old = variables_.find(known);
  const bool loses = old != nullptr && !statement.modifiers.overrides &&
                     (old->origin == Origin::kCommandLine || old->origin == Origin::kOverride);
  std::optional<Variable> made = define(statement, old, value);
  if (!made || loses) return;
  made->place = place;
  made->origin = statement.modifiers.overrides ? Origin::kOverride : Origin::kFile;
  if (statement.modifiers.exports) made->is_exported = true;
  made->is_private = statement.modifiers.is_private;
  if (known == ".RECIPEPREFIX") {
    database_.recipe_prefix = made->value.empty() ? '\t' : made->value.front();
  }
  variables_.set(known, *std::move(made));
}

std::optional<Variable> MakefileReader::define(const Statement& statement, const Variable* old,
                                               const std::string& value) {
  Variable result{.value = value};
  const auto simple = [&](Text text) {
    result.value = std::move(text.bytes);
    result.is_assumed = text.is_assumed;
    result.is_recursive = false;
  };
  switch (statement.op) {
    case AssignOp::kSimple:
    case AssignOp::kPosixSimple:
    case AssignOp::kImmediate: simple(expander_.expand(value)); break;
    case AssignOp::kShell: result.value = expander_.expand("$(shell " + value + ")").bytes; break;
    case AssignOp::kConditional:
      // The environment is stronger than `?=`.
      if (old != nullptr && !(old->is_assumed && old->origin == Origin::kFile)) return std::nullopt;
      result.is_assumed = !options_.environment;
      break;
    case AssignOp::kAppend: return append(old, value);
    case AssignOp::kRecursive: break;
  }
  return result;
}

std::optional<Variable> MakefileReader::append(const Variable* old, const std::string& value) {
  if (old == nullptr) {
    return Variable{.value = value, .is_assumed = !options_.environment};
  }
  Variable result = *old;
  Text added{value, false};
  if (!old->is_recursive) added = expander_.expand(value);
  if (added.bytes.empty()) return result;
  if (!result.value.empty()) result.value += ' ';
  result.value += added.bytes;
  result.is_assumed |= added.is_assumed;
  return result;
}

void MakefileReader::read_export(const Source& source, const Statement& statement) {
  close_rules();
  const Text names = expander_.expand(collapse_lines(source.of(statement.value)));
  const bool exports = source.of(statement.keyword) == "export";
  for (std::string_view name : words_of(names.bytes)) {
    if (!is_known(name)) continue;
    const Variable* old = variables_.find(name);
    Variable changed =
        old != nullptr
            ? *old
            : Variable{.value = "", .is_recursive = false, .is_assumed = !options_.environment};
    changed.is_exported = exports;
    variables_.set(name, std::move(changed));
  }
}

void MakefileReader::read_include(const Source& source, const Statement& statement) {
  close_rules();
  const Text names = expander_.expand(collapse_lines(source.of(statement.value)));
  for (const std::string& name : file_names(names.bytes)) {
    include_file(source.place(statement.span), name);
  }
  if (!is_known(names.bytes)) database_.has_unknown_parts = true;
  close_rules();
}

void MakefileReader::include_file(const Place& place, const std::string& name) {
  if (!is_known(name)) return;
  std::optional<SourceFile> file;
  if (options_.read_include && ++includes_ <= options_.max_includes) {
    file = options_.read_include(name);
  }
  if (!file) {
    database_.has_unknown_parts = true;
    return;
  }
  const auto is_same = [&](const SourceFile& open) { return open.bytes() == file->bytes(); };
  if (is_same(database_.file) || std::any_of(including_.begin(), including_.end(), is_same)) {
    return report("M009", place,
                  fmt::format("'{}' includes itself: make reads it again and again until it runs "
                              "out of files",
                              name));
  }
  including_.push_back(*file);
  const Place before = place_;
  read_source({*file, file->bytes(), std::nullopt});
  place_ = before;
  including_.pop_back();
}

Database read_makefile(const SourceFile& file, const ReadOptions& options) {
  return MakefileReader(file, options).read();
}

std::vector<std::string> file_names(std::string_view list) {
  std::vector<std::string> names;
  size_t at = 0;
  while (true) {
    while (at < list.size() && is_space(list[at])) at++;
    if (at == list.size()) return names;
    std::string name;
    for (; at < list.size() && !is_space(list[at]); at++) {
      if (list[at] == '\\' && at + 1 < list.size() && is_blank(list[at + 1])) at++;
      name += list[at];
    }
    while (name.size() > 2 && name.starts_with("./")) {
      name.erase(0, 2);
      while (name.size() > 1 && name[0] == '/') name.erase(0, 1);
    }
    names.push_back(std::move(name));
  }
}

bool Database::excludes(ArmId a, ArmId b) const {
  // Climb to the arms of one choice, if there are two.
  for (ArmId up = a; up != kAlways; up = arms[static_cast<size_t>(up)].parent) {
    for (ArmId other = b; other != kAlways; other = arms[static_cast<size_t>(other)].parent) {
      if (up != other &&
          arms[static_cast<size_t>(up)].choice == arms[static_cast<size_t>(other)].choice) {
        return true;
      }
    }
  }
  return false;
}

std::vector<std::string> Database::listed(std::string_view special) const {
  std::vector<std::string> names;
  const auto found = targets.find(special);
  if (found == targets.end()) return names;
  for (size_t index : found->second.rules) {
    const auto& list = rules[index].prerequisites;
    names.insert(names.end(), list.begin(), list.end());
  }
  return names;
}

}  // namespace nacre::make
