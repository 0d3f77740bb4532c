// Rewrites that need to know the base image, or the program that the image is for.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "base/ascii.h"
#include "base/path.h"
#include "docker/purify.h"
#include "docker/text.h"
#include "docker/users.h"

namespace nacre::docker {

namespace {

bool is_relative(std::string_view path) {
  path = unquote(path);
  const bool has_drive = path.size() > 1 && path[1] == ':';
  return !path.empty() && path[0] != '/' && path[0] != '$' && path[0] != '\\' && !has_drive;
}

// The working directory through the steps of each stage.
class Workdirs {
 public:
  Workdirs(const Facts& facts, std::vector<Rewrite>& rewrites)
      : facts_(facts), rewrites_(rewrites), ends_(facts.stages.stages.size()) {}

  void run() {
    for (size_t i = 0; i < ends_.size(); i++) {
      const Stage& stage = facts_.stages.stages[i];
      now_ = stage.base ? ends_[*stage.base] : first_of(i);
      for (size_t k = stage.first_step; k < stage.end_step; k++) step(facts_.stages.steps[k]);
      ends_[i] = now_;
    }
  }

 private:
  struct Directory {
    std::optional<std::string> path;
    bool is_written = false;  // by a WORKDIR of this file
  };

  [[nodiscard]] Directory first_of(size_t stage) const {
    const auto image = image_below(facts_, stage);
    if (!image || image->directory.empty()) return {};
    return {std::string(image->directory), false};
  }

  void step(const Step& step) {
    if (step.is_trigger || facts_.shell_of(step).kind != Shell::Kind::kPosix) return;
    const Instruction& each = *step.instruction;
    if (each.keyword == Keyword::kWorkdir && !each.words.empty()) change(step, each.words[0]);
    if (each.keyword == Keyword::kCopy && each.words.size() > 1) copy(each);
  }

  void change(const Step& step, const Word& word) {
    const Expanded path = facts_.stages.expand_at(word.text, step);
    if (!path.is_known) {
      now_ = {std::nullopt, true};
      return;
    }
    if (!is_relative(path.text)) {
      now_ = {path.text, true};
      return;
    }
    const bool is_plain = path.uses.empty() && path.text.find("..") == std::string::npos &&
                          path.text != "." && word.text == path.text;
    if (is_plain) offer_absolute(word);
    if (now_.path) now_.path = joined_path(*now_.path, path.text);
    now_.is_written = true;
  }

  void offer_absolute(const Word& word) {
    Rewrite rewrite{.name = "workdir", .kind = RewriteClass::kEqual, .place = word.span};
    rewrite.message = "an absolute WORKDIR";
    rewrite.needs.push_back({ObligationKind::kImage, word.span, now_.path.has_value(),
                             now_.path ? "it is below " + *now_.path
                                       : "the working directory of the image is not known"});
    if (now_.path) rewrite.edits = {{word.span, joined_path(*now_.path, word.text)}};
    rewrites_.push_back(std::move(rewrite));
  }

  // COPY a b: where the image happens to begin.
  void copy(const Instruction& copy) {
    if (now_.is_written || !is_relative(copy.words.back().text)) return;
    Rewrite rewrite{.name = "workdir", .kind = RewriteClass::kEqual, .place = copy.span};
    rewrite.message = "a WORKDIR before the relative target";
    rewrite.needs.push_back(
        {ObligationKind::kImage, copy.span, now_.path.has_value(),
         now_.path ? "the image begins there" : "the working directory of the image is not known"});
    const uint32_t at = copy.span.begin;
    if (now_.path) rewrite.edits = {{{at, at}, fmt::format("WORKDIR {}\n", *now_.path)}};
    rewrites_.push_back(std::move(rewrite));
    now_.is_written = true;
  }

  const Facts& facts_;
  std::vector<Rewrite>& rewrites_;
  std::vector<Directory> ends_;
  Directory now_;
};

// What the last stage is made of, for the rewrites of its end.
struct LastStage {
  const Facts& facts;
  size_t index;
  const Stage& stage;
  std::optional<KnownImage> image;

  explicit LastStage(const Facts& all)
      : facts(all),
        index(all.stages.stages.size() - 1),
        stage(all.stages.stages.back()),
        image(image_below(all, index)) {}

  template <typename F>
  void for_each(F&& f) const {
    for (size_t i = stage.first_step; i < stage.end_step; i++) {
      if (!facts.stages.steps[i].is_trigger) f(facts.stages.steps[i]);
    }
  }

  [[nodiscard]] uint32_t end_of_runs() const {
    uint32_t end = static_cast<uint32_t>(stage.first_step);
    for_each([&](const Step& step) {
      if (step.instruction->keyword == Keyword::kRun) end = step.index + 1;
    });
    return end;
  }

  // A line of its own, before the program that the image starts or at the end.
  [[nodiscard]] Edit insert(std::string_view line) const {
    const Instruction* before = nullptr;
    const Instruction* last = stage.from;
    const uint32_t first = end_of_runs();
    for_each([&](const Step& step) {
      const Keyword keyword = step.instruction->keyword;
      const bool starts = keyword == Keyword::kCmd || keyword == Keyword::kEntrypoint;
      if (starts && step.index >= first && before == nullptr) before = step.instruction;
      last = step.instruction;
    });
    if (before != nullptr)
      return {{before->span.begin, before->span.begin}, std::string(line) + "\n"};
    return {{last->span.end, last->span.end}, "\n" + std::string(line)};
  }
};

// Ports as EXPOSE names them, the first ones of ranges.
std::vector<uint32_t> ports_of(const LastStage& last) {
  std::vector<uint32_t> ports;
  last.for_each([&](const Step& step) {
    if (step.instruction->keyword != Keyword::kExpose) return;
    for (const Word& word : step.instruction->words) {
      const std::string text = last.facts.stages.expand_at(word.text, step).text;
      uint32_t port = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
      const std::string_view rest(end, static_cast<size_t>(text.data() + text.size() - end));
      if (error == std::errc() && (rest.empty() || rest == "/tcp")) ports.push_back(port);
    }
  });
  return ports;
}

// Directories of the system: their files belong to root, whoever runs the program.
bool is_of_system(std::string_view path) {
  constexpr std::string_view kDirectories[] = {"/etc", "/usr",   "/bin", "/sbin",
                                               "/lib", "/lib64", "/boot"};
  return path == "/" || std::any_of(std::begin(kDirectories), std::end(kDirectories),
                                    [&](std::string_view each) { return is_within(path, each); });
}

void give_files(const LastStage& last, std::vector<Edit>& edits) {
  last.for_each([&](const Step& step) {
    const Instruction& each = *step.instruction;
    const bool copies = each.keyword == Keyword::kCopy || each.keyword == Keyword::kAdd;
    if (!copies || each.words.size() < 2) return;
    if (each.flag("chown") != nullptr || each.flag("link") != nullptr) return;
    const Expanded target = last.facts.stages.expand_at(each.words.back().text, step);
    if (!target.is_known || is_of_system(target.text)) return;
    const uint32_t at = each.name_span.end;
    edits.push_back({{at, at}, fmt::format(" --chown={}:{}", last.image->user, last.image->group)});
  });
}

// A program that starts as root to become another user later.
bool changes_user_itself(const LastStage& last) {
  constexpr std::string_view kTools[] = {"gosu", "su-exec", "setpriv", "runuser", "s6-setuidgid"};
  const auto is_tool = [&](std::string_view word) {
    return std::find(std::begin(kTools), std::end(kTools), base_name(word)) != std::end(kTools);
  };
  bool found = false;
  last.for_each([&](const Step& step) {
    const auto& words = step.instruction->words;
    found |= std::any_of(words.begin(), words.end(),
                         [&](const Word& word) { return is_tool(word.text); });
  });
  return found;
}

std::string about_ports(const std::vector<uint32_t>& ports) {
  constexpr uint32_t kFirstFree = 1024;
  for (const uint32_t port : ports) {
    if (port < kFirstFree) return fmt::format(", also not for port {}", port);
  }
  return "";
}

// The name of the program that the image starts says that it is a server.
bool starts_server(const LastStage& last) {
  bool found = false;
  last.for_each([&](const Step& step) {
    const Instruction& each = *step.instruction;
    const bool starts = each.keyword == Keyword::kCmd || each.keyword == Keyword::kEntrypoint;
    if (!starts || each.words.empty()) return;
    const std::string_view name = base_name(unquote(each.words[0].text));
    found |= name.find("serve") != std::string_view::npos || name == "httpd";
  });
  return found;
}

// By custom a port of HTTP. 0: there is none.
uint32_t web_port(const LastStage& last) {
  constexpr uint32_t kPorts[] = {80, 3000, 5000, 8000, 8008, 8080, 8888};
  const std::vector<uint32_t> ports = ports_of(last);
  for (const uint32_t port : ports) {
    if (std::find(std::begin(kPorts), std::end(kPorts), port) != std::end(kPorts)) return port;
  }
  return ports.empty() && starts_server(last) ? 80 : 0;
}

bool installs(const LastStage& last, std::string_view package) {
  return std::any_of(last.facts.scripts.begin(), last.facts.scripts.end(), [&](const auto& script) {
    const size_t stage = script->step->stage;
    if (stage != last.index && !last.facts.stages.is_built_on(last.index, stage)) return false;
    return std::any_of(script->usages.begin(), script->usages.end(), [&](const Usage& usage) {
      const commands::Property* line = usage.property(commands::CardKey::kPins);
      if (line == nullptr) return false;
      const auto operands = usage.operands_after(*line);
      return std::any_of(operands.begin(), operands.end(), [&](const Argument& each) {
        return each.text.substr(0, each.text.find('=')) == package;
      });
    });
  });
}

bool has_check(const LastStage& last) {
  return std::any_of(
      last.facts.stages.steps.begin(), last.facts.stages.steps.end(), [&](const Step& step) {
        return step.instruction->keyword == Keyword::kHealthcheck &&
               (step.stage == last.index || last.facts.stages.is_built_on(last.index, step.stage));
      });
}

}  // namespace

void offer_pins(const Facts& facts, std::vector<Rewrite>& rewrites) {
  for (const Stage& stage : facts.stages.stages) {
    const bool is_image = stage.from != nullptr && !stage.from->words.empty() && !stage.base &&
                          stage.image.uses.empty() && stage.image.text != "scratch";
    if (!is_image) continue;
    const ImageName name = split_image(stage.image.text);
    const bool is_moving = name.digest.empty() && (name.tag.empty() || name.tag == "latest");
    if (!is_moving) continue;
    const Span place = stage.from->words[0].span;
    const auto image = find_image(name);
    const bool is_known = image && !image->pin.empty();
    Rewrite rewrite{.name = "pin", .kind = RewriteClass::kAssuming, .place = place};
    rewrite.message = fmt::format("a fixed version of {}", name.repository);
    rewrite.needs.push_back(
        {ObligationKind::kImage, place, is_known,
         is_known ? "the table of images has it" : "which versions there are is not known"});
    if (is_known) {
      const std::string_view reference = stage.image.text;
      const size_t end =
          name.tag.empty() ? reference.size() : reference.size() - name.tag.size() - 1;
      const std::string pinned = fmt::format("{}:{}", reference.substr(0, end), image->pin);
      rewrite.differs_when = fmt::format("{} is the version that is wanted", pinned);
      rewrite.edits = {{place, pinned}};
    }
    rewrites.push_back(std::move(rewrite));
  }
}

void offer_workdirs(const Facts& facts, std::vector<Rewrite>& rewrites) {
  Workdirs(facts, rewrites).run();
}

void offer_user(const Facts& facts, std::vector<Rewrite>& rewrites) {
  const LastStage last(facts);
  if (last.stage.from == nullptr) return;
  const Step* user = last_user(facts, last.index);
  if (user != nullptr && !is_root(name_of_user(facts, *user))) return;
  const bool is_known = last.image && !last.image->user.empty();
  const bool is_simple = !changes_user_itself(last);
  const Span place = user != nullptr ? user->instruction->span : last.stage.from->span;
  Rewrite rewrite{.name = "user", .kind = RewriteClass::kAssuming, .place = place};
  rewrite.message = "a USER that is not root";
  rewrite.needs.push_back(
      {ObligationKind::kImage, place, is_known,
       is_known ? "the image has this user" : "which users the image has, or needs, is not known"});
  rewrite.needs.push_back({ObligationKind::kPure, place, is_simple,
                           is_simple ? "nothing in the file changes the user when it starts"
                                     : "the program changes its user itself"});
  if (is_known) {
    rewrite.differs_when =
        fmt::format("the program needs no rights of root{}, and may own its files",
                    about_ports(ports_of(last)));
    const bool is_last_word =
        user != nullptr && user->stage == last.index && user->index >= last.end_of_runs();
    rewrite.edits.push_back(
        is_last_word ? Edit{user->instruction->words[0].span, std::string(last.image->user)}
                     : last.insert(fmt::format("USER {}", last.image->user)));
    give_files(last, rewrite.edits);
  }
  rewrites.push_back(std::move(rewrite));
}

void offer_health(const Facts& facts, std::vector<Rewrite>& rewrites) {
  const LastStage last(facts);
  if (last.stage.from == nullptr || !last.image || has_check(last)) return;
  const bool has_curl = installs(last, "curl");
  const bool has_wget = last.image->shell == ImageShell::kBusybox || installs(last, "wget");
  const uint32_t port = web_port(last);
  if (port == 0 || (!has_curl && !has_wget)) return;
  const std::string address =
      port == 80 ? "http://localhost/" : fmt::format("http://localhost:{}/", port);
  const std::string_view command = has_curl ? "curl -f" : "wget -q -O /dev/null";
  const Edit edit =
      last.insert(fmt::format("HEALTHCHECK --interval=30s CMD {} {} || exit 1", command, address));
  Rewrite rewrite{.name = "health", .kind = RewriteClass::kAssuming, .place = edit.span};
  rewrite.message = "a HEALTHCHECK";
  rewrite.differs_when = fmt::format("the program answers HTTP on port {}", port);
  rewrite.needs.push_back({ObligationKind::kImage, edit.span, true,
                           has_curl ? "curl is in the image" : "wget is in the image"});
  rewrite.edits = {edit};
  rewrites.push_back(std::move(rewrite));
}

}  // namespace nacre::docker
