#include "colis/semantics.h"

namespace nacre::colis {

std::vector<std::string> filter(const std::map<std::string, VariableValue, std::less<>>& vars) {
  std::vector<std::string> result;
  for (const auto& [name, variable] : vars) {
    if (variable.is_exported && variable.value) result.push_back(name + "=" + *variable.value);
  }
  return result;
}

std::string norm_path(const std::string& cwd, const std::string& path) {
  const std::string whole = path.starts_with('/') ? path : cwd + "/" + path;
  std::vector<std::string> parts;
  for (size_t begin = 0; begin < whole.size();) {
    const size_t end = std::min(whole.find('/', begin), whole.size());
    const std::string part = whole.substr(begin, end - begin);
    if (part == "..") {
      if (!parts.empty()) parts.pop_back();
    } else if (!part.empty() && part != ".") {
      parts.push_back(part);
    }
    begin = end + 1;
  }
  std::string result;
  for (const std::string& part : parts) result += "/" + part;
  return result.empty() ? "/" : result;
}

std::vector<std::string> split_words(const std::string& text) {
  constexpr const char* kBlanks = " \t\n";
  std::vector<std::string> result;
  for (size_t begin = text.find_first_not_of(kBlanks); begin != std::string::npos;) {
    const size_t end = std::min(text.find_first_of(kBlanks, begin), text.size());
    result.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(kBlanks, end);
  }
  return result;
}

std::string captured(std::string output, bool is_original) {
  if (is_original) {
    const size_t last = output.rfind('\n');
    output.resize(last == std::string::npos ? 0 : last);
  }
  while (output.ends_with('\n')) output.pop_back();
  return output;
}

std::string key_of(const Context& context, const std::string& stdin_text,
                   const std::string& stdout_text) {
  std::string key;
  auto add_text = [&](const std::string& text) { key += std::to_string(text.size()) + ":" + text; };
  add_text(context.cwd);
  add_text(context.result ? "1" : "0");
  add_text(stdin_text);
  add_text(stdout_text);
  for (const std::string& argument : context.arguments) add_text(argument);
  for (const auto& [name, variable] : context.vars) {
    add_text(name);
    add_text(variable.value ? "=" + *variable.value : "");
    add_text(variable.is_exported ? "x" : "");
  }
  return key;
}

}  // namespace nacre::colis
