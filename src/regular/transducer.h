// Functions and relations on words that keep languages regular: what tr, cut, sed's s, grep -o,
// rev, head, tail and the shell's ${x%...} do to a line or a string. A Transducer is an immutable
// value, cheap to copy, free of any Context; several threads may use one. Builders:
// translate_chars.h, field_select.h, translate_match.h, line_select.h, strip.h.
//
//   Transducer first = field_select({.delimiter = ':', .list = {{1, 1}}});
//   Lang users = image(first, passwd_line);          // what `cut -d: -f1` prints
//   Lang culprits = preimage(first, !identifier);    // the lines that make it print something else
//
// Most are functions. Some print several results for one input (grep -o, the lines of a stream) or
// none (cut -s): image() is the set of all results, preimage() the set of inputs of which at least
// one result is wanted.
//
// Inexact ones (is_exact() is false) relate an input to all its results and to some more, so both
// image and pre-image are supersets, and their Lang says so (Lang::bound). When the budget runs out
// the result is widened in the same way; nothing ever fails.
#pragma once

#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "base/budget.h"
#include "regular/lang.h"

namespace nacre::regular {

struct Fst;

class Transducer {
 public:
  struct Reversal {};
  using Step = std::variant<std::shared_ptr<const Fst>, Reversal>;

  Transducer() = default;  // the identity
  explicit Transducer(Fst fst);
  static Transducer reversal();  // rev: the word read backwards

  // First this, then `next`: a pipeline. The steps stay apart, and the language between two of them
  // is minimised, which is smaller than the composed machine nearly always.
  [[nodiscard]] Transducer then(const Transducer& next) const;

  [[nodiscard]] bool is_exact() const;
  [[nodiscard]] std::span<const Step> steps() const { return steps_; }

 private:
  std::vector<Step> steps_;
};

// The results for the words of `a`. The cost is the number of pairs (position in `a`, state of the
// machine) that can meet, then a determinisation; both are bounded by `budget`.
Lang image(const Transducer& transducer, Lang a, const Budget& budget = {});

// The words that have a result in `b`.
Lang preimage(const Transducer& transducer, Lang b, const Budget& budget = {});

}  // namespace nacre::regular
