#include "utilities/sed_script.h"

#include <fmt/format.h>

namespace nacre::utilities {
namespace {

// sed's \n and \t, which glibc's regcomp does not know, also within brackets.
std::string with_plain_escapes(std::string_view pattern) {
  std::string result;
  for (size_t i = 0; i < pattern.size(); ++i) {
    char next = pattern[i] == '\\' && i + 1 < pattern.size() ? pattern[i + 1] : '\0';
    if (next == 'n' || next == 't') {
      result += next == 'n' ? '\n' : '\t';
      ++i;
    } else if (next != '\0') {
      result += pattern.substr(i++, 2);
    } else {
      result += pattern[i];
    }
  }
  return result;
}

class SedCompiler {
 public:
  SedCompiler(Context& context, bool is_extended) : context_(context), is_extended_(is_extended) {}

  std::optional<SedScript> run(const std::string& text) {
    auto program = sed::parse(text);
    if (!program) {
      error(program.error().span.end, program.error().message);
      return std::nullopt;
    }
    SedScript script{std::move(*program), {}};
    for (const sed::Command& command : script.program.commands) {
      script.parts.push_back(parts_of(command));
      if (status != 0) return std::nullopt;
    }
    return script;
  }

  int status = 0;

 private:
  void error(size_t position, std::string_view message) {
    if (status == 0) context_.fail(fmt::format("-e expression #1, char {}: {}", position, message));
    status = 1;
  }
  void not_modelled(std::string_view what) {
    if (status == 0) status = context_.not_modelled(what);
  }

  SedParts parts_of(const sed::Command& command) {
    constexpr std::string_view kNotModelled = "lLeFRW";
    if (kNotModelled.find(command.name) != std::string_view::npos) {
      not_modelled(fmt::format("the command '{}'", command.name));
    }
    SedParts parts;
    if (command.first) parts.first = compile(command.first->pattern, command.span.end);
    if (command.second) parts.second = compile(command.second->pattern, command.span.end);
    if (command.name == 's') add_substitution(command, parts);
    return parts;
  }

  void add_substitution(const sed::Command& command, SedParts& parts) {
    const sed::Substitution& substitution = command.substitution;
    if (substitution.file) not_modelled("the flag 'w' of s");
    parts.pattern = compile(substitution.pattern, command.span.end);
    constexpr uint32_t kAnyGroup = 9;  // of a pattern that is only known when the script runs
    auto groups = parts.pattern ? static_cast<uint32_t>(parts.pattern->group_count()) : kAnyGroup;
    auto replacement = regular::parse_sed_replacement(substitution.replacement, groups);
    if (!replacement) return error(command.span.end, replacement.error().message);
    parts.replacement = std::move(*replacement);
  }

  std::optional<Regex> compile(const sed::Pattern& pattern, size_t position) {
    if (pattern.source.empty()) return std::nullopt;
    if (pattern.is_multiline) not_modelled("the flag 'M' of a pattern");
    std::string why;
    auto regex =
        Regex::compile(with_plain_escapes(pattern.source), is_extended_, pattern.ignores_case, why);
    if (!regex) error(position, why);
    return regex;
  }

  Context& context_;
  bool is_extended_;
};

}  // namespace

std::optional<SedScript> compile_sed(Context& context, const std::string& text, bool is_extended,
                                     int& status) {
  SedCompiler compiler(context, is_extended);
  auto script = compiler.run(text);
  status = compiler.status;
  return script;
}

}  // namespace nacre::utilities
