// The process really dies in the middle of a tool; a person then says what became of its effect.
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { Home, unrulyPack } from "../../test-data/run-sf.ts";

async function crashed(): Promise<Home> {
  const home = new Home();
  home.write("policy.json", { maxSideEffect: "user_write" });
  const argv = ["--pack", unrulyPack, "--policy", "policy.json", "--data", "data"];
  const dead = home.start([
    "call",
    "unruly.die_unkeyed",
    ...argv,
    "--data",
    home.path("data"),
    "--policy",
    home.path("policy.json"),
    "--input",
    '{"text":"x"}',
  ]);
  expect((await dead.ended).signal).toBe("SIGKILL");
  return home;
}

const data = ["--data", "data"];

describe("sf effects (X1)", () => {
  test("leaves what only its pack can settle, lists what is unknown, and keeps a person's word", async () => {
    const home = await crashed();
    // Without the pack nothing can be said about it.
    expect(await home.run(["effects", "ls", ...data])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^none/),
    });
    await home.run(["call", "unruly.shout", "--pack", unrulyPack, ...data]);
    const { out } = await home.run(["effects", "ls", ...data, "--json"]);
    const { unknown } = JSON.parse(out) as { unknown: { effectId: string; tool: string }[] };
    expect(unknown).toMatchObject([{ tool: "unruly.die_unkeyed" }]);
    const id = unknown[0]?.effectId ?? "";
    const shown = await home.run(["effects", "ls", ...data]);
    expect(shown.out).toContain(id);
    const resolved = await home.run([
      "effects",
      "resolve",
      id,
      "--status",
      "failed",
      "--note",
      "not there",
      ...data,
    ]);
    expect(resolved).toMatchObject({ code: 0, out: `${id} is failed from now on, by your word\n` });
    expect((await home.run(["effects", "ls", ...data])).out).toMatch(/^none/);
    const again = await home.run([
      "effects",
      "resolve",
      id,
      "--status",
      "failed",
      "--note",
      "again",
      ...data,
    ]);
    expect(again).toMatchObject({ code: 1, err: expect.stringMatching(/^error not_found: /) });
  });

  test.each([
    ["a status that is none", ["eff_00000000", "--status", "maybe", "--note", "x"]],
    ["no note", ["eff_00000000", "--status", "failed"]],
    ["no effect", ["--status", "failed", "--note", "x"]],
  ])("%s is bad usage", async (_, argv) => {
    expect((await new Home().run(["effects", "resolve", ...argv])).code).toBe(2);
  });
});

describe("sf trace verify of a data folder (B22)", () => {
  test("says ok of a sealed journal, open of one that crashed, and names a row that was edited", async () => {
    const home = await crashed();
    expect(await home.run(["trace", "verify", ...data])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^open: seg_/),
    });
    await home.run(["call", "unruly.shout", "--pack", unrulyPack, ...data]);
    const whole = await home.run(["trace", "verify", ...data]);
    expect(whole).toMatchObject({
      code: 0,
      out: expect.stringMatching(/ok: the journal of local, 2 segments\n$/),
    });
    const database = new DatabaseSync(home.path("data/simplefunctions.db"));
    database.exec("UPDATE records SET text = replace(text, 'unruly', 'gentle') WHERE seq = 2");
    database.close();
    const edited = await home.run(["trace", "verify", ...data]);
    expect(edited.code).toBe(6);
    expect(edited.out).toMatch(/broken: seg_[^:]+: record 2 does not have the hash it was kept with/);
    const json = await home.run(["trace", "verify", ...data, "--json"]);
    expect(JSON.parse(json.out)).toMatchObject({ ok: false, status: "broken" });
  });

  test("says what is missing where there is no journal", async () => {
    const told = await new Home().run(["trace", "verify", ...data]);
    expect(told).toMatchObject({ code: 1, err: expect.stringMatching(/^error host_configuration_needed: /) });
  });
});
