// What a step looks like: the command with what has just changed in it, the state after it, and the whole run as a strip.
import { h } from "./dom";
import { inWords, kStages, stageOf } from "./rules";
import type { Timeline } from "./timeline";
import type { FileState } from "./types";

// The text with the part that the step changed marked.
function marked(before: string, after: string): HTMLElement {
  let begin = 0;
  while (begin < before.length && begin < after.length && before[begin] === after[begin]) begin++;
  let end = 0;
  while (end < before.length - begin && end < after.length - begin && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const changed = after.slice(begin, after.length - end);
  if (before === "" || changed.length > 400) return h("code", { class: "command" }, after);
  return h("code", { class: "command" }, after.slice(0, begin), changed ? h("mark", {}, changed) : null, after.slice(after.length - end));
}

export function nowLine(timeline: Timeline): HTMLElement {
  const step = timeline.step;
  if (!step) return h("div", {}, h("span", { class: "rule" }, "Before the first step"), h("span", { class: "note" }, ` ${timeline.length} steps`), h("code", { class: "command" }, timeline.trace.steps[0]?.before.text || timeline.trace.steps[0]?.after.text || ""));
  const stage = stageOf(step.rule);
  const line = step.after.line || step.before.line;
  return h("div", {},
    h("div", { class: "line" }, h("span", { class: `rule ${step.kind}` }, inWords(step.rule)),
      h("span", { class: "note" }, `step ${timeline.at} of ${timeline.length} · line ${line} · process ${step.process} · $? is ${step.status} · `, h("span", { title: "The name of the rule in the semantics" }, step.rule))),
    step.after.text ? marked(step.before.text, step.after.text) : h("code", { class: "command" }, "(done)"),
    h("ol", { class: "stages", "aria-hidden": "true" }, ...kStages.map((each) => h("li", { class: each === stage ? "on" : "" }, each))));
}

// The whole run in one strip: expansion, evaluation and output above, changed variables and files below.
export class Ruler {
  private timeline: Timeline | null = null;
  constructor(private canvas: HTMLElement) { addEventListener("resize", () => { if (this.timeline) this.draw(this.timeline); }); }
  show(timeline: Timeline) { this.timeline = timeline; requestAnimationFrame(() => this.draw(timeline)); }
  at(step: number) { this.canvas.style.setProperty("--at", String(this.timeline && this.timeline.length > 0 ? step / this.timeline.length : 0)); }
  private draw(timeline: Timeline) {
    const canvas = this.canvas.querySelector("canvas")!;
    const width = (canvas.width = canvas.clientWidth * devicePixelRatio);
    const height = (canvas.height = canvas.clientHeight * devicePixelRatio);
    const context = canvas.getContext("2d");
    if (!context || timeline.length === 0) return;
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string) => style.getPropertyValue(name);
    const [expansion, evaluation, output, changes] = ["--expansion", "--evaluation", "--added", "--warning"].map(colour);
    const each = width / timeline.length;
    timeline.trace.steps.forEach((step, index) => {
      context.fillStyle = step.output || step.errors ? output : step.kind === "expansion" ? expansion : evaluation;
      context.globalAlpha = step.output || step.errors ? 1 : 0.55;
      context.fillRect(index * each, 0, Math.max(each, 0.5), height * 0.62);
      if (step.files.length === 0 && step.variables.length === 0) return;
      context.globalAlpha = 1;
      context.fillStyle = changes;
      context.fillRect(index * each, height * 0.7, Math.max(each, devicePixelRatio), height * 0.3);
    });
  }
}

// Why a run did not end by itself, with what can be done about it on the page.
export const endingOf = (timeline: Timeline) => timeline.trace.end.trouble.replace("--fuel N allows more", "a line `fuel N` in the world allows more");

const contents = (file: FileState | null) => (file === null || file.kind === "directory" ? "" : file.kind === "link" ? `→ ${file.contents}` : file.contents);
const same = (a: FileState | null, b: FileState | null) => JSON.stringify(a) === JSON.stringify(b);
const change = (before: FileState | null, after: FileState | null) => (before === null ? "new" : after === null ? "removed" : "changed");

function rows(text: string): string[] {
  if (text === "") return [];
  const list = text.split("\n");
  if (list.at(-1) === "") list.pop();
  return list;
}

// The lines that differ, between the common beginning and the common end.
function fileDiff(before: FileState | null, after: FileState | null): HTMLElement {
  const [old, now] = [rows(contents(before)), rows(contents(after))];
  let begin = 0;
  while (begin < old.length && begin < now.length && old[begin] === now[begin]) begin++;
  let end = 0;
  while (end < old.length - begin && end < now.length - begin && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  const shown = (tag: string, list: string[]) => [...list.slice(0, 20).map((each) => h(tag, {}, each.slice(0, 300))), list.length > 20 ? h("span", { class: "note" }, `… ${list.length - 20} more lines`) : null];
  const mode = before && after && before.mode !== after.mode ? h("span", { class: "note" }, `mode ${before.mode} → ${after.mode}`) : null;
  return h("pre", { class: "diff" }, mode, ...shown("del", old.slice(begin, old.length - end)), ...shown("ins", now.slice(begin, now.length - end)));
}

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

function processTree(timeline: Timeline): HTMLElement {
  const all = [...timeline.processes.values()];
  const children = (parent: number): HTMLElement[] => all.filter((each) => each.parent === parent).slice(0, 50).map((each) =>
    h("li", {}, h("div", { class: timeline.step?.process === each.pid ? "process on" : "process" }, h("b", {}, String(each.pid)), h("code", {}, each.text.split("\n")[0].slice(0, 60) || "ended")), h("ul", {}, ...children(each.pid))));
  const roots = all.filter((each) => !timeline.processes.has(each.parent)).map((each) => each.parent);
  return h("ul", { class: "processes" }, ...[...new Set(roots)].flatMap(children));
}

// What the simulated world cannot know, and how to say it.
function missingCommands(timeline: Timeline, define: (lines: string) => void): HTMLElement | null {
  const missing = timeline.missing().slice(0, 8);
  if (missing.length === 0) return null;
  const lines = missing.map((each) => `command ${each} = 0 `);
  return h("div", { class: "missing" }, h("p", {}, `The simulated world has no ${missing.map((each) => each.split(" ")[0]).join(", ")}: here ${missing.length === 1 ? "it fails" : "they fail"}. Say in the world what ${missing.length === 1 ? "it does" : "they do"}:`),
    h("pre", {}, lines.join("\n")), h("button", { onclick: () => define(lines.join("\n") + "\n") }, "Add to the world"));
}

export function statePanel(timeline: Timeline, jump: (to: number) => void, define: (lines: string) => void): HTMLElement {
  const step = timeline.step;
  const go = (test: Parameters<Timeline["changed"]>[0]) => () => { const to = timeline.changed(test); if (to !== null) jump(to); };
  const process = timeline.processes.get(step?.process ?? timeline.trace.steps[0]?.process ?? 0);
  const changedVariables = new Set(step?.variables.map((each) => each.name));
  const changedFiles = new Set(step?.files.map((each) => each.path));
  const initial = timeline.trace.start.variables;
  const variables = [...(process?.variables ?? [])].filter(([name, value]) => initial[name] !== value || changedVariables.has(name) || /^\d+$/.test(name));
  const files = [...timeline.files].filter(([path, state]) => changedFiles.has(path) || !same(state, first(timeline, path)));
  const end = timeline.at === timeline.length ? timeline.trace.end : null;
  return h("div", { class: "state" },
    end && h("p", { class: end.trouble || end.status !== 0 ? "ending trouble" : "ending done" }, endingOf(timeline) || `The script has ended with status ${end.status}.`),
    missingCommands(timeline, define),
    h("h2", {}, "Output"),
    h("button", { class: "output", title: "To the step that wrote it last", onclick: go((each) => each.output !== "" || each.errors !== "") }, timeline.output.slice(-20000) || "nothing yet"),
    h("h2", {}, "Variables"),
    variables.length === 0 ? h("p", { class: "empty" }, "As at the start.") : h("ul", { class: "values" }, ...variables.slice(0, 200).map(([name, value]) => h("li", { class: changedVariables.has(name) ? "changed" : "" }, h("button", { title: "To the step that set it", onclick: go((each) => each.variables.some((one) => one.name === name)) }, h("b", {}, /^\d+$/.test(name) ? `$${name}` : name), h("code", {}, value === "" ? "''" : value.slice(0, 500)))))),
    h("h2", {}, "Files"),
    files.length === 0 ? h("p", { class: "empty" }, "As at the start.") : h("ul", { class: "files" }, ...files.slice(0, 100).map(([path, state]) => h("li", { class: changedFiles.has(path) ? "changed" : "" }, h("button", { title: "To the step that changed it", onclick: go((each) => each.files.some((one) => one.path === path)) }, h("span", { class: `sign ${change(first(timeline, path), state)}` }, change(first(timeline, path), state)), h("b", {}, path)), fileDiff(first(timeline, path), state)))),
    h("h2", {}, "Processes"),
    processTree(timeline));
}
