import { mkdirSync, readFileSync } from "node:fs";
import { errorCodeSchema, errorCodes, errorFor, exitCodes, outputFrameSchema } from "@spfunctions/contracts";
import { newInstallationSecret } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { Home, notesPack } from "../test-data/run-sf.ts";
import * as surface from "./index.ts";
import { exitOf } from "./io/report-error.ts";

test("the package offers one function", () => {
  expect(Object.keys(surface)).toStrictEqual(["runCli"]);
});

describe("a command line that is wrong exits with 2 and says what was meant", () => {
  test.each([
    [["call", "notes.read", "--polcy", "x"], "unknown option '--polcy' (Did you mean --policy?)"],
    [["help", "foo"], "unknown command 'foo'"],
    [["help", "cal"], "unknown command 'cal' (Did you mean call?)"],
    [["cal"], "unknown command 'cal' (Did you mean call?)"],
    [["trace", "verfy", "x"], "unknown command 'verfy' (Did you mean verify?)"],
    [["call"], "missing required argument 'tool'"],
    [["call", "a.b", "c.d"], "too many arguments for 'call'. Expected 1 argument but got 2: a.b, c.d"],
    [
      ["keys", "create", "--rate", "abc"],
      "option '--rate <perSecond[:burst]>' argument 'abc' is invalid. expected calls a second, and how many at once after a colon, like 5 or 0.5:10",
    ],
    [["call", "a.b", "--input"], "option '--input <json>' argument missing"],
    [
      ["call", "a.b", "--scope", "root"],
      "option '--scope <scope>' argument 'root' is invalid. expected one of read, write, trade, admin",
    ],
    ...["1 s", "0", "25d", "99999999999"].map((given): [string[], string] => [
      ["call", "a.b", "--timeout", given],
      `option '--timeout <time>' argument '${given}' is invalid. expected how long, like 500ms, 30s or 5m, or a number of milliseconds, from 1 to 2147483647`,
    ]),
    [
      ["call", "a.b", "--wait", "-1"],
      "option '--wait <time>' argument '-1' is invalid. expected how long, like 500ms, 30s or 5m, or a number of milliseconds, from 0 to 2147483647",
    ],
    ...["call a.b", "effects ls", "effects resolve eff_00000000", "trace verify"].map(
      (command): [string[], string] => [
        [...command.split(" "), "--account", `sf_live_${"c0rnerSh0p".repeat(3)}ab`],
        "--account: the account id holds what looks like a secret (simplefunctions_key), and is kept and shown as it is; choose another",
      ],
    ),
    ...["", " \t"].map((note): [string[], string] => [
      ["effects", "resolve", "eff_00000000", "--status", "failed", "--note", note],
      `option '--note <text>' argument '${note === "" ? "" : String.raw` \t`}' is invalid. expected how you know, in words`,
    ]),
    [
      ["call", "a.b", "--account", "../x"],
      "option '--account <id>' argument '../x' is invalid. expected a AccountId: 1 to 128 letters, digits or . _ : @ -, starting with a letter or digit",
    ],
    [["call", "a.b", "--json", "--ndjson"], "option '--json' cannot be used with option '--ndjson'"],
    [
      ["call", "a.b"],
      "there are no tools to choose from; name a module that has them with --pack, or one of fs:<folder>, shell:<folder>, http; the tools of a platform are called with sf agent --tool",
    ],
    [["\u001b[31m"], String.raw`unknown command '\u001b[31m'`],
  ])("%j", async (argv, message) => {
    const { code, err } = await new Home().run(argv);
    const isWhole = /^(?:--account: the account id|there are no tools)/.test(message);
    // The help that has what was wrong in it.
    const words = argv.filter((word) =>
      ["call", "trace", "effects", "resolve", "keys", "create"].includes(word),
    );
    const see = isWhole ? "" : `; see ${["sf", ...words, "--help"].join(" ")}`;
    expect({ code, err }).toStrictEqual({ code: 2, err: `error invalid_input: ${message}${see}\n` });
  });
});

describe("an error for whoever reads JSON", () => {
  test.each(["--ndjson", "--stream-json"])("is a frame where events are read: %s", async (flag) => {
    const { code, out } = await new Home().run(["agent", "--tool", "x.y", "--nope", flag]);
    expect([code, JSON.parse(out)]).toStrictEqual([
      2,
      {
        type: "agent.final",
        ok: false,
        error: { code: "invalid_input", message: "unknown option '--nope'; see sf agent --help" },
      },
    ]);
  });

  test("is one object on the standard output, with the line beside it", async () => {
    const home = new Home();
    for (const argv of [
      ["call", "x.y", "--polcy", "--json"],
      ["explain", "x.y", "--pack", "none", "--json"],
      ["trace", "verify", "none", "--json"],
    ]) {
      const { out, err } = await home.run(argv);
      const { ok, error } = JSON.parse(out) as {
        ok: boolean;
        error: { code: string; message: string; retry: string };
      };
      expect(ok).toBe(false);
      expect(errorCodeSchema.parse(error.code)).toBe(error.code);
      expect(err.startsWith(`error ${error.code}: ${error.message}\n`)).toBe(true);
      expect(error).not.toHaveProperty("stack");
    }
  });

  test("is a last frame among frames", async () => {
    const home = new Home();
    const frames = async (argv: readonly string[]) =>
      (await home.run(argv)).out
        .trimEnd()
        .split("\n")
        .map((line) => outputFrameSchema.parse(JSON.parse(line)));
    expect(await frames(["call", "x.y", "--polcy", "--ndjson"])).toMatchObject([
      { type: "agent.final", ok: false, error: { code: "invalid_input" } },
    ]);
    expect(await frames(["call", "x.y", "--pack", "./none.ts", "--ndjson"])).toMatchObject([
      { type: "session.init", v: 1 },
      { type: "agent.final", ok: false, error: { code: "invalid_package" } },
    ]);
  });
});

test("every error exits as the contracts say, and a call that a signal has cancelled as shells expect", () => {
  const { signal } = new AbortController();
  for (const code of errorCodeSchema.options) {
    expect(exitOf(errorFor(code, "x"), signal)).toBe(errorCodes[code].exit);
  }
  const exits = ["SIGINT", "SIGTERM", "uncaughtException"].map((reason) =>
    exitOf(errorFor("cancelled", "x"), AbortSignal.abort(reason)),
  );
  expect(exits).toStrictEqual([130, 143, 1]);
  expect(exitOf(errorFor("policy_denied", "x"), AbortSignal.abort("SIGINT"))).toBe(3);
  // Whatever a tool says about its own failure.
  expect(exitOf(errorFor("upstream_error", "x", { details: { reason: "bad_usage" } }), signal)).toBe(1);
});

describe("help", () => {
  test.each([
    ["up", ["--once", "--port", "0"]],
    ["keys ls", []],
    ["keys create", []],
    ["effects ls", ["--data", ".sf"]],
    ["approvals ls", ["--data", ".sf"]],
    ["trace ls", ["--data", ".sf"]],
    ["runs ls", ["--data", ".sf"]],
  ])("sf %s ends on a damaged file with a code that its help has", async (command, options) => {
    const home = new Home({ SF_INSTALLATION_KEY: Buffer.from(newInstallationSecret()).toString("hex") });
    mkdirSync(home.path(".sf"));
    home.write(".sf/simplefunctions.db", "no database");
    const { code, err } = await home.run([...command.split(" "), ...options]);
    expect({ code, err }).toMatchObject({ code: 6, err: expect.stringMatching(/^error journal_corrupt: /) });
    const { out } = await home.run([...command.split(" "), "--help"]);
    expect(out.split("\nExit codes: ")[1]).toMatch(/, 6 /);
  });

  test.each([["help"], ["--help"], ["-h"]])("sf %s lists the commands", async (...argv) => {
    const { code, out, err } = await new Home().run(argv);
    expect({ code, err }).toStrictEqual({ code: 0, err: "" });
    expect(out).toMatch(/^Usage: sf /);
    for (const word of ["call ", "explain ", "trace", "receipt", "effects", "Examples:"])
      expect(out).toContain(word);
  });

  test.each([
    ["help", "call"],
    ["call", "--help"],
    ["explain", "--help"],
    ["trace", "verify", "--help"],
    ["trace", "show", "--help"],
    ["receipt", "verify", "--help"],
    ["effects", "ls", "--help"],
    ["effects", "resolve", "--help"],
  ])("sf %s %s has examples and exit codes", async (...argv) => {
    const { code, out } = await new Home().run(argv);
    expect(code).toBe(0);
    expect(out).toContain("Examples:\n  $ sf ");
    expect(out).toContain("Exit codes: 0 ");
  });

  test.each([
    ["approvals", "approve"],
    ["runs", "ls"],
    ["call", "notes.add"],
  ])("sf help %s %s is about that very command", async (...words) => {
    const asked = await new Home().run(["help", ...words]);
    expect(asked.out).toMatch(new RegExp(`^Usage: sf ${words[0] === "call" ? "call" : words.join(" ")} `));
    expect(asked).toStrictEqual(await new Home().run([...words, "--help"]));
  });

  test.each([[[]], [["trace"]], [["receipt"]], [["effects"]]])(
    "is what sf %j gets, with exit code 2 as nothing was asked",
    async (argv) => {
      const { code, out, err } = await new Home().run(argv);
      expect({ code, out }).toStrictEqual({ code: 2, out: "" });
      expect(err).toMatch(/^Usage: sf /);
    },
  );

  test("sf --version prints the version of the package", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
      version: string;
    };
    expect(await new Home().run(["--version"])).toStrictEqual({ code: 0, out: `${version}\n`, err: "" });
  });
});

test("a stack is shown only to whoever asks for it with SF_DEBUG=1", async () => {
  const home = new Home();
  const argv = ["call", "notes.fail", "--pack", notesPack];
  expect((await home.run(argv)).err).not.toMatch(/^ +at .*:\d+:\d+\)?$/m);
  expect((await home.run(argv, { env: { SF_DEBUG: "1" } })).err).toMatch(/^ +at .*:\d+:\d+\)?$/m);
});

test("the docs have every exit code, and every command", () => {
  const pageOf = (name: string) => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), "utf8");
  const page = pageOf("command-line.md");
  const rows = [...pageOf("reference/command-line.md").matchAll(/^\| (\d+) \| /gm)].map(([, code]) =>
    Number(code),
  );
  expect(rows).toStrictEqual([...Object.values(exitCodes), 129, 130, 143]);
  const commands = [...pageOf("reference/command-line.md").matchAll(/^## sf (\w+)(?: (\w+))?$/gm)];
  expect(commands.length).toBeGreaterThan(30);
  const told = page.split("\n").filter((line) => line.startsWith("| "));
  const untold = commands.filter(
    ([, word = "", action = ""]) =>
      !told.some(
        (row) =>
          row.includes(`\`sf ${word} ${action}`.trim()) ||
          (row.includes(`\`sf ${word} `) && row.includes(`\`${action}\``)),
      ),
  );
  expect(untold.map(([heading]) => heading)).toStrictEqual([]);
});
