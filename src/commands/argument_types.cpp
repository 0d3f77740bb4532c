#include "commands/argument_types.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "regular/parse_type.h"

namespace nacre::commands {

namespace {

// A count is a number as programs print it: zero padding is part of a type, since arithmetic reads
// 08 as octal, so {count} has none.
constexpr auto kTypes = std::to_array<NamedArgumentType>({
    {"count", "0|[1-9][0-9]*"},
    {"signed", "-?{count}"},
    {"decimal", "{count}(\\.[0-9]+)?"},
    {"percent", "{decimal}%"},
    {"sized", "{decimal}[KMGTPEZYk]"},      // what is usual of {hsize}
    {"hsize", "{decimal}[KMGTPEZYk]?"},     // df -h, du -h, ls -h, lsblk
    {"isize", "{decimal}([kKMGTPE]i?)?B"},  // docker, free --human: 1.5GB, 512MiB
    {"hexes", "[0-9a-f]+"},
    {"sha", "[0-9a-f]{40}([0-9a-f]{24})?"},
    {"shortsha", "[0-9a-f]{4,64}"},
    {"shortid", "[0-9a-f]{12}"},
    {"pid", "[1-9][0-9]{0,6}"},
    {"user", "[A-Za-z_][A-Za-z0-9_.@\\\\+-]*\\$?"},
    {"cputime", "([0-9]+-)?([0-9]+:)?[0-9]+:[0-9]{2}(\\.[0-9]+)?"},
    {"hhmm", "[0-2][0-9]:[0-5][0-9]"},
    {"hhmmss", "[0-2][0-9]:[0-5][0-9]:[0-6][0-9]"},
    {"isodate", "[0-9]{4}-[01][0-9]-[0-3][0-9]"},
    {"monthname", "[A-Z][a-z]{2}"},
    {"weekday", "[A-Z][a-z]{2}"},
    {"epoch", "[1-9][0-9]{8,10}"},
    {"ip4", "[0-9]{1,3}(\\.[0-9]{1,3}){3}"},
    {"ip6", "[0-9a-fA-F]*:[0-9a-fA-F:.]*"},
    {"ip", "{ip4}|{ip6}"},
    {"cidr", "{ip4}/[0-9]{1,2}|{ip6}/[0-9]{1,3}"},
    {"mac", "[0-9a-f]{2}(:[0-9a-f]{2}){5}"},
    {"port", "{count}|[a-z][a-z0-9-]*"},
    {"hostport", "(\\[?[^][[:space:]]+\\]?(%[a-z0-9.-]+)?|\\*):({port}|\\*)"},
    {"host", "[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_.])?"},
    {"ifname", "[^/[:space:]:@]{1,15}"},
    {"unit",
     "[^[:space:]]+\\.(service|timer|socket|mount|automount|swap|target|path|slice|scope|device)"},
    {"package", "[a-z0-9][a-z0-9+.-]+(:[a-z0-9-]+)?"},
    {"debversion", "([0-9]+:)?[0-9][A-Za-z0-9.+~-]*"},
    {"version", "[0-9]+(\\.[0-9A-Za-z+~_-]+)*"},
    {"k8sname", "[a-z0-9]([a-z0-9.-]*[a-z0-9])?"},
    {"k8sage", "([0-9]+[smhdy]){1,2}|<invalid>|<unknown>"},
    {"container", "[a-zA-Z0-9][a-zA-Z0-9_.-]+"},
    {"image",
     "([a-z0-9][a-z0-9.-]*(:[0-9]+)?/)*[a-z0-9][a-z0-9._-]*([:@][A-Za-z0-9_][A-Za-z0-9_.:-]*)?"},
    {"k8slabel", "[a-z0-9]([a-z0-9-]*[a-z0-9])?"},
    {"ref", "[^[:space:]~^:?*\\[\\\\]+"},
    {"jsonstring", "\"([^\"\\\\]|\\\\.)*\""},
    {"fields", "[^[:space:]]+( +[^[:space:]]+)*"},
    {"octalmode", "[0-7]{3,4}"},
    {"signal",
     "(SIG)?(HUP|INT|QUIT|ILL|TRAP|ABRT|IOT|BUS|FPE|KILL|USR1|SEGV|USR2|PIPE|ALRM|TERM|STKFLT|CHLD|"
     "CLD|CONT|STOP|TSTP|TTIN|TTOU|URG|XCPU|XFSZ|VTALRM|PROF|WINCH|IO|POLL|PWR|SYS|EXIT|"
     "RTMIN(\\+[0-9]+)?|RTMAX(-[0-9]+)?)|[0-9]{1,2}"},
});

}  // namespace

std::span<const NamedArgumentType> named_argument_types() { return kTypes; }

std::optional<regular::Lang> named_argument_type(regular::Context& context, std::string_view name) {
  const auto* found = std::find_if(kTypes.begin(), kTypes.end(),
                                   [&](const auto& each) { return each.name == name; });
  if (found == kTypes.end()) return std::nullopt;
  const auto type = regular::parse_type(context, found->type, {.lookup = named_argument_type});
  assert(type);
  return *type;
}

}  // namespace nacre::commands
