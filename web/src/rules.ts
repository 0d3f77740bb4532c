// The rules of the machine in words, and the stages of a simple command in their order.
const kWords: Record<string, string> = {
  ExpStart: "begin to expand", ExpExpand: "expand a part of the word", ExpExpandErr: "the expansion fails", ExpExpandSplit: "split at IFS next", ExpExpandNoSplit: "no splitting here",
  ExpSplit: "split into fields", ExpPath: "expand patterns to file names", ExpPathNoGlob: "patterns are off", ExpQuote: "remove the quotes",
  EWSep: "go to the next word", EWLit: "a literal part", EWCtrl: "replace a tilde, parameter or arithmetic", EWCtrlErr: "the expansion fails", CmdSubst: "start a command substitution",
  CmdSubstRead: "read what the command writes", CmdSubstReadErr: "reading fails", CmdSubstWait: "the command ended: drop the last newlines",
  Not: "negate the status", NotSuccess: "success becomes failure", NotFail: "failure becomes success", NotCtrl: "leave the negation",
  CmdStart: "begin a command", CmdArgExp: "expand the words", CmdArgErr: "the expansion failed", CmdArgDone: "all words are expanded", CmdRedir: "redirect", CmdRedirErr: "the redirection fails",
  CmdRedirDoneErr: "the redirection failed", CmdRedirDone: "all redirections are made", CmdAssign: "expand the value", CmdAssignErr: "the assignment fails", CmdAssignSetErr: "the variable is read-only",
  CmdAssignSet: "assign", CmdAssignDoneNoCmd: "only assignments", CmdAssignDoneCmd: "assignments are made", CmdRunNoExec: "read but not run (set -n)", CmdRunSpecial: "run a special builtin",
  CmdRun: "look the command up", RunFail: "the command failed", RunErr: "the command cannot run", Run: "run", Redirs: "redirections of a compound command", Seq: "go on to the next command",
  And: "&&: the left side decides", Or: "||: the left side decides", If: "run the condition", IfThen: "the condition holds", IfElse: "the condition does not hold",
  WhileCond: "run the loop's condition", WhileBody: "the body runs", WhileDone: "the loop ends", ForArgs: "expand the list of the loop", ForRunning: "the next round", ForDone: "the loop ends",
  CaseArg: "expand the word of case", CaseMatch: "a pattern matches", CaseCheck: "try a pattern", Call: "call a function", CallDone: "the function returns", FunctionDefinition: "define a function",
  Pipe: "start a pipeline", PipeWait: "wait for the pipeline", Background: "start in the background", Subshell: "start a subshell", SubshellDone: "the subshell ends", Wait: "wait for a process",
  Eval: "eval", EvalCmd: "read a command", EvalDone: "all commands are read", Trapped: "a trap runs", TrappedDone: "the trap has run", Break: "break", Continue: "continue", Exit: "exit",
  Output: "a program writes", Blocked: "waits", Done: "done",
};
export const inWords = (rule: string): string => kWords[rule] ?? rule;

const kStageOf: [RegExp, string][] = [
  [/^(ExpSplit|ExpExpandSplit)$/, "split"], [/^ExpPath/, "patterns"], [/^ExpQuote$/, "quotes"], [/^(Exp|EW|CmdSubst|CmdArgExp|ForArgs|CaseArg)/, "expand"],
  [/^(CmdRedir|Redirs)/, "redirect"], [/^CmdAssign/, "assign"], [/^(CmdRun|Run|Call|Eval|Output|Subshell|Pipe|Background|Exit|Done)/, "run"],
];
export const kStages = ["expand", "split", "patterns", "quotes", "redirect", "assign", "run"];
export const stageOf = (rule: string): string => kStageOf.find(([pattern]) => pattern.test(rule))?.[1] ?? "";
