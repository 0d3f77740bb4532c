// The modules of the page in node, for what needs no browser. What they ask of a page is there: nothing.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { die, kRoot } from "./harness.mjs";

export async function load(name) {
  const path = join(kRoot, "build/wasm", `${name}.js`);
  if (!existsSync(path)) die(`there is no ${path}; run ./dev wasm first`);
  const require = createRequire(import.meta.url);
  return require(path)({ wasmBinary: readFileSync(path.replace(/js$/, "wasm")) });
}

export async function ask(module, name, ...texts) {
  const bytes = Buffer.concat(texts.flatMap((text) => { const part = Buffer.from(text); return [Buffer.from(`${part.length}:`), part]; }));
  const address = module._malloc(bytes.length);
  module.HEAPU8.set(bytes, address);
  const isRunning = name === "step" || name === "explore";
  const done = module.ccall(`nacre_${name}`, isRunning ? null : "number", ["number", "number"], [address, bytes.length], isRunning ? { async: true } : {});
  if (isRunning) await done;
  module._free(address);
  const begin = module._nacre_answer();
  return Buffer.from(module.HEAPU8.subarray(begin, begin + module._nacre_answer_size())).toString("utf8");
}
