#include "layers/verify_docker.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/ascii.h"
#include "docker/rules.h"
#include "docker/users.h"

namespace nacre::layers {

namespace {

class Verifier {
 public:
  Verifier(const SourceFile& file, const docker::Facts& facts)
      : file_(file), facts_(facts), image_(find_layers(facts)) {}

  DockerReport run() {
    determinism();
    layers();
    user();
    for (const Layer& each : image_.layers) report_.layers.push_back(describe(each, file_));
    return std::move(report_);
  }

 private:
  void add(std::string_view name, Verdict verdict, std::string reason, std::string witness = "") {
    report_.properties.push_back({name, verdict, std::move(reason), {}, std::move(witness)});
  }

  [[nodiscard]] std::string line(Span span) const {
    return fmt::format("line {}", file_.line_of(span.begin));
  }

  // The first finding that says that another build may get something else: a moving image (D101) or
  // a package without a version (D202).
  [[nodiscard]] std::string moving() const {
    docker::Findings findings(file_);
    docker::report_moving_images(facts_, findings);
    docker::report_unpinned(facts_, findings);
    const std::vector<Diagnostic> found = findings.take();
    return found.empty() ? "" : line(found[0].span) + ": " + found[0].message;
  }

  // A tag can be moved to another image; a digest cannot.
  [[nodiscard]] std::string loose_base() const {
    for (const docker::Stage& stage : facts_.stages.stages) {
      if (stage.from == nullptr || stage.base || stage.image.text == "scratch") continue;
      const bool is_fixed =
          stage.image.is_known && !docker::split_image(stage.image.text).digest.empty();
      if (!is_fixed)
        return fmt::format("{}: only a digest names one image for good", line(stage.from->span));
    }
    return "";
  }

  void determinism() {
    if (const std::string witness = moving(); !witness.empty()) {
      add("determinism", Verdict::kRefuted, "another build may get other versions", witness);
    } else if (const std::string reason = loose_base(); !reason.empty()) {
      add("determinism", Verdict::kOpen, reason);
    } else if (!facts_.scripts.empty() || has_run()) {
      add("determinism", Verdict::kOpen, "what RUN does may differ from build to build");
    } else {
      add("determinism", Verdict::kProved,
          "fixed images and the files of the build context alone; times of files are not compared");
    }
  }

  [[nodiscard]] bool has_run() const {
    return std::any_of(
        facts_.stages.steps.begin(), facts_.stages.steps.end(), [](const docker::Step& step) {
          const docker::Keyword keyword = step.instruction->keyword;
          return keyword == docker::Keyword::kRun || keyword == docker::Keyword::kAdd;
        });
  }

  void layers() {
    for (const Layer& layer : image_.layers) {
      for (const FileChange& change : layer.changes) {
        if (change.before == std::string::npos || change.kind == FileChange::kAdded) continue;
        const Span place = layer.step->instruction->span;
        const Span first = image_.layers[change.before].step->instruction->span;
        add("layers", Verdict::kRefuted, "bytes of an earlier layer are hidden but still shipped",
            fmt::format("{} {} {}, which {} put there", line(place),
                        change.kind == FileChange::kRemoved ? "removes" : "writes again",
                        change.path, line(first)));
        return;
      }
    }
    for (const Layer& layer : image_.layers) {
      if (!layer.is_finished || !layer.unknown.empty() || !image_.is_complete) {
        add("layers", Verdict::kOpen,
            fmt::format("what {} does is not known in all", line(layer.step->instruction->span)));
        return;
      }
    }
    add("layers", Verdict::kProved, "no layer removes or writes again what an earlier one has");
  }

  void user() {
    const size_t last = facts_.stages.stages.size() - 1;
    const docker::Step* step = docker::last_user(facts_, last);
    const std::string name = step == nullptr ? "" : docker::name_of_user(facts_, *step);
    if (step != nullptr && docker::is_root(name)) {
      add("user", Verdict::kRefuted, "the image runs as root",
          line(step->instruction->span) + ": the last USER");
    } else if (is_digits(name)) {
      add("user", Verdict::kProved, fmt::format("the image runs as user {}", name));
    } else if (!name.empty()) {
      add("user", Verdict::kProved,
          fmt::format("the image runs as {}; assuming that its number is not 0", name));
    } else if (step == nullptr && runs_as_root_by_default(last)) {
      add("user", Verdict::kRefuted, "the image runs as root",
          "there is no USER, and the base image has none");
    } else {
      add("user", Verdict::kOpen, "the user of the base image is not known");
    }
  }

  [[nodiscard]] bool runs_as_root_by_default(size_t stage) const {
    const docker::Stage* root = facts_.stages.root_of(stage);
    if (root != nullptr && root->from != nullptr && root->image.text == "scratch") return true;
    const auto image = docker::image_below(facts_, stage);
    return image && !image->user.empty();
  }

  const SourceFile& file_;
  const docker::Facts& facts_;
  Image image_;
  DockerReport report_;
};

}  // namespace

DockerReport verify_docker(const SourceFile& file, const commands::CardLibrary& cards) {
  const auto facts = docker::gather_facts(file, cards);
  DockerReport report;
  const bool is_built = facts->file.problems.empty() && facts->stages.stages.back().from != nullptr;
  if (is_built) return Verifier(file, *facts).run();
  const std::string reason =
      facts->file.problems.empty() ? "there is no FROM" : facts->file.problems[0].message;
  for (const char* name : {"determinism", "layers", "user"})
    report.properties.push_back({name, Verdict::kOpen, "the builder refuses the file: " + reason});
  return report;
}

}  // namespace nacre::layers
