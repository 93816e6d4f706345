import { expect, test } from "vitest";
import { outlines } from "../program-outline.ts";
import { Home } from "../../test-data/run-sf.ts";
import { wrappedHelp } from "./wrapped-help.ts";

test("what stands below the options is as wide as they are, and examples stay as they are", () => {
  const example = `  $ sf call notes.add --pack ./notes.ts --input '{"text":"a very long line indeed"}'`;
  const text = `
Examples:
${example}

One sentence that goes on
in the next line, and on.
Exit codes: 0 done.`;
  expect(wrappedHelp(text, 40)).toBe(`
Examples:
${example}

One sentence that goes on in the next
line, and on.
Exit codes: 0 done.`);
});

test("no line of the help of a command is wider than 80, but for examples", async () => {
  const home = new Home();
  const groups = ["approvals", "effects", "grants", "keys", "policy", "receipt", "runs", "trace"];
  const commands = outlines.map(({ name }) => name).filter((name) => !groups.includes(name));
  const below = await Promise.all(
    groups.map(async (group) => {
      const { out } = await home.run([group, "--help"]);
      const [, listed = ""] = /\nCommands:\n([^]*)$/.exec(out) ?? [];
      return [...listed.matchAll(/^ {2}(\w+) /gm)].map(([, name = ""]) => `${group} ${name}`);
    }),
  );
  const all = [...commands, ...groups, ...below.flat().filter((name) => !name.endsWith(" help"))];
  expect(all.length).toBeGreaterThan(40);
  for (const command of all) {
    const { out } = await home.run([...command.split(" "), "--help"]);
    const wide = out.split("\n").filter((line) => line.length > 80 && !/^ {2}\$ /.test(line));
    expect({ command, wide }).toStrictEqual({ command, wide: [] });
  }
});
