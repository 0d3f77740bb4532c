#include "regular/parse_type.h"

#include <doctest/doctest.h>
#include <map>
#include <string>

#include "regular/decide.h"
#include "regular/named_types.h"

namespace nacre::regular {
namespace {

Lang type(Context& cx, std::string_view text) {
  const auto parsed = parse_type(cx, text);
  CAPTURE(text);
  REQUIRE_MESSAGE(parsed, (parsed ? "" : parsed.error().message));
  return *parsed;
}

bool matches(std::string_view text, std::string_view word) {
  Context cx;
  return contains(type(cx, text), word);
}

bool same(std::string_view a, std::string_view b) {
  Context cx;
  return equivalent(type(cx, a), type(cx, b)).yes();
}

std::string error(std::string_view text) {
  Context cx;
  const auto parsed = parse_type(cx, text);
  return parsed ? "" : std::to_string(parsed.error().span.begin) + ": " + parsed.error().message;
}

TEST_CASE("the syntax is extended regular expressions on whole strings") {
  CHECK(matches("a|b+", "bb"));
  CHECK_FALSE(matches("a|b+", "abb"));
  CHECK(matches("", ""));
  CHECK(matches("()", ""));
  CHECK(matches("a{2,3}", "aaa"));
  CHECK_FALSE(matches("a{2,3}", "a"));
  CHECK(matches("a{,2}", ""));
  CHECK(matches("(ab)*c?", "ababc"));
  CHECK(matches("(?:ab)+", "abab"));
  CHECK(matches("\\.\\$\\{", ".${"));
  CHECK(matches("a\\tb\\x41", "a\tbA"));
  CHECK(matches("^a$", "a"));
  CHECK(matches("\\bfoo\\b bar", "foo bar"));
  CHECK_FALSE(matches("foo\\Bbar\\b!x", "foobar!x") == false);
  CHECK_FALSE(matches(".*", "a\nb"));
  CHECK(matches("(.|\\n)*", "a\nb"));
  CHECK(matches("??", "?"));
  CHECK(matches("*a", "*a"));
  CHECK(matches("x{a", "x{a"));
  CHECK(matches("{\"a\":1}", "{\"a\":1}"));
}

TEST_CASE("classes take escapes and never hold a newline by negation") {
  CHECK(matches("[^\\[\\]\"]*", "ab"));
  CHECK_FALSE(matches("[^\\[\\]\"]*", "a]"));
  CHECK(matches("[]a]", "]"));
  CHECK(matches("[a-z-9]", "-"));
  CHECK(matches("[A-Za-z-']+", "a-'"));
  CHECK(matches("[\\d.]+", "1.2"));
  CHECK(matches("[:digit:]", "7"));
  CHECK(matches("[[:digit:]x]", "x"));
  CHECK(matches("[:a]", ":"));
  CHECK_FALSE(matches("[^a]", "\n"));
  CHECK_FALSE(matches("\\S", "\n"));
  CHECK(matches("[\\n]", "\n"));
  CHECK(matches("[[.-.]]", "-"));
}

TEST_CASE("characters beyond ASCII are single items over bytes too") {
  CHECK(matches("é{2}", "éé"));
  CHECK(matches("[aéà]+", "éaà"));
  CHECK_FALSE(matches("[éà]", "\xC3"));
  CHECK(matches("[^é]", "è"));
  CHECK_FALSE(matches("[^é]", "é"));
  CHECK(matches("[à-ï]", "é"));
  CHECK(matches("[\\x80-\\xff]", "\xC3"));
  Context cx(Alphabet::kCodePoints);
  CHECK(contains(type(cx, "[à-ï]\\u00e9.{1}"), "éé€"));
}

TEST_CASE("intersection and complement") {
  CHECK(same("[a-c]+&!(.*b.*)", "[ac]+"));
  CHECK(same("[a-c]+ & ~(.*b.*)", "[ac]+"));
  CHECK(same("a|b&c", "a"));  // & binds tighter
  CHECK(same("!(a)", ".*&!(a)"));
  CHECK_FALSE(matches("!(a)", "\n"));     // alone: of lines
  CHECK(matches("(.|\\n)*&!(a)", "\n"));  // in an intersection: of the others
  CHECK(same("!(!(a))", "a"));
  CHECK(same("!(a)&!(b)", "!(a|b)"));
  CHECK(same("(~(R.*)&~(r.*))", "!([Rr].*)"));
  CHECK(same("!(.*)b", "{none}"));
  CHECK(matches("Hello world![ \\t]+", "Hello world!\t"));
  CHECK(matches("a~b", "a~b"));
  CHECK(matches("!", "!"));
  CHECK(matches("a!|!", "!"));
  CHECK(same("!a", "!(a)"));
  CHECK(same("![ab]*", "!([ab]*)"));
  CHECK(error("!ab") == "0: ! complements one item; write !(...) around more");
}

TEST_CASE("errors have a place and a hint") {
  CHECK(error("a(b") == "1: this ( is never closed");
  CHECK(error("ab)") == "2: this ) closes nothing; write \\) for the character");
  CHECK(error("a[b") == "1: this [ is never closed");
  CHECK(error("{ipv}") == "0: no type is called ipv; did you mean {ipv4}?");
  CHECK(error("{bogus}") == "0: no type is called bogus");
  CHECK(error("a\\") == "1: nothing follows the backslash");
  CHECK(error("a\\q") == "1: \\q is not an escape of types");
  CHECK(error("a{3,2}") == "1: the larger number comes first");
  CHECK(error("[z-a]") == "1: the range ends before it starts");
  CHECK(error("[[:foo:]]") == "1: no class is called foo");
  CHECK(error(std::string(5000, '(')).ends_with("too deeply nested"));
  CHECK(error(std::string(5000, '!').append("a")).ends_with("too deeply nested"));
  CHECK(error(std::string("a").append(5000, '*')).ends_with("too deeply nested"));
}

TEST_CASE("counters stay symbolic") {
  CHECK(matches("(a{1000}){1000}", std::string(1'000'000, 'a')));
  CHECK_FALSE(matches("(a{1000}){1000}", std::string(999'999, 'a')));
}

TEST_CASE("names of the user come first") {
  Context cx;
  TypeOptions options;
  options.lookup = [](Context& context, std::string_view name) -> std::optional<Lang> {
    if (name == "mine") return context.literal("m");
    if (name == "hex") return context.literal("h");
    return std::nullopt;
  };
  CHECK(contains(*parse_type(cx, "{mine}+{year}{hex}", options), "mm2024h"));
}

struct Examples {
  std::vector<std::string_view> members;
  std::vector<std::string_view> others;
};

TEST_CASE("every named type holds its examples and not their neighbours") {
  const std::map<std::string_view, Examples> examples = {
      {"none", {{}, {"", "a"}}},
      {"any", {{"", "a\nb"}, {}}},
      {"line", {{"", "a b"}, {"a\n"}}},
      {"word", {{"a", "a-b"}, {"", "a b", "a\t"}}},
      {"path", {{"/", "a b", "../x"}, {"", "a\nb"}}},
      {"filename", {{"a", ".a", "...", " "}, {"", ".", "..", "a/b"}}},
      {"ipv4",
       {{"0.0.0.0", "255.255.255.255", "10.1.2.3"},
        {"256.1.1.1", "1.2.3", "1.2.3.4.5", "1.2.3.", "a.b.c.d", ""}}},
      {"integer", {{"0", "-12", "+7"}, {"", "-", "1.5", "1e3", " 1"}}},
      {"float", {{"1.5", "-.5", "3.", "+0.0"}, {"1", ".", "-", "1.2.3"}}},
      {"hex", {{"0x0", "0xDEADbeef"}, {"0x", "FF", "0xG"}}},
      {"percentage", {{"0%", "5.5%", "99%", "100%", "100.00%"}, {"101%", "100.5%", "%", "5"}}},
      {"currency_usd", {{"$12.50", "$ 1.00", "$.99"}, {"12.50", "$12", "$1,0.0", "USD 1.0"}}},
      {"mac_address",
       {{"00:1B:44:11:3a:b7", "00-1b-44-11-3a-b7"}, {"00:1b:44:11:3a", "0:1:2:3:4:5"}}},
      {"email_address",
       {{"a@b.co", "a.b+c%d@x-y.example.org"}, {"a@b", "@b.co", "a b@c.de", "a@b.c"}}},
      {"url",
       {{"http://a.bc", "https://www.example.org/x?y=z#w"},
        {"ftp://a.bc", "http://localhost", "http//a.bc", "https://a.bc d"}}},
      {"iso_date",
       {{"2024-02-29", "1999-12-31"}, {"2024-13-01", "2024-00-10", "2024-01-32", "24-1-1"}}},
      {"year", {{"1000", "2999"}, {"999", "3000", "20245"}}},
      {"month_name",
       {{"Jan", "january", "May", "June", "Sep", "December"}, {"Ja", "Janu", "JAN", "Sept"}}},
      {"day_of_week",
       {{"Mon", "tuesday", "Thu", "Thursday", "Sun"}, {"Thursdays", "Tues", "MON", ""}}},
      {"time_24h", {{"0:00", "09:05", "23:59:59"}, {"24:00", "12:60", "1:5", "12:00:60"}}},
      {"time_12h", {{"1:00AM", "12:59:59 PM"}, {"13:00 PM", "0:30 AM", "1:00", "1:00 am"}}},
      {"uuid",
       {{"123e4567-e89b-12d3-a456-426614174000"},
        {"123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400"}}},
      {"hex_color", {{"#fff", "#A0b1C2"}, {"fff", "#ff", "#ffff", "#ggg"}}},
      {"semantic_version", {{"0.0.0", "1.20.3"}, {"1.2", "01.2.3", "1.2.3.4", "v1.2.3"}}},
      {"abs_path", {{"/", "/usr/bin", "/a//b/"}, {"a/b", "", "/a b"}}},
      {"file_extension", {{".txt", ".7z"}, {"txt", ".", ".tar.gz", "a.txt"}}},
      {"hidden_file", {{".bashrc", ".a-b_c.d"}, {"bashrc", ".", ".a b"}}},
      {"perms",
       {{"-rw-r--r--", "drwxr-xr-x", "----------"}, {"rw-r--r--", "lrwxrwxrwx", "-rw-r--r-"}}},
      {"html_tag",
       {{"<b>x</b>", "<a href='y'>z</a>", "<br />", "<h1></h1>"},
        {"<b>", "b", "<B>x</B>", "</b>"}}},
      {"domain_name",
       {{"example.org", "a-b.c1.museum"}, {"example", "-a.org", "a-.org", "a..org", "a.o"}}},
      {"subdomain", {{"www.", "a.b-c."}, {"www", ".", "a..b."}}},
      {"url_slug", {{"a", "my-first-post-2"}, {"-a", "a-", "a--b", "A"}}},
      {"ipv6",
       {{"::", "::1", "fe80::1", "1:2:3:4:5:6:7:8", "1::", "1:2::7:8", "2001:db8::ff00:42:8329"},
        {":", "1", "1:2:3:4:5:6:7", "1::2::3", "12345::", "g::", "1:2:3:4:5:6:7:8:9"}}},
      {"us_phone",
       {{"5551234567", "(555) 123-4567", "+1 555.123.4567", "1-555-123-4567"},
        {"123-4567", "555-1234-567", "+2 5551234567"}}},
      {"base64", {{"", "aGVsbG8=", "aGk=", "YQ==", "QUJD"}, {"a", "ab=", "=", "aGVs bG8="}}},
      {"md5",
       {{"d41d8cd98f00b204e9800998ecf8427e"},
        {"d41d8cd98f00b204e9800998ecf8427", "g41d8cd98f00b204e9800998ecf8427e"}}},
      {"sha1",
       {{"da39a3ee5e6b4b0d3255bfef95601890afd80709"}, {"da39a3ee5e6b4b0d3255bfef95601890afd8070"}}},
      {"sha256",
       {{"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}, {"e3b0c4"}}},
      {"subnet_mask", {{"255.255.255.0", "255.255.255.128"}, {"255.255.0.0", "255.255.255.1"}}},
      {"username_unix", {{"root", "_apt", "www-data"}, {"Root", "1a", "-a", ""}}},
  };
  for (const NamedType& named : named_types()) {
    CAPTURE(named.name);
    Context cx;
    const Lang language = type(cx, "{" + std::string(named.name) + "}");
    if (!named.example.empty()) CHECK(contains(language, named.example));
    const auto found = examples.find(named.name);
    REQUIRE(found != examples.end());
    for (std::string_view word : found->second.members) {
      CAPTURE(word);
      CHECK(contains(language, word));
    }
    for (std::string_view word : found->second.others) {
      CAPTURE(word);
      CHECK_FALSE(contains(language, word));
    }
  }
}

TEST_CASE("operations do to types what the commands do to lines") {
  CHECK(same("reverse(ab|cd*)", "ba|d*c"));
  CHECK(same("reverse(reverse({iso_date}))", "{iso_date}"));
  CHECK(same("translate-match(.*old.*&x?old, old, new)", "x?new"));
  CHECK(same("translate-match(abab, a.*b, c, global=true)", "c"));
  CHECK(same("translate-match(aXbXc, X, -, global=true)", "a-b-c"));
  CHECK(same("translate-match(aXbXc, X, -)", "a-bXc"));
  CHECK(same("translate-match([ ]*x, \"^[ \\t]+\", \"\")", "x"));
  CHECK(same("translate-match([a-z]+, ^, \"> \")", "> [a-z]+"));
  CHECK(same("translate-match(ab, (a)(b), \\1-\\2)", "a-b"));
  CHECK(same("translate-match([ab] x, (a|b) x, <\\1>)", "<[ab]>"));
  CHECK(same("translate-match(ab a, \\ba\\b, c)", "ab c"));
  CHECK(error("translate-match(a, a, \\1)").starts_with("22: "));
  CHECK(same("line-extract(x[0-9]+y, [0-9]+)", "[0-9]+"));
  CHECK(same("translate-chars([a-z]+, a-z, A-Z)", "[A-Z]+"));
  CHECK(same("translate-chars([a-z]+, [:lower:], [:upper:])", "[A-Z]+"));
  CHECK(same("translate-chars(( b )*, \" \", \" \", squeeze=true)", "( (b )+)?"));
  CHECK(same("translate-chars(.*, A-Za-z, \\n, true, true)&\\n", "\\n"));
  CHECK(same("translate-chars(a\\tb c, \" \", \"\\t\", \"_\", squeeze=true)", "a_b_c"));
  CHECK(same("translate-chars(a\\r\\nb, \\r\\n, \"\")", "ab"));
  CHECK(same("field-select(a:b:c, :, 2)", "b"));
  CHECK(same("field-select(a:b:c, :, 2-)", "b:c"));
  CHECK(same("field-select(a:b:c, :, 1,3)", "a:c"));
  CHECK(same("field-select(a:b:c, :, 2, invert=true)", "a:c"));
  CHECK(same("field-select(abc, :, 2)", ""));
  CHECK(same("field-select(abc, :, 1)", "abc"));
  CHECK(same("field-select(.{88}[0-9]{4}.*, (), 89-92)", "[0-9]{4}"));
  CHECK(same("field-select(\\ta\\tb, \\t, 2)", "a"));
  CHECK(same("field-select(.*&( .* .*), \" \", 2) | .*&[^ ]*", "[^ ]* | .*&[^ ]*"));
  CHECK(same("x(reverse(ab))+", "x(ba)+"));
  CHECK(matches("xreverse(a)", "xreversea"));
  CHECK(error("reverse(a") == "9: expected a comma or )");
  CHECK(error("field-select(a, :)") == "0: too few arguments");
  CHECK(error("translate-match(a, b)") == "0: too few arguments");
  CHECK(error("line-extract(a)") == "14: expected a comma and a pattern");
  CHECK(error("translate-match(a, (b, c)") == "25: expected a comma or )");
  CHECK(error("translate-chars(a, b, c, sqeeze=true)").find("no argument is called sqeeze") !=
        std::string::npos);
}

}  // namespace
}  // namespace nacre::regular
