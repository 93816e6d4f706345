import { DatabaseSync } from "node:sqlite";
import { newInstallationSecret, openInstallation } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { Home, notesPack, unrulyPack } from "../../test-data/run-sf.ts";

const secret = "5e".repeat(32);
const { publicKey } = openInstallation(Buffer.from(secret, "hex")).signer;
const stranger = openInstallation(newInstallationSecret()).signer;
const data = ["--data", "data"];
const verify = ["trace", "verify", ...data];

/** A home in which two calls were made, one process after the other. */
async function called(): Promise<Home> {
  const home = new Home({ SF_INSTALLATION_KEY: secret });
  for (const id of [1, 2]) {
    await home.run(["call", "notes.read", "--pack", notesPack, "--input", `{"id":${id}}`, ...data]);
  }
  return home;
}

function change(home: Home, sql: string): void {
  const database = new DatabaseSync(home.path("data/simplefunctions.db"));
  database.exec(sql);
  database.close();
}

const withoutSignatures = `UPDATE documents SET body = json_remove(body, '$.signature') WHERE kind = 'segment'`;

describe("sf trace verify of what is journaled here, by its id", () => {
  test("looks at the segment that has it, as it would be exported: signed where this installation has sealed it", async () => {
    const home = await called();
    const listed = await home.run(["trace", "ls", "--json", ...data]);
    const { segments } = JSON.parse(listed.out) as { segments: { segment: string }[] };
    const segment = segments[0]?.segment ?? "";
    expect(await home.run(["trace", "verify", segment, ...data])).toStrictEqual({
      code: 0,
      out: expect.stringMatching(
        new RegExp(`^ok: ${segment}: 2 records, head sha256:\\w{64}\nauthentic: signed by ed25519-`),
      ),
      err: "",
    });
    const strict = ["trace", "verify", segment, ...data, "--key"];
    expect((await home.run([...strict, publicKey])).code).toBe(0);
    expect((await home.run([...strict, stranger.publicKey])).code).toBe(6);
    change(home, `UPDATE records SET text = replace(text, 'notes.read', 'notes.raed')`);
    expect(await home.run(["trace", "verify", segment, ...data])).toMatchObject({ code: 6, out: "" });
    expect((await home.run(["trace", "verify", "call_00000000", ...data])).code).toBe(1);
  });
});

describe("sf trace verify of a data folder", () => {
  test("counts the segments that this installation has signed, or somebody whose key is pinned or given", async () => {
    const home = await called();
    const own = await home.run(verify);
    expect(own).toMatchObject({ code: 0, err: "" });
    expect(own.out).toMatch(/\nok: the journal of local, 2 segments, 2 signed by a known key\n$/);
    const elsewhere = { env: { SF_INSTALLATION_KEY: undefined } };
    expect((await home.run(verify, elsewhere)).out).toMatch(/, 0 signed by a known key\n$/);
    expect(
      JSON.parse((await home.run([...verify, "--key", publicKey, "--json"], elsewhere)).out),
    ).toMatchObject({
      ok: true,
      status: "ok",
      signed: 2,
    });
    home.write("call.json", await signedCall(home));
    await home.run(["receipt", "verify", "call.json", "--key", publicKey, "--pin"]);
    expect((await home.run(verify, elsewhere)).out).toMatch(/, 3 segments, 3 signed by a known key\n$/);
  });

  test("makes no secret for whoever has none", async () => {
    const home = await called();
    await home.run(verify, { env: { SF_INSTALLATION_KEY: undefined } });
    expect(() => home.read("home/.config/simplefunctions/installation.key")).toThrow(/ENOENT/);
  });

  test("with a key believes nobody else: a sealed segment that it has not signed exits with 6", async () => {
    const home = await called();
    for (const spoil of ["", withoutSignatures]) {
      if (spoil !== "") change(home, spoil);
      const key = spoil === "" ? stranger.publicKey : publicKey;
      const human = await home.run([...verify, "--key", key]);
      expect(human.code).toBe(6);
      expect(human.out).toMatch(
        /\nnot signed: none of the given keys has signed 2 of the sealed segments\n$/,
      );
      const json = await home.run([...verify, "--key", key, "--json"]);
      expect({ code: json.code, ...(JSON.parse(json.out) as object) }).toMatchObject({
        code: 6,
        ok: false,
        signed: 0,
      });
    }
    // Nobody asked for a signature: then it is only told.
    expect(await home.run(verify)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/, 0 signed by a known key\n$/),
    });
  });

  test("B22: says ok of a sealed journal, open of one that crashed, and names a row that was edited", async () => {
    const home = new Home();
    home.write("policy.json", { maxSideEffect: "user_write" });
    const pack = ["--pack", unrulyPack, ...data];
    const die = ["call", "unruly.die_unkeyed", ...pack, "--policy", "policy.json", "--input", '{"text":"x"}'];
    await home.start(die).ended;
    expect(await home.run(verify)).toMatchObject({ code: 0, out: expect.stringMatching(/^open: seg_/) });
    await home.run(["call", "unruly.shout", ...pack]);
    expect(await home.run(verify)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/ok: the journal of local, 2 segments, 2 signed by a known key\n$/),
    });
    change(home, "UPDATE records SET text = replace(text, 'unruly', 'gentle') WHERE seq = 2");
    const edited = await home.run(verify);
    expect(edited.code).toBe(6);
    expect(edited.out).toMatch(/broken: seg_[^:]+: record 2 does not have the hash it was kept with/);
    const json = await home.run([...verify, "--json"]);
    expect(JSON.parse(json.out)).toMatchObject({ ok: false, status: "broken" });
  });

  test("says what is missing where there is no journal: no folder, or nothing of this account", async () => {
    expect(await new Home().run(verify)).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^error host_configuration_needed: there is no store at \S+; sf up, sf agent and sf call make theirs /,
      ),
    });
    const home = await called();
    const { code, out } = await home.run([...verify, "--account", "other", "--json"]);
    expect({ code, ...(JSON.parse(out) as object) }).toMatchObject({
      code: 1,
      ok: false,
      error: {
        code: "not_found",
        message: `there is no journal of account other in ${home.path("data")}, and here are also: local (--account); name where it is with --data or --store, or a trace`,
      },
    });
  });

  test("without one that is named looks at every one that is kept here, and is as bad as the worst", async () => {
    const home = new Home({ SF_INSTALLATION_KEY: secret });
    const nowhere = await home.run(["trace", "verify"]);
    expect([nowhere.code, nowhere.err]).toStrictEqual([
      1,
      "error not_found: there is no journal in any place that is known here; name where it is with --data or --store, or a trace\n",
    ]);
    const usual = home.path("home/.local/share/simplefunctions");
    const read = ["call", "notes.read", "--pack", notesPack, "--input", '{"id":1}'];
    for (const where of [[], ["--data", `${usual}/agent`]])
      expect((await home.run([...read, ...where])).code).toBe(0);
    const { code, out, err } = await home.run(["trace", "verify"]);
    expect([code, err]).toStrictEqual([0, ""]);
    expect(out.split("\n").filter((line) => line.includes("the journal of"))).toStrictEqual([
      `ok: the journal of local in ${usual}, 1 segment, 1 signed by a known key`,
      `ok: the journal of local in ${usual}/agent, 1 segment, 1 signed by a known key`,
    ]);
    const json = await home.run(["trace", "verify", "--json"]);
    expect(JSON.parse(json.out)).toMatchObject({ ok: true, where: [usual, `${usual}/agent`], signed: 2 });
    // One that cannot be read is not left out.
    home.write("home/.local/share/simplefunctions/agent/simplefunctions.db", "junk");
    expect(await home.run(["trace", "verify"])).toMatchObject({
      code: 6,
      err: expect.stringMatching(/^error journal_corrupt: .*agent\/simplefunctions\.db is damaged/),
    });
  });

  test("B22: looks at every account's, unless one is named", async () => {
    const home = await called();
    const read = ["call", "notes.read", "--pack", notesPack, "--input", '{"id":1}', ...data];
    await home.run([...read, "--account", "ada"]);
    const whose = (out: string) =>
      [...out.matchAll(/^(\w+): the journal of (\w+),/gm)].map(([, ...one]) => one);
    expect(whose((await home.run(verify)).out)).toStrictEqual([
      ["ok", "ada"],
      ["ok", "local"],
    ]);
    const hers = "stream IN (SELECT id FROM streams WHERE account = 'ada')";
    change(home, `UPDATE records SET text = replace(text, 'notes', 'noets') WHERE ${hers}`);
    const all = await home.run(verify);
    expect([all.code, whose(all.out)]).toStrictEqual([
      6,
      [
        ["broken", "ada"],
        ["ok", "local"],
      ],
    ]);
    const json = JSON.parse((await home.run([...verify, "--json"])).out) as unknown;
    expect(json).toMatchObject({ ok: false, status: "broken", accounts: ["ada", "local"] });
    expect((await home.run([...verify, "--account", "local"])).code).toBe(0);
  });

  test.each(["local", "ada"])(
    "says broken, not absent, of a journal of %s whose segments were all taken away",
    async (account) => {
      const home = await called();
      const read = ["call", "notes.read", "--pack", notesPack, "--input", '{"id":1}', ...data];
      await home.run([...read, "--account", "ada"]);
      change(home, `DELETE FROM documents WHERE kind = 'segment' AND account = '${account}'`);
      expect(await home.run(verify)).toMatchObject({
        code: 6,
        out: expect.stringContaining(`broken: the journal of ${account}`),
      });
    },
  );
});

async function signedCall(home: Home): Promise<string> {
  const call = [
    "call",
    "notes.read",
    "--pack",
    notesPack,
    "--input",
    '{"id":3}',
    ...data,
    "--sign",
    "--json",
  ];
  return (await home.run(call)).out;
}
