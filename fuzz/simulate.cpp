// Scripts in the simulated world: every run ends within its limits, and the same script gives the
// same run. The first byte chooses what the text is: a script of sh or bash, or a program of awk,
// sed, grep, expr or find, which reads a small file.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "simulate/scene.h"

namespace {

using namespace nacre;

constexpr std::array<const char*, 8> kScripts = {
    "",
    "",
    "awk \"$1\" f",
    "sed \"$1\" f",
    "sed -nE \"$1\" f",
    "grep -E -- \"$1\" f",
    "expr abab : \"$1\"",
    "eval \"set -- $1\"; find . \"$@\"",
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 1 || size > 20'000) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (text.find('\0') != std::string::npos) return 0;  // no argument can have it
  simulate::Scene scene = simulate::default_scene();
  scene.limits.fuel = 200'000;
  scene.limits.processes = 50;
  scene.limits.memory = size_t{64} << 20;
  const size_t kind = data[0] % kScripts.size();
  if (kind < 2) {
    scene.arguments = {kind == 0 ? "sh" : "bash", "-c", text};
  } else {
    const std::string script = "printf 'b 1\\na 22 x\\n' >f; " + std::string(kScripts[kind]);
    scene.arguments = {"sh", "-c", script, "sh", text};
  }
  const simulate::Outcome first = simulate::play(scene);
  const simulate::Outcome second = simulate::play(scene);
  if (first.output != second.output || first.status != second.status) std::abort();
  return 0;
}
