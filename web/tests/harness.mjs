// Serves build/web on loopback and drives Debian's Chromium. A scene is a function that gets a page and throws when
// something does not hold.
import { spawnSync } from "node:child_process";
import { createReadStream, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const kRoot = join(dirname(fileURLToPath(import.meta.url)), "../..");
const kTypes = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".json": "application/json" };
const kFlags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export function die(why) {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}

export function findChromium() {
  const path = process.env.CHROMIUM ?? "/usr/bin/chromium";
  if (!existsSync(path)) die(`the tests of the page need Chromium, and there is no ${path}; set CHROMIUM or install the package chromium`);
  return path;
}

// Plain files of `directory`; `paths` lists what was asked for.
export function serve(directory) {
  const paths = [];
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    paths.push(path);
    const file = join(directory, path.endsWith("/") ? `${path}index.html` : path);
    if (!file.startsWith(directory) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": kTypes[extname(file)] ?? "application/octet-stream", "cache-control": "no-cache" });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve({ paths, url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close(), closeAll: () => { server.closeAllConnections(); server.close(); } })));
}

export async function browser(options = {}) {
  const profile = mkdtempSync(join(tmpdir(), "nacre-web-"));
  const context = await chromium.launchPersistentContext(profile, { executablePath: findChromium(), headless: true, args: kFlags, viewport: { width: 1440, height: 900 }, ...options });
  return { context, close: async () => { await context.close(); rmSync(profile, { recursive: true, force: true }); } };
}

export function ok(condition, message) { if (!condition) throw new Error(message); }
export function equal(actual, expected, what = "value") {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what} is ${a}, not ${b}`);
}

// A slow machine makes its tests wait longer: NACRE_TEST_PATIENCE multiplies every limit.
export const kPatience = Number(process.env.NACRE_TEST_PATIENCE ?? 1);
export async function until(condition, what, limit = 30000) {
  const end = Date.now() + limit * kPatience;
  let last;
  for (;;) {
    try { if (await condition()) return; last = undefined; } catch (problem) { last = problem; }
    if (Date.now() > end) throw new Error(`not within ${limit * kPatience} ms: ${what}${last ? ` (${last.message})` : ""}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

export function isBuilt() {
  const missing = ["index.html", "wasm/nacre-check.wasm", "wasm/nacre-more.wasm", "wasm/nacre-step.wasm", "wasm/nacre-explore.wasm"].filter((each) => !existsSync(join(kRoot, "build/web", each)));
  if (missing.length > 0) die(`build/web has no ${missing.join(", ")}; run ./dev web first`);
  return join(kRoot, "build/web");
}
export const run = (command, ...words) => spawnSync(command, words, { encoding: "utf8", maxBuffer: 1 << 29 });
