#include "commands/awk_program.h"

#include <doctest/doctest.h>
#include <string>

namespace awk = nacre::awk;

namespace {

bool accepts(std::string_view text) { return awk::parse(text).has_value(); }
std::string error_of(std::string_view text) {
  auto program = awk::parse(text);
  return program ? "" : program.error().message;
}

// The tree as text, every operator in parentheses.
struct Show {
  const awk::Program& program;

  std::string list(const awk::Exprs& items) const {
    std::string out;
    for (awk::ExprId id : items) out += (out.empty() ? "" : ", ") + expr(id);
    return out;
  }
  std::string expr(awk::ExprId id) const { return std::visit(*this, program[id].node); }

  std::string operator()(const awk::Number& n) const { return fmt::format("{}", n.value); }
  std::string operator()(const awk::String& s) const { return '"' + s.value + '"'; }
  std::string operator()(const awk::Regex& r) const { return '/' + r.source + '/'; }
  std::string operator()(const awk::Variable& v) const { return v.name; }
  std::string operator()(const awk::Field& f) const { return "$" + expr(f.index); }
  std::string operator()(const awk::Element& e) const {
    return e.array + '[' + list(e.subscripts) + ']';
  }
  std::string operator()(const awk::Unary& u) const {
    return std::string{'('} + "!-+"[static_cast<int>(u.op)] + expr(u.operand) + ')';
  }
  std::string operator()(const awk::Binary& b) const {
    static constexpr const char* kNames[] = {
        "+", "-", "*", "/", "%", "^", " ", "<", "<=", "==", "!=", ">", ">=", "~", "!~", "&&", "||"};
    return '(' + expr(b.left) + ' ' + kNames[static_cast<int>(b.op)] + ' ' + expr(b.right) + ')';
  }
  std::string operator()(const awk::Conditional& c) const {
    return '(' + expr(c.condition) + " ? " + expr(c.then) + " : " + expr(c.otherwise) + ')';
  }
  std::string operator()(const awk::Assign& a) const {
    return '(' + expr(a.target) + (a.op ? " op= " : " = ") + expr(a.value) + ')';
  }
  std::string operator()(const awk::Increment& i) const {
    const std::string sign = i.delta > 0 ? "++" : "--";
    return i.is_prefix ? '(' + sign + expr(i.target) + ')' : '(' + expr(i.target) + sign + ')';
  }
  std::string operator()(const awk::Membership& m) const {
    return '(' + list(m.subscripts) + " in " + m.array + ')';
  }
  std::string operator()(const awk::Grouping& g) const { return list(g.items); }
  std::string operator()(const awk::Call& c) const {
    return c.function + '(' + list(c.arguments) + ')';
  }
  std::string operator()(const awk::Getline& g) const {
    std::string out = "getline";
    if (g.target) out += ' ' + expr(*g.target);
    if (g.from) out += (g.source == awk::Getline::Source::kFile ? " < " : " | ") + expr(*g.from);
    return '(' + out + ')';
  }
};

// Of the program `{ x = TEXT }`, the tree of TEXT.
std::string tree(std::string_view text) {
  auto program = awk::parse("{ x = " + std::string(text) + " }");
  if (!program) return "error: " + program.error().message;
  for (const awk::Stmt& stmt : program->stmts) {
    if (const auto* simple = std::get_if<awk::Simple>(&stmt.node)) {
      return Show{*program}.expr(std::get<awk::Assign>((*program)[simple->value].node).value);
    }
  }
  return "no statement";
}

}  // namespace

TEST_CASE("awk operators bind as POSIX says") {
  CHECK(tree("1 + 2 * 3 ^ 4 ^ 5") == "(1 + (2 * (3 ^ (4 ^ 5))))");
  CHECK(tree("-2 ^ 2") == "(-(2 ^ 2))");
  CHECK(tree("a b + c d") == "((a   (b + c))   d)");
  CHECK(tree("a -1") == "(a - 1)");
  CHECK(tree("$i++ + $++i") == "(($i++) + $(++i))");
  CHECK(tree("$NF-1") == "($NF - 1)");
  CHECK(tree("a ? b : c ? d : e") == "(a ? b : (c ? d : e))");
  CHECK(tree("a || b && c ~ d") == "(a || (b && (c ~ d)))");
  CHECK(tree("(i, j) in arr") == "(i, j in arr)");
  CHECK(tree("y = z += 3") == "(y = (z op= 3))");
  CHECK(tree("a < b \" x\"") == "(a < (b   \" x\"))");
}

TEST_CASE("a slash is a regex where an operand may stand and division elsewhere") {
  CHECK(tree("a / b / c") == "((a / b) / c)");
  CHECK(tree("/a\\/b[/]c/ ? 1 : 2") == "(/a/b[/]c/ ? 1 : 2)");
  CHECK(tree("$0 ~ /[[:alpha:]/]/") == "($0 ~ /[[:alpha:]/]/)");
  CHECK(tree("/=x/") == "/=x/");
}

TEST_CASE("getline binds as every awk has it") {
  CHECK(tree("\"cmd\" \" x\" | getline") == "(getline | (\"cmd\"   \" x\"))");
  CHECK(tree("\"cmd\" | getline line") == "(getline line | \"cmd\")");
  CHECK(tree("(getline line < file) > 0") == "((getline line < file) > 0)");
  CHECK(accepts("{ while ((getline line < \"f\") > 0) n++; close(\"f\") }"));
}

TEST_CASE("print redirects with > and compares inside parentheses") {
  auto program = awk::parse("{ print $1, $2 > \"out\" }");
  REQUIRE(program);
  bool found = false;
  for (const awk::Stmt& stmt : program->stmts) {
    if (const auto* output = std::get_if<awk::Output>(&stmt.node)) {
      found = true;
      CHECK(output->arguments.size() == 2);
      CHECK(output->redirect == awk::Output::Redirect::kFile);
    }
  }
  CHECK(found);
  CHECK(accepts("{ print (a > b) ? 1 : 2 }"));
  CHECK(accepts("{ print(1)(2) }"));
  CHECK(accepts("{ print (1, 2) > \"x\" \"y\" }"));
  CHECK(accepts("{ printf(\"%s\\n\", $1) | \"sort -k1\" }"));
}

TEST_CASE("rules, functions and statements") {
  CHECK(accepts(""));
  CHECK(accepts("# only a comment"));
  CHECK(accepts("BEGIN { FS = \":\" } NR == 1, /end/ { next } END { print n }"));
  CHECK(accepts("/a/; /b/\n/c/ { print }"));
  CHECK(accepts("function f(a,\n b) { return a b }\n{ print f(1, 2) }"));
  CHECK(accepts("{ if (a) print 1; else print 2 }"));
  CHECK(accepts("{ if (a) { print 1 }\n else\n print 2 }"));
  CHECK(accepts("{ for (k in a) delete a[k]; for (;;) break }"));
  CHECK(accepts("{ for (i = 1; i <= NF; i++)\n  s += $i }"));
  CHECK(accepts("{ do { x++ } while (x < 5); print x }"));
  CHECK(accepts("{ while (x) ; }"));
  CHECK(accepts("{ x = a &&\n b; y = length; z = length($0) }"));
  CHECK(accepts("{ switch ($1) { case /a/: print; break; case 2: default: exit 1 } }"));
  CHECK(accepts("!seen[$0]++"));
  CHECK(accepts("BEGIN { printf \"%d\\n\", 0x1F; exit }"));
  CHECK(accepts("{ a[1,2] = 3; if ((1,2) in a) print }"));
  CHECK(accepts("{ $3 = \"\"; print \\\n $0 }"));
  CHECK(accepts("1 && x = 2 { print x }"));
  CHECK(accepts("{ a[$1][$2] = 1; for (k in a[$1]) delete a[$1][k] }"));
}

TEST_CASE("what no awk accepts is an error with its place") {
  CHECK(error_of("!/^[[:space:]]*$ {++i} END{print i}") == "unterminated regular expression");
  CHECK(error_of("{ print \"abc }") == "unterminated string");
  CHECK_FALSE(accepts("{ print $1 "));
  CHECK_FALSE(accepts("{ print $1 }}"));
  CHECK_FALSE(accepts("{ if x > 1 print }"));
  CHECK_FALSE(accepts("{ print f(1) }"));
  CHECK_FALSE(accepts("{ 1 = 2 }"));
  CHECK_FALSE(accepts("BEGIN\n{ print }"));
  CHECK_FALSE(accepts("{ print `date` }"));
  CHECK_FALSE(accepts("{ a b c = }"));
  auto program = awk::parse("{ print $1\n  print ) }");
  REQUIRE_FALSE(program);
  CHECK(program.error().span == nacre::Span{19, 20});
}

TEST_CASE("deep nesting is an error and not a crash") {
  CHECK_FALSE(accepts("{ x = " + std::string(100000, '(') + "1" + std::string(100000, ')') + " }"));
  CHECK_FALSE(accepts(std::string(100000, '{')));
  CHECK_FALSE(accepts("{ x = " + std::string(100000, '!') + "1 }"));
  CHECK_FALSE(accepts("{ x = " + std::string(100000, '$') + "1 }"));
}
