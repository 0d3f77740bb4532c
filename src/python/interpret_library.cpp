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
  if (name.starts_with("str.") && text_at(0) != nullptr) {
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
  if (name == "os.path.join" || name == "posixpath.join") {
    // A part that begins with a slash starts again.
    Value result;
    bool is_known = !arguments.empty();
    Words all = words.empty_word();
    const Words slash = words.word(letters.word("/"));
    const Words ends_with_slash = words.concat(words.all(), slash);
    const Words absolute = words.concat(slash, words.all());
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (text_at(i) == nullptr) return false;
      const Words part = domain_.language(state, *text_at(i));
      if (i == 0) {
        all = part;
        continue;
      }
      const Words open = words.minus(all, words.unite(ends_with_slash, words.empty_word()));
      const Words closed = words.minus(all, open);
      const Words relative = words.minus(part, absolute);
      Words joined = words.unite(words.concat(words.concat(open, slash), relative),
                                 words.concat(closed, relative));
      if (words.is_empty(all)) joined = words.none();
      all = words.unite(joined, words.intersect(part, absolute));
    }
    if (!is_known) return false;
    return give({Text{state.add_word(all)}});
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
  if ((name == "urllib.parse.quote" || name == "urllib.parse.quote_plus") &&
      text_at(0) != nullptr && arguments.size() == 1 && actuals.named.empty() &&
      !domain_.is_concrete()) {
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
  if (name == "uuid.uuid4" || name == "uuid.uuid1") return give({Callable{0, {}, "uuid.UUID"}});
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
