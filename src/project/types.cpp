#include "project/types.h"

#include "project/analyse_shell.h"
#include "python/check.h"

namespace nacre::project {

namespace {

TypeAt described(const flow::TypeAt& type) {
  return {type.span,
          type.is_variable,
          type.is_read,
          type.name,
          [type] { return type.input(); },
          [type] { return type.output(); },
          [type] { return type.polymorphic(); }};
}

TypeAt described(const python::TypedPlace& place) {
  const auto nothing = [] { return std::string(); };
  return {place.span, true,    place.is_read,
          place.name, nothing, [text = place.type] { return text; },
          nothing};
}

}  // namespace

std::vector<TypeAt> types_of(const SourceFile& file, const Settings& settings, Workspace& workspace,
                             const std::string& input, std::optional<Language> language,
                             Stop stop) {
  std::vector<TypeAt> result;
  if (!language) language = language_of(file.name(), file.bytes());
  if (language == Language::kPython) {
    for (const python::TypedPlace& each : python::python_types(file.bytes(), {.stop = stop}))
      result.push_back(described(each));
    return result;
  }
  for (const flow::TypeAt& each : shell_types(file, settings, workspace, input, stop))
    result.push_back(described(each));
  return result;
}

}  // namespace nacre::project
