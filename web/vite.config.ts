import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

const kModules = ["nacre-check", "nacre-more", "nacre-step", "nacre-explore"].flatMap((name) => [`${name}.js`, `${name}.wasm`]);

// The modules of the engine beside the page, and the service worker with the list of everything.
const wholePage: Plugin = {
  name: "whole-page",
  enforce: "post",
  generateBundle(_, bundle) {
    const sum = createHash("sha256");
    for (const name of kModules) {
      const path = `../build/wasm/${name}`;
      if (!existsSync(path)) this.error(`there is no ${path}; run ./dev wasm first`);
      const source = readFileSync(path);
      sum.update(source);
      this.emitFile({ type: "asset", fileName: `wasm/${name}`, source });
    }
    for (const each of Object.values(bundle)) sum.update(each.type === "chunk" ? each.code : each.source);
    const names = Object.keys(bundle).filter((name) => name !== "sw.js").map((name) => JSON.stringify(`./${name}`)).sort();
    const source = readFileSync("sw.js", "utf8").replace("/* files */", `"./", ${names.join(", ")}`).replace("/* sum */", sum.digest("hex").slice(0, 16));
    this.emitFile({ type: "asset", fileName: "sw.js", source });
  },
};

// Relative paths: the page works below any directory.
export default defineConfig({
  base: "./",
  plugins: [wholePage],
  build: { outDir: "../build/web", emptyOutDir: true, target: "es2022", modulePreload: false },
  worker: { format: "iife" },
});
