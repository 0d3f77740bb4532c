// The patterns of `case`, `[[ = ]]` and ${x%...}.
#include "flow/expansion.h"
#include "flow/rules/publish.h"
#include "flow/run.h"
#include "regular/lower.h"
#include "regular/parse_glob.h"

namespace nacre::flow {

using shell::Part;
using shell::PartKind;

namespace {

// The text of a pattern, byte by byte quoted or not.
struct PatternText {
  std::string text;
  std::vector<bool> quoted;

  void add(std::string_view more, bool is_quoted) {
    text += more;
    quoted.resize(text.size(), is_quoted);
  }
  // No character in it means anything but it
  [[nodiscard]] bool is_plain() const {
    for (size_t i = 0; i < text.size(); i++) {
      if (!quoted[i] && std::string_view("*?[]\\()|!+@").find(text[i]) != std::string_view::npos)
        return false;
    }
    return true;
  }
};

}  // namespace

// Constant stretches of the word are read as patterns; what an expansion gives is spliced in.
PatternLang pattern_of(Run& run, const shell::Word& word, Environment& environment) {
  const Scoped expanding(run.where.expanding, ExpansionContext::kPattern);
  PatternLang result{run.languages.literal(""), true};
  PatternText pending;
  const auto flush = [&] {
    if (pending.text.empty()) return;
    regular::GlobOptions options;
    options.has_extglob = run.tree.dialect() == shell::Dialect::kBash;
    if (run.tree.dialect() != shell::Dialect::kBash) options.shell = regular::GlobShell::kPosix;
    options.quoted = &pending.quoted;
    if (pending.is_plain()) {
      result.lang = result.lang + run.languages.literal(pending.text);
    } else {
      const auto regex = regular::parse_glob(pending.text, options);
      const auto lang = regex ? regular::lower(run.languages, *regex) : fail({}, "");
      result.lang = result.lang + (lang ? *lang : any_value(run.languages));
      result.is_exact &= lang.has_value();
    }
    pending = {};
  };
  const auto add = [&](auto& self, std::span<const Part> parts, bool is_quoted) -> void {
    for (const Part& part : parts) {
      if (part.kind == PartKind::kDoubleQuoted || part.kind == PartKind::kLocaleQuoted) {
        const Scoped quoted(run.where.is_quoted, true);
        self(self, part.parts(), true);
      } else if (part.kind == PartKind::kGlob || part.kind == PartKind::kExtGlob) {
        pending.add(run.tree.text(part.span), is_quoted);
      } else if (part.is_text()) {
        pending.add(part.text(), is_quoted || part.kind != PartKind::kLiteral);
      } else {
        const Value value = fragment_of(run, part, is_quoted, environment).value;
        if (value.text && !value.may_be_unset) {
          pending.add(*value.text, is_quoted);
        } else {
          flush();
          result.lang = result.lang + (is_quoted ? expansion_of(value) : any_value(run.languages));
          result.is_exact = false;
        }
      }
    }
  };
  add(add, word.parts(), false);
  flush();
  if (environment.options.nocasematch != Known::kNo) return {any_value(run.languages), false};
  return result;
}

PatternLang arm_pattern(Run& run, const shell::CaseArm& arm, SeenArms& seen,
                        Environment& environment) {
  PatternLang result{run.languages.empty(), true};
  constexpr size_t kMaxPatterns = 1000;  // the union of all takes the square of their number
  for (const shell::Word& word : arm.patterns) {
    if (seen.arms.size() >= kMaxPatterns) return {any_value(run.languages), false};
    const PatternLang one = pattern_of(run, word, environment);
    if (one.is_exact) {
      if (!seen.falls) publish(PatternEvent{arm, word, one.lang, seen}, run.rules);
      if (arm.end != shell::CaseEnd::kContinue) {
        seen.all = seen.all | one.lang;
        seen.arms.emplace_back(&arm, one.lang);
      }
    }
    result.lang = result.lang | one.lang;
    result.is_exact &= one.is_exact;
  }
  return result;
}

}  // namespace nacre::flow
