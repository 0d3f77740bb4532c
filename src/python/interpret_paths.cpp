// pathlib: a path is known by the strings that str() may give for it.
#include <algorithm>

#include "python/interpreter.h"

namespace nacre::python {

using Kind = Type::Kind;

namespace {

// As pathlib writes it.
std::string normal_path(std::string_view text) {
  std::string out = text.starts_with("//") && !text.starts_with("///") ? "//"
                    : text.starts_with('/')                            ? "/"
                                                                       : "";
  bool is_first = true;
  while (!text.empty()) {
    const size_t end = std::min(text.find('/'), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (part.empty() || part == ".") continue;
    if (!is_first) out += '/';
    out += part;
    is_first = false;
  }
  return out.empty() ? "." : out;
}

}  // namespace

Value Interpreter::path_of(Words words) const {
  return typed(type_of_library(LibraryClass::kPath, words));
}

// The string forms of a path; of a string, those of the path that is made of it.
std::optional<Words> Interpreter::path_words(const State& state, const Value& stale) const {
  WordStore& words = domain_.words();
  const Value& value = state.deref(stale);
  const auto* kept = value.as<Typed>();
  if (kept != nullptr && is_library(*kept->type, LibraryClass::kPath)) return kept->type->words;
  const auto* text = value.as<Text>();
  if (text == nullptr) return std::nullopt;
  const Words given = domain_.language(state, *text);
  const Words normal = program_.normal_paths();
  if (words.is_empty(words.minus(given, normal))) return given;
  if (const std::optional<Word> word = words.single(given); word && domain_.is_exact(*word))
    return words.word(program_.letters().word(normal_path(program_.letters().text(*word))));
  return normal;
}

// `left / right`: an absolute path on the right starts again.
Words Interpreter::joined_path(Words left, Words right) const {
  WordStore& words = domain_.words();
  const auto text = [&](std::string_view utf8) {
    return words.word(program_.letters().word(utf8));
  };
  const Words slash = text("/"), here = text(".");
  const Words absolute = words.concat(slash, words.all());
  const Words relative = words.minus(words.minus(right, absolute), here);
  const Words plain = words.minus(words.minus(left, slash), here);
  Words all = words.intersect(right, absolute);
  const auto add = [&](Words more) { all = words.unite(all, more); };
  if (!words.is_empty(left)) {
    add(words.concat(words.concat(plain, slash), relative));
    if (!words.is_empty(words.intersect(left, here))) add(relative);
    if (!words.is_empty(words.intersect(left, slash))) add(words.concat(slash, relative));
    if (!words.is_empty(words.intersect(right, here))) add(left);
  }
  return all;
}

bool Interpreter::make_path(const std::string& name, const Actuals& actuals, Span span, State state,
                            Evaluations& out) {
  const std::string_view cls = std::string_view(name).substr(std::string_view("pathlib.").size());
  if (cls == "Path.cwd" || cls == "Path.home") {
    out.push_back({std::move(state), path_of(program_.normal_paths())});
    return true;
  }
  if (!is_one_of(cls, {"Path", "PurePath", "PosixPath", "PurePosixPath"})) return false;
  Words all = domain_.words().word(program_.letters().word("."));
  bool is_first = true;
  for (const Value& argument : actuals.positional) {
    const std::optional<Words> part = path_words(state, argument);
    if (!part) {
      if (state.deref(argument).as<Unknown>() == nullptr) return false;
      unknown(span, "a path made of an unknown value");
      all = program_.normal_paths();
      break;
    }
    all = is_first ? *part : joined_path(all, *part);
    is_first = false;
  }
  out.push_back({std::move(state), path_of(all)});
  return true;
}

namespace {

struct PathResult {
  std::string_view method;
  Kind kind;
};

constexpr PathResult kPathResults[] = {
    {"exists", Kind::kBool},         {"is_file", Kind::kBool},    {"is_dir", Kind::kBool},
    {"is_absolute", Kind::kBool},    {"is_symlink", Kind::kBool}, {"match", Kind::kBool},
    {"is_relative_to", Kind::kBool}, {"read_text", Kind::kStr},   {"read_bytes", Kind::kBytes},
    {"write_text", Kind::kInt},      {"write_bytes", Kind::kInt}, {"mkdir", Kind::kNone},
    {"unlink", Kind::kNone},         {"touch", Kind::kNone},      {"rmdir", Kind::kNone},
    {"open", Kind::kOther},          {"stat", Kind::kOther},      {"as_uri", Kind::kStr},
};

}  // namespace

void Interpreter::path_method(const std::string& name, Span span, State state, Words path,
                              const Actuals& actuals, Evaluations& out) {
  auto give = [&](Value value) { out.push_back({std::move(state), std::move(value)}); };
  if (name == "as_posix" || name == "__str__") {
    const SymbolId word = state.add_word(path);
    return give({Text{word}});
  }
  if (name == "joinpath") {
    for (const Value& part : actuals.positional) {
      const std::optional<Words> more = path_words(state, part);
      path = more ? joined_path(path, *more) : program_.normal_paths();
    }
    return give(path_of(path));
  }
  if (is_one_of(name, {"resolve", "absolute", "expanduser", "rename", "replace"}))
    return give(path_of(program_.normal_paths()));
  if (is_one_of(name, {"with_suffix", "with_name", "with_stem", "relative_to"})) {
    assume(span, "the path can be changed so");
    return give(path_of(program_.normal_paths()));
  }
  if (is_one_of(name, {"iterdir", "glob", "rglob"})) {
    const Type item = type_of_library(LibraryClass::kPath, program_.normal_paths());
    return give(typed(type_of_parts(Kind::kIterable, {item})));
  }
  for (const PathResult& each : kPathResults) {
    if (each.method == name)
      return instantiate_item(std::move(state), type_of_kind(each.kind), out);
  }
  give(unknown(span, "the method '" + name + "' of a path"));
}

// name, stem, suffix and parent, by cutting the string at its last slash and the name at its last
// dot.
bool Interpreter::path_attribute(const std::string& name, State state, Words path,
                                 Evaluations& out) {
  if (!is_one_of(name, {"name", "stem", "suffix", "parent"})) return false;
  WordStore& words = domain_.words();
  const Letters& letters = program_.letters();
  const Words here = words.word(letters.word("."));
  const Words root = words.word(letters.word("/"));
  if (name == "parent") {
    const Words any_slash = words.concat(words.concat(words.all(), root), words.all());
    const Words component = words.minus(words.all(), any_slash);
    const Words last = words.concat(root, component);
    Words parents = words.none();
    // What stands before the last component; the top is its own parent.
    const Automaton& source = words[path];
    for (uint32_t q = 0; q < source.size(); ++q) {
      if (words.is_empty(words.intersect(words.residual(path, q), last))) continue;
      parents = words.unite(parents, words.prefixes_to(path, q));
    }
    if (!words.is_empty(words.intersect(path, component))) parents = words.unite(parents, here);
    if (!words.is_empty(words.intersect(path, last))) parents = words.unite(parents, root);
    out.push_back({std::move(state), path_of(words.intersect(parents, program_.normal_paths()))});
    return true;
  }
  const auto parted = [&](State from, const Text& text, std::string_view at, Evaluations& parts) {
    MethodCall call{{}, text, {}};
    call.arguments.push_back({domain_.constant_text(from, letters.word(at))});
    partition(std::move(from), call, parts, true);
  };
  if (!words.is_empty(words.intersect(path, here))) out.push_back({state, {Text{}}});
  const Text text = {state.add_word(words.minus(path, here))};
  Evaluations components;
  parted(std::move(state), text, "/", components);
  for (Evaluated& component : components) {
    const Text last = *component.value.as<Sequence>()->items[2].as<Text>();
    if (name == "name") {
      out.push_back({std::move(component.state), {last}});
      continue;
    }
    Evaluations pieces;
    parted(std::move(component.state), last, ".", pieces);
    for (Evaluated& piece : pieces) {
      const auto& items = piece.value.as<Sequence>()->items;
      const Text before = *items[0].as<Text>(), dot = *items[1].as<Text>(),
                 after = *items[2].as<Text>();
      Text whole = before;
      whole.insert(whole.end(), dot.begin(), dot.end());
      whole.insert(whole.end(), after.begin(), after.end());
      // A dot at either end begins no suffix.
      Split begins =
          domain_.compare(std::move(piece.state), domain_.length(piece.state, before) - 1);
      States plain = std::move(begins.no);
      for (State& one : begins.yes) {
        const Linear room = domain_.length(one, after) - 1;
        Split ends = domain_.compare(std::move(one), room);
        append(plain, std::move(ends.no));
        for (State& suffixed : ends.yes) {
          Text suffix = dot;
          suffix.insert(suffix.end(), after.begin(), after.end());
          out.push_back({std::move(suffixed), {name == "suffix" ? suffix : before}});
        }
      }
      for (State& one : plain) out.push_back({std::move(one), {name == "suffix" ? Text{} : whole}});
    }
  }
  return true;
}

}  // namespace nacre::python
