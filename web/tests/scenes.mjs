// What a reader of the page does, one scene each.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { equal, kRoot, ok, until } from "./harness.mjs";

const status = (page) => page.textContent("#status");
const text = (page) => page.evaluate(() => document.querySelector(".cm-content").cmTile?.view?.state.doc.toString() ?? document.querySelector(".cm-content").cmView.view.state.doc.toString());
const panel = (page) => page.textContent("#panel");
const has = (page, what) => until(async () => (await panel(page)).includes(what), `the panel has ${JSON.stringify(what)}`);
const says = (page, what) => until(async () => what instanceof RegExp ? what.test(await status(page)) : (await status(page)).includes(what), `the status says ${what}`);
const checkedPage = (page) => says(page, /checked in|failed|not checked/);
const tab = (page, name) => page.click(`[data-tab=${name}]`);
const step = async (page) => { await page.click("#run"); await page.waitForSelector("#stepper:not([hidden])", { timeout: 120000 }); };
const at = (page) => page.inputValue("#position").then(Number);
const last = (page) => page.getAttribute("#position", "max").then(Number);

// Replaces the document as a paste does, and waits for the check of it.
async function write(page, script, wait = true) {
  await page.click(".cm-content");
  await page.keyboard.press("Control+a");
  await page.evaluate(() => { document.querySelector("#status").textContent = ""; });
  await page.keyboard.insertText(script);
  if (wait) await checkedPage(page);
}
async function world(page, lines) {
  await tab(page, "World");
  await page.fill("#panel textarea", lines);
}
const now = (page) => page.textContent("#now .command");

export const kScenes = {
  "the page opens with an example and its findings": async ({ page }) => {
    ok((await page.locator(".finding").count()) >= 3, "at least three findings");
    ok((await panel(page)).includes("breaks with"), "a counterexample");
    ok((await page.locator(".cm-lintRange").count()) > 0, "marks in the text");
  },
  "typing brings a finding and takes it away": async ({ page }) => {
    await write(page, "#!/bin/sh\nsort x\n");
    await has(page, "No findings");
    await page.keyboard.type("sort a | uniq\nuniq b | sort ");
    await write(page, "#!/bin/sh\nrm -rf $1/*\n");
    await until(async () => (await page.locator(".finding").count()) > 0, "a finding");
    await write(page, "#!/bin/sh\necho hello\n");
    await has(page, "No findings");
  },
  "a click on a finding goes to its line": async ({ page }) => {
    await page.click(".finding .place >> nth=0");
    const line = Number((await page.textContent(".finding .place >> nth=0")).replace("line ", ""));
    equal(await page.textContent(".cm-activeLineGutter.cm-gutterElement"), String(line), "active line");
  },
  "a quick fix changes the text and removes the finding": async ({ page }) => {
    await write(page, "#!/bin/sh\nrm -rf $1/*\n");
    await until(async () => (await page.locator("button", { hasText: "Fix:" }).count()) > 0, "a fix is offered");
    const before = await page.locator(".finding").count();
    const old = await text(page);
    await page.locator("button", { hasText: "Fix:" }).first().click();
    ok((await text(page)) !== old, "the text changes");
    await until(async () => (await page.locator(".finding").count()) < before, "a finding less");
  },
  "a code is explained": async ({ page }) => {
    await page.click(".finding .code >> nth=0");
    await has(page, "Bad");
    await page.click("text=← Findings");
    await page.waitForSelector(".finding");
  },
  "step it starts with the input that breaks the line": async ({ page }) => {
    await write(page, "#!/bin/sh\napp=$1\nrm -rf $app/*\n");
    await until(async () => (await page.locator("button", { hasText: "Step it" }).count()) === 2, "two findings can be stepped");
    await page.locator(".finding", { hasText: "X101" }).locator("text=Step it").click();
    await says(page, 'Line 3 gets "/*" without any other input.');
    ok((await now(page)).includes("rm -rf /*"), `the command is rm -rf /*, not ${await now(page)}`);
    await tab(page, "Findings");
    await page.locator(".finding", { hasText: "X103" }).locator("text=Step it").click();
    await says(page, 'Line 3 gets "a b" with "a b" as the first argument.');
    ok((await now(page)).includes("rm -rf a b/*"), `the command is rm -rf a b/*, not ${await now(page)}`);
    ok((await now(page)).includes("rm -rf"), `the step is at rm, not at ${await now(page)}`);
    ok((await page.textContent(".cm-step")).includes("rm -rf"), "the command is marked in the text");
  },
  "step it finds the month that is no octal number": async ({ page }) => {
    await write(page, "#!/bin/sh\nmonth=$(date +%m)\necho $((month + 1))\n");
    await page.locator("text=Step it").first().click();
    await says(page, 'Line 3 gets "08" at 08:08:08 on 8 August 2026.');
    await page.click("[data-go=last]");
    ok(/octal|08/.test(await page.textContent(".output")), "the run fails there");
  },
  "forward and back return to the same state": async ({ page }) => {
    await write(page, "x=1\nx=2; echo $x >f\nx=3; echo $x >>f\n(x=4; echo $x) | cat\n");
    await step(page);
    const length = await last(page);
    ok(length > 20, `more than 20 steps, not ${length}`);
    const seen = [];
    for (let i = 0; i < length; i++) { seen.push(await panel(page)); await page.click("[data-go=forward]"); }
    for (let i = length - 1; i >= 0; i--) {
      await page.click("[data-go=back]");
      equal(await panel(page), seen[i], `state at step ${i}`);
    }
  },
  "the end shows output, status, files before and after": async ({ page }) => {
    await write(page, "printf 'a\\nb\\n' >new\nsed -i s/one/two/ old\nrm gone\necho out; exit 3\n", false);
    await world(page, "file old\n| one\n| same\nfile gone\n| x\n");
    await step(page);
    await page.click("[data-go=last]");
    await has(page, "ended with status 3");
    equal((await page.textContent(".output")).trim(), "out", "output");
    const rows = (await page.locator(".files > li").allTextContents()).join(" ");
    ok(/new\/home\/user\/newab/.test(rows), `the new file: ${rows}`);
    ok(/changed\/home\/user\/oldonetwo/.test(rows), `the changed file: ${rows}`);
    ok(/removed\/home\/user\/gonex/.test(rows), `the removed file: ${rows}`);
  },
  "a click on a variable jumps to the step that set it": async ({ page }) => {
    await write(page, "a=1\nb=2\necho $a $b\necho more\n");
    await step(page);
    await page.click("[data-go=last]");
    await page.locator(".values button", { hasText: "b" }).first().click();
    ok((await at(page)) < (await last(page)), "it goes back");
    ok((await page.textContent(".values .changed")).includes("b"), "the variable changes here");
  },
  "a click on a file and on the output jumps to their steps": async ({ page }) => {
    await write(page, "echo one >f\necho two\n:\n:\n");
    await step(page);
    await page.click("[data-go=last]");
    const end = await at(page);
    await page.click(".output");
    const written = await at(page);
    ok(written < end, "output goes back");
    await page.click(".files button");
    ok((await page.locator(".files .changed").count()) === 1, "the file changes here");
  },
  "to the line of the cursor": async ({ page }) => {
    await write(page, "a=1\nb=2\necho $a\necho here $b\n");
    await step(page);
    await page.locator(".cm-line", { hasText: "here" }).click();
    await page.click("[data-go=line]");
    ok((await page.textContent("#now .note")).includes("line 4"), "line 4");
  },
  "the world gives arguments, environment, files, input, user and clock": async ({ page }) => {
    await write(page, "echo $# $2 $COLOUR\ncat notes\ncat\nid -un\ndate -u +%Y\nreadlink l\n", false);
    await world(page, "arg a b\narg second\nenv COLOUR=red\nfile notes\n| kept\nstdin | typed\nuser root\nclock 1767225600\nlink l -> there\n");
    await step(page);
    await page.click("[data-go=last]");
    const output = await page.textContent(".output");
    for (const each of ["2 second red", "typed", "root", "2026"]) ok(output.includes(each), `${each} in ${output}`);
  },
  "a mistake in the world is said": async ({ page }) => {
    await world(page, "files x\n");
    await has(page, "line 1 of the world: 'files x' is not understood");
    await page.click("#run");
    await says(page, "is not understood");
  },
  "a share link brings back text, world and step": async ({ page, open }) => {
    const script = "x='ü 東京'\necho \"$x\" $1\n";
    await write(page, script);
    await world(page, "arg shared\n");
    await step(page);
    for (let i = 0; i < 7; i++) await page.click("[data-go=forward]");
    await page.click("#share");
    await until(async () => page.url().includes("#"), "the address has the state");
    const other = await open(page.url());
    await other.waitForSelector("#stepper:not([hidden])", { timeout: 120000 });
    await until(async () => (await at(other)) === 7, "the same step");
    equal(await text(other), script, "text");
    equal(await now(other), await now(page), "command");
    await other.click("[data-go=last]");
    ok((await other.textContent(".output")).includes("ü 東京 shared"), "it ran with the world");
  },
  "a broken link is said, and the page works": async ({ open, url }) => {
    for (const fragment of ["#not-a-link", "#lesson=nothing", "#%E0%A4%A", "#AAAA"]) {
      const page = await open(url + fragment);
      await page.waitForSelector("text=The link is broken");
      await page.waitForSelector(".finding");
      await page.close();
    }
  },
  "embedded in another page": async ({ open, url }) => {
    const page = await open(`${url}?embed#lesson=splitting`);
    await page.waitForSelector("#lesson:not([hidden])");
    ok(!(await page.isVisible("#theme")), "no frame of the page");
    await step(page);
    ok(await page.isVisible("#stepper"), "it steps");
  },
  "works offline after the first load": async ({ page, context, url }) => {
    await step(page);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await page.waitForSelector(".finding");
    await step(page);
    await context.setOffline(true);
    try {
      await page.goto(url);
      await page.waitForSelector(".finding");
      await step(page);
    } finally { await context.setOffline(false); }
  },
  "everything by keyboard": async ({ page }) => {
    await page.click(".cm-content");
    await page.keyboard.press("Control+Enter");
    await page.waitForSelector("#stepper:not([hidden])", { timeout: 120000 });
    await page.focus("[data-go=forward]");
    await page.keyboard.press("ArrowRight");
    equal(await at(page), 1, "step after the right arrow");
    await page.keyboard.press("ArrowDown");
    ok((await at(page)) > 1, "the next command after the down arrow");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("End");
    equal(await at(page), await last(page), "step after End");
    await page.keyboard.press("Home");
    equal(await at(page), 0, "step after Home");
    await page.focus("[role=tab][aria-selected=true]");
    await page.keyboard.press("ArrowRight");
    equal(await page.getAttribute("[role=tab][aria-selected=true]", "data-tab"), "World", "tab");
  },
  "names and roles for screen readers": async ({ page }) => {
    await step(page);
    const unnamed = await page.evaluate(() => [...document.querySelectorAll("button, input, select, textarea, [role=tabpanel]")].filter((each) => each.offsetParent && !(each.textContent.trim() || each.getAttribute("aria-label") || each.getAttribute("aria-labelledby") || each.labels?.length)).map((each) => each.outerHTML.slice(0, 80)));
    equal(unnamed, [], "controls without a name");
    equal(await page.getAttribute("#status", "role"), "status", "role of the status");
    equal(await page.getAttribute(".cm-content", "aria-label"), "Script", "name of the editor");
  },
  "nothing is requested after the load, and nothing elsewhere": async ({ page, requests, url }) => {
    await step(page);
    await tab(page, "Explore");
    await page.click("#panel button.primary");
    await page.waitForSelector(".outcome, #panel .trouble", { timeout: 120000 });
    await tab(page, "Purify");
    await page.click("#panel button.primary");
    await page.waitForSelector(".merge");
    const loaded = requests.length;
    await write(page, "#!/bin/sh\necho $1\n");
    await step(page);
    await tab(page, "Purify");
    await page.click("#panel button.primary");
    await page.waitForSelector(".merge");
    await page.click("#share");
    equal(requests.slice(loaded), [], "requests after everything was loaded");
    equal(requests.filter((each) => !each.startsWith(url) && !each.startsWith("data:") && !each.startsWith("blob:")), [], "requests elsewhere");
  },
  "a script of 1,000 lines": async ({ page }) => {
    await write(page, "#!/bin/sh\n" + "if [ -f \"$1\" ]; then\n  grep x \"$1\" | sort -u >out\nfi\n".repeat(333));
    ok(!(await status(page)).includes("failed"), await status(page));
    await page.keyboard.type("echo done\n");
    await checkedPage(page);
  },
  "a paste of 5 MB": async ({ page }) => {
    await page.evaluate(() => { const view = document.querySelector(".cm-content").cmTile?.view ?? document.querySelector(".cm-content").cmView.view; view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: "echo a line of a large paste\n".repeat(180000) } }); });
    await says(page, "not checked");
    await page.click("#share");
    await says(page, /too large for a link|link/);
    await write(page, "#!/bin/sh\necho small\n");
    await has(page, "No findings");
  },
  "binary text": async ({ page }) => {
    let bytes = "";
    for (let i = 1; i < 3000; i++) bytes += String.fromCharCode((i * 7919) % 65535 || 1);
    await page.evaluate((bytes) => { const view = document.querySelector(".cm-content").cmTile?.view ?? document.querySelector(".cm-content").cmView.view; view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: bytes } }); }, bytes);
    await checkedPage(page);
    await page.click("#run");
    await until(async () => (await status(page)) !== "" && !/…$/.test(await status(page)), "the run ends");
    await write(page, "#!/bin/sh\necho small\n");
    await says(page, "No findings");
  },
  "an endless script ends by itself and says why": async ({ page }) => {
    await write(page, "while :; do x=$((x + 1)); done\n");
    await step(page);
    await says(page, /step|fuel/i);
    await page.click("[data-go=last]");
    ok((await page.locator(".ending.trouble").count()) === 1, "the end says why");
  },
  "the user stops an endless script": async ({ page }) => {
    await write(page, "while :; do x=$((x + 1)); done\n");
    await world(page, "fuel 900000000\n");
    await page.click("#run");
    await page.waitForSelector("#stop:not([hidden])");
    await page.waitForTimeout(1500);
    await page.click("#stop");
    await says(page, "Stopped");
    await write(page, "echo alive\n", false);
    await world(page, "");
    await step(page);
    await page.click("[data-go=last]");
    ok((await page.textContent(".output")).includes("alive"), "the next script runs");
  },
  "a script that forks without end": async ({ page }) => {
    await write(page, "f() { f | f & }\nf\nwait\n");
    await page.click("#run");
    await until(async () => !(await page.isVisible("#stop")), "the run ends", 120000);
    await write(page, "echo alive\n", false);
    await step(page);
    await page.click("[data-go=last]");
    ok((await page.textContent(".output")).includes("alive"), "the next script runs");
  },
  "a command without a model is explained, and the world can say what it does": async ({ page }) => {
    await write(page, "git pull\necho after\n");
    await step(page);
    await says(page, "The simulated world has no git");
    await page.click("text=Add to the world");
    ok((await page.inputValue("#panel textarea")).includes("command git pull = 0"), "the line for the world");
    await world(page, "command git pull = 0 Already up to date.\n");
    await step(page);
    await page.click("[data-go=last]");
    ok((await page.textContent(".output")).includes("Already up to date."), "the world's answer");
  },
  "a shell that reads its script from a pipe": async ({ page }) => {
    await write(page, "echo 'echo inner; cat <<X\nbody\nX' | sh\nprintf 'read x; echo got $x\\nline\\n' | sh\n");
    await step(page);
    await page.click("[data-go=last]");
    const output = await page.textContent(".output");
    ok(output.includes("inner") && output.includes("body") && output.includes("got line"), output);
  },
  "awk that nests too deeply says so": async ({ page }) => {
    await write(page, "awk 'function f(n) { return n ? 1 + f(n - 1) : 0 } BEGIN { print f(50); print f(5000) }'\n");
    await step(page);
    await page.click("[data-go=last]");
    await has(page, "nested too deeply");
    ok((await page.textContent(".output")).startsWith("50"), "fifty levels are not too deep");
  },
  "explore shows how the script can end": async ({ page }) => {
    await write(page, "#!/bin/sh\nset -e\nmkdir work\ncp config work/\n");
    await tab(page, "Explore");
    await page.click("#panel button.primary");
    await page.waitForSelector(".outcome", { timeout: 120000 });
    ok((await page.locator(".outcome.ok").count()) >= 1, "it can end well");
    ok((await page.locator(".outcome.bad").count()) >= 1, "it can fail");
    ok((await page.locator(".fact").count()) >= 1, "decisions");
  },
  "purify shows both texts and the reasons": async ({ page }) => {
    await write(page, "#!/bin/sh\nmkdir build\nif [ $1 == yes ]; then echo `date`; fi\n");
    await tab(page, "Purify");
    await page.click("#panel button.primary");
    await page.waitForSelector(".merge .cm-content");
    await has(page, "Done");
    await page.click("text=Use this text");
    ok(!(await text(page)).includes("=="), "the text is taken over");
  },
  "Python is checked": async ({ page }) => {
    await page.selectOption("#language", "program.py");
    await write(page, "def minor(s: lang(r'[0-9.]+')):\n    i = s.index('.') + 1\n    return s[i:s.index('.', i)]\n");
    await until(async () => (await page.locator(".finding").count()) > 0, "a finding");
    await page.click("#run");
    await says(page, "Only shell scripts");
  },
  "Dockerfiles are checked": async ({ page }) => {
    await page.selectOption("#language", "Dockerfile");
    await write(page, "FROM debian:12\nRUN apt-get install curl\nRUN cd /tmp\n");
    await until(async () => (await page.locator(".finding").count()) > 0, "a finding");
  },
  "types at the ends of lines and under the pointer": async ({ page }) => {
    await write(page, "n=$(wc -l <f)\nsort f | uniq -c | head -1\n");
    await page.waitForSelector(".type-hint");
    await page.waitForSelector(".pipeline .box");
    await page.locator(".cm-line", { hasText: "sort f" }).hover({ position: { x: 20, y: 8 } });
    await page.waitForSelector(".type-tooltip");
  },
  "every lesson runs and is finished": async ({ page }) => {
    await tab(page, "Lessons");
    const count = await page.locator(".lessons button").count();
    ok(count >= 25, `${count} lessons`);
    for (let i = 0; i < count; i++) {
      await tab(page, "Lessons");
      await page.locator(".lessons button").nth(i).click();
      const title = await page.textContent("#lesson b");
      await step(page);
      await page.click("[data-go=last]");
      const end = await page.textContent(".ending");
      ok(end.includes("ended with status") || title === "A month as a number", `${title}: ${end}`);
      await page.click("#lesson >> text=Answer");
      ok(await page.isVisible("#lesson .answer"), `${title} has an answer`);
    }
  },
  "dark and light are kept": async ({ page }) => {
    const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await back();
    await page.click("#theme");
    const dark = await back();
    ok(light !== dark, "the colours change");
    await page.reload();
    await page.waitForSelector(".finding");
    equal(await back(), dark, "colour after a reload");
    await page.click("#theme");
    equal(await back(), light, "colour after another click");
  },
  "on a phone nothing is wider than the screen": async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await step(page);
    for (const each of ["Findings", "Steps", "World", "Explore", "Purify", "Lessons"]) {
      await tab(page, each);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      ok(width <= 390, `${each} is ${width} pixels wide`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  },
  "a file that is dropped is opened, a binary one is refused": async ({ page }) => {
    const drop = (name, bytes) => page.evaluate(([name, bytes]) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes)], name));
      document.querySelector("main").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }, [name, bytes]);
    await drop("x.py", [...Buffer.from("print(1)\n")]);
    await until(async () => (await text(page)) === "print(1)\n", "the text of the file");
    equal(await page.inputValue("#language"), "program.py", "language");
    await drop("a.out", [127, 69, 76, 70, 0, 1]);
    await says(page, "binary");
    equal(await text(page), "print(1)\n", "text");
  },
};
