// Which input breaks a line: the finding has the value, and where it could come from is tried. Each candidate is a run
// of the script; the run in which the line gets the value is the one to show.
import type { Finding, Trace, TypeAt } from "./types";

export interface Found { trace: Trace; at: number; what: string }
interface Candidate { what: string; texts: string[] }

function candidates(value: string, names: string[]): Candidate[] {
  const quoted = JSON.stringify(value);
  return [
    { what: "without any other input", texts: [] },
    { what: value === "" ? "with an empty argument" : `with ${quoted} as the first argument`, texts: ["arg", value] },
    ...names.map((name) => ({ what: `with ${name}=${quoted} in the environment`, texts: ["env", `${name}=${value}`] })),
    { what: `with ${quoted} on standard input`, texts: ["stdin", `${value}\n`] },
    ...(/^\d+$/.test(value) ? [{ what: "at 08:08:08 on 8 August 2026", texts: ["clock", "1786176488"] }] : []),
    // As the name of a file, where a name can have it.
    ...(value !== "" && !value.includes("/") && value !== "." && value !== ".." ? [{ what: `with a file named ${quoted}`, texts: ["file", value, "0644", ""] }] : []),
  ];
}

// A field of the command is the value, or the step has brought the value into its text.
function shows(before: string, after: { text: string; fields: string[] }, value: string): boolean {
  if (value === "") return after.fields.includes("") || / (""|'')( |$)/.test(after.text);
  const times = (text: string) => text.split(value).length - 1;
  return after.fields.includes(value) || times(after.text) > times(before) || after.text.includes(`‹${value}›`) || ` ${after.text} `.includes(` ${value} `);
}

// The step at which the command of `line` gets `value` by an expansion.
function stepWith(trace: Trace, line: number, value: string): number {
  return trace.steps.findIndex((step) => step.after.line === line && step.kind === "expansion" && step.after.text !== step.before.text && shows(step.before.text, step.after, value));
}

// The step at which `line` begins with the value in a variable that it names.
function stepWithVariable(trace: Trace, line: number, value: string): number {
  const source = trace.script.text.split("\n")[line - 1] ?? "";
  const names = new Set(source.match(/[A-Za-z_]\w*/g));
  const holds = new Set(Object.entries(trace.start.variables).filter(([name, text]) => names.has(name) && text === value).map(([name]) => name));
  return trace.steps.findIndex((step) => {
    for (const each of step.variables) if (names.has(each.name)) { if (each.after === value) holds.add(each.name); else holds.delete(each.name); }
    return step.after.line === line && holds.size > 0 && step.before.line !== line;
  });
}

export async function findRun(finding: Finding, types: TypeAt[], run: (texts: string[]) => Promise<Trace>): Promise<Found> {
  const value = finding.counterexample ?? "";
  const names = [...new Set(types.filter((type) => type.variable && type.read).map((type) => type.name))].filter((name) => /^[A-Za-z_]\w*$/.test(name)).slice(0, 8);
  let first: Trace | null = null;
  for (const candidate of candidates(value, names)) {
    const trace = await run(candidate.texts);
    first ??= trace;
    const shown = stepWith(trace, finding.begin.line, value);
    const at = shown >= 0 ? shown : value === "" ? -1 : stepWithVariable(trace, finding.begin.line, value);
    if (at >= 0) return { trace, at: at + 1, what: candidate.what };
  }
  return { trace: first!, at: first!.steps.findIndex((step) => step.after.line === finding.begin.line) + 1, what: "" };
}
