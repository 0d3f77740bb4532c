#include "commands/known_files.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "regular/parse_type.h"

namespace nacre::commands {

namespace {

// Comments and empty lines are part of a format where the system allows them.
constexpr auto kFiles = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"/etc/fstab", R"([ \t]*(#.*|[^# \t]+([ \t]+[^ \t]+){2,5}[ \t]*)?)"},
    {"/etc/group", R"([^:\t]+:[^:\t]*:[0-9]+:[^:\t]*)"},
    {"/etc/hosts", R"([ \t]*([^# \t]+[ \t]+[^#]+)?(#.*)?)"},
    {"/etc/mtab", R"([^ ]+ [^ ]+ [^ ]+ [^ ]+ [0-9]+ [0-9]+)"},
    {"/etc/os-release", R"((#.*|[A-Z0-9_]+=.*)?)"},
    {"/etc/passwd", R"([^:\t]+:[^:\t]*:[0-9]+:[0-9]+:[^:\t]*:[^:\t]*:[^:\t]*)"},
    {"/etc/shadow", R"([^:]*:[^:]*(:[0-9]*){6}:[^:]*)"},
    {"/etc/shells", R"((#.*|/[^ ]*)?)"},
    {"/proc/loadavg", R"(([0-9]+\.[0-9]{2} ){3}[0-9]+/[0-9]+ [0-9]+)"},
    {"/proc/meminfo", R"([A-Za-z0-9_()]+: +[0-9]+( kB)?)"},
    {"/proc/mounts", R"([^ ]+ [^ ]+ [^ ]+ [^ ]+ [0-9]+ [0-9]+)"},
    {"/proc/uptime", R"([0-9]+\.[0-9]{2} [0-9]+\.[0-9]{2})"},
});

}  // namespace

std::optional<Stream> known_file(Context& context, std::string_view path) {
  const auto* found = std::find_if(kFiles.begin(), kFiles.end(),
                                   [&](const auto& each) { return each.first == path; });
  if (found == kFiles.end()) return std::nullopt;
  const auto type = regular::parse_type(context, found->second);
  assert(type);
  return Stream(*type);
}

}  // namespace nacre::commands
