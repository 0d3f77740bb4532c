// Runs the modules. A request names a function and its texts; the answer is its text. A module is fetched when it is
// first needed: nacre-check knows shell scripts, nacre-more every language and purify, the others run scripts.
interface Module {
  _malloc(bytes: number): number;
  _free(address: number): void;
  HEAPU8: Uint8Array;
  ccall(name: string, result: string | null, types: string[], values: number[], options?: object): unknown;
  _nacre_answer(): number;
  _nacre_answer_size(): number;
}
type Loader = (options: object) => Promise<Module>;

declare function importScripts(url: string): void;
const scope = self as unknown as { nacre_memory?: () => number; load_module?: Loader; postMessage(data: unknown): void; onmessage: unknown };
// How much memory the modules have, for web/tests/measure.mjs.
const memories: (() => number)[] = [];
scope.nacre_memory = () => memories.reduce((sum, each) => sum + each(), 0);
const modules = new Map<string, Promise<Module>>();
const kModules: Record<string, string> = { step: "nacre-step", explore: "nacre-explore", purify: "nacre-more", explain: "nacre-check" };
const moduleFor = (name: string, texts: string[]) => kModules[name] ?? (texts[0].startsWith("script.") ? "nacre-check" : "nacre-more");

function load(name: string, base: string): Promise<Module> {
  let module = modules.get(name);
  if (!module) {
    importScripts(`${base}${name}.js`);
    module = scope.load_module!({ locateFile: (file: string) => base + file });
    void module.then((loaded) => memories.push(() => loaded.HEAPU8.length), () => undefined);
    modules.set(name, module);
  }
  return module;
}

function netstrings(texts: string[]): Uint8Array {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  for (const text of texts) {
    const bytes = encoder.encode(text);
    parts.push(encoder.encode(`${bytes.length}:`), bytes);
  }
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

async function call(base: string, name: string, texts: string[]): Promise<string> {
  const isRunning = name === "step" || name === "explore";
  const module = await load(moduleFor(name, texts), base);
  const bytes = netstrings(texts);
  const address = module._malloc(bytes.length);
  module.HEAPU8.set(bytes, address);
  try {
    const done = module.ccall(`nacre_${name}`, isRunning ? null : "number", ["number", "number"], [address, bytes.length],
      isRunning ? { async: true } : {});
    if (isRunning) await done;
  } finally {
    module._free(address);
  }
  const begin = module._nacre_answer();
  return new TextDecoder().decode(module.HEAPU8.subarray(begin, begin + module._nacre_answer_size()));
}

scope.onmessage = async (event: MessageEvent<{ id: number; base: string; name: string; texts: string[] }>) => {
  const { id, base, name, texts } = event.data;
  const start = performance.now();
  try {
    const text = await call(base, name, texts);
    scope.postMessage({ id, text, ms: performance.now() - start });
  } catch (problem) {
    scope.postMessage({ id, problem: String(problem) });
  }
};
