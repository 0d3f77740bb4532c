// The state at a step, moved in both directions: every record has old and new values.
import type { FileState, Step, Trace } from "./types";

export interface Process { pid: number; parent: number; variables: Map<string, string>; descriptors: Map<string, string>; text: string }

export class Timeline {
  at = 0; // how many steps were made
  files = new Map<string, FileState | null>(); // those that any step changes
  output = "";
  processes = new Map<number, Process>();

  constructor(readonly trace: Trace) {
    for (const step of trace.steps)
      for (const file of step.files) if (!this.files.has(file.path)) this.files.set(file.path, file.before);
    const first = trace.steps[0]?.process ?? 0;
    this.processes.set(first, {
      pid: first, parent: 0, text: trace.steps[0]?.before.text ?? "",
      variables: new Map(Object.entries(trace.start.variables)), descriptors: new Map(Object.entries(trace.start.descriptors)),
    });
    // A process starts with what its parent has at that moment.
    const seen = new Set([first]);
    trace.steps.forEach((step, index) => { if (!seen.has(step.process)) { seen.add(step.process); this.births.set(index, step.process); } });
  }
  private births = new Map<number, number>();

  get step(): Step | undefined { return this.trace.steps[this.at - 1]; }
  get length() { return this.trace.steps.length; }

  go(to: number) {
    to = Math.max(0, Math.min(to, this.length));
    while (this.at < to) this.forward();
    while (this.at > to) this.back();
  }

  private forward() {
    const step = this.trace.steps[this.at];
    if (this.births.has(this.at)) {
      const parent = this.processes.get(step.parent);
      this.processes.set(step.process, { pid: step.process, parent: step.parent, text: "", variables: new Map(parent?.variables), descriptors: new Map(parent?.descriptors) });
    }
    const process = this.processes.get(step.process)!;
    for (const each of step.variables) set(process.variables, each.name, each.after);
    for (const each of step.descriptors) set(process.descriptors, each.name, each.after);
    for (const each of step.files) this.files.set(each.path, each.after);
    this.output += step.output + step.errors;
    process.text = step.after.text;
    this.at++;
  }

  private back() {
    const step = this.trace.steps[--this.at];
    const process = this.processes.get(step.process)!;
    for (const each of [...step.variables].reverse()) set(process.variables, each.name, each.before);
    for (const each of [...step.descriptors].reverse()) set(process.descriptors, each.name, each.before);
    for (const each of [...step.files].reverse()) this.files.set(each.path, each.before);
    this.output = this.output.slice(0, this.output.length - step.output.length - step.errors.length);
    process.text = step.before.text;
    if (this.births.has(this.at)) this.processes.delete(step.process);
  }

  // The commands that the simulated world does not have, with the words that they were called with.
  private known: string[] | null = null;
  missing(): string[] { return (this.known ??= this.findMissing()); }
  private findMissing(): string[] {
    const result = new Set<string>();
    for (const step of this.trace.steps) {
      for (const [, name] of step.errors.matchAll(/(?:^|: )([\w.+-]+): (?:command )?not found$/gm)) {
        const fields = [step.after.fields, step.before.fields].find((each) => each[0] === name);
        result.add((fields ?? [name]).join(" "));
      }
      for (const [, name] of step.errors.matchAll(/^([\w.+-]+): .*not modelled.*$/gm)) result.add(step.before.text.startsWith(`${name} `) ? step.before.text : name);
    }
    return [...result];
  }

  // The last step up to now, or else the first after it, that changed something.
  changed(test: (step: Step) => boolean): number | null {
    for (let i = this.at - 2; i >= 0; i--) if (test(this.trace.steps[i])) return i + 1;
    for (let i = this.at; i < this.length; i++) if (test(this.trace.steps[i])) return i + 1;
    const here = this.step;
    return here && test(here) ? this.at : null;
  }

  // The step after which line `line` of the script is current for the first time after now, or else from the start.
  line(line: number): number | null {
    const isThere = (i: number) => this.trace.steps[i - 1].after.line === line;
    for (let i = this.at + 1; i <= this.length; i++) if (isThere(i)) return i;
    for (let i = 1; i <= this.at; i++) if (isThere(i)) return i;
    return null;
  }

  // The next or previous step at which another command begins.
  command(direction: 1 | -1): number {
    const where = (i: number) => { const step = this.trace.steps[i - 1]; return step ? `${step.process}:${step.after.span}` : ""; };
    const here = where(this.at);
    for (let i = this.at + direction; i > 0 && i <= this.length; i += direction) if (where(i) !== here && this.trace.steps[i - 1].after.text !== "") return i;
    return direction > 0 ? this.length : 0;
  }
}

function set(map: Map<string, string>, name: string, value: string | null) {
  if (value === null) map.delete(name);
  else map.set(name, value);
}
