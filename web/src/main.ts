// The page: one document, one world, one timeline.
import { $, h } from "./dom";
import { Editor } from "./editor";
import { ask, checking, running } from "./engine";
import { kLessons, type Lesson } from "./lessons";
import { explorePanel, type Explored } from "./outcomes";
import { findingsPanel, lessonsPanel, purifyPanel } from "./panels";
import { decode, encode } from "./share";
import { endingOf, nowLine, Ruler, statePanel } from "./state";
import { findRun } from "./step_it";
import "./style.css";
import { Timeline } from "./timeline";
import type { Finding, Purified, Report, Trace, TypeAt } from "./types";
import { kDefaultWorld, parseWorld } from "./world";

const kTooLarge = 1 << 20; // characters: a larger text is not checked
const kLongLink = 1 << 20; // characters: browsers cut longer links
const kTabs = ["Findings", "Steps", "World", "Explore", "Purify", "Lessons"] as const;
type Tab = (typeof kTabs)[number];
const kExample = "#!/bin/sh\nset -e\napp=$1\nrm -rf $app/*\nfind . -name '*.log' | grep 'k[0-9]+' | sort | head -3\nmonth=$(date +%m)\necho $((month + 1))\n";

let name = "script.sh";
let world = kDefaultWorld;
let tab: Tab = "Findings";
let checked: { text: string; findings: Finding[]; finished: boolean } | null = null; // null: not checked, `notice` says why
let notice = "Loading the checker…";
let types: TypeAt[] = [];
let timeline: Timeline | null = null;
let explored: Explored | null = null;
let purified: { before: string; result: Purified } | null = null;
let explanation: string | null = null;

const say = (text: string) => { $("#status").textContent = text; };
const isScript = () => name === "script.sh" || name === "script.bash";
const dialect = () => (name === "script.bash" ? "bash" : "");

// Checks: the newest text only, after the last check has ended. Types take longer, and wait for a pause.
let isChecking = false;
let isStale = false;
let pause = 0;
async function check() {
  if (isChecking) { isStale = true; return; }
  clearTimeout(pause);
  const text = editor.text;
  if (text.length > kTooLarge) {
    checked = null;
    editor.findings([]);
    notice = `The text has ${(text.length / 1e6).toFixed(1)} MB. Texts of more than 1 MB are not checked here; the program nacre checks them.`;
    say(notice);
    if (tab === "Findings") render();
    return;
  }
  isChecking = true;
  try {
    const answer = await checking.call("check", [name, text, dialect()]);
    if (text === editor.text) {
      const report = JSON.parse(answer.text) as Report;
      checked = { text, findings: report.findings, finished: report.summary.finished };
      editor.findings(checked.findings);
      const count = checked.findings.length;
      document.querySelector("[data-tab=Findings] .count")!.textContent = count > 0 ? String(count) : "";
      say(`${!checked.finished ? "Not checked to the end: " : ""}${count === 0 ? "No findings" : count === 1 ? "1 finding" : `${count} findings`} · checked in ${answer.ms.toFixed(0)} ms`);
      pause = window.setTimeout(() => void findTypes(text), 250);
    }
  } catch (problem) {
    checked = null;
    editor.findings([]);
    notice = `The check failed: ${(problem as Error).message}.`;
    say(notice);
  }
  isChecking = false;
  if (tab === "Findings") render();
  if (isStale) { isStale = false; void check(); }
}

async function findTypes(text: string) {
  if (isChecking || !(isScript() || name.endsWith(".py"))) return;
  try {
    const found = await ask<TypeAt[]>(checking, "types", name, text, dialect());
    if (text !== editor.text) return;
    types = found;
    editor.types(types);
    if (tab === "Findings") render();
  } catch { /* the findings are there; types are an addition */ }
}

function edited() {
  timeline = null;
  explored = null;
  purified = null;
  types = [];
  $("#stepper").hidden = true;
  editor.step(null);
  if (tab !== "World") render();
  void check();
}

const editor = new Editor($("#editor"), edited, () => void step());
const ruler = new Ruler($("#ruler"));

async function trace(extra: string[] = []): Promise<Trace> {
  const parsed = parseWorld(world);
  if (parsed.problems.length > 0) throw new Refused(parsed.problems[0]);
  const result = await ask<Trace>(running, "step", "script", name, editor.text, ...parsed.texts, ...extra);
  if (result.trouble) throw new Refused(result.trouble);
  return result;
}

// What the page itself will not do, in a sentence of its own.
class Refused extends Error {}

// One run at a time; the button Stop ends it.
let isBusy = false;
async function busy<T>(what: string, verb: string, work: () => Promise<T>): Promise<T | null> {
  if (isBusy) return null;
  isBusy = true;
  $("#stop").hidden = false;
  say(`${what}…`);
  const start = performance.now();
  try {
    const result = await work();
    say(`${what}: ${(performance.now() - start).toFixed(0)} ms`);
    return result;
  } catch (problem) {
    const { message } = problem as Error;
    say(message === "Stopped." || problem instanceof Refused ? message : `${verb} failed: ${message}.`);
    return null;
  } finally {
    isBusy = false;
    $("#stop").hidden = true;
  }
}

async function step(at = 0) {
  if (!isScript()) { say("Only shell scripts can be stepped through."); return; }
  const text = editor.text;
  const result = await busy("Ran the script", "The run", () => trace());
  if (result && text === editor.text) showTrace(result, at);
}

function showTrace(result: Trace, at: number) {
  timeline = new Timeline(result);
  ruler.show(timeline);
  const position = $<HTMLInputElement>("#position");
  position.max = String(timeline.length);
  $("#stepper").hidden = false;
  choose("Steps");
  goTo(at);
  const missing = timeline.missing();
  if (result.end.trouble) say(endingOf(timeline));
  else if (missing.length > 0) say(`The simulated world has no ${missing.map((each) => each.split(" ")[0]).join(", ")}.`);
}

function goTo(to: number) {
  if (!timeline) return;
  timeline.go(to);
  const position = $<HTMLInputElement>("#position");
  position.value = String(timeline.at);
  position.setAttribute("aria-valuetext", `step ${timeline.at} of ${timeline.length}`);
  ruler.at(timeline.at);
  $("#now").replaceChildren(nowLine(timeline));
  const control = timeline.step?.after.text ? timeline.step.after : timeline.step?.before ?? timeline.trace.steps[0]?.before;
  editor.step(control ? control.span : null);
  if (tab === "Steps") render();
}

function move(where: string) {
  if (!timeline) return;
  const cursor = editor.line;
  const to: Record<string, () => number> = {
    first: () => 0, last: () => timeline!.length, back: () => timeline!.at - 1, forward: () => timeline!.at + 1,
    "next-command": () => timeline!.command(1), "previous-command": () => timeline!.command(-1),
    line: () => timeline!.line(cursor) ?? (say(`Line ${cursor} is not reached in this run.`), timeline!.at),
  };
  goTo(to[where]());
}

async function stepIt(finding: Finding) {
  const found = await busy("Looked for the input", "The run", () => findRun(finding, types, trace));
  if (!found) return;
  const value = JSON.stringify(finding.counterexample ?? "");
  showTrace(found.trace, found.at);
  say(found.what !== "" ? `Line ${finding.begin.line} gets ${value} ${found.what}.`
    : `No input that was tried brings ${value} to line ${finding.begin.line}. The world can say which files and inputs there are.`);
}

function choose(next: Tab) {
  tab = next;
  explanation = null;
  for (const button of document.querySelectorAll<HTMLElement>("[role=tab]")) {
    const isOn = button.dataset.tab === tab;
    button.setAttribute("aria-selected", String(isOn));
    button.tabIndex = isOn ? 0 : -1;
    if (isOn) $("#panel").setAttribute("aria-labelledby", button.id);
  }
  render();
}

function worldPanel(): HTMLElement {
  const area = h("textarea", { spellcheck: "false", "aria-label": "World", rows: 14 }) as HTMLTextAreaElement;
  area.value = world;
  const problems = h("p", { class: "trouble", role: "alert" }, parseWorld(world).problems[0] ?? "");
  area.addEventListener("input", () => { world = area.value; problems.textContent = parseWorld(world).problems[0] ?? ""; });
  const row = (what: string, meaning: string) => h("tr", {}, h("td", {}, h("code", {}, what)), h("td", {}, meaning));
  return h("div", {}, h("p", { class: "lead" }, "What the script starts with, one line each. Nothing of your own machine is read or changed."), area, problems,
    h("button", { class: "primary", onclick: () => void step() }, "Step in this world"),
    h("table", { class: "help" }, row("arg a b", "one argument, to the end of the line"), row("env NAME=value", "a variable of the environment"),
      row("file notes.txt 0644", "a file; lines that begin with | are its contents"), row("directory d 0755", "a directory"), row("link now -> releases/1", "a symbolic link"),
      row("stdin | text", "standard input; more lines follow as | ..."), row("user root", "who runs the script: user or root"), row("cwd /tmp", "where it starts"),
      row("clock 1767225600", "the time, in seconds since 1970"), row("command git pull = 0 Done.", "what a command that is not modelled does: its status and output"),
      row("fuel 30000", "after how many steps the run is ended")));
}

function render() {
  const panel = $("#panel");
  const scroll = panel.scrollTop;
  panel.replaceChildren(content());
  panel.scrollTop = scroll;
}

const offer = (text: string, action: string, run: () => void, canRun = true) =>
  h("div", { class: "offer" }, h("p", {}, text), h("button", { class: "primary", disabled: !canRun, onclick: run }, action));

function content(): HTMLElement {
  if (explanation !== null) return h("div", {}, h("button", { onclick: () => choose("Findings") }, "← Findings"), h("pre", { class: "page" }, explanation));
  switch (tab) {
    case "Findings":
      if (!checked) return h("p", { class: "empty" }, notice);
      return findingsPanel(checked.findings, types, editor.text, {
        show: (finding) => editor.select(finding.begin.offset), step: (finding) => void stepIt(finding),
        fix: (fix) => { if (checked?.text === editor.text) editor.apply(fix); },
        explain: (code) => void checking.call("explain", [code]).then((answer) => { explanation = answer.text; render(); }),
      }, isScript(), checked.finished);
    case "Steps":
      if (timeline) return statePanel(timeline, goTo, (lines) => { world = world.replace(/\n?$/, "\n") + lines; choose("World"); });
      return isScript() ? offer("Run the script in a simulated world and go through every step of it, forward and back: each stage of an expansion, each process, each change of a variable or a file.", "Step", () => void step())
        : h("p", { class: "empty" }, "Only shell scripts can be stepped through.");
    case "World": return worldPanel();
    case "Lessons": return lessonsPanel(openLesson);
    case "Explore":
      if (explored) return explorePanel(explored, (span) => editor.select(span[0]));
      return isScript() ? offer("Try the script in every file system: which files exist, which are directories, which can be written. See in which ways it can end.", "Explore", () => void explore())
        : h("p", { class: "empty" }, "Only shell scripts can be explored.");
    case "Purify":
      if (purified) return purifyPanel(purified.before, purified.result, (text) => { editor.set(text, name); choose("Findings"); });
      return offer("Make it portable, deterministic, idempotent and safe. Each change comes with the reason why it is allowed.", "Purify", () => void purify());
  }
}

async function explore() {
  const text = editor.text;
  const result = await busy("Explored", "Exploring", () => ask<Explored>(running, "explore", name, text, "300"));
  if (result && text === editor.text) explored = result;
  render();
}

async function purify() {
  const before = editor.text;
  const result = await busy("Purified", "Purifying", () => ask<Purified>(checking, "purify", name, before));
  if (result && before === editor.text) purified = { before, result };
  render();
}

function setName(next: string) {
  name = next;
  $<HTMLSelectElement>("#language").value = name;
}

function openLesson(lesson: Lesson) {
  setName(lesson.bash ? "script.bash" : "script.sh");
  world = lesson.world ?? "";
  editor.set(lesson.text, name);
  const answer = h("p", { class: "answer", hidden: true }, lesson.answer);
  const place = $("#lesson");
  const next = kLessons[(kLessons.indexOf(lesson) + 1) % kLessons.length];
  place.hidden = false;
  place.replaceChildren(h("button", { class: "close", "aria-label": "Close the lesson", onclick: () => { place.hidden = true; } }, "×"),
    h("b", {}, lesson.title), h("p", {}, lesson.question), answer,
    h("button", { class: "primary", onclick: () => void step() }, "Step"), h("button", { onclick: () => { answer.hidden = false; } }, "Answer"),
    h("button", { onclick: () => openLesson(next) }, "Next lesson"));
}

async function share() {
  const fragment = await encode({ name, text: editor.text, world, step: timeline?.at });
  if (fragment.length > kLongLink) { say(`The text is too large for a link: it would have ${(fragment.length / 1e6).toFixed(1)} MB.`); return; }
  history.replaceState(null, "", `#${fragment}`);
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is copied. It holds everything; no server knows it.");
  } catch {
    say("The link is in the address bar. It holds everything; no server knows it.");
  }
}

// A file that is dropped on the page replaces the document.
async function drop(file: File) {
  if (file.size > 8 * kTooLarge) { say(`${file.name} has ${(file.size / 1e6).toFixed(1)} MB: too large for this page.`); return; }
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes.includes(0)) { say(`${file.name} is a binary file: it has zero bytes.`); return; }
  const kinds: [RegExp, string][] = [[/\.py$/, "program.py"], [/dockerfile$/i, "Dockerfile"], [/makefile$/i, "Makefile"], [/\.bash$/, "script.bash"]];
  setName(kinds.find(([pattern]) => pattern.test(file.name))?.[1] ?? "script.sh");
  editor.set(new TextDecoder().decode(bytes), name);
}

async function open(fragment: string) {
  if (fragment.startsWith("lesson=")) {
    const lesson = kLessons.find((each) => each.id === fragment.slice(7));
    if (!lesson) throw new Error("there is no such lesson");
    openLesson(lesson);
    return;
  }
  const state = await decode(fragment);
  setName([...$<HTMLSelectElement>("#language").options].some((each) => each.value === state.name) ? state.name : "script.sh");
  world = state.world;
  editor.set(state.text, name);
  if (typeof state.step === "number" && isScript()) await step(state.step);
}

function startTheme() {
  const root = document.documentElement;
  try { const theme = localStorage.getItem("theme"); if (theme) root.dataset.theme = theme; } catch { /* a page without storage forgets it */ }
  $("#theme").addEventListener("click", () => {
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
    if (timeline) ruler.show(timeline);
    try { localStorage.setItem("theme", root.dataset.theme); } catch { /* the same */ }
  });
}

function startTabs() {
  const tabs = document.querySelector(".tabs")!;
  for (const each of kTabs) tabs.append(h("button", { role: "tab", id: `tab-${each}`, "data-tab": each, "aria-controls": "panel", onclick: () => choose(each) }, each, h("span", { class: "count" })));
  tabs.addEventListener("keydown", (event) => {
    const key = (event as KeyboardEvent).key;
    const by = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
    if (by === 0) return;
    choose(kTabs[(kTabs.indexOf(tab) + by + kTabs.length) % kTabs.length]);
    document.querySelector<HTMLElement>("[role=tab][aria-selected=true]")?.focus();
  });
}

function startKeys() {
  document.addEventListener("keydown", (event) => {
    if (!timeline || (event.target as HTMLElement).closest("textarea, select, [contenteditable=true], [role=tab]")) return;
    const go = { ArrowRight: "forward", ArrowLeft: "back", ArrowDown: "next-command", ArrowUp: "previous-command", Home: "first", End: "last" }[event.key];
    if (!go || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move(go);
  });
}

async function start() {
  startTheme();
  startTabs();
  startKeys();
  $("#run").addEventListener("click", () => void step());
  $("#stop").addEventListener("click", () => { running.end("Stopped."); checking.end("Stopped."); });
  $("#share").addEventListener("click", () => void share());
  $("#language").addEventListener("change", (event) => { name = (event.target as HTMLSelectElement).value; editor.mode(name); edited(); });
  $("#position").addEventListener("input", (event) => goTo(Number((event.target as HTMLInputElement).value)));
  for (const button of document.querySelectorAll<HTMLElement>("[data-go]")) button.addEventListener("click", () => move(button.dataset.go!));
  document.addEventListener("dragover", (event) => { if (event.dataTransfer?.types.includes("Files")) event.preventDefault(); }, true);
  document.addEventListener("drop", (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    event.stopPropagation();
    void drop(file);
  }, true);
  choose("Findings");
  if (new URLSearchParams(location.search).has("embed")) document.body.classList.add("embed");
  const load = async () => {
    const fragment = location.hash.slice(1);
    let isBroken = false;
    if (fragment) await open(fragment).catch(() => { isBroken = true; });
    if (!fragment || isBroken) editor.set(kExample, name);
    if (isBroken) {
      const place = $("#lesson");
      place.hidden = false;
      place.replaceChildren(h("p", { class: "trouble", role: "alert" }, "The link is broken and could not be read; this is the example."));
    }
  };
  addEventListener("hashchange", () => void load());
  await load();
  if ("serviceWorker" in navigator) void navigator.serviceWorker.register("./sw.js").catch(() => undefined);
}

void start();
