// The standard library, as far as it makes or takes strings: a table from dotted names to what is
// known of them. What is not in it is named once by its caller and taken for any value.
#include <algorithm>
#include <map>

#include "python/interpreter.h"

namespace nacre::python {
namespace {

using Kind = Type::Kind;

// Results that are known by a regex or a simple type, whatever the arguments are.
struct Simple {
  std::string_view name;
  Kind kind;
};

constexpr Simple kSimple[] = {
    {"os.getcwd", Kind::kStr},
    {"os.path.abspath", Kind::kStr},
    {"os.path.realpath", Kind::kStr},
    {"os.path.expanduser", Kind::kStr},
    {"os.path.expandvars", Kind::kStr},
    {"os.path.normpath", Kind::kStr},
    {"os.path.dirname", Kind::kStr},
    {"os.path.relpath", Kind::kStr},
    {"os.path.exists", Kind::kBool},
    {"os.path.isfile", Kind::kBool},
    {"os.path.isdir", Kind::kBool},
    {"os.path.getsize", Kind::kInt},
    {"os.getpid", Kind::kInt},
    {"time.time", Kind::kFloat},
    {"time.monotonic", Kind::kFloat},
    {"time.perf_counter", Kind::kFloat},
    {"time.sleep", Kind::kNone},
    {"time.strftime", Kind::kStr},
    {"random.random", Kind::kFloat},
    {"random.randint", Kind::kInt},
    {"random.randrange", Kind::kInt},
    {"math.sqrt", Kind::kFloat},
    {"math.floor", Kind::kInt},
    {"math.ceil", Kind::kInt},
    {"math.gcd", Kind::kInt},
    {"html.escape", Kind::kStr},
    {"html.unescape", Kind::kStr},
    {"textwrap.dedent", Kind::kStr},
    {"textwrap.indent", Kind::kStr},
    {"textwrap.fill", Kind::kStr},
    {"json.dumps", Kind::kStr},
    {"urllib.parse.unquote", Kind::kStr},
    {"urllib.parse.urlencode", Kind::kStr},
    {"urllib.parse.urljoin", Kind::kStr},
    {"platform.system", Kind::kStr},
    {"getpass.getpass", Kind::kStr},
    {"getpass.getuser", Kind::kStr},
    {"socket.gethostname", Kind::kStr},
    {"unicodedata.normalize", Kind::kStr},
    {"sys.stdin.read", Kind::kStr},
    {"sys.stdin.readline", Kind::kStr},
    {"sys.stdout.write", Kind::kInt},
    {"sys.stderr.write", Kind::kInt},
    {"sys.stdout.flush", Kind::kNone},
    {"warnings.warn", Kind::kNone},
    {"logging.basicConfig", Kind::kNone},
    {"logging.debug", Kind::kNone},
    {"logging.info", Kind::kNone},
    {"logging.warning", Kind::kNone},
    {"logging.error", Kind::kNone},
    {"os.makedirs", Kind::kNone},
    {"os.environ.get", Kind::kOther},
    {"os.getenv", Kind::kOther},
    {"contextlib.suppress", Kind::kOther},
    {"os.system", Kind::kInt},
    {"subprocess.call", Kind::kInt},
    {"subprocess.check_call", Kind::kInt},
    {"subprocess.run", Kind::kOther},
    {"subprocess.Popen", Kind::kOther},
    {"subprocess.check_output", Kind::kOther},
    {"subprocess.getoutput", Kind::kStr},
    {"os.remove", Kind::kNone},
    {"os.unlink", Kind::kNone},
    {"shutil.rmtree", Kind::kNone},
};

}  // namespace

std::optional<Value> Interpreter::library_value(const std::string& name, State& state) {
  auto constant = [&](std::string_view text) {
    return Value{domain_.constant_text(state, program_.letters().word(text))};
  };
  if (name == "sys.argv") {
    Type list = type_of_parts(Kind::kList, {type_of_kind(Kind::kStr)});
    return state.allocate(typed(std::move(list), true));
  }
  if (name == "os.environ") {
    Type dict = type_of_parts(Kind::kDict, {type_of_kind(Kind::kStr), type_of_kind(Kind::kStr)});
    return state.allocate(typed(std::move(dict)));
  }
  if (name == "os.sep") return constant("/");
  if (name == "os.linesep") return constant("\n");
  if (name == "os.curdir") return constant(".");
  if (name == "string.digits") return constant("0123456789");
  if (name == "string.ascii_lowercase") return constant("abcdefghijklmnopqrstuvwxyz");
  if (name == "string.ascii_uppercase") return constant("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  if (name == "string.ascii_letters")
    return constant("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
  if (name == "string.hexdigits") return constant("0123456789abcdefABCDEF");
  if (name == "sys.platform" || name == "sys.version" || name == "sys.executable")
    return Value{any_text(state)};
  if (name == "sys.maxsize") return Value{Linear::of(state.add_number({kUnlimited, kUnlimited}))};
  if (name == "math.pi" || name == "math.e" || name == "math.inf")
    return typed(type_of_kind(Kind::kFloat));
  return std::nullopt;
}

// A string that is some word of a set of letters, in runs of given lengths with text between them:
// "8-4-4-4-12" hexadecimal digits.
Text Interpreter::patterned(State& state, const std::vector<int>& runs, std::string_view between,
                            const regular::CharSet& set) {
  WordStore& words = domain_.words();
  const Words one = words.one_of(program_.letters().inside(set));
  Words all = words.empty_word();
  for (size_t i = 0; i < runs.size(); ++i) {
    if (i > 0) all = words.concat(all, words.word(program_.letters().word(between)));
    for (int k = 0; k < runs[i]; ++k) all = words.concat(all, one);
  }
  return {state.add_word(all)};
}

// A part that begins with a slash starts again; a slash goes between parts that have none there.
void Interpreter::join_paths(const std::vector<Text>& parts, State start, Evaluations& out) {
  WordStore& words = domain_.words();
  const Words slash = words.word(program_.letters().word("/"));
  const Words absolute = words.concat(slash, words.all());
  const Words closed = words.unite(words.concat(words.all(), slash), words.empty_word());
  Evaluations open;
  open.push_back({std::move(start), {parts[0]}});
  for (size_t i = 1; i < parts.size(); ++i) {
    Evaluations next;
    for (Evaluated& one : open) {
      const Text before = *one.value.as<Text>();
      Split begins = domain_.member(std::move(one.state), parts[i], absolute);
      for (State& again : begins.yes) next.push_back({std::move(again), {parts[i]}});
      for (State& relative : begins.no) {
        Split ends = domain_.member(std::move(relative), before, closed);
        for (const bool is_closed : {true, false}) {
          for (State& each : is_closed ? ends.yes : ends.no) {
            Text joined = before;
            if (!is_closed) {
              const Text between = domain_.constant_text(each, program_.letters().word("/"));
              joined.insert(joined.end(), between.begin(), between.end());
            }
            joined.insert(joined.end(), parts[i].begin(), parts[i].end());
            next.push_back({std::move(each), {std::move(joined)}});
          }
        }
      }
    }
    open.swap(next);
  }
  for (Evaluated& one : open) out.push_back(std::move(one));
}

// The extension begins at the last dot of the last component, unless only dots come before it.
void Interpreter::split_extension(const Text& text, Span span, State state, Evaluations& out) {
  WordStore& words = domain_.words();
  const Letters& letters = program_.letters();
  const Words dot = words.word(letters.word(".")), slash = words.word(letters.word("/"));
  const Words extension = words.minus(
      words.concat(dot, words.all()),
      words.concat(words.concat(words.all(), words.unite(slash, words.concat(dot, dot))),
                   words.all()));
  const Words no_slash =
      words.minus(words.all(), words.concat(words.concat(words.all(), slash), words.all()));
  const Words root = words.minus(no_slash, words.star(dot));
  Words before = words.concat(words.concat(words.all(), slash), root);
  before = words.unite(before, root);
  MethodCall call{span, text, {}};
  call.arguments.push_back({domain_.constant_text(state, letters.word("."))});
  Evaluations parts;
  partition(std::move(state), call, parts, true);
  for (Evaluated& part : parts) {
    const auto& items = part.value.as<Sequence>()->items;
    const Text head = *items[0].as<Text>(), middle = *items[1].as<Text>();
    Text tail = middle;
    const Text& after = *items[2].as<Text>();
    tail.insert(tail.end(), after.begin(), after.end());
    Split has = domain_.member(std::move(part.state), tail, extension);
    States plain = std::move(has.no);
    for (State& one : has.yes) {
      Split rooted = domain_.member(std::move(one), head, before);
      append(plain, std::move(rooted.no));
      for (State& yes : rooted.yes)
        out.push_back({std::move(yes), {Sequence{{Value{head}, Value{tail}}, false}}});
    }
    for (State& one : plain)
      out.push_back({std::move(one), {Sequence{{Value{text}, Value{Text{}}}, false}}});
  }
}

// os.fspath() of a string or path; str.maketrans() of constants.
bool Interpreter::call_on_text(const std::string& name, const Arguments& arguments, State state,
                               Evaluations& out) {
  const Value first = state.deref(arguments[0]);
  if (name == "os.fspath") {
    const std::optional<Words> path = path_words(state, first);
    if (!path) return false;
    Value value = first;
    if (first.as<Text>() == nullptr) value = {Text{state.add_word(*path)}};
    out.push_back({std::move(state), std::move(value)});
    return true;
  }
  Dict table;
  const auto ordinals = [&](const Value& value) -> std::optional<std::vector<int64_t>> {
    const auto text = constant_string(state, value);
    if (!text) return std::nullopt;
    std::vector<int64_t> all;
    for (regular::Symbol c : regular::decode(*text, regular::Alphabet::kCodePoints))
      all.push_back(static_cast<int64_t>(c));
    return all;
  };
  if (const auto* dict = first.as<Dict>(); dict != nullptr && arguments.size() == 1) {
    for (size_t i = 0; i < dict->keys.size(); ++i) {
      const auto key = ordinals(dict->keys[i]);
      if (as_number(dict->keys[i])) {
        table.keys.push_back(dict->keys[i]);
      } else {
        if (!key || key->size() != 1) return false;
        table.keys.push_back({Linear((*key)[0])});
      }
      table.values.push_back(dict->values[i]);
    }
  } else {
    const auto from = ordinals(first);
    const auto to = arguments.size() > 1 ? ordinals(arguments[1]) : std::nullopt;
    if (!from || !to || from->size() != to->size()) return false;
    for (size_t i = 0; i < from->size(); ++i) {
      Word letter = {program_.letters().letter(static_cast<uint32_t>((*to)[i]))};
      table.keys.push_back({Linear((*from)[i])});
      table.values.push_back({domain_.constant_text(state, letter)});
    }
    const auto gone = arguments.size() > 2 ? ordinals(arguments[2]) : std::vector<int64_t>{};
    if (!gone) return false;
    for (int64_t c : *gone) {
      table.keys.push_back({Linear(c)});
      table.values.push_back({NoneValue{}});
    }
  }
  Value made = state.allocate({std::move(table)});
  out.push_back({std::move(state), std::move(made)});
  return true;
}

bool Interpreter::call_library(const std::string& name, const Actuals& actuals, Span span,
                               State state, Evaluations& out) {
  const Arguments& arguments = actuals.positional;
  WordStore& words = domain_.words();
  const Letters& letters = program_.letters();
  auto give = [&](Value value) {
    out.push_back({std::move(state), std::move(value)});
    return true;
  };
  auto text_at = [&](size_t i) { return i < arguments.size() ? arguments[i].as<Text>() : nullptr; };
  // Types are read off the tree.
  if (name == "typing.NewType") return give({Callable{0, {}, "type"}});
  if (name == "nacre_types.lang" || name == "typing.TypeVar") return give({Unknown{}});
  // NewType gives back its argument.
  if (name == "type" && arguments.size() == 1) return give(arguments[0]);
  if (name.starts_with("builtins.")) {
    call_iteration(name.substr(9), actuals, span, std::move(state), out);
    return true;
  }
  // str.method(text, ...)
  if (name.starts_with("str.") && name != "str.maketrans" && text_at(0) != nullptr) {
    const Value subject = arguments[0];
    method(name.substr(4), span, std::move(state), subject,
           Arguments(arguments.begin() + 1, arguments.end()), out);
    return true;
  }
  if (name == "dict.fromkeys" && !arguments.empty()) {
    std::optional<Type> key = item_type(state, arguments[0]);
    const Type value =
        arguments.size() > 1 ? type_of(state, arguments[1]) : type_of_kind(Kind::kNone);
    if (!key || domain_.is_concrete()) return false;
    return give(state.allocate(typed(type_of_parts(Kind::kDict, {*key, value}))));
  }
  if ((name == "os.path.join" || name == "posixpath.join") && !arguments.empty()) {
    std::vector<Text> parts;
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (text_at(i) == nullptr) return false;
      parts.push_back(*text_at(i));
    }
    if (actuals.is_open) {
      if (domain_.is_concrete()) return false;
      assume(span, "all parts are strings");
      return give({any_text(state)});
    }
    join_paths(parts, std::move(state), out);
    return true;
  }
  if ((name == "os.path.splitext" || name == "posixpath.splitext") && text_at(0) != nullptr) {
    split_extension(*text_at(0), span, std::move(state), out);
    return true;
  }
  if (name == "os.path.basename" && text_at(0) != nullptr) {
    MethodCall call{span, *text_at(0), {}};
    call.arguments.push_back({domain_.constant_text(state, letters.word("/"))});
    Evaluations parts;
    partition(std::move(state), call, parts, true);
    for (Evaluated& part : parts) {
      Value last = part.value.as<Sequence>() != nullptr ? part.value.as<Sequence>()->items[2]
                                                        : Value{Unknown{}};
      out.push_back({std::move(part.state), std::move(last)});
    }
    return true;
  }
  if (name == "shlex.quote" && text_at(0) != nullptr) {
    // As it is, or between single quotes.
    const Words safe = words.one_of(letters.inside(Program::shell_safe()));
    Split split =
        domain_.member(std::move(state), *text_at(0), words.concat(safe, words.star(safe)));
    const Text text = *text_at(0);
    for (State& plain : split.yes) out.push_back({std::move(plain), {text}});
    for (State& other : split.no) {
      Words body =
          replaced(domain_.language(other, text), letters.word("'"), letters.word("'\"'\"'"));
      const Words quote = words.word(letters.word("'"));
      SymbolId word = other.add_word(words.concat(words.concat(quote, body), quote));
      out.push_back({std::move(other), {Text{word}}});
    }
    return true;
  }
  // `safe=''` keeps less than the default does.
  const bool keeps_little =
      std::all_of(actuals.named.begin(), actuals.named.end(), [&](const auto& given) {
        const auto* safe = given.second.template as<Text>();
        return given.first == "safe" && safe != nullptr && domain_.constant(state, *safe) == Word{};
      });
  if ((name == "urllib.parse.quote" || name == "urllib.parse.quote_plus") &&
      text_at(0) != nullptr && arguments.size() == 1 && keeps_little && !domain_.is_concrete()) {
    regular::CharSet kept = regular::CharSet::range('a', 'z') | regular::CharSet::range('A', 'Z') |
                            regular::CharSet::range('0', '9') | regular::CharSet::of("_.-~%/+");
    SymbolId word = state.add_word(words.star(words.one_of(letters.inside(kept))));
    return give({Text{word}});
  }
  if ((name == "os.environ.get" || name == "os.getenv") && !arguments.empty()) {
    State missing = state;
    Text any = any_text(state);
    out.push_back({std::move(state), {std::move(any)}});
    out.push_back({std::move(missing), arguments.size() > 1 ? arguments[1] : Value{NoneValue{}}});
    return true;
  }
  if (name == "sys.exit" || name == "os._exit") {
    raise(std::move(state), "SystemExit", "the program ends here", span);
    raised_->back().is_declared = true;
    return true;
  }
  if (name.starts_with("pathlib.")) return make_path(name, actuals, span, std::move(state), out);
  if (name.starts_with("datetime.") || name.starts_with("uuid."))
    return make_date(name, actuals, span, std::move(state), out);
  if ((name == "os.fspath" || name == "str.maketrans") && !arguments.empty())
    return call_on_text(name, arguments, std::move(state), out);
  if (name == "secrets.token_hex" || name == "hashlib.sha256.hexdigest") {
    std::optional<int64_t> count = arguments.empty() ? 32 : as_constant(state, arguments[0]);
    if (!count || *count > 64 || *count < 0) return false;
    const auto set = regular::CharSet::range('0', '9') | regular::CharSet::range('a', 'f');
    return give({patterned(state, {static_cast<int>(*count * 2)}, "", set)});
  }
  if (name == "copy.copy" || name == "copy.deepcopy") return give(unknown(span, name + "()"));
  if (name == "functools.partial") return false;
  if (name == "collections.defaultdict" || name == "collections.Counter" ||
      name == "collections.OrderedDict") {
    return give(state.allocate(typed(
        type_of_parts(Kind::kDict, {type_of_kind(Kind::kOther), type_of_kind(Kind::kOther)}))));
  }
  if (name.starts_with("logging.") || name.starts_with("argparse.")) return false;
  for (const Simple& known : kSimple) {
    if (known.name != name) continue;
    instantiate_item(std::move(state), type_of_kind(known.kind), out);
    return true;
  }
  return false;
}

}  // namespace nacre::python
