// Generators under all() and any().
#include <algorithm>

#include "python/interpreter.h"

namespace nacre::python {

// `all(test for target in iterable if ...)` as the loop that it is.
Evaluations Interpreter::all_or_any(const ComprehensionExpr& generator, bool is_all, State state,
                                    Span span) {
  Evaluations out;
  const Comprehension& part = generator.generators[0];
  const auto* name = tree_.get<Name>(part.target);
  for (Evaluated& iterable : evaluate(part.iterable, std::move(state))) {
    const auto* text = iterable.value.as<Text>();
    if (text == nullptr || name == nullptr || part.is_async) {
      unknown(span, "this generator");
      out.push_back({iterable.state, {true}});
      out.push_back({std::move(iterable.state), {false}});
      continue;
    }
    // Which letters satisfy the test: each one is tried on its own, in a state that knows nothing
    // else of it. That is exact as long as the test reads only the letter and values that stay.
    LetterSet stops(domain_.words().letters());
    bool is_simple = true;
    for (uint32_t c = 0; c < domain_.words().letters() && is_simple; ++c) {
      LetterSet single(domain_.words().letters());
      single[c] = true;
      State trial = iterable.state;
      trial.constraints.clear();
      SymbolId letter = trial.add_word(domain_.words().one_of(single));
      std::vector<Raised> raised;
      std::vector<Raised>* outer = raised_;
      raised_ = &raised;
      States open;
      auto bound = frame_.function->scope->slot(name->id);
      if (!bound) {
        is_simple = false;
        raised_ = outer;
        break;
      }
      trial.slots[frame_.base + *bound] = {Text{letter}};
      open.push_back(std::move(trial));
      bool stop = false, pass = false;
      for (ExprId condition : part.conditions) {
        States kept;
        for (State& one : open) {
          Split split = test(condition, std::move(one));
          pass = pass || !split.no.empty();
          for (State& yes : split.yes) kept.push_back(std::move(yes));
        }
        open.swap(kept);
      }
      for (State& one : open) {
        Split split = test(generator.element, std::move(one));
        stop = stop || !(is_all ? split.no : split.yes).empty();
        pass = pass || !(is_all ? split.yes : split.no).empty();
      }
      raised_ = outer;
      is_simple = raised.empty() && stop != pass;
      stops[c] = stop;
    }
    if (!is_simple) {
      unknown(span, "this generator");
      out.push_back({iterable.state, {true}});
      out.push_back({std::move(iterable.state), {false}});
      continue;
    }
    WordStore& words = domain_.words();
    Words with_stop = words.concat(words.concat(words.all(), words.one_of(stops)), words.all());
    Split split = domain_.member(std::move(iterable.state), *text, with_stop);
    for (State& stopped : split.yes) out.push_back({std::move(stopped), {!is_all}});
    for (State& passed : split.no) out.push_back({std::move(passed), {is_all}});
  }
  return out;
}

}  // namespace nacre::python
