#include <doctest/doctest.h>

#include "docker/syntax.h"

namespace nacre::docker {

namespace {

File parsed(const std::string& text) { return parse(SourceFile("Dockerfile", text)); }

// The words of the only instruction, with a bar between them.
std::string words(const std::string& text) {
  const File file = parsed(text);
  REQUIRE(file.instructions.size() == 1);
  std::string result;
  for (const Word& word : file.instructions[0].words) result += word.text + "|";
  return result;
}

std::string problems(const std::string& text) {
  std::string result;
  for (const Problem& each : parsed(text).problems) result += each.message + "\n";
  return result;
}

}  // namespace

TEST_CASE("a tree prints as its file, byte for byte, and its items leave no gap") {
  const std::string texts[] = {
      "",
      "\n\n",
      "FROM a\n",
      "FROM a",
      "\xEF\xBB\xBF# syntax=docker/dockerfile:1\n\nFROM a\r\nRUN x \\\r\n  y\r\n",
      "FROM a\nRUN a \\\n# comment\n\n  b\\\n",
      "FROM a\nRUN <<EOF\nx\nEOF\nCOPY <<-A <<B /x\n\ta\n\tA\nb\nB\nRUN y",
      "FROM a\nRUN <<EOF\nnever ends",
      "  \t FROM a\n\t# c\n",
      "# escape=`\nFROM a\nRUN x `\n  y\n",
      std::string("RUN a\0b\n", 8),
  };
  for (const std::string& text : texts) {
    const File file = parsed(text);
    CHECK(print(file) == text);
    uint32_t end = 0;
    for (const Item& item : file.items) {
      CHECK(item.span.begin == end);
      end = item.span.end;
    }
    CHECK(end == text.size());
  }
}

TEST_CASE("lines are joined as BuildKit joins them") {
  CHECK(words("COPY a \\\n  b") == "a|b|");
  CHECK(words("COPY a\\\nb c") == "ab|c|");
  CHECK(words("COPY a \\ \t\n b") == "a|b|");
  CHECK(words("COPY a \\\n# comment\n   # another\n b") == "a|b|");
  CHECK(words("COPY a \\\n\n b") == "a|b|");
  CHECK(parsed("COPY a b\\\\\nRUN c").instructions.size() == 2);
  CHECK(words("# escape=`\nCOPY a `\n b\\") == "a|b\\|");
}

TEST_CASE("a place in a joined line is a place in the file") {
  const File file = parsed("FROM a\nCOPY one \\\n# no\n  two /x\n");
  const Word& word = file.instructions[1].words[1];
  CHECK(file.source.text(word.span) == "two");
  CHECK(file.source.text(file.instructions[1].span) == "COPY one \\\n# no\n  two /x");
}

TEST_CASE("flags stand before the arguments, quotes in them hold blanks") {
  const File file = parsed("COPY --from=b --chown=\"a b\" --link x /y");
  const Instruction& copy = file.instructions[0];
  REQUIRE(copy.flags.size() == 3);
  CHECK(copy.flag("from")->value == "b");
  CHECK(copy.flag("chown")->value == "\"a b\"");
  CHECK(!copy.flag("link")->has_value);
  CHECK(copy.words.size() == 2);
}

TEST_CASE("a list is JSON or it is a text for the shell") {
  CHECK(parsed("CMD [\"a\", \"b\\u00e9\\n\"]").instructions[0].words[1].text == "b\xC3\xA9\n");
  CHECK(parsed("CMD [\"a\"] ").instructions[0].form == Form::kJson);
  CHECK(parsed("CMD []").instructions[0].form == Form::kJson);
  CHECK(parsed("CMD ['a']").instructions[0].form == Form::kShell);
  CHECK(parsed("CMD [\"a\",]").instructions[0].form == Form::kShell);
  CHECK(parsed("CMD [\"a\"] x").instructions[0].form == Form::kShell);
  CHECK(parsed("CMD [1]").instructions[0].form == Form::kShell);
}

TEST_CASE("pairs of ENV, LABEL and ARG") {
  const File env = parsed("ENV a=1 b=\"x y\" c=\\ z");
  REQUIRE(env.instructions[0].pairs.size() == 3);
  CHECK(env.instructions[0].pairs[1].value.text == "\"x y\"");
  CHECK(env.instructions[0].pairs[2].value.text == "\\ z");
  const File old = parsed("ENV a b = c");
  CHECK(old.instructions[0].is_legacy);
  CHECK(old.instructions[0].pairs[0].value.text == "b = c");
  CHECK(!parsed("ARG a").instructions[0].pairs[0].has_value);
}

TEST_CASE("here-documents belong to RUN, COPY and ADD that are no list") {
  const File file = parsed("RUN <<EOF cat <<-'B'\nx\nEOF\n\ty\n\tB\nRUN z");
  REQUIRE(file.instructions.size() == 2);
  const auto& documents = file.instructions[0].here_documents;
  REQUIRE(documents.size() == 2);
  CHECK(file.source.text(documents[0].body) == "x\n");
  CHECK(documents[0].expands);
  CHECK(file.source.text(documents[1].body) == "\ty\n");
  CHECK(!documents[1].expands);
  CHECK(parsed("CMD <<EOF\nRUN x").instructions.size() == 2);
  CHECK(parsed("RUN [\"<<EOF\"]\nRUN x").instructions.size() == 2);
  CHECK(parsed("RUN echo '<<EOF'\nRUN x").instructions.size() == 2);
  CHECK(parsed("RUN cat <<<EOF\nRUN x").instructions.size() == 2);
  CHECK(parsed("RUN echo $((1<<2))\nRUN x").instructions.size() == 2);
  CHECK(parsed("RUN cat<<EOF\nRUN x").instructions.size() == 2);
  CHECK(parsed("ONBUILD RUN <<EOF\nx\nEOF\nRUN y").instructions.size() == 2);
}

TEST_CASE("what the builder refuses is said, and the rest is read") {
  CHECK(problems("FROM a\nRUN true\n").empty());
  CHECK(problems("COPPY a b\n") == "there is no instruction COPPY; did you mean COPY?\n");
  CHECK(problems("COPY a\n") == "COPY needs at least two arguments\n");
  CHECK(problems("ENV a=1 b\n") == "b is not of the form name=value\n");
  CHECK(problems("FROM a b\n") == "FROM is followed by an image, or by an image AS a name\n");
  CHECK(problems("SHELL bash\n") == "SHELL needs a JSON list: [\"program\", \"argument\"]\n");
  CHECK(problems("RUN --mont=x y\n") == "RUN has no flag --mont\n");
  CHECK(problems("HEALTHCHECK x\n") == "HEALTHCHECK is followed by NONE or CMD\n");
  CHECK(problems("RUN <<EOF\nx\n") == "the here-document has no end: there is no line EOF\n");
  CHECK(problems("# escape=x\nFROM a\n") == "the escape character must be \\ or `\n");
  CHECK(problems("# escape=`\n# escape=`\n") == "only one escape directive can be used\n");
}

TEST_CASE("directives end at the first line that is none") {
  CHECK(parsed("# syntax=a\n# escape=`\nFROM a").directives.size() == 2);
  CHECK(parsed("# comment\n# escape=`\nFROM a").directives.empty());
  CHECK(parsed("\n# escape=`\nFROM a").escape == '\\');
}

}  // namespace nacre::docker
