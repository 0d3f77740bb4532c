// basename and dirname: a path's last component, and what stands before it.
#include "commands/models.h"
#include "commands/stream_text.h"
#include "regular/decide.h"
#include "regular/strip.h"

namespace nacre::commands {

namespace {

using regular::CharSet;
using regular::Extreme;

struct Slashes {
  Lang some, last_component, any_with_last;  // "/+", "/[^/]*", ".*/"

  explicit Slashes(Context& context)
      : some(plus(context.literal("/"))),
        last_component(context.literal("/") +
                       star(context.set(CharSet::of('/').complement(context.alphabet())))),
        any_with_last(star(context.set(CharSet::all(context.alphabet()))) + context.literal("/")) {}

  [[nodiscard]] Lang without_last(Lang path) const {
    return image(regular::strip_suffix(some, Extreme::kLongest), path);
  }
};

// Of any string over some symbols, slashes among them, what stands between slashes is any string of
// the others.
std::optional<Lang> between_slashes(Lang path) {
  const auto symbols = regular::starred_set(path);
  if (!symbols || !symbols->contains('/')) return std::nullopt;
  return path.context().set(*symbols - CharSet::of('/'));
}

Lang base_part(Lang path) {
  Context& context = path.context();
  if (const auto other = between_slashes(path)) return star(*other) | context.literal("/");
  const Slashes slashes(context);
  const Lang name = image(regular::strip_prefix(slashes.any_with_last, Extreme::kLongest),
                          slashes.without_last(path - slashes.some));
  return regular::disjoint(path, slashes.some).yes() ? name : name | context.literal("/");
}

// A name that is nothing but the suffix keeps it.
Lang without_suffix(Lang name, Lang suffix) {
  Context& context = name.context();
  const Lang whole = name & suffix;
  return image(regular::strip_suffix(suffix, Extreme::kLongest), name - suffix) | whole |
         (name & context.literal("/"));
}

Lang directory_part(Lang path) {
  Context& context = path.context();
  if (const auto other = between_slashes(path))
    return (path + *other) | context.literal("/") | context.literal(".");
  const Slashes slashes(context);
  const Lang trimmed = slashes.without_last(path - slashes.some);
  const Lang plain = star(context.set(CharSet::of('/').complement(context.alphabet())));
  const Lang above = slashes.without_last(
      image(regular::strip_suffix(slashes.last_component, Extreme::kShortest), trimmed - plain));
  Lang result = above - context.epsilon();
  if (!regular::disjoint(trimmed, plain).yes()) result = result | context.literal(".");
  const bool may_be_root = !regular::disjoint(path, slashes.some).yes() ||
                           !regular::disjoint(above, context.epsilon()).yes();
  return may_be_root ? result | context.literal("/") : result;
}

// Whether each operand is one word for certain: an unquoted variable with blanks may be several.
bool are_words(std::span<const Argument> operands) {
  for (const Argument& operand : operands) {
    if (operand.text) continue;
    Context& context = operand.value.context();
    if (!regular::symbols_of(operand.value).intersects(CharSet::of(" \t\n"))) continue;
    const Lang any = star(context.set(CharSet::all(context.alphabet())));
    const Lang blank = any + context.set(CharSet::of(" \t\n")) + any;
    if (!regular::disjoint(operand.value, blank).yes()) return false;
  }
  return true;
}

// One line for each of `paths`: what `part` makes of it.
template <typename Part>
Behaviour parts(std::span<const Argument> paths, Context& context, Part part) {
  Lang lines = context.empty();
  bool is_opaque = false;
  for (const Argument& path : paths) {
    lines = lines | (part(path.value) + context.literal("\n"));
    is_opaque |= path.is_opaque;
  }
  if (paths.empty()) lines = any_text(context) + context.literal("\n");
  Behaviour result(stream_of(lines));
  if (paths.size() != 1 || !are_words(paths)) {
    result.output = Stream(any_line(result.output));
    result.output.count.least = 1;
  }
  if (is_opaque) result.output.choice = Choice::kOpaque;
  result.reads_input = false;
  return result;
}

}  // namespace

Behaviour model_basename(const Invocation& invocation, const Surroundings& around) {
  Context& context = around.context();
  std::span<const Argument> paths = invocation.operands;
  const GivenOption* option = invocation.last("-s");
  const bool takes_many = option || invocation.has("-a");
  if (!are_words(paths) || (!takes_many && paths.size() > 2)) {  // which is the suffix?
    Behaviour result(opaque_stream(context));
    result.reads_input = false;
    return result;
  }
  std::optional<Lang> suffix;
  if (option && option->argument) suffix = option->argument->value;
  if (!takes_many && paths.size() == 2) {
    suffix = paths[1].value;
    paths = paths.first(1);
  }
  return parts(paths, context, [&](Lang path) {
    const Lang name = base_part(path);
    return suffix ? without_suffix(name, *suffix) : name;
  });
}

Behaviour model_dirname(const Invocation& invocation, const Surroundings& around) {
  return parts(invocation.operands, around.context(), directory_part);
}

}  // namespace nacre::commands
