// The outcomes of explore as a tree of decisions: what the file system has decides how the script ends.
import { h } from "./dom";

interface Fact { subject: string; is: string; text: string }
interface Outcome { how: string; status: number; line: number; span: [number, number]; command: string; message: string; condition: Fact[]; before: Fact[]; runs: number; changes: string[] }
export interface Explored {
  trouble?: string; refusal?: string; complete?: boolean; runs: number; bounds: string[]; assumed: string[]; unmodelled: string[];
  outcomes: Outcome[]; findings: { code: string; line: number; message: string; before: string; span: [number, number] }[];
}

interface Node { fact: Fact | null; children: Node[]; outcomes: Outcome[] }

// Outcomes that begin with the same facts share a branch.
function tree(outcomes: Outcome[]): Node {
  const root: Node = { fact: null, children: [], outcomes: [] };
  for (const outcome of outcomes) {
    let at = root;
    for (const fact of outcome.before.length > 0 ? outcome.before : outcome.condition) {
      let next = at.children.find((each) => each.fact?.text === fact.text);
      if (!next) at.children.push((next = { fact, children: [], outcomes: [] }));
      at = next;
    }
    at.outcomes.push(outcome);
  }
  return root;
}

function leaf(outcome: Outcome, show: (span: [number, number]) => void): HTMLElement {
  const name = outcome.how === "ok" ? "ends with status 0" : outcome.how === "fails" ? `fails with status ${outcome.status}` : outcome.how;
  return h("div", { class: `outcome ${outcome.how === "ok" ? "ok" : "bad"}` },
    h("b", {}, name), outcome.how !== "ok" && outcome.line > 0 ? h("button", { class: "place", onclick: () => show(outcome.span) }, `line ${outcome.line}`) : null,
    outcome.message ? h("p", { class: "note" }, outcome.message) : null,
    outcome.changes.length > 0 ? h("ul", { class: "changes" }, ...outcome.changes.slice(0, 20).map((each) => h("li", {}, h("code", {}, each)))) : null);
}

function branch(node: Node, show: (span: [number, number]) => void): HTMLElement[] {
  return [...node.outcomes.map((each) => h("li", {}, leaf(each, show))),
    ...node.children.map((child) => {
      // A chain of single decisions is one box.
      const facts = [child.fact!.text];
      let at = child;
      while (at.outcomes.length === 0 && at.children.length === 1) { at = at.children[0]; facts.push(at.fact!.text); }
      return h("li", {}, h("div", { class: "fact" }, facts.join(", ")), h("ul", {}, ...branch(at, show)));
    })];
}

const list = (title: string, texts: string[]) => (texts.length === 0 ? null : h("div", {}, h("h2", {}, title), h("ul", { class: "plain" }, ...texts.map((each) => h("li", {}, each)))));

export function explorePanel(result: Explored, show: (span: [number, number]) => void): HTMLElement {
  if (result.trouble || result.refusal) return h("p", { class: "trouble" }, result.trouble || result.refusal);
  const count = result.outcomes.length;
  return h("div", {}, h("p", { class: "lead" }, `${count} ${count === 1 ? "way" : "ways"} to end, from ${result.runs} ${result.runs === 1 ? "run" : "runs"}${result.complete ? "; every way was tried" : "; not every way was tried"}.`),
    h("ul", { class: "decisions" }, ...branch(tree(result.outcomes), show)),
    result.findings.length > 0 ? h("div", {}, h("h2", {}, "Findings"), ...result.findings.map((each) => h("div", { class: "finding warning" }, h("button", { class: "place", onclick: () => show(each.span) }, `line ${each.line}`), h("span", { class: "code" }, each.code), h("p", {}, each.message)))) : null,
    list("Not tried", result.bounds), list("Taken for granted", result.assumed), list("Not modelled", result.unmodelled));
}
