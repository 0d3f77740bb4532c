// What is on the right: findings, the state at a step, the lessons, the outcomes of explore, what purify does.
import { MergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { h } from "./dom";
import { kLessons, type Lesson } from "./lessons";
import type { FileState, Finding, Fix, Purified, Rewrite, TypeAt } from "./types";
import type { Timeline } from "./timeline";

export function findingsPanel(findings: Finding[], types: TypeAt[], text: string, on: { show(finding: Finding): void; fix(fix: Fix): void; step(finding: Finding): void; explain(code: string): void }, canStep: boolean): HTMLElement {
  const pipelines = pipelinePictures(types, text);
  if (findings.length === 0) return h("div", {}, h("p", { class: "empty" }, "No findings."), pipelines);
  return h("div", {}, h("ol", { class: "findings" }, ...findings.map((finding) =>
    h("li", { class: `finding ${finding.severity}` },
      h("button", { class: "place", onclick: () => on.show(finding) }, `${finding.begin.line}:${finding.begin.column}`),
      h("span", { class: "badge" }, finding.severity),
      h("button", { class: "code", title: "Explain", onclick: () => on.explain(finding.code) }, finding.code),
      h("p", {}, finding.message),
      finding.counterexample !== undefined && h("p", { class: "example" }, "for example ", h("code", {}, finding.counterexample === "" ? "'' (empty)" : finding.counterexample)),
      ...(finding.path ?? []).map((place) => h("p", { class: "note" }, `line ${place.begin.line}: ${place.message}`)),
      h("div", { class: "actions" },
        canStep && finding.counterexample !== undefined && h("button", { class: "primary", onclick: () => on.step(finding) }, "Step it"),
        ...(finding.fixes ?? []).map((fix) => h("button", { onclick: () => on.fix(fix) }, `Fix: ${fix.message}`)))))), pipelines);
}

// A pipeline as boxes, with the language of the lines on each edge.
function pipelinePictures(types: TypeAt[], text: string): HTMLElement {
  const bytes = new TextEncoder().encode(text);
  const between = (a: TypeAt, b: TypeAt) => new TextDecoder().decode(bytes.subarray(a.end, b.begin));
  const commands = types.filter((type) => !type.variable).sort((a, b) => a.begin - b.begin);
  const groups: TypeAt[][] = [];
  for (const command of commands) {
    const last = groups.at(-1)?.at(-1);
    if (last && command.begin >= last.end && /^[^\n;&|]*\|\s*$/.test(between(last, command))) groups.at(-1)!.push(command);
    else groups.push([command]);
  }
  const pictures = groups.filter((group) => group.length > 1).slice(0, 12).map((group) =>
    h("div", { class: "pipeline", role: "img", "aria-label": group.map((each) => `${each.name} gives ${each.output}`).join(", then ") },
      ...group.flatMap((each) => [h("span", { class: "box" }, each.name), h("span", { class: "edge", title: each.output }, each.output || "nothing")])));
  return h("div", {}, pictures.length > 0 && h("h2", {}, "Pipelines"), ...pictures);
}

const line = (file: FileState | null) => file === null ? "" : file.kind === "file" ? file.contents : file.kind === "link" ? `→ ${file.contents}` : file.kind;

export function statePanel(timeline: Timeline, jump: (to: number) => void): HTMLElement {
  const step = timeline.step;
  const go = (test: Parameters<Timeline["changed"]>[0]) => () => { const to = timeline.changed(test); if (to !== null) jump(to); };
  const process = timeline.processes.get(step?.process ?? timeline.trace.steps[0]?.process ?? 0);
  const changedVariables = new Set(step?.variables.map((each) => each.name));
  const changedFiles = new Set(step?.files.map((each) => each.path));
  const initial = timeline.trace.start.variables;
  const variables = [...(process?.variables ?? [])].filter(([name, value]) => initial[name] !== value || changedVariables.has(name));
  const files = [...timeline.files].filter(([path, state]) => changedFiles.has(path) || !same(state, first(timeline, path)));
  const end = timeline.at === timeline.length ? timeline.trace.end : null;
  return h("div", { class: "state" },
    end && h("p", { class: end.trouble ? "trouble" : "done" }, end.trouble || `The script has ended with status ${end.status}.`),
    h("h2", {}, "Output"),
    h("button", { class: "output", title: "To the step that wrote it last", onclick: go((each) => each.output !== "" || each.errors !== "") }, timeline.output.slice(-20000) || "(nothing yet)"),
    h("h2", {}, "Variables"),
    variables.length === 0 ? h("p", { class: "empty" }, "None has changed.") : h("ul", { class: "values" }, ...variables.slice(0, 300).map(([name, value]) => h("li", { class: changedVariables.has(name) ? "changed" : "" }, h("button", { title: "To the step that set it", onclick: go((each) => each.variables.some((one) => one.name === name)) }, h("b", {}, name), " = ", h("code", {}, value))))),
    h("h2", {}, "Files"),
    files.length === 0 ? h("p", { class: "empty" }, "As at the start.") : h("ul", { class: "files" }, ...files.slice(0, 200).map(([path, state]) => h("li", { class: changedFiles.has(path) ? "changed" : "" }, h("button", { title: "To the step that changed it", onclick: go((each) => each.files.some((one) => one.path === path)) }, h("b", {}, `${sign(first(timeline, path), state)} ${path}`)), fileDiff(first(timeline, path), state)))),
    h("h2", {}, "Processes"),
    processTree(timeline));
}

const same = (a: FileState | null | undefined, b: FileState | null | undefined) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
const sign = (before: FileState | null, after: FileState | null) => before === null ? "+" : after === null ? "−" : "~";
const firsts = new WeakMap<Timeline, Map<string, FileState | null>>();
function first(timeline: Timeline, path: string): FileState | null {
  let map = firsts.get(timeline);
  if (!map) {
    map = new Map();
    for (const step of timeline.trace.steps) for (const file of step.files) if (!map.has(file.path)) map.set(file.path, file.before);
    firsts.set(timeline, map);
  }
  return map.get(path) ?? null;
}

function fileDiff(before: FileState | null, after: FileState | null): HTMLElement {
  const removed = before && before.kind !== "directory" ? line(before).split("\n") : [];
  const added = after && after.kind !== "directory" ? line(after).split("\n") : [];
  const keep = new Set(removed.filter((each) => added.includes(each)));
  const rows = [...removed.filter((each) => !keep.has(each)).map((each) => h("del", {}, each)), ...added.filter((each) => !keep.has(each)).map((each) => h("ins", {}, each))].slice(0, 40);
  const mode = before && after && before.mode !== after.mode ? h("span", { class: "note" }, `mode ${before.mode} → ${after.mode}`) : null;
  return h("pre", { class: "diff" }, mode, ...rows);
}

function processTree(timeline: Timeline): HTMLElement {
  const children = (parent: number): HTMLElement[] => [...timeline.processes.values()].filter((each) => each.parent === parent).map((each) =>
    h("li", { class: timeline.step?.process === each.pid ? "changed" : "" }, h("span", {}, `${each.pid}  `), h("code", {}, each.text.slice(0, 80) || "(done)"), h("ul", {}, ...children(each.pid))));
  const roots = [...timeline.processes.values()].filter((each) => !timeline.processes.has(each.parent)).map((each) => each.parent);
  return h("ul", { class: "processes" }, ...[...new Set(roots)].flatMap(children));
}

export function nowLine(timeline: Timeline): HTMLElement {
  const step = timeline.step;
  if (!step) return h("div", {}, h("span", { class: "rule" }, "start"), h("code", {}, timeline.trace.steps[0]?.before.text ?? ""));
  return h("div", {}, h("span", { class: `rule ${step.kind}` }, step.rule), h("span", { class: "note" }, ` ${timeline.at}/${timeline.length}  process ${step.process}  line ${step.after.line || step.before.line}  $? ${step.status} `), h("code", { class: "command" }, step.after.text || "(done)"));
}

export function lessonsPanel(open: (lesson: Lesson) => void): HTMLElement {
  return h("ul", { class: "lessons" }, ...kLessons.map((lesson) => h("li", {}, h("button", { onclick: () => open(lesson) }, h("b", {}, lesson.title), h("span", {}, lesson.question)))));
}

function rewrites(title: string, list: Rewrite[]): HTMLElement | false {
  return list.length > 0 && h("div", {}, h("h2", {}, title), h("ul", { class: "rewrites" }, ...list.map((each) => h("li", {}, h("b", {}, `line ${each.line} `), each.message, each.differs_when ? ` (${each.class}: differs when ${each.differs_when})` : "", h("ul", {}, ...each.needs.map((need) => h("li", { class: need.discharged ? "met" : "open" }, `${need.discharged ? "✓" : "✗"} ${need.kind}: ${need.why}`)))))));
}

export function purifyPanel(before: string, result: Purified, use: (text: string) => void): HTMLElement {
  if (result.refusal) return h("p", { class: "trouble" }, result.refusal);
  const place = h("div", { class: "merge" });
  const side = (doc: string) => ({ doc, extensions: [EditorView.editable.of(false), EditorState.readOnly.of(true), lineNumbers(), EditorView.lineWrapping] });
  new MergeView({ a: side(before), b: side(result.text), parent: place });
  return h("div", {}, before === result.text ? h("p", { class: "empty" }, "Nothing to change.") : h("button", { class: "primary", onclick: () => use(result.text) }, "Use this text"), place, rewrites("Done", result.done), rewrites("Kept", result.kept), rewrites("Refused", result.refused));
}

interface Explored { trouble?: string; complete?: boolean; runs?: number; outcomes?: { result?: string; how?: string; status?: number; condition?: string; changes?: string[]; message?: string; facts?: string[]; last?: { line: number } }[]; findings?: { code: string; message: string }[] }
export function explorePanel(result: Explored): HTMLElement {
  if (result.trouble) return h("p", { class: "trouble" }, result.trouble);
  return h("div", {}, h("p", {}, `${result.outcomes?.length ?? 0} outcomes`),
    h("ul", { class: "tree" }, ...(result.outcomes ?? []).map((outcome) => h("li", {}, h("details", {}, h("summary", {}, `${outcome.result ?? outcome.how ?? ""} ${outcome.status ?? ""}  ${outcome.condition ?? (outcome.facts ?? []).join(", ")}`), outcome.message ? h("p", { class: "note" }, outcome.message) : null, h("ul", {}, ...(outcome.changes ?? []).map((change) => h("li", {}, change))))))));
}
