// Whoever has no tool that trades reads nothing about trading.
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { Home, notesPack } from "../test-data/run-sf.ts";
import { startUp } from "../test-data/run-up.ts";
import type { CommandContext } from "./command-line/command-context.ts";
import { createProgram } from "./program.ts";

const ofTrading = /\btrad|venue|\bseeds?\b|\bpaper\b/i;

async function everyCommand(): Promise<string[][]> {
  const nothing = () => undefined;
  const context = { io: {}, print: { page: nothing }, exit: nothing } as unknown as CommandContext;
  const below = (command: Command, path: readonly string[]): string[][] =>
    command.commands.flatMap((one) => [[...path, one.name()], ...below(one, [...path, one.name()])]);
  return below(await createProgram(["completion"], context), []);
}

describe("no word of trading, venues or seeds", () => {
  test("is in the help of any command, nor in what a shell completes", async () => {
    const home = new Home();
    const commands = await everyCommand();
    expect(commands.length).toBeGreaterThan(40);
    const helps: { readonly argv: readonly string[]; readonly words: readonly string[] }[] = [];
    for (const argv of [["--help"], ...commands.map((path) => [...path, "--help"]), ["completion", "bash"]]) {
      const { code, out } = await home.run(argv);
      expect([argv, code]).toStrictEqual([argv, 0]);
      helps.push({ argv, words: out.split("\n").filter((line) => ofTrading.test(line)) });
    }
    expect(helps.filter(({ words }) => words.length > 0)).toStrictEqual([]);
  });

  test.each(["read-only", "writer"])(
    "is in the preset %s, what it is said to mean, or its file",
    async (preset) => {
      const home = new Home();
      const { code, out } = await home.run(["policy", "init", "--preset", preset]);
      expect([code, out.split("\n").filter((line) => ofTrading.test(line))]).toStrictEqual([0, []]);
      expect(home.read("policy.json")).not.toMatch(ofTrading);
    },
  );

  test.each([
    ["by itself", []],
    ["held against tools that do not trade", ["--pack", notesPack]],
  ])("is in the check of a policy that says none, %s", async (_, args) => {
    const home = new Home();
    home.write("policy.json", { maxSideEffect: "user_write" });
    const { code, out } = await home.run(["policy", "check", "policy.json", ...args]);
    expect(code).toBe(0);
    expect(out).toContain(
      "May be used: what is free, paid requests, searches; not: language models (the default of maxCostEffect).\n",
    );
    expect(out).not.toMatch(ofTrading);
  });
});

describe("whoever has the example markets, or such a tool, is told", () => {
  test("of their options by sf up --markets --help, and of guardrails by sf keys create --scope trade --help", async () => {
    const home = new Home();
    const up = await home.run(["up", "--markets", "--help"]);
    expect(up.out).toMatch(/ --seed <text> [^]* --venue <name> /);
    const keys = await home.run(["keys", "create", "--scope", "trade", "--help"]);
    expect(keys.out).toContain(" --trade <file> ");
  });

  test("of the presets for trades by one of them", async () => {
    const { code, out } = await new Home().run(["policy", "init", "--preset", "paper"]);
    expect(code).toBe(0);
    expect(out).toContain("written from the preset paper; others: read-only, writer, live\n");
  });

  test("by the check of a policy that speaks of trades, or is held against tools that trade", async () => {
    const home = new Home();
    home.write("paper.json", { maxSideEffect: "paper_trade" });
    home.write("policy.json", {});
    const { url } = await startUp(home);
    const said = ["Nothing is really traded.", "searches, requests to venues; not: language models"];
    for (const args of [["paper.json"], ["policy.json", "--url", url]]) {
      const { out, err } = await home.run(["policy", "check", ...args]);
      expect([err, said.filter((text) => !out.includes(text))]).toStrictEqual(["", []]);
    }
  });
});
