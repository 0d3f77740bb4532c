// node web/tests/compare.mjs NACRE [COUNT]: the findings and the traces of the modules of the page beside those of the
// program NACRE, on COUNT scripts (200) of the repository: of examples/, docs/codes and tests/cases. Prints what differs.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, extname, join, resolve } from "node:path";
import { kRoot, die, run } from "./harness.mjs";
import { ask, load } from "./modules.mjs";

const kFuel = "20000";
const program = process.argv[2] ? resolve(process.argv[2]) : die("usage: compare.mjs NACRE [COUNT]");
const wanted = Number(process.argv[3] ?? 200);

function below(directory) {
  return readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1)).flatMap((each) => (each.isDirectory() ? below(join(directory, each.name)) : [join(directory, each.name)]));
}

// Every script with the name that it has there: { from, name, text }.
function scripts() {
  const result = [];
  for (const path of below(join(kRoot, "examples")))
    if ([".sh", ".py"].includes(extname(path))) result.push({ from: path, name: basename(path), text: readFileSync(path, "utf8") });
  for (const path of below(join(kRoot, "docs/codes"))) {
    const names = { sh: "script.sh", bash: "script.bash", python: "program.py", dockerfile: "Dockerfile", make: "Makefile", makefile: "Makefile" };
    for (const [, kind, text] of readFileSync(path, "utf8").matchAll(/^```(\w+)\n([^]*?)^```$/gm)) if (names[kind]) result.push({ from: path, name: names[kind], text });
  }
  for (const path of below(join(kRoot, "tests/cases"))) {
    if (!path.endsWith(".case")) continue;
    for (const [, name, text] of readFileSync(path, "utf8").matchAll(/^=== file (\S+\.(?:sh|bash|py)|Dockerfile|Makefile)\n([^]*?)(?=^=== )/gm)) result.push({ from: path, name: basename(name), text });
  }
  // One of each text, evenly from all of them.
  const unlike = [...new Map(result.map((each) => [each.name + each.text, each])).values()];
  const every = Math.max(1, unlike.length / wanted);
  return unlike.filter((_, index) => Math.floor(index / every) !== Math.floor((index - 1) / every)).slice(0, wanted);
}

const check = await load("nacre-check");
const more = await load("nacre-more");
let step = await load("nacre-step");
// A run that fails takes its module with it, as it does in the page.
async function traceOf(script) {
  try {
    return await ask(step, "step", "script", script.name, script.text, "fuel", kFuel);
  } catch (problem) {
    step = await load("nacre-step");
    return `the module failed: ${problem.message}`;
  }
}
const directory = mkdtempSync(join(tmpdir(), "nacre-compare-"));
let differences = 0;
const counts = { deep: 0, scripts: 0, findings: 0, traces: 0, steps: 0 };
const differ = (script, what, ours, theirs) => {
  differences++;
  console.log(`${script.from}: ${what}\n  page:    ${ours.slice(0, 300)}\n  program: ${theirs.slice(0, 300)}`);
};
const from = (text, other) => { let at = 0; while (at < text.length && text[at] === other[at]) at++; return Math.max(0, at - 80); };

try {
  for (const script of scripts()) {
    counts.scripts++;
    writeFileSync(join(directory, script.name), script.text);
    const inside = (...words) => run("sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", directory, program, ...words);
    const theirs = JSON.parse(inside("check", "--format", "json", script.name).stdout || '{"findings":[]}').findings;
    const ours = JSON.parse(await ask(/\.(sh|bash)$/.test(script.name) ? check : more, "check", script.name, script.text, "")).findings;
    counts.findings += theirs.length;
    const [a, b] = [JSON.stringify(ours), JSON.stringify(theirs)];
    if (a !== b) differ(script, "other findings", a.slice(from(a, b)), b.slice(from(b, a)));
    if (/\.(sh|bash)$/.test(script.name)) {
      const theirTrace = inside("step", "--json", "--fuel", kFuel, script.name).stdout;
      const ourTrace = await traceOf(script);
      counts.traces++;
      // A script that cannot be parsed has no trace; the program says so on standard error.
      if (ourTrace.startsWith('{"trouble"') && theirTrace === "") continue;
      counts.steps += theirTrace.split('\n{"step"').length - 1;
      // A browser has less stack than a program; awk says so where a program of its nests too deeply (docs/web.md).
      if (ourTrace.includes("nested too deeply") && !theirTrace.includes("nested too deeply")) {
        console.log(`${script.from}: nests too deeply for the page, and the page says so; not compared`);
        counts.deep++;
        continue;
      }
      if (ourTrace !== theirTrace) differ(script, "another trace", ourTrace.slice(from(ourTrace, theirTrace)), theirTrace.slice(from(theirTrace, ourTrace)));
    }
    rmSync(join(directory, script.name));
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
console.log(`${counts.scripts} scripts with ${counts.findings} findings, ${counts.traces} traces with ${counts.steps} steps: ${differences} differences, ${counts.deep} not compared`);
process.exit(differences > 0 || counts.scripts < wanted ? 1 : 0);
