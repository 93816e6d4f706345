// The process really dies in the middle of a tool; a person then says what became of its effect.
import { existsSync, renameSync } from "node:fs";
import { openSqliteStore } from "@spfunctions/host/store";
import { describe, expect, onTestFinished, test } from "vitest";
import { Home, routedPack, unrulyPack } from "../../test-data/run-sf.ts";
import { crashedUp } from "../../test-data/run-up.ts";

const data = ["--data", "data"];
const pack = ["--pack", unrulyPack];
const policy = ["--policy", "policy.json"];

async function crashed(tool = "die_unkeyed"): Promise<Home> {
  const home = new Home();
  home.write("policy.json", { maxSideEffect: "user_write" });
  const call = ["call", `unruly.${tool}`, ...pack, ...policy, ...data, "--input", '{"text":"x"}'];
  expect((await home.start(call).ended).signal).toBe("SIGKILL");
  return home;
}

type Listed = { effectId: string; tool: string; reason: string; outcome?: string };
type Listing = { ok: true; complete: boolean; unknown: Listed[]; left?: Listed[]; settled?: Listed[] };

async function listing(home: Home, ...argv: string[]): Promise<Listing> {
  return JSON.parse((await home.run(["effects", "ls", ...data, ...argv, "--json"])).out) as Listing;
}

const resolve = (id: string, ...argv: string[]) => [
  "effects",
  "resolve",
  id,
  "--status",
  "failed",
  "--note",
  "not there",
  ...data,
  ...argv,
];

describe("sf effects (X1)", () => {
  test("lists what was left to whoever has its pack, with why and what to do, and never says none then", async () => {
    const home = await crashed();
    const { left = [], ...rest } = await listing(home);
    expect(rest).toStrictEqual({ ok: true, complete: true, unknown: [], settled: [] });
    expect(left).toMatchObject([
      { tool: "unruly.die_unkeyed", outcome: "left", reason: "its tool is not here" },
    ]);
    const { code, out } = await home.run(["effects", "ls", ...data]);
    expect({ code, out }).toStrictEqual({
      code: 0,
      out: `${left[0]?.effectId}  unruly.die_unkeyed  left as it was
  its tool is not here
  whoever called it settles it by opening this data folder with its pack and a policy that allows it: sf effects ls --pack … --policy … --data ${home.path("data")}
`,
    });
  });

  test("looks wherever there is a journal here, and makes none to look at", async () => {
    const home = await crashed();
    const share = home.path("home/.local");
    expect(await home.run(["effects", "ls"])).toStrictEqual({
      code: 0,
      out: "none: every effect of this account has an end\n",
      err: "",
    });
    expect(existsSync(share)).toBe(false);
    // As if it were the folder of sf up.
    const { out } = await home.run(["effects", "ls", "--json"], { env: { SF_DATA: home.path("data") } });
    expect(JSON.parse(out)).toMatchObject({ complete: true, left: [{ tool: "unruly.die_unkeyed" }] });
    renameSync(home.path("data"), home.path(".sf"));
    const found = await home.run(["effects", "ls"]);
    expect(found.out).toMatch(/^eff_\S+ {2}unruly\.die_unkeyed {2}left as it was\n/);
    expect(found.out).toContain(`sf effects ls --pack … --policy … --data ${home.path(".sf")}\n`);
  });

  test.each([[["ls"]], [["ls", ...pack]], [["resolve", "eff_1", "--status", "failed", "--note", "gone"]]])(
    "says of %j in a folder where nothing is kept that nothing is, and makes nothing there",
    async (argv) => {
      const home = new Home();
      expect(await home.run(["effects", ...argv, "--data", "dta"])).toMatchObject({
        code: 1,
        out: "",
        err: expect.stringMatching(
          /^error host_configuration_needed: there is no store at .*\/dta\/simplefunctions\.db; /,
        ),
      });
      expect(existsSync(home.path("dta"))).toBe(false);
    },
  );

  test("takes nobody's word about what its pack can settle, and says how it does", async () => {
    const home = await crashed();
    const id = (await listing(home)).left?.[0]?.effectId ?? "";
    expect(await home.run(resolve(id))).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringMatching(
        new RegExp(
          `error recovery_needed: ${id} \\(unruly\\.die_unkeyed\\) was left as it was: its tool is not here; .* sf effects ls --pack … --policy … --data ${home.path("data")}; or give it up with --give-up\n$`,
        ),
      ),
    });
    // With the pack it becomes unknown, and then a person can decide, in one go.
    expect(await home.run(resolve(id, ...pack))).toMatchObject({
      code: 0,
      out: `${id} is failed from now on, by your word\n`,
    });
  });

  test("takes a person's word about what nobody can settle any more, and it is tried no more", async () => {
    const home = await crashed("die_keyed");
    const id = (await listing(home)).left?.[0]?.effectId ?? "";
    expect(await home.run(resolve(id, "--give-up"))).toMatchObject({
      code: 0,
      out: `${id} is failed from now on, by your word\n`,
    });
    expect(await listing(home, ...pack)).toMatchObject({ unknown: [], left: [], settled: [] });
  });

  test("lists what is unknown with what to do, and keeps a person's word", async () => {
    const home = await crashed();
    const { unknown, left } = await listing(home, ...pack);
    const id = unknown[0]?.effectId ?? "";
    expect({ unknown, left }).toMatchObject({ unknown: [{ tool: "unruly.die_unkeyed" }], left: [] });
    expect(await home.run(["effects", "ls", ...data])).toStrictEqual({
      code: 0,
      out: `${id}  unruly.die_unkeyed  unknown
  repeating it could do it twice
  find out at the other side (key ${id}) whether it happened, then: sf effects resolve ${id} --status … --note … --data ${home.path("data")}
`,
      err: "",
    });
    expect((await home.run(resolve(id))).code).toBe(0);
    expect(await home.run(["effects", "ls", ...data])).toMatchObject({
      out: "none: every effect of this account has an end\n",
    });
    expect(await home.run(resolve(id))).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^error not_found: /),
    });
  });

  test("with pack and policy settles what can be repeated, and says so", async () => {
    const home = await crashed("die_keyed");
    expect((await listing(home, ...pack)).left).toMatchObject([
      { reason: expect.stringMatching(/^it is not allowed now: /) },
    ]);
    expect(home.read("notes")).toBe("died of x\n");
    const { out, err } = await home.run(["effects", "ls", ...data, ...pack, ...policy]);
    expect(out).toMatch(/^none: /);
    expect(err).toMatch(
      /\n {2}unruly\.die_keyed \(call_[^)]+\): completed; it was tried again under the same key\n$/,
    );
    expect(home.read("notes")).toBe("died of x\ndone\n");
  });

  test("lists beside the process that drives the folder, and says what it cannot see from there", async () => {
    const home = await crashed();
    await listing(home, ...pack);
    const store = await openSqliteStore({ folder: home.path("data") });
    try {
      const { code, out, err } = await home.run(["effects", "ls", ...data]);
      expect({ code, out: out.split("\n")[0] }).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^eff_\S+ {2}unruly\.die_unkeyed {2}unknown$/),
      });
      expect(err).toBe(
        `note: another process drives ${home.path("data")}; what dead processes have left without an end there is not included\n`,
      );
      const found = await listing(home);
      expect(found).toMatchObject({ complete: false, unknown: [{ tool: "unruly.die_unkeyed" }] });
      expect(Object.keys(found)).toStrictEqual(["ok", "complete", "unknown"]);
      expect(await home.run(["effects", "ls", ...data, "--account", "other"])).toMatchObject({
        code: 0,
        out: "none is listed\n",
      });
    } finally {
      await store.close();
    }
  });

  test("B25: a word is taken by the platform that is up on the folder, found without being named, as it is printed there", async () => {
    const home = new Home();
    await crashedUp(home);
    const up = home.start(["up", "--port", "0", "--pack", routedPack]);
    onTestFinished(() => void up.child.kill("SIGKILL"));
    await up.says("Ctrl-C stops it.");
    await up.says(`--status … --note … --data ${home.path(".sf")}\n`);
    const printed = await home.run(["effects", "ls"]);
    const [, id = ""] = /^(eff_\S+) {2}routed\.die {2}unknown\n/.exec(printed.out) ?? [];
    const word = ["effects", "resolve", id, "--status", "completed", "--note", "seen in the list"];
    expect(await home.run(word)).toStrictEqual({
      code: 0,
      out: `${id} is completed from now on, by your word\n`,
      err: "",
    });
    expect((await home.run(["effects", "ls"])).out).not.toContain(id);
    // What is not listed may have been left by a dead process, which only the one that writes can tell.
    const again = await home.run([...word, "--give-up", "--wait", "0"]);
    expect(again).toMatchObject({
      code: 1,
      err: expect.stringMatching(/Stop it \(sf up: Ctrl-C\), and run the same command again\n$/),
    });
    up.child.kill("SIGINT");
    expect((await up.ended).code).toBe(0);
    expect(await home.run(word)).toMatchObject({
      code: 1,
      err: `error not_found: there is no unknown effect ${id} in account local where it was looked; sf effects ls lists those there are\n`,
    });
    expect((await home.run(["trace", "verify", "--data", ".sf"])).code).toBe(0);
  });

  test("a word that nobody takes is taken back, and it is said whom to stop", async () => {
    const home = await crashed();
    const id = (await listing(home, ...pack)).unknown[0]?.effectId ?? "";
    const store = await openSqliteStore({ folder: home.path("data") });
    try {
      const { code, err } = await home.run(resolve(id, "--wait", "50"));
      expect({ code, err }).toStrictEqual({
        code: 1,
        err: `error timeout: the process (${process.pid}) that drives ${home.path("data")} has not taken it within 50 ms, and it was taken back: nothing is changed. Give it longer with --wait, or stop that process, and try again\n`,
      });
    } finally {
      await store.close();
    }
    expect((await listing(home)).unknown).toMatchObject([{ effectId: id }]);
  });

  test("reads everything that can be wrong before anything is opened", async () => {
    const home = new Home();
    expect((await home.run(["effects", "ls", ...data, ...pack, "--policy", "none.json"])).code).toBe(2);
    expect([home.path("data"), home.path("home/.config")].map((path) => existsSync(path))).toStrictEqual([
      false,
      false,
    ]);
  });

  test.each([
    ["a status that is none", ["eff_00000000", "--status", "maybe", "--note", "x"]],
    ["no note", ["eff_00000000", "--status", "failed"]],
    ["no effect", ["--status", "failed", "--note", "x"]],
  ])("%s is bad usage", async (_, argv) => {
    expect((await new Home().run(["effects", "resolve", ...argv])).code).toBe(2);
  });
});
