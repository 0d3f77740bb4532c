// nacre-step: scripts run in simulated worlds. Every function takes netstrings (exports.h) and
// answers in JSON. A world is a list of texts, each with its kind before it:
//
//   script NAME TEXT    arg WORD    env NAME=VALUE    user NAME    cwd PATH    stdin TEXT
//   fuel N              clock SECONDS    option WORD  command LINE STATUS OUTPUT
//   file PATH MODE CONTENTS         directory PATH MODE      link PATH TARGET
#include <emscripten.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <map>

#include "base/json_writer.h"
#include "exports.h"
#include "simulate/trace.h"

namespace nacre::web {
namespace {

constexpr uint64_t kFuel = 30'000;

class SceneReader {
 public:
  explicit SceneReader(std::vector<std::string> texts) : texts_(std::move(texts)) {
    scene_.limits.fuel = kFuel;
    scene_.limits.quantum = 10;  // as `nacre step`
  }

  simulate::Scene read() {
    while (at_ < texts_.size() && trouble.empty()) read_one(next());
    if (!user_.empty() && !simulate::become(scene_, user_))
      trouble = fmt::format("the simulated world has no user '{}'", user_);
    for (const std::string& path : owned_) own(path);
    // After the user's own variables, which they may replace.
    scene_.environment.insert(scene_.environment.end(), environment_.begin(), environment_.end());
    if (!directory_.empty() && simulate::enter(scene_, directory_) < 0)
      trouble = fmt::format("the world has no directory {}", directory_);
    scene_.arguments.assign(1, scene_.script_name);
    scene_.arguments.insert(scene_.arguments.end(), arguments_.begin(), arguments_.end());
    for (const auto& [line, result] : stubs_) add_program(line.substr(0, line.find(' ')));
    if (!stubs_.empty()) {
      scene_.stub =
          [stubs = stubs_](
              const std::vector<std::string>& words) -> std::optional<simulate::StubResult> {
        auto found = stubs.find(fmt::format("{}", fmt::join(words, " ")));
        if (found == stubs.end()) found = stubs.find(words[0]);
        return found == stubs.end() ? std::nullopt : std::optional(found->second);
      };
    }
    return std::move(scene_);
  }

  std::string trouble;

 private:
  std::string next() { return at_ < texts_.size() ? texts_[at_++] : std::string(); }

  void read_one(const std::string& kind) {
    if (kind == "script") {
      scene_.script_name = next();
      scene_.script = next();
    } else if (kind == "arg") {
      arguments_.push_back(next());
    } else if (kind == "option") {
      scene_.options.push_back(next());
    } else if (kind == "env") {
      environment_.push_back(next());
    } else if (kind == "user") {
      user_ = next();
    } else if (kind == "cwd") {
      directory_ = next();
    } else if (kind == "fuel") {
      scene_.limits.fuel = std::strtoull(next().c_str(), nullptr, 10);
    } else if (kind == "clock") {
      scene_.tree.now = std::strtoll(next().c_str(), nullptr, 10) * 1'000'000'000;
    } else if (kind == "stdin") {
      auto stream = std::make_shared<world::Stream>();
      stream->read = [text = next(), at = size_t{0}](char* buffer, size_t size) mutable {
        const size_t count = std::min(size, text.size() - at);
        std::copy_n(text.data() + at, count, buffer);
        at += count;
        return count;
      };
      scene_.input = std::move(stream);
    } else if (kind == "command") {
      const std::string line = next();
      const int status = std::atoi(next().c_str());
      stubs_[line] = {status, next()};
    } else if (kind == "file") {
      const std::string path = absolute(next());
      const auto mode = static_cast<unsigned>(std::strtoul(next().c_str(), nullptr, 8));
      make_parents(path);
      add_file(path, next(), mode);
      owned_.push_back(path);
    } else if (kind == "directory") {
      const std::string path = absolute(next());
      make_parents(path);
      scene_.tree.make_directory(root_, path,
                                 static_cast<unsigned>(std::strtoul(next().c_str(), nullptr, 8)));
      owned_.push_back(path);
    } else if (kind == "link") {
      const std::string path = absolute(next());
      make_parents(path);
      scene_.tree.make_symbolic_link(root_, next(), path);
      owned_.push_back(path);
    } else {
      trouble = fmt::format("'{}' is not part of a world", kind);
    }
  }

  // A command of the world that has no model: something that can be run must have its name.
  void add_program(const std::string& name) {
    world::InodeId id = world::kNoInode;
    const std::string path = "/usr/bin/" + name;
    if (name.find('/') == std::string::npos && scene_.tree.find(root_, path, true, id) < 0)
      add_file(path, world::executable(name), 0755);
  }
  void add_file(const std::string& path, const std::string& contents, unsigned mode) {
    world::InodeId id = world::kNoInode;
    if (scene_.tree.open(root_, path, O_WRONLY | O_CREAT | O_TRUNC, mode, id) == 0)
      scene_.tree.write(root_, id, 0, contents);
    else
      trouble = fmt::format("the world cannot have a file {}", path);
  }

  static world::Actor root_actor() {
    world::Actor result;
    result.file_mask = 0;
    return result;
  }
  static std::string absolute(const std::string& path) {
    return path.starts_with('/') ? path : "/home/user/" + path;
  }
  // The directories that are missing above `path`; they belong to whom the file belongs to.
  void make_parents(const std::string& path) {
    for (size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1)) {
      const std::string parent = path.substr(0, at);
      if (scene_.tree.make_directory(root_, parent, 0755) == 0) owned_.push_back(parent);
    }
  }
  // What is below /home belongs to its user, everything else to root.
  void own(const std::string& path) {
    world::InodeId id = world::kNoInode;
    if (!path.starts_with("/home/user/") || scene_.tree.find(root_, path, false, id) < 0) return;
    scene_.tree.set_owner(root_, id, 1000, 1000);
  }

  std::vector<std::string> texts_;
  size_t at_ = 0;
  simulate::Scene scene_ = simulate::default_scene();
  world::Actor root_ = root_actor();
  std::vector<std::string> arguments_, environment_;
  std::map<std::string, simulate::StubResult> stubs_;
  std::vector<std::string> owned_;
  std::string user_, directory_;
};

std::string failed(const std::string& why) {
  return JsonWriter().begin_object().field("trouble", why).end_object().take();
}

}  // namespace
}  // namespace nacre::web

using namespace nacre;

extern "C" {

EMSCRIPTEN_KEEPALIVE void nacre_step(const char* bytes, size_t size) {
  web::SceneReader reader(web::read_texts(bytes, size));
  simulate::Scene scene = reader.read();
  if (!reader.trouble.empty()) {
    web::answer(web::failed(reader.trouble));
    return;
  }
  simulate::Tracer tracer(std::move(scene));
  web::answer(simulate::trace_json(tracer));
}

}  // extern "C"
