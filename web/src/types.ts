// What the engine answers (docs/report.schema.json, docs/step.schema.json, docs/explore.schema.json).
export interface Point { line: number; column: number; offset: number }
export interface Fix { message: string; safe: boolean; edits: { begin: Point; end: Point; text: string }[] }
export interface Finding {
  code: string; severity: string; confidence: string; message: string; begin: Point; end: Point;
  counterexample?: string; fixes?: Fix[]; path?: { begin: Point; message: string }[]; notes?: { begin: Point; message: string }[];
}
export interface Report { findings: Finding[]; summary: { finished: boolean } }
export interface TypeAt { begin: number; end: number; variable: boolean; read: boolean; name: string; input: string; output: string }
export interface Control { text: string; fields: string[]; line: number; span: [number, number] }
export interface ValueChange { name: string; before: string | null; after: string | null }
export interface FileState { kind: string; mode: string; owner: number; group: number; contents: string }
export interface FileChange { path: string; before: FileState | null; after: FileState | null }
export interface Step {
  step: number; process: number; parent: number; rule: string; kind: "expansion" | "evaluation";
  before: Control; after: Control; status: number; variables: ValueChange[]; descriptors: ValueChange[];
  files: FileChange[]; output: string; errors: string;
}
export interface Trace {
  trouble?: string;
  script: { name: string; text: string };
  start: { variables: Record<string, string>; descriptors: Record<string, string> };
  steps: Step[];
  end: { ending: string; status: number; trouble: string; files: FileChange[]; output: string; errors: string };
}
export interface Rewrite { name: string; class: string; line: number; message: string; differs_when: string; needs: { kind: string; discharged: boolean; why: string }[] }
export interface Purified { refusal?: string; text: string; done: Rewrite[]; kept: Rewrite[]; refused: Rewrite[] }
