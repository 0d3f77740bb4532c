// Random scripts for the tests of soundness, with probes in them: commands that print what the
// variables hold when the shell comes there. They hold no command that touches anything but a few
// files in the directory they run in.
//
// A probe is a line `s=$?; printf '%s@' '#7' "$s" "$a" ...`: its number, the status, the variables.
#pragma once

#include <initializer_list>
#include <random>
#include <string>

#include "flow/testing/probed_templates.h"

namespace nacre::flow::testing {

class ProbedScript {
 public:
  ProbedScript(uint32_t seed, bool is_bash) : random_(seed), is_bash_(is_bash) {}

  std::string text();
  std::string text_of(std::string_view statement);  // with something to compute with before it

 private:
  using Choices = std::initializer_list<const char*>;
  std::string pick(Choices choices) { return *(choices.begin() + random_() % choices.size()); }
  std::string name() { return pick({"a", "b", "c"}); }
  std::string value() { return "\"$" + name() + "\""; }
  std::string probe();
  std::string literal();
  std::string word();
  std::string bash_word();
  std::string number();
  std::string condition();
  std::string bash_condition();
  std::string body(int depth) { return probe() + statement(depth - 1) + probe(); }
  std::string statement(int depth);
  std::string assignment();
  std::string bash_assignment();
  std::string by_name();
  std::string branch(int depth);
  std::string loop(int depth);
  std::string function(int depth);
  std::string arguments();
  std::string reading(int depth);
  std::string arithmetic(int depth);
  std::string scope(int depth);
  std::string status();
  std::string topic(int depth);
  std::string filled(std::string_view text, int depth);
  [[nodiscard]] std::string beginning() const;

  std::mt19937 random_;
  bool is_bash_;
  int functions_ = 0;
  int probes_ = 0;
};

inline std::string ProbedScript::beginning() const {
  const std::string result = "a=foo b='x y' c=12 n=1 m=a s=0 i=0 o=\n";
  return result + (is_bash_ ? "r=(k 'l m')\ndeclare -A h=([k]=hk)\n" : "");
}

inline std::string ProbedScript::text_of(std::string_view statement) {
  std::string result = beginning();
  for (uint64_t i = random_() % 3; i > 0; i--)
    result += random_() % 2 == 0 ? assignment() : branch(1);
  return result + filled(statement, 1) + probe();
}

inline std::string ProbedScript::text() {
  std::string result = beginning();
  const int statements = 1 + static_cast<int>(random_() % 6);
  const int depth = 1 + static_cast<int>(random_() % 2);
  for (int i = 0; i < statements; i++)
    result += statement(depth) + (random_() % 2 == 0 ? probe() : "");
  return result + probe();
}

inline std::string ProbedScript::probe() {
  std::string result = "s=$?; printf '%s@' '#" + std::to_string(probes_++) +
                       "' \"$s\" \"$a\" \"$b\" \"$c\" \"$n\" \"$o\" \"$1\"";
  if (is_bash_) result += " \"${r[0]}\" \"${r[1]}\" \"${#r[@]}\" \"${h[k]}\"";
  return result + "\n";
}

inline std::string ProbedScript::literal() {
  return pick({"foo", "'a b'", "''", "x.tar.gz", "/usr/lib/", "12", "-3", "'a*'", "007", "'p:q::r'",
               "' lead'", "Yes", "'[x]'", "'a\\b'"});
}

inline std::string ProbedScript::word() {
  const std::string x = name();
  switch (random_() % (is_bash_ ? 14 : 11)) {
    case 0:
    case 1: return literal();
    case 2: return value();
    case 3: return "\"${" + x + pick({"%.*", "##*/", "#a", "%%b*", "%?", "#*[0-9]"}) + "}\"";
    case 4: return "\"${" + x + pick({":-d", ":+e", "-d", "+e", ":=f", "=g"}) + "}\"";
    case 5: return "\"${#" + x + "}\"";
    case 6:
      return "\"$(printf '" + pick({"%s\\n\\n", "%s", "\\n%s\\n", "%s\\nz\\n"}) + "' " + value() +
             ")\"";
    case 7: return "\"" + pick({"-$", "p$", "$"}) + x + pick({"/q", " z", "$n", ""}) + "\"";
    case 8: return "\"$(echo $" + x + ")\"";
    case 9: return number();
    case 10: return "\"" + pick({"$*", "$1", "$#", "$?"}) + "\"";
    default: return bash_word();
  }
}

inline std::string ProbedScript::bash_word() {
  const std::string x = name();
  switch (random_() % 9) {
    case 0:
      return "\"${" + x + pick({"/o/0", "//o/00", "/#f/g", "/%r/s", "/[0-9]/", "//?/x"}) + "}\"";
    case 1: return "\"${" + x + pick({"^^", ",,", "^", ","}) + "}\"";
    case 2: return "\"${" + x + pick({":1:2", ":1", ": -2", ":0:1"}) + "}\"";
    case 3: return "\"${!m}\"";
    case 4: return "\"${r[" + pick({"0", "1", "n", "@", "*", "-1", "7"}) + "]}\"";
    case 5: return "\"${#r[@]}\"";
    case 6: return "$'t\\tu'";
    case 7: return "\"$(cat <<< " + value() + ")\"";
    default: return "\"${r[*]" + pick({"%?", "/k/j", "", "^^"}) + "}\"";
  }
}

inline std::string ProbedScript::number() {
  return pick({"$((n + 1))", "$((n * -2))", "$((n > 1 ? 5 : 7))", "$((n = n + 3))", "3", "$n",
               "$((${#a} % 4))", "$((n += 1))", "0", "$((010))"});
}

inline std::string ProbedScript::condition() {
  const std::string x = value();
  switch (random_() % (is_bash_ ? 14 : 11)) {
    case 0: return "[ " + pick({"-n ", "-z ", "", "! -n ", "-e ", "! "}) + x + " ]";
    case 1: return "[ " + x + pick({" = ", " != "}) + literal() + " ]";
    case 2: return "[ " + x + pick({" = ", " != "}) + value() + " ]";
    case 3:
      return "[ " + pick({"\"$n\"", "\"$c\"", "${#a}", "$#", "\"$a\""}) +
             pick({" -eq ", " -ne ", " -lt ", " -le ", " -gt ", " -ge "}) + number() + " ]";
    case 4: return "[ " + x + " != foo ] " + pick({"&&", "||"}) + " [ -n " + value() + " ]";
    case 5: return "[ " + x + " = foo " + pick({"-a", "-o"}) + " -n " + value() + " ]";
    case 6: return "! printf '%s\\n' " + x + " | grep -q " + pick({"o", "'^[0-9]*$'", "x", "''"});
    case 7: return "[ \"${" + name() + pick({":-d}\" = d ]", "+x}\" = x ]", "#a}\" = b ]"});
    case 8: return pick({"true", "false", "! true", ":"});
    case 9: return "test " + x + pick({" = 12", " != 'x y'", ""});
    case 10: return "case $" + name() + " in *o*) true ;; 1*) false ;; esac";
    default: return bash_condition();
  }
}

inline std::string ProbedScript::bash_condition() {
  const std::string x = "$" + name();
  switch (random_() % 7) {
    case 0:
      return "[[ " + x + pick({" == ", " != ", " = "}) +
             pick({"f*", "\"f*\"", "*[0-9]", "?", "$b"}) + " ]]";
    case 1:
      return "[[ " + x + " =~ " + pick({"^([a-z]+)(.*)$", "[0-9]", "o+", "^$", "\"a*\""}) +
             " ]] && o=${BASH_REMATCH[1]}";
    case 2: return "[[ -n " + x + pick({" && ", " || "}) + "! $n -gt 2 ]]";
    case 3:
      return "(( " + pick({"n > 1", "n", "n--", "${#a} > 3", "n == 2 || (n = 4)", "$# > 1", "!n"}) +
             " ))";
    case 4: return "[[ " + x + pick({" < ", " > "}) + "g ]]";
    case 5: return "[[ -v " + name() + " ]]";
    default: return "[[ $n -" + pick({"eq", "lt", "ge"}) + " 2 ]]";
  }
}

inline std::string ProbedScript::assignment() {
  switch (random_() % 8) {
    case 0: return name() + "=" + word() + " " + name() + "=" + word() + "\n";
    case 1: return "n=" + number() + "\n";
    case 2: return "unset " + name() + "\n";
    case 3: return ": \"${" + name() + pick({":=", "="}) + literal() + "}\"\n";
    case 4: return pick({"export ", "readonly q; export "}) + name() + "=" + word() + "\n";
    case 5: return name() + "=" + word() + " true\n";
    case 6:
      return "IFS=" + pick({":", "', '", "", "'\t'", "' '", "o"}) + "\n" +
             pick({"", "set -- $a $b\n", "set -- $c\n"}) + pick({"", "o=\"$*\"\n"}) +
             pick({"unset IFS\n", "IFS=' '\n", ""});
    default: return name() + "=" + word() + "\n";
  }
}

inline std::string ProbedScript::bash_assignment() {
  switch (random_() % 11) {
    case 0: return "r=(" + word() + " " + word() + ")\n";
    case 1: return "r+=(" + word() + ")\n";
    case 2: return "r[" + pick({"0", "1", "n", "3"}) + "]=" + word() + "\n";
    case 3:
      return "r=(" +
             pick({"$a $b", "*.txt", "{p,q}x", "{1..3}", "\"${r[@]}\" z", "\"x${r[@]}y\"", "$b",
                   "${r[@]}"}) +
             ")\n";
    case 4: return name() + "+=" + word() + "\n";
    case 5: return pick({"declare ", "typeset "}) + name() + "\ndeclare -i n=" + number() + "\n";
    case 6:
      return pick({"declare -u o\no=B", "declare -l o\no=", "declare -i o\no=1"}) + number() +
             "\no+=" + number() + "\n" + pick({"declare +u +l +i o\n", ""});
    case 7: return by_name();
    case 8: return "unset 'r[" + pick({"0", "1"}) + "]'\n";
    case 9: return "r" + pick({"+=", "="}) + literal() + "\n";
    default:
      return "(( " +
             pick({"n++", "n += 2", "r[0]++", "n = 5, i = 3", "n > 2 && (n = 0)",
                   "n ? (n = 8) : (i = 1)", "a = 4", "$m = 6"}) +
             " ))\n";
  }
}

// The name of the variable is in another one.
inline std::string ProbedScript::by_name() {
  const std::string m = "m=" + name() + "\n";
  switch (random_() % 10) {
    case 0: return m + "printf -v \"$m\" '%s' " + word() + "\n";
    case 1: return m + "declare \"$m=" + pick({"new\"", "$b\"", "\""}) + "\n";
    case 2: return m + "read -r \"$m\" <<< " + word() + "\n";
    case 3: return m + "unset \"$m\"\n";
    case 4: return m + "export \"$m=e$n\"\n";
    case 5:
      return m + "if [ " + value() + " = foo ]; then m=b; fi\nprintf -v \"$m\" v%s " + word() +
             "\n";
    case 6: return m + "eval \"$m=\\$c\"\n";
    case 7: return m + "declare -n ref=$m\nref=" + word() + "\nunset -n ref\n";
    case 8: return m + "let \"$m=4\" " + pick({"n=3", "'n=2,i=5'", "n++"}) + "\n";
    default: return m + "kv=" + name() + "=w\nexport \"$kv\"\n";
  }
}

inline std::string ProbedScript::branch(int depth) {
  switch (random_() % (is_bash_ ? 8 : 5)) {
    case 0: return "if " + condition() + "; then\n" + body(depth) + "else\n" + body(depth) + "fi\n";
    case 1:
      return "if " + condition() + "; then\n" + body(depth) + "elif " + condition() + "; then\n" +
             body(depth) + "fi\n";
    case 2: return "if " + condition() + "; then\n" + probe() + "fi\n" + probe();
    case 3: {
      return "case " + pick({"$a", "$b$c", "\"$n\"", "$1", "$?", "${#a}", "$(echo $c)"}) + " in\n" +
             pick({"a*|b*", "*[!0-9]*", "''", "*.gz", "0|1", "\"$b\""}) + ") " + body(depth) +
             ";;\n" + pick({"*o", "[0-9]*", "?", "$a"}) + ") " + body(depth) + ";;\n" +
             pick({"*)", "foo)"}) + " " + body(depth) + ";;\nesac\n";
    }
    case 4: return condition() + pick({" && ", " || "}) + "{\n" + body(depth) + "}\n";
    case 5:
    case 6:
      return "case $" + name() + " in\n" + pick({"f*", "*[0-9]"}) + ") " + body(depth) +
             pick({";&", ";;&"}) + "\n" + pick({"*o", "zzz", "1*"}) + ") " + body(depth) +
             pick({";&", ";;&", ";;"}) + "\n" + pick({"*", "f?o", "*2"}) + ") " + body(depth) +
             pick({";;", "false ;;&"}) + "\nesac\n";
    default: return condition() + "\n" + probe();
  }
}

inline std::string ProbedScript::loop(int depth) {
  const std::string jump = pick({"", "", "break\n", "continue\n", "[ \"$n\" = 2 ] && break\n",
                                 "[ -n \"$o\" ] || continue\n"});
  switch (random_() % (is_bash_ ? 9 : 7)) {
    case 0:
      return "for " + name() + " in " +
             pick({"$a", "$b", "\"$b\"", "*.none", "\"$@\"", "", "x\"$@\"y", "u$b"}) +
             pick({" u v", ""}) + "; do\n" + body(depth) + jump + "done\n";
    case 1: return "for " + name() + " do\n" + body(depth) + "done\n";
    case 2:
      return "i=0\nwhile [ $i -lt 3 ]; do\ni=$((i + 1))\n" + body(depth) + jump + body(depth) +
             "done\n";
    case 3:
      return "i=0\nuntil [ $i -ge 2 ]; do\ni=$((i + 1))\n" + body(depth) + jump +
             pick({"false\n", ""}) + "done\n";
    case 4:
      return "while [ $# -gt 0 ]; do\ncase $1 in\n-*|'') o=$1 ;;\n*) " + body(depth) +
             ";;\nesac\nshift\ndone\n";
    case 5:
      return "i=0\nwhile i=$((i + 1)); [ $i -lt 4 ]; do\n" + body(depth) +
             "[ $i = 2 ] && break\ndone\n";
    case 6:
      return "for o in 1 2; do\nfor i in 3 4; do\n" + body(depth) +
             pick({"break 2\n", "continue 2\n", "break\n"}) + "done\ndone\n";
    case 7: return "for ((i = 0; i < 3; i++)); do\n" + body(depth) + jump + "done\n";
    default:
      return "for " + name() + " in {1..3} {p,q}" + pick({"", "$n"}) + "; do\n" + body(depth) +
             "done\n";
  }
}

inline std::string ProbedScript::function(int depth) {
  const std::string f = "f" + std::to_string(functions_++);
  const std::string call = f + " " + word() + " " + pick({"", "\"$b\"", "$b", "\"$@\""}) + "\n";
  switch (random_() % 7) {
    case 0:
      return f + "() {\n" + pick({"local a\n", "local b=$1\n", "local a c\na=$2\n", ""}) +
             body(depth) + name() + "=\"$1\"\n" + pick({"return 3\n", "return\n", "false\n", ""}) +
             "}\n" + call;
    case 1:  // recursion
      return f + "() {\n" + pick({"local n=$1\n", "n=$1\n"}) + probe() +
             "if [ \"$n\" -gt 0 ]; then\n" + f + " $((n - 1))\n" + assignment() + "fi\n" + probe() +
             "}\n" + f + " " + pick({"1", "3", "4"}) + "\n";
    case 2:
      return "if " + condition() + "; then\n" + f + "() { a=one; }\nelse\n" + f + "() { " + name() +
             "=two; return 2; }\nfi\n" + f + "\n" + probe();
    case 3:
      return condition() + " && " + f + "() { " + assignment() + "}\n" + f + " 2>/dev/null\n" +
             probe();
    case 4:
      return f + "() { " + probe() + "[ \"$1\" = " + literal() + " ]\n}\n" + "if " + call +
             "then\n" + body(depth) + "else\n" + body(depth) + "fi\n";
    case 5: return f + "() { " + body(depth) + "}\n" + name() + "=" + word() + " " + call;
    default:
      return f + "() { " + pick({"set -- q \"$1\"", "shift", "shift 2", "set --"}) + "\n" +
             probe() + "}\n" + call;
  }
}

inline std::string ProbedScript::arguments() {
  switch (random_() % 6) {
    case 0: return "set -- " + word() + " " + word() + "\n";
    case 1:
      return "set -- " + pick({"$a $b", "\"$@\" z", "$b", "-- \"$c\"", "*.none", "\"\""}) + "\n";
    case 2:
      return pick({"shift\n", "[ $# -gt 1 ] && shift 2\n", "[ $# -eq 0 ] || shift\n"}) + "n=$#\n";
    case 3: return "n=$#\n" + name() + "=$2\n";
    case 4:
      return "OPTIND=1\nset -- -a -b " + word() + " rest -a\nwhile getopts " +
             pick({"ab:", ":ab:c", "b:"}) + " o; do\n" + probe() +
             "c=$OPTARG\ndone\nn=$OPTIND\nshift $((OPTIND - 1))\n" + probe();
    default: return name() + "=\"" + pick({"$*", "$@", "$1$2"}) + "\"\n";
  }
}

inline std::string ProbedScript::reading(int depth) {
  const std::string to = name() + " " + name();
  switch (random_() % (is_bash_ ? 13 : 8)) {
    case 0:
      return "printf '%s\\n' " + word() + " '1 2 3' > lines\nwhile " +
             pick({"", "IFS= ", "IFS=: "}) + "read " + pick({"-r ", ""}) +
             pick({to.c_str(), "a", "b c o"}) + "; do\n" + body(depth) + "done < lines\n";
    case 1: return "read -r " + to + " <<END\n$" + name() + " q\nEND\n";
    case 2:
      return "echo " + word() + pick({" > kept\n", " >> kept\n"}) + name() + "=$(" +
             pick({"cat kept", "head -n 1 < kept", "tr a b < kept"}) + ")\n";
    case 3:
      return "echo " + word() + " > kept\n" +
             pick({"(echo sub > kept)\n", "echo pipe | cat > kept\n", "{ echo grp; } > kept\n",
                   "o=$(echo cap > kept)\n", "echo t | tee kept > /dev/null\n",
                   "cp kept kept2; echo u >> kept\n"}) +
             name() + "=$(cat kept)\n";
    case 4: return "read " + name() + " < missing\n";
    case 5: return "{ " + name() + "=in; } < missing\n";
    case 6:
      return name() + "=$(printf '%s\\n' " + value() + " | " +
             pick({"tr a-z A-Z", "cut -c 1-3", "sed 's/a/b/'", "grep o", "head -n 1", "tail -n 1",
                   "wc -l", "sort", "sed -n 2p", "tr -d '\\n'"}) +
             ")\n";
    case 7: return "printf 'x y\\nz' | { read " + to + "\n" + probe() + "}\n";
    case 8: return "IFS=" + pick({":", "' '", "o"}) + " read -r " + to + " <<< " + word() + "\n";
    case 9: return "read -ra r <<< " + word() + "\n";
    case 10:
      return "mapfile " + pick({"-t r", "r", "-t -n 1 r"}) + " < <(printf '%s\\n' " + word() +
             " w)\n";
    case 11:
      return pick({"IFS= read -r -n 2 ", "read -d : ", "IFS= read -r -d '' ", "read -N 3 "}) +
             name() + " <<< " + word() + "\n";
    default: return name() + "=$(< lines)\n";
  }
}

inline std::string ProbedScript::scope(int depth) {
  switch (random_() % (is_bash_ ? 9 : 6)) {
    case 0: return "(\n" + body(depth) + pick({"exit 3\n", "", "false\n"}) + ")\n" + probe();
    case 1:
      return "echo " + value() + " | while read -r " + name() + "; do\n" + body(depth) + "done\n" +
             probe();
    case 2: return "echo " + value() + " | { read -r " + name() + "; " + body(depth) + "}\n";
    case 3:
      return name() + "=$(" + name() + "=in; echo \"$a\"; " +
             pick({"exit 2", "false", "true", ":"}) + ")\n" + probe();
    case 4:
      return "(set -e\n" + condition() + "\n" + body(depth) + "false\n" + probe() + ")\n" + probe();
    case 5:
      return "(set -e\n" + name() + "=$(false; echo " + word() + ") || o=bad\n" + probe() + name() +
             "=$(echo v; false)\n" + probe() + ")\n";
    case 6:
      return "(set -e -o pipefail\nfalse | true || " + body(depth) + "true | true\n" + probe() +
             ")\n";
    case 7:
      return "(trap 'o=trap; printf \"%s@\" \"#x\"' EXIT\n" + body(depth) + "exit 4\n)\n" + probe();
    default: return "shopt -s lastpipe\necho v | read -r " + name() + "\nshopt -u lastpipe\n";
  }
}

inline std::string ProbedScript::status() {
  switch (random_() % (is_bash_ ? 9 : 6)) {
    case 0: return condition() + "\nn=$?\n";
    case 1: return "! " + pick({"true", "false", "[ -n \"$a\" ]", "cat missing"}) + "\nn=$?\n";
    case 2: return pick({"true", "false"}) + " | " + pick({"true", "false"}) + "\nn=$?\n";
    case 3: return "(exit " + pick({"0", "3", "$n", "256"}) + ")\nn=$?\n";
    case 4: return name() + "=$(exit " + pick({"0", "5"}) + ")\nn=$?\n";
    case 5: return "if false; then :; fi\nn=$?\nfalse\nfor i in; do :; done\no=$?\n";
    case 6:
      return pick({"true", "false"}) + " | " + pick({"true", "(exit 3)"}) +
             "\nn=${PIPESTATUS[0]} o=${PIPESTATUS[1]}\n";
    case 7:
      return "set -o pipefail\n" + pick({"true", "false"}) + " | " + pick({"true", "(exit 3)"}) +
             "\nn=$?\nset +o pipefail\n";
    default:
      return pick({"((n))", "((0))", "let n=0", "[[ $a == $b ]]", "declare o=$(false)",
                   "export o=$(false)", "r=($(false))", "false & wait $!"}) +
             "\nn=$?\n";
  }
}

inline std::string ProbedScript::filled(std::string_view text, int depth) {
  if (text.starts_with("~d")) {
    return filled("~f_() { ~x=other; }\n~f() { if [ -z \"$1\" ]; then\n" +
                      std::string(text.substr(2)) + "\nelse ~f \"${1#?}\" more; fi; }\n~f pqrs\n~p",
                  depth);
  }
  const std::string x = name();
  std::string y = name();
  while (y == x) y = name();
  const std::string function = "g" + std::to_string(functions_++);
  std::string result;
  for (size_t at = 0; at < text.size(); at++) {
    if (text[at] != '~') {
      result += text[at];
      continue;
    }
    switch (text[++at]) {
      case 'x': result += x; break;
      case 'y': result += y; break;
      case 'f': result += function; break;
      case 'w': result += word(); break;
      case 'v': result += value(); break;
      case 'l': result += literal(); break;
      case 'N': result += number(); break;
      case 'c': result += condition(); break;
      case 'n': result += name(); break;
      case 'p': result += probe(); break;
      case 'b': result += depth > 0 ? body(depth) : probe(); break;
      default: result += '~', at--;
    }
    const bool ends_line = result.ends_with('\n');
    if (ends_line && text.substr(at + 1).starts_with("; ")) at++;
  }
  return result;
}

inline std::string ProbedScript::topic(int depth) {
  const auto any = [&](auto from) { return from[random_() % std::size(from)]; };
  const bool is_special = is_bash_ && random_() % 2 == 0;
  return filled(any(is_special ? any(std::span(kBashOnly)) : any(std::span(kPortable))), depth);
}

inline std::string ProbedScript::statement(int depth) {
  if (random_() % 5 < 2) return topic(depth);
  if (depth == 0 || random_() % 3 == 0) {
    switch (random_() % (is_bash_ ? 6 : 4)) {
      case 0: return status();
      case 1: return arguments();
      case 2:
      case 3: return assignment();
      default: return bash_assignment();
    }
  }
  switch (random_() % 6) {
    case 0: return branch(depth);
    case 1: return loop(depth);
    case 2: return function(depth);
    case 3: return reading(depth);
    case 4: return scope(depth);
    default: return arguments() + branch(depth);
  }
}

}  // namespace nacre::flow::testing
