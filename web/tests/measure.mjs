// node web/tests/measure.mjs: what the page costs. Sizes of build/web with gzip, the check of 1,000 lines, a frame of the
// stepper with 20,000 steps and the memory of all of it in Chromium. Nothing is asserted: figures depend on the machine.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { browser, isBuilt, serve } from "./harness.mjs";

const root = isBuilt();
const size = (path) => { const bytes = readFileSync(join(root, path)); return { path, plain: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length }; };
const first = ["index.html", ...readdirSync(join(root, "assets")).map((each) => `assets/${each}`), "wasm/nacre-check.js", "wasm/nacre-check.wasm"].map(size);
const later = ["wasm/nacre-more.js", "wasm/nacre-more.wasm", "wasm/nacre-step.js", "wasm/nacre-step.wasm", "wasm/nacre-explore.js", "wasm/nacre-explore.wasm"].map(size);
const table = (title, list) => {
  console.log(title);
  for (const each of list) console.log(`  ${each.path.padEnd(36)} ${(each.plain / 1e6).toFixed(2).padStart(6)} MB  gzip ${(each.gzip / 1e6).toFixed(2)} MB`);
  console.log(`  ${"together".padEnd(36)} ${(list.reduce((sum, each) => sum + each.plain, 0) / 1e6).toFixed(2).padStart(6)} MB  gzip ${(list.reduce((sum, each) => sum + each.gzip, 0) / 1e6).toFixed(2)} MB`);
};
table("first load", first);
table("when first needed: other languages and purify, stepping, exploring", later);

const lines = `#!/bin/sh
set -eu
target=\${1:-/srv/app}
count=0
`.concat(Array.from({ length: 111 }, (_, i) => `# part ${i}
step_${i}() {
  file="$target/part${i}.txt"
  [ -f "$file" ] || return 0
  grep -v '^#' "$file" | sort -u >"$target/out${i}"
  count=$((count + 1))
}
step_${i} "$@"
echo "part ${i}: $count"
`).join(""));
const served = await serve(root);
const { context, close } = await browser();
const page = await context.newPage();
page.setDefaultTimeout(120000);
await page.goto(served.url);
await page.waitForFunction(() => /checked in/.test(document.querySelector("#status").textContent), undefined, { timeout: 60000 });
const write = async (text) => {
  await page.evaluate((text) => {
    document.querySelector("#status").textContent = "";
    const content = document.querySelector(".cm-content");
    const view = (content.cmTile ?? content.cmView).view;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  }, text);
  await page.waitForFunction(() => /checked in/.test(document.querySelector("#status").textContent));
  const answer = Number(/in (\d+) ms/.exec(await page.textContent("#status"))[1]);
  await page.waitForTimeout(1500); // its types
  return answer;
};
const times = [];
for (let i = 0; i < 8; i++) times.push(await write(`${lines}# ${i}\n`));
console.log(`check of ${lines.split("\n").length} lines: first ${times[0]} ms, then ${times.slice(1).sort((a, b) => a - b).join(", ")} ms`);

await page.evaluate(() => undefined);
await write("i=0\nwhile [ $i -lt 100000 ]; do\n  i=$((i + 1))\n  x=\"$i $x\"; x=${x%% *}\ndone\n");
await page.click("[data-tab=World]");
await page.fill("#panel textarea", "fuel 20000\n");
await page.click("#run");
await page.waitForSelector("#stepper:not([hidden])");
const run = await page.textContent("#status");
const frames = await page.evaluate(async () => {
  const position = document.querySelector("#position");
  const length = Number(position.max);
  const took = { steps: [], jumps: [] };
  const paint = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const time = async (list, work) => { const start = performance.now(); work(); document.body.getBoundingClientRect(); list.push(performance.now() - start); await paint(); };
  const go = (to) => { position.value = String(to); position.dispatchEvent(new Event("input")); };
  go(length / 2 | 0);
  for (let i = 0; i < 100; i++) await time(took.steps, () => document.querySelector("[data-go=forward]").click());
  for (let i = 0; i < 40; i++) await time(took.jumps, () => go((i * 7919) % length));
  return { length, ...took };
});
const quantile = (list, q) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * q))].toFixed(1);
console.log(`stepper with ${frames.length} steps (${run}): one step ${quantile(frames.steps, 0.5)} ms, p95 ${quantile(frames.steps, 0.95)} ms; a jump ${quantile(frames.jumps, 0.5)} ms, p95 ${quantile(frames.jumps, 0.95)} ms`);

const session = await context.newCDPSession(page);
await session.send("HeapProfiler.enable").catch(() => undefined);
await session.send("HeapProfiler.collectGarbage").catch(() => undefined);
const heap = (await session.send("Runtime.getHeapUsage")).usedSize;
const workers = await Promise.all(page.workers().map((each) => each.evaluate(() => ({ wasm: self.nacre_memory?.() ?? 0 }))));
console.log(`memory: page ${(heap / 1e6).toFixed(0)} MB, modules ${workers.map((each) => (each.wasm / 1e6).toFixed(0)).join(" + ")} MB`);
await close();
served.closeAll();
