// X224: the shell opens the file of a redirection itself, without the rights that sudo gives.
//
//   X224: sudo echo 1 > /proc/sys/net/ipv4/ip_forward
//   X224: sudo sed 's/a/b/' /etc/hosts >> /etc/hosts.new
//   X224: sudo -u root cat key > /root/.ssh/authorized_keys
//   quiet: echo 1 | sudo tee /proc/sys/net/ipv4/ip_forward
//   quiet: sudo dmesg > messages.log
//   quiet: sudo sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward'
//   quiet: sudo dmesg > /dev/null
#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "base/path.h"
#include "flow/rules/publish.h"

namespace nacre::flow::rules {

namespace {

// Directories in which only root may write.
constexpr std::string_view kOfRoot[] = {"/etc/", "/root/", "/usr/",     "/boot/", "/sys/", "/proc/",
                                        "/bin/", "/sbin/", "/var/lib/", "/lib/",  "/opt/"};

}  // namespace

void privileged_redirection(const CallEvent& event, RuleContext& in) {
  const auto& fields = event.call.fields;
  const auto& name = fields[0].argument.text;
  if (!name || (base_name(*name) != "sudo" && base_name(*name) != "doas")) return;
  for (const shell::Redirection& each : event.call.node.redirections) {
    const bool writes =
        each.op == shell::RedirectOp::kOutput || each.op == shell::RedirectOp::kAppend;
    if (!writes || each.descriptor > 1 || !each.target.is_literal()) continue;
    const std::string_view target = each.target.literal();
    const bool is_of_root =
        std::any_of(std::begin(kOfRoot), std::end(kOfRoot),
                    [&](std::string_view directory) { return target.starts_with(directory); });
    if (!is_of_root) continue;
    in.report(in.finding(
        "X224", each.span,
        fmt::format("the shell opens {} itself, without the rights of {}; write: ... | {} tee {}{}",
                    target, *name, *name, each.op == shell::RedirectOp::kAppend ? "-a " : "",
                    target)));
  }
}

}  // namespace nacre::flow::rules
