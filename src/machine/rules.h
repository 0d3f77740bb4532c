// The names of the steps of the semantics. Those of expansion and of simple commands are the rules
// of the published small-step semantics of the POSIX shell; the others name what it leaves to
// prose.
#pragma once

#include <cstdint>
#include <string_view>

namespace nacre::machine {

#define NACRE_RULES(RULE)                                                                         \
  RULE(ExpStart)                                                                                  \
  RULE(ExpExpand)                                                                                 \
  RULE(ExpExpandErr)                                                                              \
  RULE(ExpSplit) RULE(ExpPath) RULE(ExpQuote) RULE(EWLit) RULE(EWCtrl) RULE(CmdSubst)             \
      RULE(CmdSubstRead) RULE(CmdSubstWait) RULE(CmdStart) RULE(CmdArgExp) RULE(CmdArgErr)        \
          RULE(CmdArgDone) RULE(CmdRedir) RULE(CmdRedirErr) RULE(CmdAssign) RULE(CmdAssignErr)    \
              RULE(CmdAssignDoneNoCmd) RULE(CmdAssignDoneCmd) RULE(CmdRunNoExec)                  \
                  RULE(CmdRunSpecial) RULE(CmdRun) RULE(RunFail) RULE(RunErr) RULE(Run)           \
                      RULE(Redirs) RULE(Not) RULE(NotSuccess) RULE(NotFail) RULE(Seq) RULE(And)   \
                          RULE(Or) RULE(If) RULE(IfThen) RULE(IfElse) RULE(WhileCond)             \
                              RULE(WhileBody) RULE(WhileDone) RULE(ForArgs) RULE(ForRunning)      \
                                  RULE(ForDone) RULE(CaseArg) RULE(CaseMatch) RULE(CaseCheck)     \
                                      RULE(Call) RULE(CallDone) RULE(FunctionDefinition)          \
                                          RULE(Pipe) RULE(PipeWait) RULE(Background)              \
                                              RULE(Subshell) RULE(SubshellDone) RULE(Wait)        \
                                                  RULE(Eval) RULE(EvalCmd) RULE(EvalDone)         \
                                                      RULE(Trapped) RULE(TrappedDone) RULE(Break) \
                                                          RULE(Continue) RULE(Return) RULE(Exit)  \
                                                              RULE(Blocked) RULE(Done)

enum class Rule : uint8_t {
#define NACRE_RULE_NAME(name) k##name,
  NACRE_RULES(NACRE_RULE_NAME)
#undef NACRE_RULE_NAME
};

[[nodiscard]] constexpr std::string_view name_of(Rule rule) {
  constexpr std::string_view kNames[] = {
#define NACRE_RULE_NAME(name) #name,
      NACRE_RULES(NACRE_RULE_NAME)
#undef NACRE_RULE_NAME
  };
  return kNames[static_cast<uint8_t>(rule)];
}

}  // namespace nacre::machine
