// The editor: findings as squiggles with quick fixes, types on hover and at the ends of lines, the command of the current
// step. Offsets of the engine are bytes; those of the editor are UTF-16 units.
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { python } from "@codemirror/legacy-modes/mode/python";
import { shell } from "@codemirror/legacy-modes/mode/shell";
import { dockerFile } from "@codemirror/legacy-modes/mode/dockerfile";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, hoverTooltip, keymap, WidgetType } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";
import type { Finding, Fix, TypeAt } from "./types";

export class Offsets {
  private units: Uint32Array | null = null;
  constructor(text: string) {
    const bytes = new TextEncoder().encode(text);
    if (bytes.length === text.length) return; // ASCII
    this.units = new Uint32Array(bytes.length + 1);
    let unit = 0;
    for (let i = 0; i < bytes.length; i++) {
      this.units[i] = unit;
      const byte = bytes[i];
      if (byte < 0x80 || byte >= 0xc0) { /* a character begins */ }
      const next = bytes[i + 1];
      if (next === undefined || (next & 0xc0) !== 0x80) unit += this.width(bytes, i);
    }
    this.units[bytes.length] = text.length;
  }
  private width(bytes: Uint8Array, last: number): number {
    let first = last;
    while (first > 0 && (bytes[first] & 0xc0) === 0x80) first--;
    return bytes[first] >= 0xf0 ? 2 : 1;
  }
  at(byte: number): number { return this.units ? this.units[Math.min(byte, this.units.length - 1)] : byte; }
}

// The colours are variables of style.css, for light and dark.
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.controlKeyword, tags.standard(tags.name)], color: "var(--syntax-keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--syntax-string)" },
  { tag: [tags.definition(tags.variableName), tags.variableName, tags.propertyName], color: "var(--syntax-variable)" },
  { tag: [tags.number, tags.bool, tags.atom], color: "var(--syntax-number)" },
  { tag: [tags.comment, tags.meta], color: "var(--syntax-comment)", fontStyle: "italic" },
  { tag: tags.operator, color: "var(--syntax-operator)" },
]);

const showStep = StateEffect.define<{ from: number; to: number } | null>();
const showTypes = StateEffect.define<TypeAt[]>();

// A type that says nothing is not shown at the end of a line.
const isAny = (type: string) => type === ".*" || type === "[\\x01-\\xff]*";
const inWords = (type: string) => (type === "" ? "nothing" : isAny(type) ? "any text" : type);

class TypeHint extends WidgetType {
  constructor(readonly text: string) { super(); }
  eq(other: TypeHint) { return other.text === this.text; }
  toDOM() { const span = document.createElement("span"); span.className = "type-hint"; span.textContent = this.text; span.setAttribute("aria-hidden", "true"); return span; }
}

const stepField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    value = value.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(showStep)) continue;
      const range = effect.value;
      value = range && range.to > range.from && range.to <= transaction.state.doc.length ? Decoration.set([Decoration.mark({ class: "cm-step" }).range(range.from, range.to)]) : Decoration.none;
    }
    return value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const typesField = StateField.define<{ list: TypeAt[]; offsets: Offsets; hints: DecorationSet }>({
  create: () => ({ list: [], offsets: new Offsets(""), hints: Decoration.none }),
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(showTypes)) continue;
      const doc = transaction.state.doc;
      const offsets = new Offsets(doc.toString());
      const byLine = new Map<number, string[]>();
      for (const type of effect.value) {
        if (!type.variable || type.read || !type.output || isAny(type.output)) continue;
        const line = doc.lineAt(Math.min(offsets.at(type.begin), doc.length)).number;
        byLine.set(line, [...(byLine.get(line) ?? []), `${type.name}: ${type.output}`]);
      }
      const hints = [...byLine].sort((a, b) => a[0] - b[0]).map(([line, texts]) => Decoration.widget({ widget: new TypeHint("  " + texts.join("  ").slice(0, 60)), side: 1 }).range(doc.line(line).to));
      return { list: effect.value, offsets, hints: Decoration.set(hints) };
    }
    if (transaction.docChanged) return { list: [], offsets: value.offsets, hints: value.hints.map(transaction.changes) };
    return value;
  },
  provide: (field) => EditorView.decorations.from(field, (value) => value.hints),
});

const typeTooltip = hoverTooltip((view, position) => {
  const { list, offsets } = view.state.field(typesField);
  const found = list.filter((type) => offsets.at(type.begin) <= position && position <= offsets.at(type.end)).at(-1);
  if (!found || (!found.output && !found.input)) return null;
  return {
    pos: offsets.at(found.begin), end: offsets.at(found.end), above: true,
    create() {
      const dom = document.createElement("div");
      dom.className = "type-tooltip";
      dom.textContent = found.variable ? `${found.name}: ${inWords(found.output)}` : `${found.name} reads ${inWords(found.input)} and prints ${inWords(found.output)}`;
      return { dom };
    },
  };
});

const language = new Compartment();
const modeOf = (name: string) => name.endsWith(".py") ? [StreamLanguage.define(python)] : name === "Dockerfile" ? [StreamLanguage.define(dockerFile)] : name === "Makefile" ? [] : [StreamLanguage.define(shell)];

export class Editor {
  readonly view: EditorView;
  constructor(parent: HTMLElement, onChange: () => void, onRun: () => void) {
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        extensions: [
          keymap.of([{ key: "Mod-Enter", run: () => { onRun(); return true; } }]),
          basicSetup, syntaxHighlighting(colours), language.of([]), lintGutter(), stepField, typesField, typeTooltip, EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": "Script" }),
          EditorView.updateListener.of((update) => { if (update.docChanged) onChange(); }),
        ],
      }),
    });
  }
  private known: { text: string; offsets: Offsets } = { text: "", offsets: new Offsets("") };
  private get offsets(): Offsets {
    const text = this.text;
    if (text !== this.known.text) this.known = { text, offsets: new Offsets(text) };
    return this.known.offsets;
  }
  get text() { return this.view.state.doc.toString(); }
  get line() { return this.view.state.doc.lineAt(this.view.state.selection.main.head).number; }
  set(text: string, name: string) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, effects: language.reconfigure(modeOf(name)) });
  }
  mode(name: string) { this.view.dispatch({ effects: language.reconfigure(modeOf(name)) }); }
  findings(list: Finding[]) {
    const text = this.text;
    const offsets = this.offsets;
    const diagnostics: Diagnostic[] = list.map((finding) => ({
      from: Math.min(offsets.at(finding.begin.offset), text.length), to: Math.min(offsets.at(finding.end.offset), text.length),
      severity: finding.severity === "error" ? "error" : finding.severity === "warning" ? "warning" : "info",
      message: `${finding.code}: ${finding.message}` + (finding.counterexample !== undefined ? `\nfor example: ${JSON.stringify(finding.counterexample)}` : ""),
      actions: (finding.fixes ?? []).map((fix) => ({ name: fix.message, apply: () => this.apply(fix) })),
    }));
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }
  apply(fix: Fix) {
    const offsets = this.offsets;
    this.view.dispatch({ changes: fix.edits.map((edit) => ({ from: offsets.at(edit.begin.offset), to: offsets.at(edit.end.offset), insert: edit.text })) });
  }
  types(list: TypeAt[]) { this.view.dispatch({ effects: showTypes.of(list) }); }
  step(span: [number, number] | null) {
    if (!span) return this.view.dispatch({ effects: showStep.of(null) });
    const offsets = this.offsets;
    const from = offsets.at(span[0]);
    this.view.dispatch({ effects: [showStep.of({ from, to: offsets.at(span[1]) }), EditorView.scrollIntoView(Math.min(from, this.view.state.doc.length))] });
  }
  select(offset: number) {
    const at = Math.min(this.offsets.at(offset), this.view.state.doc.length);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }
}
