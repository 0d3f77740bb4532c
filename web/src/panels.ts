// What is on the right: findings with pictures of the pipelines, the lessons, what purify does.
import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { h } from "./dom";
import { kLessons, type Lesson } from "./lessons";
import type { Finding, Fix, Purified, Rewrite, TypeAt } from "./types";

interface FindingActions { show(finding: Finding): void; fix(fix: Fix): void; step(finding: Finding): void; explain(code: string): void }

export function findingsPanel(findings: Finding[], types: TypeAt[], text: string, on: FindingActions, canStep: boolean, isFinished: boolean): HTMLElement {
  const pictures = pipelinePictures(types, findings, text);
  const rest = isFinished ? null : h("p", { class: "trouble" }, "The text could not be checked to its end; there may be more to find.");
  if (findings.length === 0) return h("div", {}, rest ?? h("p", { class: "empty good" }, "No findings."), pictures);
  return h("div", {}, rest, h("ol", { class: "findings" }, ...findings.slice(0, 200).map((finding) => card(finding, on, canStep))),
    findings.length > 200 ? h("p", { class: "note" }, `… and ${findings.length - 200} more, marked in the text.`) : null, pictures);
}

function card(finding: Finding, on: FindingActions, canStep: boolean): HTMLElement {
  const value = finding.counterexample;
  return h("li", { class: `finding ${finding.severity}` },
    h("div", { class: "top" }, h("span", { class: "badge" }, finding.severity), h("button", { class: "place", title: "Show it in the text", onclick: () => on.show(finding) }, `line ${finding.begin.line}`),
      h("span", { class: "grow" }), h("button", { class: "code", title: "Explain this code", onclick: () => on.explain(finding.code) }, finding.code)),
    h("p", {}, finding.message),
    value !== undefined && h("p", { class: "example" }, "breaks with ", h("code", {}, value === "" ? "an empty text" : JSON.stringify(value))),
    ...(finding.path ?? []).map((place) => h("p", { class: "note" }, `line ${place.begin.line}: ${place.message}`)),
    h("div", { class: "actions" },
      canStep && value !== undefined && h("button", { class: "primary", title: "Run the script with this input and stop here", onclick: () => on.step(finding) }, "Step it"),
      ...(finding.fixes ?? []).map((fix) => h("button", { title: fix.safe ? "Changes only the inputs that fail" : "May change what the script does", onclick: () => on.fix(fix) }, `Fix: ${fix.message}`))));
}

// A pipeline as boxes, with the language of the lines on each edge; a stage with a finding is marked, with its example.
function pipelinePictures(types: TypeAt[], findings: Finding[], text: string): HTMLElement {
  const bytes = new TextEncoder().encode(text);
  const between = (a: TypeAt, b: TypeAt) => new TextDecoder().decode(bytes.subarray(a.end, b.begin));
  const commands = types.filter((type) => !type.variable).sort((a, b) => a.begin - b.begin);
  const groups: TypeAt[][] = [];
  for (const command of commands) {
    const last = groups.at(-1)?.at(-1);
    if (last && command.begin >= last.end && /^[^\n;&|]*\|\s*$/.test(between(last, command))) groups.at(-1)!.push(command);
    else groups.push([command]);
  }
  const found = (each: TypeAt) => findings.find((finding) => finding.begin.offset >= each.begin && finding.end.offset <= each.end);
  const box = (each: TypeAt) => {
    const finding = found(each);
    return h("span", { class: finding ? `box ${finding.severity}` : "box", title: finding?.message }, each.name, finding?.counterexample !== undefined ? h("i", {}, JSON.stringify(finding.counterexample)) : null);
  };
  const pictures = groups.filter((group) => group.length > 1).slice(0, 12).map((group) =>
    h("div", { class: "pipeline", role: "img", "aria-label": group.map((each) => `${each.name} gives ${each.output || "nothing"}`).join(", then ") },
      ...group.flatMap((each) => [box(each), h("span", { class: "edge", title: each.output }, each.output || "nothing")])));
  return h("div", {}, pictures.length > 0 && h("h2", {}, pictures.length === 1 ? "The pipeline, and the lines on its way" : "Pipelines, and the lines on their way"), ...pictures);
}

export function lessonsPanel(open: (lesson: Lesson) => void): HTMLElement {
  return h("div", {}, h("p", { class: "lead" }, `${kLessons.length} small scripts, each with a question that the stepper answers.`),
    h("ul", { class: "lessons" }, ...kLessons.map((lesson) => h("li", {}, h("button", { onclick: () => open(lesson) }, h("b", {}, lesson.title), h("span", {}, lesson.question))))));
}

function rewrites(title: string, list: Rewrite[]): HTMLElement | false {
  return list.length > 0 && h("div", {}, h("h2", {}, title), h("ul", { class: "rewrites" }, ...list.map((each) =>
    h("li", {}, h("b", {}, `line ${each.line} `), each.message, each.differs_when ? ` (${each.class}: differs when ${each.differs_when})` : "",
      h("ul", {}, ...each.needs.map((need) => h("li", { class: need.discharged ? "met" : "open" }, `${need.discharged ? "✓" : "✗"} ${need.kind}: ${need.why}`)))))));
}

export function purifyPanel(before: string, result: Purified, use: (text: string) => void): HTMLElement {
  if (result.refusal) return h("p", { class: "trouble" }, result.refusal);
  const place = h("div", { class: "merge" });
  const fixed = [EditorView.editable.of(false), EditorState.readOnly.of(true), lineNumbers(), EditorView.lineWrapping];
  if (matchMedia("(max-width: 820px)").matches) new EditorView({ doc: result.text, extensions: [fixed, unifiedMergeView({ original: before, mergeControls: false })], parent: place });
  else new MergeView({ a: { doc: before, extensions: fixed }, b: { doc: result.text, extensions: fixed }, parent: place });
  return h("div", {}, before === result.text ? h("p", { class: "empty good" }, "Nothing to change.") : h("button", { class: "primary", onclick: () => use(result.text) }, "Use this text"), place,
    rewrites("Done", result.done), rewrites("Kept: what stays, and why", result.kept), rewrites("Refused", result.refused));
}
