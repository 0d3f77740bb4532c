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
    {"/etc/group", R"([^:\t]+:[^:\t]*:[0-9]+:[^: \t]*)"},
    {"/etc/hosts", R"([ \t]*([^# \t]+[ \t]+[^#]+)?(#.*)?)"},
    {"/etc/mtab", R"([^ ]+ [^ ]+ [^ ]+ [^ ]+ [0-9]+ [0-9]+)"},
    {"/etc/os-release", R"((#.*|[A-Z0-9_]+=.*)?)"},
    {"/etc/passwd", R"([^:\t]+:[^:\t]*:[0-9]+:[0-9]+:[^:\t]*:[^:\t]*:[^:\t]*)"},
    {"/etc/shadow", R"([^:]*:[^:]*(:[0-9]*){6}:[^:]*)"},
    {"/etc/shells", R"((#.*|/[^ ]*)?)"},
    {"/proc/loadavg", R"(([0-9]+\.[0-9]{2} ){3}[0-9]+/[0-9]+ [0-9]+)"},
    {"/proc/meminfo", R"([A-Za-z0-9_()]+: +[0-9]+( kB)?)"},
    {"/proc/mounts", R"([^ ]+ [^ ]+ [^ ]+ [^ ]+ [0-9]+ [0-9]+)"},
    {"/proc/swaps", R"([^[:space:]]+[ \t]+(partition|file)[ \t]+[0-9]+[ \t]+[0-9]+[ \t]+-?[0-9]+)"},
    {"/proc/uptime", R"([0-9]+\.[0-9]{2} [0-9]+\.[0-9]{2})"},
});

// Lines that come in every file of the format, or that are no rows.
struct KnownLine {
  std::string_view path, name;
  Frequency frequency;
  Place place;
  std::string_view type;
};
constexpr auto kKnownLines = std::to_array<KnownLine>({
    {"/proc/swaps", "heading", Frequency::kEvery, Place::kFirst,
     R"(Filename[ \t]+Type[ \t]+Size[ \t]+Used[ \t]+Priority)"},
#define MEMORY(name) \
  {"/proc/meminfo", name, Frequency::kEvery, Place::kAnywhere, name ": +[0-9]+ kB"}
    MEMORY("MemTotal"),
    MEMORY("MemFree"),
    MEMORY("MemAvailable"),
    MEMORY("Buffers"),
    MEMORY("Cached"),
    MEMORY("SwapCached"),
    MEMORY("Active"),
    MEMORY("Inactive"),
    MEMORY("SwapTotal"),
    MEMORY("SwapFree"),
    MEMORY("Dirty"),
    MEMORY("Writeback"),
    MEMORY("AnonPages"),
    MEMORY("Mapped"),
    MEMORY("Shmem"),
    MEMORY("Slab"),
    MEMORY("CommitLimit"),
    MEMORY("Committed_AS"),
#undef MEMORY
});

}  // namespace

std::optional<Stream> known_file(Context& context, std::string_view path) {
  const auto* found = std::find_if(kFiles.begin(), kFiles.end(),
                                   [&](const auto& each) { return each.first == path; });
  if (found == kFiles.end()) return std::nullopt;
  const auto type = regular::parse_type(context, found->second);
  assert(type);
  Stream result(*type);
  auto producer = std::make_shared<Producer>();
  producer->command = path;
  for (const KnownLine& line : kKnownLines) {
    if (line.path != path) continue;
    const auto lines = regular::parse_type(context, line.type);
    assert(lines);
    result.kinds.push_back({std::string(line.name), line.frequency, line.place, *lines});
    if (line.place == Place::kFirst) result.first.push_back(*lines);
    result.rest = result.rest | *lines;
  }
  if (!result.kinds.empty()) {
    result.kinds.push_back({"row", Frequency::kUsual, Place::kAnywhere, *type});
    result.producer = producer;
  }
  return result;
}

}  // namespace nacre::commands
