#include "utilities/awk_interpreter.h"

#include <algorithm>
#include <cmath>
#include <fcntl.h>
#include <fmt/format.h>

namespace nacre::utilities {
namespace {

constexpr unsigned kSpendAtOnce = 64;
constexpr size_t kMaxRegexes = 500;

bool is_name(std::string_view text) {
  if (text.empty() || (text[0] >= '0' && text[0] <= '9')) return false;
  return std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return c == '_' || (c < 128 && std::isalnum(c) != 0); });
}

}  // namespace

size_t AwkArray::bytes(const std::string& key, const Element& element) {
  return sizeof(std::string) + sizeof element + key.size() + element.value.bytes();
}

AwkArray::Element& AwkArray::element(const std::string& key) {
  auto [found, is_new] = elements_.try_emplace(key);
  if (is_new) {
    found->second.order = made_++;
    held_ += bytes(key, found->second);
  }
  return found->second;
}

void AwkArray::set(const std::string& key, AwkValue value) {
  Element& changed = element(key);
  held_ += value.bytes() - changed.value.bytes();
  changed.value = std::move(value);
}

void AwkArray::erase(const std::string& key) {
  auto found = elements_.find(key);
  if (found == elements_.end()) return;
  held_ -= bytes(key, found->second);
  elements_.erase(found);
}

void AwkArray::clear() {
  for (const auto& [key, element] : elements_) held_ -= bytes(key, element);
  elements_.clear();
}

std::vector<std::string> AwkArray::keys() const {
  std::vector<std::pair<uint64_t, const std::string*>> ordered;
  ordered.reserve(elements_.size());
  for (const auto& [key, element] : elements_) ordered.emplace_back(element.order, &key);
  std::sort(ordered.begin(), ordered.end());
  std::vector<std::string> result;
  result.reserve(ordered.size());
  for (const auto& [order, key] : ordered) result.push_back(*key);
  return result;
}

AwkInterpreter::AwkInterpreter(const awk::Program& program, Context& context)
    : program_(program),
      context_(context),
      streams_(context),
      in_range_(program.rules.size(), false) {
  for (const awk::Function& function : program.functions) functions_[function.name] = &function;
  auto make = [&](const char* name, AwkValue value) {
    AwkCell& made = globals_[name];
    made.value = std::move(value);
    return &made;
  };
  nf_ = make("NF", AwkValue::number(0));
  nr_ = make("NR", AwkValue::number(0));
  fnr_ = make("FNR", AwkValue::number(0));
  fs_ = make("FS", AwkValue::string(" "));
  ofs_ = make("OFS", AwkValue::string(" "));
  ors_ = make("ORS", AwkValue::string("\n"));
  rs_ = make("RS", AwkValue::string("\n"));
  subsep_ = make("SUBSEP", AwkValue::string("\034"));
  convfmt_ = make("CONVFMT", AwkValue::string(number_format_));
  ofmt_ = make("OFMT", AwkValue::string("%.6g"));
  rstart_ = make("RSTART", AwkValue::number(0));
  rlength_ = make("RLENGTH", AwkValue::number(0));
  filename_ = make("FILENAME", AwkValue::string(""));
  for (const std::string& entry : context.environment) {
    size_t equals = entry.find('=');
    if (equals == std::string::npos) continue;
    array("ENVIRON").set(entry.substr(0, equals), AwkValue::input(entry.substr(equals + 1)));
  }
}

void AwkInterpreter::assign(const std::string& name, std::string_view text) {
  store(globals_[name], AwkValue::input(resolve_escapes(text)));
}

void AwkInterpreter::spend(size_t steps) {
  unspent_ += steps;
  if (unspent_ < kSpendAtOnce) return;
  context_.os.spend(unspent_);
  unspent_ = 0;
}

int AwkInterpreter::run(const std::vector<std::string>& operands) {
  using Kind = awk::Rule::Kind;
  AwkArray& arguments = array("ARGV");
  arguments.set("0", AwkValue::string(context_.name()));
  for (size_t i = 0; i < operands.size(); ++i) {
    arguments.set(std::to_string(i + 1), AwkValue::input(operands[i]));
  }
  store(cell("ARGC"), AwkValue::number(static_cast<double>(operands.size() + 1)));
  auto is_of = [](Kind kind) {
    return [kind](const awk::Rule& rule) { return rule.kind == kind; };
  };
  bool only_begins = std::all_of(program_.rules.begin(), program_.rules.end(), is_of(Kind::kBegin));
  try {
    try {
      run_rules(Kind::kBegin);
      if (!only_begins) run_main();
    } catch (const Leave& leave) {
      if (leave.flow != Flow::kExit) fatal("`next' used where there is no record");
    }
    try {
      run_rules(Kind::kEnd);
    } catch (const Leave&) {  // exit: the end of the end
    }
  } catch (const Fatal& error) {
    context_.fail(error.message);
    status_ = 2;
  }
  streams_.close_all();
  return status_;
}

void AwkInterpreter::run_rules(awk::Rule::Kind kind) {
  for (const awk::Rule& rule : program_.rules) {
    if (rule.kind != kind) continue;
    if (Flow flow = act(rule); flow != Flow::kNormal) throw Leave{flow};
  }
}

void AwkInterpreter::run_main() {
  std::string text;
  while (next_record(text)) {
    spend();
    set_record(std::move(text));
    Flow flow = Flow::kNormal;
    try {
      for (size_t i = 0; i < program_.rules.size() && flow == Flow::kNormal; ++i) {
        flow = apply(program_.rules[i], i);
      }
    } catch (const Leave& leave) {
      flow = leave.flow;
    }
    if (flow == Flow::kExit) throw Leave{flow};
    if (flow == Flow::kNextFile && input_) {
      input_->close();
      input_.reset();
    }
  }
}

AwkInterpreter::Flow AwkInterpreter::apply(const awk::Rule& rule, size_t index) {
  switch (rule.kind) {
    case awk::Rule::Kind::kAlways: return act(rule);
    case awk::Rule::Kind::kPattern:
      return evaluate(*rule.pattern).is_true() ? act(rule) : Flow::kNormal;
    case awk::Rule::Kind::kRange:
      if (!in_range_[index] && !evaluate(*rule.pattern).is_true()) return Flow::kNormal;
      in_range_[index] = !evaluate(*rule.range_end).is_true();
      return act(rule);
    default: return Flow::kNormal;
  }
}

AwkInterpreter::Flow AwkInterpreter::act(const awk::Rule& rule) {
  if (rule.action) return execute(*rule.action);
  context_.out(text(field(0)));
  context_.out(set_text(ors_));
  return Flow::kNormal;
}

// The next file that ARGV names, or standard input if it names none; assignments take effect when
// they are met.
bool AwkInterpreter::next_file() {
  while (next_operand_ < static_cast<size_t>(std::max(cell("ARGC").value.to_number(), 0.0))) {
    std::string key = std::to_string(next_operand_++);
    AwkArray& arguments = array("ARGV");
    if (!arguments.has(key)) continue;
    std::string operand = text(arguments.get(key));
    if (operand.empty()) continue;
    size_t equals = operand.find('=');
    if (equals != std::string::npos && is_name(operand.substr(0, equals))) {
      assign(operand.substr(0, equals), std::string_view(operand).substr(equals + 1));
      continue;
    }
    has_read_a_file_ = true;
    int fd = operand == "-" ? 0 : context_.os.open(operand.c_str(), O_RDONLY, 0);
    if (fd < 0) {
      context_.fail(operand, fd);
      status_ = 2;
      continue;
    }
    input_.emplace(context_, fd);
    filename_->value = AwkValue::string(operand == "-" ? "" : operand);
    fnr_->value = AwkValue::number(0);
    return true;
  }
  if (has_read_a_file_) return false;
  has_read_a_file_ = true;
  input_.emplace(context_, 0);
  return true;
}

bool AwkInterpreter::next_record(std::string& text) {
  while (true) {
    if (!input_ && !next_file()) return false;
    if (input_->next(record_separator(), text)) {
      count_record();
      return true;
    }
    if (input_->error() != 0) {
      context_.fail(set_text(filename_), input_->error());
      status_ = 2;
    }
    input_->close();
    input_.reset();
  }
}

void AwkInterpreter::count_record() {
  nr_->value = AwkValue::number(nr_->value.to_number() + 1);
  fnr_->value = AwkValue::number(fnr_->value.to_number() + 1);
}

void AwkInterpreter::set_record(std::string text) {
  record_.set(std::move(text), field_separator());
}

const RecordSeparator& AwkInterpreter::record_separator() {
  std::string wanted = set_text(rs_);
  if (wanted != record_separator_.text) {
    record_separator_.regex.reset();
    if (wanted.size() > 1) record_separator_.regex = compiled(wanted);
    record_separator_.text = std::move(wanted);
  }
  return record_separator_;
}

std::shared_ptr<const AwkSeparator> AwkInterpreter::make_separator(const std::string& text,
                                                                   bool in_paragraphs) {
  auto result = std::make_shared<AwkSeparator>();
  result->with_newlines = in_paragraphs;
  if (text == " ") return result;
  result->kind = text.empty()       ? AwkSeparator::kEach
                 : text.size() == 1 ? AwkSeparator::kCharacter
                                    : AwkSeparator::kRegex;
  if (text.size() == 1) result->character = text[0];
  if (text.size() > 1) result->regex = compiled(text);
  return result;
}

std::shared_ptr<const AwkSeparator> AwkInterpreter::field_separator() {
  std::string wanted = set_text(fs_);
  bool in_paragraphs = set_text(rs_).empty();
  if (separator_ == nullptr || wanted != separator_text_ ||
      in_paragraphs != separator_in_paragraphs_) {
    separator_ = make_separator(wanted, in_paragraphs);
    separator_text_ = std::move(wanted);
    separator_in_paragraphs_ = in_paragraphs;
  }
  return separator_;
}

AwkValue AwkInterpreter::getline(const awk::Getline& node) {
  using Source = awk::Getline::Source;
  std::string line;
  if (node.source == Source::kInput) {
    if (!next_record(line)) return AwkValue::number(0);
  } else {
    // Such records are not counted in NR: gawk, mawk and busybox agree against POSIX.
    AwkReader* reader = streams_.reader(node.source == Source::kCommand, text(*node.from));
    if (reader == nullptr) return AwkValue::number(-1);
    if (!reader->next(record_separator(), line)) {
      return AwkValue::number(reader->error() != 0 ? -1 : 0);
    }
  }
  spend();
  if (node.target) {
    store(place_of(*node.target), AwkValue::input(std::move(line)));
  } else {
    set_record(std::move(line));
  }
  return AwkValue::number(1);
}

const Regex& AwkInterpreter::compiled(const std::string& source) {
  auto found = regexes_.find(source);
  if (found != regexes_.end()) return found->second;
  std::string error;
  auto regex = Regex::compile(posix_regex(source), true, false, error);
  if (!regex) fatal(fmt::format("{}: /{}/", error, source));
  if (regexes_.size() >= kMaxRegexes) regexes_.clear();
  return regexes_.emplace(source, std::move(*regex)).first->second;
}

}  // namespace nacre::utilities
