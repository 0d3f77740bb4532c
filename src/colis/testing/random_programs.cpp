#include "colis/testing/random_programs.h"

namespace nacre::colis {

std::string RandomPrograms::any_text() {
  static const std::string kBytes = "ab'\\ \n\t;[](){}*,$\"\x01\xff";
  std::string result;
  for (size_t i = below(5); i > 0; --i) result += kBytes[below(kBytes.size())];
  return result;
}

std::string RandomPrograms::any_name() {
  static const char* const kNames[] = {"a", "x1", "_y", "cd", "true", "echo", "Begin", "endx"};
  return kNames[below(std::size(kNames))];
}

StringExpression RandomPrograms::any_string(int depth) {
  switch (below(depth > 0 ? 5 : 3)) {
    case 0: return literal(any_text());
    case 1: return variable(any_name());
    case 2: return argument(below(12));
    case 3: return embed(any_instruction(depth - 1));
    default: {
      std::vector<StringExpression> parts;
      for (size_t i = 2 + below(2); i > 0; --i) parts.push_back(any_string(0));
      return concat(std::move(parts));
    }
  }
}

ListExpression RandomPrograms::any_list(int depth) {
  ListExpression result;
  for (size_t i = below(3); i > 0; --i) result.push_back({any_string(depth - 1), below(2) == 0});
  return result;
}

Instruction RandomPrograms::any_instruction(int depth) {
  auto inner = [&] { return any_instruction(depth - 1); };
  static const char* const kUtilities[] = {"if", "[", "update-menus", "it's", "", ":", "x", "true"};
  Instruction result;
  const size_t kind = below(depth > 0 ? 16 : 8);
  result.code = ResultCode::kSuccess;
  switch (kind) {
    case 0: return assignment(any_name(), any_string(depth));
    case 1:
    case 2: return utility(kUtilities[below(std::size(kUtilities))], any_list(depth));
    case 3:
      result.kind = Instruction::kCall;
      result.name = below(2) == 0 ? any_name() : kUtilities[below(4)];
      result.list = any_list(depth);
      return result;
    case 4:
      result.kind = below(2) == 0 ? Instruction::kExit : Instruction::kReturn;
      result.code = static_cast<ResultCode>(below(3));
      return result;
    case 5:
      result.kind = Instruction::kShift;
      if (below(2) == 0) result.count = below(20);
      return result;
    case 6:
      result.kind = Instruction::kExport;
      result.name = any_name();
      return result;
    case 7:
      result.kind = Instruction::kCd;
      result.value = any_string(depth);
      return result;
    case 8: {
      std::vector<Instruction> items;
      for (size_t i = 2 + below(3); i > 0; --i) items.push_back(inner());
      return sequence(std::move(items));
    }
    case 9:
    case 10: {
      Instruction condition = inner();
      Instruction then = below(4) == 0 ? utility("true") : inner();
      Instruction otherwise = below(3) == 0 ? utility("true") : inner();
      if (below(4) == 0) {
        otherwise = with_parts(Instruction::kNot, {});
        otherwise.parts.push_back(utility("true"));
      }
      return conditional(std::move(condition), std::move(then), std::move(otherwise));
    }
    case 11:
      result.kind = Instruction::kFor;
      result.name = any_name();
      result.list = any_list(depth);
      result.parts.push_back(inner());
      return result;
    case 12:
    case 13:
      result.kind = kind == 12 ? Instruction::kPipe : Instruction::kWhile;
      result.parts.push_back(inner());
      result.parts.push_back(inner());
      return result;
    default:
      result.kind = kind == 14      ? Instruction::kNot
                    : below(2) == 0 ? Instruction::kProcess
                                    : Instruction::kNoOutput;
      result.parts.push_back(inner());
      return result;
  }
}

Program RandomPrograms::any_program() {
  Program result;
  for (size_t i = below(3); i > 0; --i)
    result.functions.push_back({any_name(), any_instruction(3)});
  result.body = any_instruction(4);
  return result;
}

// ------------------------------------------------------------------- programs that are run

std::string RandomPrograms::path() {
  static const char* const kPaths[] = {"/w/a",   "/w/b",   "/w/a/b",  "/w/b/a", "/w/c",
                                       "/w/a/c", "/w/a/",  "a",       "b/a",    "/w/a/../b",
                                       "//w//a", "/w/a/.", "/w/c/d/e"};
  return kPaths[below(std::size(kPaths))];
}

Instruction RandomPrograms::file_call() {
  auto call = [](std::string name, std::vector<std::string> arguments) {
    ListExpression list;
    for (std::string& one : arguments) list.push_back({literal(std::move(one)), false});
    return utility(std::move(name), std::move(list));
  };
  static const char* const kLetters[] = {"-e", "-d", "-f", "-s", "-x"};
  switch (below(16)) {
    case 0: return call("mkdir", {path()});
    case 1: return call("mkdir", {"-p", path()});
    case 2: return call("mkdir", {path(), path()});
    case 3: return call("touch", {path()});
    case 4: return call("rm", {path()});
    case 5: return call("rm", {"-f", path()});
    case 6: return call("rm", {below(2) == 0 ? "-r" : "-rf", path()});
    case 7: return call("mv", {path(), path()});
    case 8: return call("cp", {path(), path()});
    case 9: return call("cp", {"-r", path(), path()});
    case 10: return call("rmdir", {path()});
    case 11: return call("ln", {"-s", path(), path()});
    default: return call("test", {kLetters[below(std::size(kLetters))], path()});
  }
}

StringExpression RandomPrograms::word(bool with_files) {
  switch (below(5)) {
    case 0: return variable(below(2) == 0 ? "x" : "y");
    case 1: return argument(1 + below(2));
    case 2: {
      std::vector<StringExpression> parts;
      parts.push_back(literal("p"));
      parts.push_back(variable("x"));
      return concat(std::move(parts));
    }
    case 3: return embed(with_files ? file_call() : string_call());
    default: return literal(below(2) == 0 ? "a b" : "v");
  }
}

Instruction RandomPrograms::string_call() {
  switch (below(6)) {
    case 0: return utility("true");
    case 1: return utility("false");
    case 2:
      return utility("test",
                     words({variable("x"), literal(below(2) == 0 ? "=" : "!="), literal("v")}));
    default: {
      ListExpression list;
      for (size_t i = below(3); i > 0; --i) {
        list.push_back({below(2) == 0 ? variable("x") : argument(1), below(2) == 0});
      }
      list.push_back({literal("w"), false});
      return utility("echo", std::move(list));
    }
  }
}

Instruction RandomPrograms::ending_instruction(int depth, bool with_files, bool in_function) {
  auto inner = [&] { return ending_instruction(depth - 1, with_files, in_function); };
  Instruction result;
  switch (below(depth > 0 ? 18 : 5)) {
    case 0: return assignment(below(2) == 0 ? "x" : "y", word(with_files));
    case 1:
    case 2: return with_files ? file_call() : string_call();
    case 3: return string_call();
    case 4:
      if (below(4) != 0) return with_files ? file_call() : string_call();
      result.kind = in_function && below(2) == 0 ? Instruction::kReturn : Instruction::kExit;
      result.code = static_cast<ResultCode>(below(3));
      return result;
    case 5:
    case 6:
    case 7:
    case 8: {
      std::vector<Instruction> items;
      for (size_t i = 2 + below(2); i > 0; --i) items.push_back(inner());
      return sequence(std::move(items));
    }
    case 9:
    case 10: {
      Instruction condition = inner();
      Instruction then = inner();
      return conditional(std::move(condition), std::move(then),
                         below(2) == 0 ? inner() : utility("true"));
    }
    case 11:
      result.kind = Instruction::kFor;
      result.name = below(2) == 0 ? "x" : "z";
      for (size_t i = below(3); i > 0; --i) result.list.push_back({literal("f g"), below(2) == 0});
      result.parts.push_back(inner());
      return result;
    case 12: {  // at most three rounds
      const std::string counter = "n" + std::to_string(++loops_);
      std::vector<Instruction> body;
      body.push_back(assignment(counter, concat({literal("i"), variable(counter)})));
      body.push_back(inner());
      std::vector<Instruction> items;
      items.push_back(assignment(counter, literal("")));
      std::vector<Instruction> loop;
      loop.push_back(utility("test", words({variable(counter), literal("!="), literal("iii")})));
      loop.push_back(sequence(std::move(body)));
      items.push_back(with_parts(Instruction::kWhile, std::move(loop)));
      return sequence(std::move(items));
    }
    case 13:
      result.kind = Instruction::kPipe;
      result.parts.push_back(inner());
      result.parts.push_back(inner());
      return result;
    case 14:
      if (functions_ == 0) return string_call();
      result.kind = Instruction::kCall;
      result.name = "f" + std::to_string(below(static_cast<size_t>(functions_)));
      result.list.push_back({word(false), false});
      return result;
    case 15:
      if (!with_files) return string_call();
      result.kind = Instruction::kCd;
      result.value = literal(path());
      return result;
    default:
      result.kind = below(3) == 0   ? Instruction::kNot
                    : below(2) == 0 ? Instruction::kProcess
                                    : Instruction::kNoOutput;
      result.parts.push_back(inner());
      return result;
  }
}

Program RandomPrograms::ending_program(bool with_files) {
  Program result;
  functions_ = 0;
  for (size_t i = below(3); i > 0; --i) {  // each may call those before it
    Instruction body = ending_instruction(2, with_files, true);
    result.functions.push_back({"f" + std::to_string(functions_), std::move(body)});
    ++functions_;
  }
  result.body = ending_instruction(3, with_files, false);
  return result;
}

Program RandomPrograms::file_program() { return ending_program(true); }
Program RandomPrograms::string_program() { return ending_program(false); }

}  // namespace nacre::colis
