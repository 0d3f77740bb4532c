#include "python/sinks.h"

#include <algorithm>
#include <array>

#include "python/program.h"
#include "python/sink_calls.h"
#include "python/walk.h"

namespace nacre::python {
namespace {

using regular::Alphabet;
using regular::CharSet;

struct NamedSink {
  std::string_view name;
  SinkCall call;
};

constexpr NamedSink kFunctions[] = {
    {"os.system", {Sink::kShell, "command"}},
    {"os.popen", {Sink::kShell, "cmd"}},
    {"subprocess.run", {Sink::kShell, "args", true}},
    {"subprocess.call", {Sink::kShell, "args", true}},
    {"subprocess.check_call", {Sink::kShell, "args", true}},
    {"subprocess.check_output", {Sink::kShell, "args", true}},
    {"subprocess.Popen", {Sink::kShell, "args", true}},
    {"subprocess.getoutput", {Sink::kShell, "cmd"}},
    {"subprocess.getstatusoutput", {Sink::kShell, "cmd"}},
    {"asyncio.create_subprocess_shell", {Sink::kShell, "cmd"}},
    {"open", {Sink::kFileName, "file"}},
    {"io.open", {Sink::kFileName, "file"}},
    {"os.remove", {Sink::kFileName, "path"}},
    {"os.unlink", {Sink::kFileName, "path"}},
    {"shutil.rmtree", {Sink::kFileName, "path"}},
    {"eval", {Sink::kCode, "source"}},
    {"exec", {Sink::kCode, "source"}},
};

constexpr NamedSink kMethods[] = {
    {"execute", {Sink::kSql, "sql"}},
    {"executemany", {Sink::kSql, "sql"}},
    {"executescript", {Sink::kSql, "sql_script"}},
};

std::optional<SinkCall> find_sink(std::span<const NamedSink> table, std::string_view name) {
  for (const NamedSink& each : table) {
    if (each.name == name) return each.call;
  }
  return std::nullopt;
}

// Builds sets of words from sets of characters.
struct Maker {
  WordStore& words;
  const Letters& letters;

  [[nodiscard]] Words one(const CharSet& set) const { return words.one_of(letters.inside(set)); }
  [[nodiscard]] Words not_in(std::string_view bytes) const {
    return one(CharSet::of(bytes).complement(Alphabet::kCodePoints));
  }
  [[nodiscard]] Words text(std::string_view utf8) const { return words.word(letters.word(utf8)); }
  [[nodiscard]] Words any(std::initializer_list<Words> all) const {
    Words out = words.none();
    for (Words each : all) out = words.unite(out, each);
    return out;
  }
  [[nodiscard]] Words chain(std::initializer_list<Words> all) const {
    Words out = words.empty_word();
    for (Words each : all) out = words.concat(out, each);
    return out;
  }
  [[nodiscard]] Words maybe(Words set) const { return words.unite(set, words.empty_word()); }
  [[nodiscard]] Words some(Words set) const { return words.concat(set, words.star(set)); }
  // Everything but the quote, which may be doubled.
  [[nodiscard]] Words doubled(std::string_view quote) const {
    return words.star(any({not_in(quote), chain({text(quote), text(quote)})}));
  }
  [[nodiscard]] Words between(std::string_view quote, Words inside) const {
    return chain({text(quote), inside, text(quote)});
  }
};

CharSet digits() { return CharSet::range('0', '9'); }
CharSet name_characters() {
  return CharSet::range('a', 'z') | CharSet::range('A', 'Z') | digits() | CharSet::of("_");
}
CharSet sql_item_characters() { return name_characters() | CharSet::of(".*?%:@$"); }

// Words and quoted strings, with blanks between them: what shlex.quote() and shlex.join() give.
Words harmless_in_shell(const Maker& make, char quote) {
  const Words in_double = make.words.star(make.not_in("\"$`\\"));
  if (quote == '"') return in_double;
  const Words in_single = make.words.star(make.not_in("'"));
  if (quote == '\'') return in_single;
  return make.words.star(make.any({make.one(Program::shell_safe() | CharSet::of(" ")),
                                   make.between("'", in_single), make.between("\"", in_double)}));
}

// Numbers, names, placeholders and quoted literals, also several with commas between them.
Words harmless_in_sql(const Maker& make, char quote) {
  if (quote != '\0') return make.doubled(std::string_view(&quote, 1));
  const Words exponent =
      make.chain({make.text("e"), make.one(CharSet::of("+-")), make.some(make.one(digits()))});
  const Words number = make.chain({make.some(make.one(digits() | CharSet::of("."))), exponent});
  const Words item = make.any(
      {make.some(make.one(sql_item_characters())), number, make.between("'", make.doubled("'")),
       make.between("\"", make.doubled("\"")), make.between("`", make.doubled("`"))});
  const Words signed_item = make.words.concat(make.maybe(make.text("-")), item);
  const Words more = make.chain({make.text(","), make.maybe(make.text(" ")), signed_item});
  return make.maybe(make.words.concat(signed_item, make.words.star(more)));
}

// No component of the path is `..`.
Words harmless_in_path(const Maker& make, const SinkPlace& place) {
  WordStore& words = make.words;
  const Words slash = make.text("/");
  const Words begins = words.concat(words.all(), slash);
  const Words ends = words.concat(slash, words.all());
  const bool is_component = place.before.ends_with('/');
  const bool may_end = place.is_last || place.after.starts_with('/');
  const Words leaving = make.chain({is_component ? make.maybe(begins) : begins, make.text(".."),
                                    may_end ? make.maybe(ends) : ends});
  return words.minus(words.all(), leaving);
}

// Without a call, an attribute or an item; or arithmetic alone.
Words harmless_as_code(const Maker& make) {
  const CharSet arithmetic = digits() | CharSet::of(" .+-*/%()");
  return make.any({make.words.star(make.not_in("([.\n;=")), make.words.star(make.one(arithmetic))});
}

}  // namespace

std::optional<SinkCall> sink_of_function(std::string_view name) {
  return find_sink(kFunctions, name);
}

std::optional<SinkCall> sink_of_method(std::string_view name) { return find_sink(kMethods, name); }

bool is_sink_name(std::string_view name) {
  const auto ends = [&](const NamedSink& each) {
    return each.name.substr(each.name.rfind('.') + 1) == name;
  };
  return std::any_of(std::begin(kFunctions), std::end(kFunctions), ends) ||
         std::any_of(std::begin(kMethods), std::end(kMethods), ends);
}

bool calls_sink(const Tree& tree, const Block& body) {
  bool has_sink = false;
  for_all_statements(tree, body, [&](StmtId stmt) {
    for_each_expression(tree, stmt, [&](ExprId expr) {
      for_all_expressions(tree, expr, [&](ExprId id) {
        const auto* call = tree.get<Call>(id);
        if (call == nullptr) return;
        const auto* name = tree.get<Name>(call->function);
        const auto* attribute = tree.get<Attribute>(call->function);
        has_sink = has_sink || (name != nullptr && is_sink_name(name->id)) ||
                   (attribute != nullptr && is_sink_name(attribute->name));
      });
    });
  });
  return has_sink;
}

char open_quote(Sink sink, std::string_view text, char quote) {
  const bool is_shell = sink == Sink::kShell;
  const std::string_view quotes = is_shell ? "'\"" : "'\"`";
  for (size_t i = 0; i < text.size(); ++i) {
    if (is_shell && text[i] == '\\' && quote != '\'') {
      ++i;
    } else if (quote == '\0' && quotes.find(text[i]) != std::string_view::npos) {
      quote = text[i];
    } else if (text[i] == quote) {
      quote = '\0';
    }
  }
  return quote;
}

bool is_sql(std::string_view text) {
  constexpr std::array<std::string_view, 14> kStatements = {
      "select", "insert",  "update", "delete", "create",   "drop",   "alter",
      "with",   "replace", "pragma", "grant",  "truncate", "attach", "call"};
  std::string word;
  for (char c : text.substr(std::min(text.find_first_not_of(" \t\r\n("), text.size()))) {
    const char small = static_cast<char>(c | 0x20);
    if (small < 'a' || small > 'z') break;
    word += small;
  }
  return std::find(kStatements.begin(), kStatements.end(), word) != kStatements.end();
}

Words harmless_values(WordStore& words, const Letters& letters, const SinkPlace& place) {
  const Maker make{words, letters};
  switch (place.sink) {
    case Sink::kSql: return harmless_in_sql(make, place.quote);
    case Sink::kShell: return harmless_in_shell(make, place.quote);
    case Sink::kFileName: return harmless_in_path(make, place);
    case Sink::kCode: return harmless_as_code(make);
  }
  return words.all();
}

std::vector<Words> telling_values(WordStore& words, const Letters& letters, Sink sink) {
  const Maker make{words, letters};
  const auto holding = [&](std::string_view text) {
    return make.chain({words.all(), make.text(text), words.all()});
  };
  const Words letter = make.one(CharSet::range('a', 'z'));
  switch (sink) {
    case Sink::kSql: return {holding("' "), holding("'"), holding(" "), words.all()};
    case Sink::kShell:
      return {make.chain({words.all(), make.text(";"), letter}), holding("'"), holding("\""),
              holding("$"), words.all()};
    case Sink::kFileName: return {make.chain({make.text("../"), letter}), words.all()};
    case Sink::kCode: return {make.chain({make.some(letter), make.text("()")}), words.all()};
  }
  return {words.all()};
}

std::vector<CharSet> sink_characters() {
  std::vector<CharSet> sets = {
      Program::shell_safe(),    name_characters(),     digits(),
      CharSet::range('a', 'z'), sql_item_characters(), CharSet::of(" .+-*/%()")};
  for (const char c : std::string_view(" '\"`$\\;/.,()[]+-*=e\n"))
    sets.push_back(CharSet::of(std::string_view(&c, 1)));
  return sets;
}

}  // namespace nacre::python
