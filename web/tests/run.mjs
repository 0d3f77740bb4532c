// node web/tests/run.mjs [FILTER]: the scenes whose name has FILTER in it, in Debian's Chromium.
import { browser, isBuilt, kPatience, serve } from "./harness.mjs";
import { kScenes } from "./scenes.mjs";

const filter = process.argv[2] ?? "";
const served = await serve(isBuilt());
const { context, close } = await browser();
let failed = 0;
const names = Object.keys(kScenes).filter((each) => each.includes(filter));
if (names.length === 0) { console.log(`no scene has '${filter}' in its name`); failed = 1; }
for (const name of names) {
  const start = performance.now();
  const requests = [];
  const problems = [];
  const pages = [];
  const open = async (url) => {
    const page = await context.newPage();
    page.setDefaultTimeout(30000 * kPatience);
    page.on("pageerror", (problem) => problems.push(problem.message));
    page.on("request", (request) => requests.push(request.url()));
    pages.push(page);
    await page.goto(url);
    return page;
  };
  let trouble = "";
  try {
    const page = await open(served.url);
    await page.waitForFunction(() => /checked in|failed/.test(document.querySelector("#status").textContent));
    await kScenes[name]({ page, open, context, requests, url: served.url });
    if (problems.length > 0) trouble = `an error in the page: ${problems[0]}`;
  } catch (problem) {
    trouble = problem.message.split("\n").slice(0, 6).join("\n     ");
    if (process.env.NACRE_TEST_SHOTS) await pages.at(-1)?.screenshot({ path: `${process.env.NACRE_TEST_SHOTS}/${name.replaceAll(/\W+/g, "-")}.png` }).catch(() => undefined);
  }
  for (const page of pages) await page.close().catch(() => undefined);
  if (trouble) failed++;
  console.log(`${trouble ? "FAIL" : "ok  "} ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)${trouble ? `\n     ${trouble}` : ""}`);
}
await close();
served.closeAll();
console.log(`${names.length - failed} of ${names.length} scenes passed`);
process.exit(failed > 0 ? 1 : 0);
