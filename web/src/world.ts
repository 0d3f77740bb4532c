// The world as text: one line each, files with their lines after them, each with `| ` before it.
//
//   arg a b                   one argument of the script, to the end of the line
//   env NAME=value            user root          cwd /tmp          clock 1767225600
//   stdin | some text         (more lines of it follow as `| ...`)
//   file notes.txt [0644]     directory d [0755]     link current -> releases/1
//   fuel 30000       after how many steps the run is ended
//   command git pull = 0 Already up to date.     what a command that is not modelled does
export interface World { texts: string[]; problems: string[] }

export const kDefaultWorld = "# What the script starts with. Examples:\n# arg hello world\n# env NAME=value\n# user root\n# file notes.txt\n# | first line\n";

export function parseWorld(text: string): World {
  const texts: string[] = [];
  const problems: string[] = [];
  const lines = text.split("\n");
  const body = (at: number): [string, number] => {
    let contents = "";
    while (at < lines.length && lines[at].startsWith("|")) contents += lines[at++].replace(/^\| ?/, "") + "\n";
    return [contents, at];
  };
  for (let at = 0; at < lines.length; ) {
    const number = at + 1;
    const line = lines[at++];
    const [, word, rest] = /^(\S*) ?(.*)$/.exec(line)!;
    if (word === "" || word.startsWith("#")) continue;
    if (["arg", "env", "user", "cwd", "option"].includes(word)) {
      texts.push(word, rest);
    } else if ((word === "clock" || word === "fuel") && /^\d{1,15}$/.test(rest)) {
      texts.push(word, rest);
    } else if (word === "stdin") {
      const [more, next] = body(at);
      at = next;
      texts.push("stdin", (rest.startsWith("|") ? rest.replace(/^\| ?/, "") + "\n" : "") + more);
    } else if (word === "file" || word === "directory") {
      const found = /^(.*?)(?: (0[0-7]{3,4}))?$/.exec(rest)!;
      const mode = found[2] ?? (word === "file" ? "0644" : "0755");
      if (word === "directory") { texts.push(word, found[1], mode); continue; }
      const [contents, next] = body(at);
      at = next;
      texts.push(word, found[1], mode, contents);
    } else if (word === "link" && rest.includes(" -> ")) {
      texts.push("link", ...(rest.split(" -> ") as [string, string]).slice(0, 2));
    } else if (word === "command" && /^(.+?) = (\d+)(?: (.*))?$/.test(rest)) {
      const [, command, status, output] = /^(.+?) = (\d+)(?: (.*))?$/.exec(rest)!;
      texts.push("command", command, status, output ? output + "\n" : "");
    } else {
      problems.push(`line ${number} of the world: '${line}' is not understood`);
    }
  }
  return { texts, problems };
}
