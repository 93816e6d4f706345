import { mkdirSync } from "node:fs";
import { openSqliteStore } from "@spfunctions/host/store";
import { describe, expect, test } from "vitest";
import { callNotes, preparedHome } from "../../test-data/recorded-home.ts";
import { runExamples } from "../../test-data/run-examples.ts";
import { Home, routedPack, unrulyPack } from "../../test-data/run-sf.ts";
import { startUp } from "../../test-data/run-up.ts";

type Listed = { readonly total: number; readonly segments: readonly Record<string, unknown>[] };

async function listed(home: Home, argv: readonly string[] = []): Promise<Listed> {
  const { code, out } = await home.run(["trace", "ls", "--json", ...argv]);
  expect(code).toBe(0);
  return JSON.parse(out) as Listed;
}

describe("sf trace ls", () => {
  test("says the size in bytes, not in letters", async () => {
    const home = preparedHome();
    const sizeOf = async (text: string, folder: string) => {
      await callNotes(home, "notes.add", { text }, ["--data", folder]);
      return Number((await listed(home, ["--data", folder])).segments[0]?.bytes);
    };
    const [plain, wide] = [await sizeOf("e".repeat(1000), "a"), await sizeOf("é".repeat(1000), "b")];
    // Besides the text only numbers differ, by a digit or two.
    expect(wide - plain).toBeGreaterThan(950);
  });

  test("counts what a platform asks a person about as refused: nothing has begun there", async () => {
    const home = new Home();
    home.write("own.json", { maxSideEffect: "user_write" });
    const approvals = { requireForSideEffectAtOrAbove: "user_write" };
    home.write("asks.json", { maxSideEffect: "secret", approvals });
    await startUp(home, ["--port", "0", "--pack", routedPack, "--policy", "asks.json"]);
    const call = ["agent", "--tool", "routed.add", "--input", '{"text":"milk"}', "--policy", "own.json"];
    expect((await home.run(call)).code).toBe(4);
    const { segments } = await listed(home, ["--data", "home/.local/share/simplefunctions/agent"]);
    expect(segments).toMatchObject([{ calls: 1, refused: 1, failed: 0, unknown: 0 }]);
  });

  test("lists what was journaled, the newest first, with how the calls ended", async () => {
    const home = preparedHome();
    const data = ["--data", "data"];
    await callNotes(home, "notes.add", { text: "x" }, data);
    await callNotes(home, "notes.add", { text: 1 }, data);
    await callNotes(home, "notes.fail", {}, data);
    const { total, segments } = await listed(home, data);
    const times = segments.map(({ openedAt }) => String(openedAt));
    expect(times).toStrictEqual(times.toSorted().toReversed());
    const facts = segments.map(({ segment: _s, openedAt: _o, bytes, ...rest }) => ({
      ...rest,
      isSized: Number(bytes) > 100,
    }));
    const one = { accountId: "local", where: home.path("data"), state: "sealed", calls: 1, isSized: true };
    expect({ total, facts }).toStrictEqual({
      total: 3,
      facts: [
        { ...one, records: 2, refused: 0, failed: 1, unknown: 0 },
        { ...one, records: 2, refused: 1, failed: 0, unknown: 0 },
        { ...one, records: 3, refused: 0, failed: 0, unknown: 0 },
      ],
    });
    const { out, err } = await home.run(["trace", "ls", ...data, "--limit", "1"]);
    const [head = "", row = "", ...more] = out.trimEnd().split("\n");
    expect(head.split(/ {2,}/)).toStrictEqual(
      "segment account opened calls refused failed unknown state size".split(" "),
    );
    expect(row.split(/ {2,}/).slice(0, 8)).toStrictEqual(
      [segments[0]?.segment, "local", times[0], "1", "0", "1", "0", "sealed"].map(String),
    );
    expect(more).toStrictEqual([]);
    expect(err).toBe(
      "2 older ones are not shown: --limit 3 shows all; counted, not verified: sf trace verify does\n",
    );
  });

  test("looks in the user's data folder, in agent below it, and in .sf; or in the one of $SF_DATA", async () => {
    const home = preparedHome();
    expect(await home.run(["trace", "ls"])).toMatchObject({ code: 0, err: "" });
    const own = "home/.local/share/simplefunctions";
    for (const folder of [own, `${own}/agent`, ".sf", "elsewhere"]) {
      await callNotes(home, "notes.read", { id: 1 }, ["--data", folder]);
    }
    const folders = async (argv: readonly string[], env = {}) => {
      const { out } = await home.run(["trace", "ls", "--json", ...argv], { env });
      return (JSON.parse(out) as Listed).segments.map(({ where }) => where);
    };
    expect(await folders([])).toStrictEqual([".sf", `${own}/agent`, own].map((name) => home.path(name)));
    expect(await folders([], { SF_DATA: "elsewhere" })).toStrictEqual([home.path("elsewhere")]);
    expect(await folders(["--data", ".sf"])).toStrictEqual([home.path(".sf")]);
  });

  test("says that there is nothing, and where it was looked; of a folder that was named, that there is no store", async () => {
    const home = preparedHome();
    const { code, out } = await home.run(["trace", "ls"]);
    expect({ code, out }).toStrictEqual({
      code: 0,
      out: `none: nothing is journaled in ${["home/.local/share/simplefunctions", "home/.local/share/simplefunctions/agent", ".sf"].map((name) => home.path(name)).join(", ")}\n`,
    });
    expect(await home.run(["trace", "ls", "--data", "nowhere"])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^error host_configuration_needed: there is no store at /),
    });
    await callNotes(home, "notes.read", { id: 1 }, ["--data", "data"]);
    expect((await home.run(["trace", "ls", "--data", "data", "--account", "other"])).out).toBe(
      `none: nothing of account other is journaled in ${home.path("data")}\n`,
    );
  });

  test("leaves out, and names, a folder that cannot be read, unless it is the one that was named", async () => {
    const home = preparedHome();
    mkdirSync(home.path(".sf"));
    home.write(".sf/simplefunctions.db", "no database at all, but long enough to be looked at");
    await callNotes(home, "notes.read", { id: 1 });
    const { code, out, err } = await home.run(["trace", "ls"]);
    expect({ code, rows: out.trimEnd().split("\n").length }).toStrictEqual({ code: 0, rows: 2 });
    expect(err).toContain(`note: ${home.path(".sf")} is left out: `);
    expect((await home.run(["trace", "ls", "--data", ".sf"])).code).toBe(6);
  });

  test("I1: tells accounts apart, and shows one alone where it is named", async () => {
    const home = preparedHome();
    for (const account of ["ada", "bob"]) {
      await callNotes(home, "notes.read", { id: 1 }, ["--data", "data", "--account", account]);
    }
    const accounts = async (argv: readonly string[]) =>
      (await listed(home, ["--data", "data", ...argv])).segments.map(({ accountId }) => accountId);
    expect(await accounts([])).toStrictEqual(["bob", "ada"]);
    expect(await accounts(["--account", "ada"])).toStrictEqual(["ada"]);
  });

  test("B25: reads beside a process that drives the folder, also what crashed in the middle of a call", async () => {
    const home = preparedHome();
    const die = ["call", "unruly.die_unkeyed", "--pack", unrulyPack, "--policy", "writer.json"];
    await home.start([...die, "--data", "data", "--input", '{"text":"x"}']).ended;
    const driver = await openSqliteStore({ folder: home.path("data"), role: "driver" });
    try {
      const { segments } = await listed(home, ["--data", "data"]);
      expect(segments).toMatchObject([{ state: "open", calls: 1, refused: 0, failed: 0, unknown: 1 }]);
    } finally {
      await driver.close();
    }
  });

  test("has examples that work, and refuses a limit that is none", async () => {
    const home = preparedHome();
    await callNotes(home, "notes.read", { id: 1 }, ["--data", "data"]);
    expect((await runExamples(home, ["trace", "ls"])).map(({ code }) => code)).toStrictEqual([0, 0, 0]);
    expect((await home.run(["trace", "ls", "--limit", "0"])).code).toBe(2);
  });
});
