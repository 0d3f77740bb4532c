// The fixes of the rules as rewrites, and what the rules report without one.
#include <algorithm>

#include "docker/purify.h"
#include "docker/rules.h"

namespace nacre::docker {

namespace {

struct FromRule {
  std::string_view code;
  std::string_view name;
  RewriteClass kind;
  std::string_view differs_when;
  ObligationKind shown;
  std::string_view why;
};

using enum RewriteClass;
using enum ObligationKind;

constexpr FromRule kFromRules[] = {
    {"D104", "target-platform", kEqual, "", kConstant, "it is what the builder takes anyway"},
    {"D201", "answer", kRepair, "the command would ask: a build cannot answer, so it would fail",
     kCopy, "the command is in this RUN"},
    {"D203", "cache", kRepair, "something looks for the cache in the image", kImage,
     "no later step of this file needs it"},
    {"D204", "recommends", kAssuming, "no package that is only recommended is needed", kCopy,
     "the command is in this RUN"},
    {"D205", "apt-get", kRepair, "the progress that apt prints is read", kCopy,
     "both take these words"},
    {"D303", "directory", kRepair, "the target is no directory: the build would fail", kConstant,
     "there are several sources"},
    {"D304", "copy", kEqual, "", kConstant, "no source is an archive, a URL or a repository"},
    {"D307", "overridden", kEqual, "", kPure, "only the last one counts"},
    {"D308", "exec-form", kRepair, "the program needs the shell above it, or does not mind signals",
     kPure, "there is nothing in it that only a shell understands"},
    {"D310", "author", kRepair, "something reads the author of the image from the old field", kPure,
     "a label says the same"},
    {"D408", "progress", kRepair, "the log of the build is read", kCopy,
     "the command is in this RUN"},
    {"D409", "no-log-init", kRepair, "the login records of that user are read", kCopy,
     "the command is in this RUN"},
    {"D410", "errexit", kRepair, "a command before the last one fails", kErrexit,
     "no command in it uses a status"},
};

// Others offer a rewrite for them, and say themselves why it is not made.
constexpr std::string_view kElsewhere[] = {"D101", "D301", "D302", "D313", "D404", "D405", "D501"};

bool is_offered_elsewhere(std::string_view code) {
  return std::find(std::begin(kElsewhere), std::end(kElsewhere), code) != std::end(kElsewhere);
}

Rewrite kept(const Diagnostic& found) {
  Rewrite rewrite{.name = "reported", .place = found.span};
  rewrite.message = found.message + " [" + found.code + "]";
  return rewrite;
}

Rewrite rewrite_of(const FromRule& row, const Diagnostic& found) {
  Rewrite rewrite{.name = row.name, .kind = row.kind, .place = found.span};
  rewrite.message = found.fixes[0].message;
  rewrite.differs_when = row.differs_when;
  rewrite.edits = found.fixes[0].edits;
  rewrite.needs.push_back({row.shown, found.span, true, std::string(row.why)});
  return rewrite;
}

}  // namespace

void offer_fixes(const Facts& facts, std::vector<Rewrite>& rewrites) {
  Findings findings(facts.file.source);
  for (const Rule rule : rules()) rule(facts, findings);
  for (const Diagnostic& found : findings.take()) {
    const auto row = std::find_if(std::begin(kFromRules), std::end(kFromRules),
                                  [&](const FromRule& each) { return each.code == found.code; });
    if (row != std::end(kFromRules) && !found.fixes.empty()) {
      // ADD of a pattern may unpack what it fits.
      const bool may_differ = row->kind == kEqual && !found.fixes[0].is_safe;
      rewrites.push_back(may_differ ? kept(found) : rewrite_of(*row, found));
    } else if (found.severity <= Severity::kInfo && !is_offered_elsewhere(found.code)) {
      rewrites.push_back(kept(found));
    }
  }
}

}  // namespace nacre::docker
