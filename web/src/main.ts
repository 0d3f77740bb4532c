// The page: one document, one world, one timeline.
import { $, h } from "./dom";
import { Editor } from "./editor";
import { ask, checking, running } from "./engine";
import { kLessons, type Lesson } from "./lessons";
import { explorePanel, findingsPanel, lessonsPanel, nowLine, purifyPanel, statePanel } from "./panels";
import { decode, encode } from "./share";
import "./style.css";
import { Timeline } from "./timeline";
import type { Finding, Purified, Report, Trace, TypeAt } from "./types";
import { kDefaultWorld, parseWorld } from "./world";

const kTooLarge = 1 << 20; // bytes: a larger text is not checked while typing
const kTabs = ["Findings", "Steps", "World", "Explore", "Purify", "Lessons"] as const;
type Tab = (typeof kTabs)[number];

let name = "script.sh";
let world = kDefaultWorld;
let tab: Tab = "Findings";
let findings: Finding[] = [];
let types: TypeAt[] = [];
let timeline: Timeline | null = null;
let explored: object | null = null;
let purified: { before: string; result: Purified } | null = null;
let explanation: string | null = null;

const say = (text: string) => { $("#status").textContent = text; };
const isScript = () => name === "script.sh" || name === "script.bash";

// Checks: the newest text only, after the last check has ended.
let isChecking = false;
let isStale = false;
async function check() {
  if (isChecking) { isStale = true; return; }
  const text = editor.text;
  if (text.length > kTooLarge) { say(`The text is larger than ${kTooLarge >> 20} MB and is not checked.`); return; }
  isChecking = true;
  try {
    const answer = await checking.call("check", [name, text, name === "script.bash" ? "bash" : ""]);
    findings = (JSON.parse(answer.text) as Report).findings;
    if (text === editor.text) editor.findings(findings);
    say(`${findings.length} ${findings.length === 1 ? "finding" : "findings"}, ${answer.ms.toFixed(0)} ms`);
    if (!isStale && (isScript() || name.endsWith(".py")) && !findings.some((each) => each.code.startsWith("S0"))) {
      types = await ask<TypeAt[]>(checking, "types", name, text, name === "script.bash" ? "bash" : "");
      if (text === editor.text) editor.types(types);
    }
  } catch (problem) {
    say(`The check failed: ${(problem as Error).message}`);
  }
  isChecking = false;
  if (tab === "Findings") render();
  if (isStale) { isStale = false; void check(); }
}

function edited() {
  timeline = null;
  explored = null;
  purified = null;
  types = [];
  $("#stepper").hidden = true;
  editor.step(null);
  if (tab === "Steps") render();
  void check();
}

const editor = new Editor($("#editor"), edited, () => void step());

async function trace(extra: string[] = []): Promise<Trace> {
  const parsed = parseWorld(world);
  if (parsed.problems.length > 0) throw new Error(parsed.problems[0]);
  const result = await ask<Trace>(running, "step", "script", name, editor.text, ...parsed.texts, ...extra);
  if (result.trouble) throw new Error(result.trouble);
  return result;
}

async function busy<T>(what: string, work: () => Promise<T>): Promise<T | null> {
  $("#stop").hidden = false;
  say(what);
  const start = performance.now();
  try {
    const result = await work();
    say(`${what} ${(performance.now() - start).toFixed(0)} ms`);
    return result;
  } catch (problem) {
    say((problem as Error).message);
    return null;
  } finally {
    $("#stop").hidden = true;
  }
}

async function step() {
  if (!isScript()) { say("Only shell scripts can be stepped through."); return; }
  const result = await busy("Running…", () => trace());
  if (result) showTrace(result, 0);
}

function showTrace(result: Trace, at: number) {
  timeline = new Timeline(result);
  if (result.end.trouble) say(result.end.trouble);
  const position = $<HTMLInputElement>("#position");
  position.max = String(timeline.length);
  $("#stepper").hidden = false;
  choose("Steps");
  goTo(at);
}

function goTo(to: number) {
  if (!timeline) return;
  timeline.go(to);
  $<HTMLInputElement>("#position").value = String(timeline.at);
  $("#now").replaceChildren(nowLine(timeline));
  const control = timeline.step?.after.text ? timeline.step.after : timeline.step?.before ?? timeline.trace.steps[0]?.before;
  editor.step(control ? control.span : null);
  if (tab === "Steps") render();
}

function move(where: string) {
  if (!timeline) return;
  const to: Record<string, () => number> = {
    first: () => 0, last: () => timeline!.length, back: () => timeline!.at - 1, forward: () => timeline!.at + 1,
    "next-command": () => timeline!.command(1), "previous-command": () => timeline!.command(-1),
  };
  goTo(to[where]());
}

// The value that breaks a line is known; which input brings it there is tried: each argument, each variable of the
// environment that the script reads, its standard input. The run in which the line gets the value is shown.
async function stepIt(finding: Finding) {
  const value = finding.counterexample ?? "";
  const names = [...new Set(types.filter((type) => type.variable && type.read).map((type) => type.name))].filter((each) => /^[A-Za-z_]\w*$/.test(each));
  const candidates: { what: string; texts: string[] }[] = [
    { what: "as the world is", texts: [] },
    { what: `with ${JSON.stringify(value)} as argument`, texts: ["arg", value] },
    { what: "with an empty argument", texts: ["arg", ""] },
    { what: `with ${JSON.stringify(value)} on standard input`, texts: ["stdin", value + "\n"] },
    ...names.slice(0, 8).map((each) => ({ what: `with ${each}=${JSON.stringify(value)}`, texts: ["env", `${each}=${value}`] })),
  ];
  const found = await busy("Looking for the input…", async () => {
    for (const candidate of candidates) {
      const result = await trace(candidate.texts);
      const at = result.steps.findIndex((each) => each.after.line === finding.begin.line && shows(each.after.fields, each.after.text, value));
      if (at >= 0) return { result, at, what: candidate.what };
    }
    return { result: await trace(), at: -1, what: "" };
  });
  if (!found) return;
  if (found.at >= 0) {
    showTrace(found.result, found.at + 1);
    say(`Line ${finding.begin.line} gets ${JSON.stringify(value)} ${found.what}.`);
  } else {
    const line = found.result.steps.findIndex((each) => each.after.line === finding.begin.line);
    showTrace(found.result, line + 1);
    say(`No input that was tried brings ${JSON.stringify(value)} to line ${finding.begin.line}; the world can say which files or inputs there are.`);
  }
}

function shows(fields: string[], text: string, value: string): boolean {
  if (value === "") return fields.includes("") || text.includes('""') || text.includes("''");
  return fields.includes(value) || text.includes(` ${value}`) || text.includes(`"${value}"`) || text.includes(`'${value}'`) || text.includes(`‹${value}`);
}

function choose(next: Tab) {
  tab = next;
  explanation = null;
  for (const button of document.querySelectorAll<HTMLElement>("[role=tab]")) {
    const isOn = button.textContent === tab;
    button.setAttribute("aria-selected", String(isOn));
    button.tabIndex = isOn ? 0 : -1;
  }
  render();
}

function worldPanel(): HTMLElement {
  const area = h("textarea", { spellcheck: false, "aria-label": "World", rows: 16 }) as HTMLTextAreaElement;
  area.value = world;
  const problems = h("p", { class: "trouble", role: "alert" });
  area.addEventListener("input", () => { world = area.value; problems.textContent = parseWorld(world).problems[0] ?? ""; });
  return h("div", {}, h("p", {}, "Files, users, arguments, environment and clock that the script starts with."), area, problems,
    h("button", { class: "primary", onclick: () => void step() }, "Step in this world"));
}

function render() {
  const panel = $("#panel");
  const scroll = panel.scrollTop;
  panel.replaceChildren(content());
  panel.scrollTop = scroll;
}

function content(): HTMLElement {
  if (explanation !== null) return h("div", {}, h("button", { onclick: () => choose("Findings") }, "← Findings"), h("pre", { class: "page" }, explanation));
  switch (tab) {
    case "Findings":
      return findingsPanel(findings, types, editor.text, {
        show: (finding) => editor.select(finding.begin.offset), fix: (fix) => editor.apply(fix), step: (finding) => void stepIt(finding),
        explain: (code) => void checking.call("explain", [code]).then((answer) => { explanation = answer.text; render(); }),
      }, isScript());
    case "Steps":
      return timeline ? statePanel(timeline, goTo) : h("div", {}, h("p", { class: "empty" }, "Run the script in a simulated world and go through every step, in both directions."), h("button", { class: "primary", onclick: () => void step() }, "Step"));
    case "World": return worldPanel();
    case "Lessons": return lessonsPanel(openLesson);
    case "Explore":
      return explored ? explorePanel(explored) : h("div", {}, h("p", {}, "Try the script in every file system and see how it can end."), h("button", { class: "primary", disabled: !isScript(), onclick: async () => { explored = await busy("Exploring…", () => ask<object>(running, "explore", name, editor.text, "500")); render(); } }, "Explore"));
    case "Purify":
      return purified ? purifyPanel(purified.before, purified.result, (text) => { editor.set(text, name); choose("Findings"); }) : h("div", {}, h("p", {}, "Make it portable, deterministic, idempotent and safe, with the reasons for each change."), h("button", { class: "primary", onclick: async () => { const before = editor.text; const result = await busy("Purifying…", () => ask<Purified>(checking, "purify", name, before)); if (result) purified = { before, result }; render(); } }, "Purify"));
  }
}

function openLesson(lesson: Lesson) {
  name = lesson.bash ? "script.bash" : "script.sh";
  $<HTMLSelectElement>("#language").value = name;
  world = lesson.world ?? "";
  editor.set(lesson.text, name);
  const answer = h("p", { class: "answer", hidden: true }, lesson.answer);
  const place = $("#lesson");
  place.hidden = false;
  place.replaceChildren(h("b", {}, lesson.title), h("p", {}, lesson.question), answer,
    h("button", { class: "primary", onclick: () => void step() }, "Step"), h("button", { onclick: () => { answer.hidden = false; } }, "Answer"),
    h("button", { "aria-label": "Close the lesson", onclick: () => { place.hidden = true; } }, "×"));
}

async function share() {
  const fragment = await encode({ name, text: editor.text, world, step: timeline?.at });
  history.replaceState(null, "", `#${fragment}`);
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is copied. It holds everything; no server knows it.");
  } catch {
    say("The link is in the address bar.");
  }
}

async function start() {
  const tabs = document.querySelector(".tabs")!;
  for (const each of kTabs) tabs.append(h("button", { role: "tab", "aria-controls": "panel", onclick: () => choose(each) }, each));
  tabs.addEventListener("keydown", (event) => {
    const key = (event as KeyboardEvent).key;
    const by = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
    if (by === 0) return;
    choose(kTabs[(kTabs.indexOf(tab) + by + kTabs.length) % kTabs.length]);
    document.querySelector<HTMLElement>("[role=tab][aria-selected=true]")?.focus();
  });
  $("#run").addEventListener("click", () => void step());
  $("#stop").addEventListener("click", () => running.end("Stopped."));
  $("#share").addEventListener("click", () => void share());
  $("#theme").addEventListener("click", () => {
    const root = document.documentElement;
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
    try { localStorage.setItem("theme", root.dataset.theme); } catch { /* a page without storage forgets it */ }
  });
  try { const theme = localStorage.getItem("theme"); if (theme) document.documentElement.dataset.theme = theme; } catch { /* the same */ }
  $("#language").addEventListener("change", (event) => { name = (event.target as HTMLSelectElement).value; editor.mode(name); edited(); });
  $("#position").addEventListener("input", (event) => goTo(Number((event.target as HTMLInputElement).value)));
  for (const button of document.querySelectorAll<HTMLElement>("[data-go]")) button.addEventListener("click", () => move(button.dataset.go!));
  document.addEventListener("keydown", (event) => {
    if (!timeline || (event.target as HTMLElement).closest("input, textarea, select, [contenteditable=true], [role=tab]")) return;
    const go = { ArrowRight: "forward", ArrowLeft: "back", ArrowDown: "next-command", ArrowUp: "previous-command", Home: "first", End: "last" }[event.key];
    if (!go || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move(go);
  });
  choose("Findings");
  const fragment = location.hash.slice(1);
  let broken = false;
  if (fragment.startsWith("lesson=")) {
    const lesson = kLessons.find((each) => each.id === fragment.slice(7));
    if (lesson) openLesson(lesson);
    else broken = true;
  } else if (fragment) {
    try {
      const state = await decode(fragment);
      name = [...$<HTMLSelectElement>("#language").options].some((each) => each.value === state.name) ? state.name : "script.sh";
      $<HTMLSelectElement>("#language").value = name;
      world = state.world;
      if (state.embed) document.body.classList.add("embed");
      editor.set(state.text, name);
      if (state.step !== undefined && isScript()) { await step(); goTo(state.step); }
    } catch {
      broken = true;
    }
  }
  if (new URLSearchParams(location.search).has("embed")) document.body.classList.add("embed");
  if (!fragment || broken) editor.set("#!/bin/sh\nset -e\napp=$1\nrm -rf $app/*\nfind . -name '*.log' | grep 'k[0-9]+' | sort | head -3\nmonth=$(date +%m)\necho $((month + 1))\n", name);
  if (broken) say("The link is broken: it could not be read.");
  if ("serviceWorker" in navigator) void navigator.serviceWorker.register("./sw.js").catch(() => undefined);
}

void start();
