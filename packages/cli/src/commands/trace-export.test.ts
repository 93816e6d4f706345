import { existsSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { openInstallation } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { callNotes, installationSecret, preparedHome, recordedHome } from "../../test-data/recorded-home.ts";
import { runExamples } from "../../test-data/run-examples.ts";
import { type Home, unrulyPack } from "../../test-data/run-sf.ts";

const data = ["--data", "data"];
const { publicKey, keyId } = openInstallation(Buffer.from(installationSecret, "hex")).signer;

type Listed = { readonly segments: readonly { readonly segment: string }[] };

async function segmentsOf(home: Home): Promise<string[]> {
  const { out } = await home.run(["trace", "ls", ...data, "--json"]);
  return (JSON.parse(out) as Listed).segments.map(({ segment }) => segment);
}

describe("sf trace export", () => {
  test("gives byte for byte what was recorded, signed, by segment, run, call, or as the last", async () => {
    const home = await recordedHome();
    const [failed = "", added = ""] = await segmentsOf(home);
    const shown = await home.run(["trace", "show", "run.jsonl", "--json"]);
    const [entry] = (JSON.parse(shown.out) as { entries: { callId: string; runId: string }[] }).entries;
    for (const id of [added, entry?.callId ?? "", entry?.runId ?? ""]) {
      const { code, out, err } = await home.run(["trace", "export", id, ...data]);
      expect({ code, isSame: out === home.read("run.jsonl") }).toStrictEqual({ code: 0, isSame: true });
      expect(err).toBe(`${added} of account local: 3 records, sealed, signed by ${keyId}\n`);
    }
    const last = await home.run(["trace", "export", "--last", ...data, "-o", "last.jsonl", "--json"]);
    expect(JSON.parse(last.out)).toStrictEqual({
      ok: true,
      segment: failed,
      accountId: "local",
      where: home.path("data"),
      records: 2,
      state: "sealed",
      signedBy: keyId,
      file: "last.jsonl",
    });
    expect(home.read("last.jsonl")).toBe(home.read("failed.jsonl"));
    expect((await home.run(["trace", "verify", "last.jsonl", "--key", publicKey])).code).toBe(0);
  });

  test("as the last passes over what has no calls: an operator's segment", async () => {
    const home = await recordedHome();
    const [failed = ""] = await segmentsOf(home);
    const granted = await home.run(["grants", "grant", "net:example.com", "--for", "1h", ...data]);
    expect(granted.code).toBe(0);
    expect(await segmentsOf(home)).toHaveLength(3);
    const { err } = await home.run(["trace", "export", "--last", ...data, "-o", "last.jsonl"]);
    expect(err).toMatch(new RegExp(`^${failed} of account local: `));
  });

  test("signs nothing that another installation has sealed", async () => {
    const home = await recordedHome();
    const env = { SF_INSTALLATION_KEY: "7b".repeat(32) };
    const { code, err } = await home.run(["trace", "export", "--last", ...data, "-o", "t.jsonl"], { env });
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringMatching(/, sealed, not signed\n$/) });
    expect((await home.run(["trace", "verify", "t.jsonl"])).out).toContain("not signed: ");
  });

  test("gives what crashed in the middle as far as it goes, without a seal", async () => {
    const home = preparedHome();
    const die = ["call", "unruly.die_unkeyed", "--pack", unrulyPack, "--policy", "writer.json", ...data];
    await home.start([...die, "--input", '{"text":"x"}']).ended;
    const { code, err } = await home.run(["trace", "export", "--last", ...data, "-o", "t.jsonl"]);
    expect({ code, err }).toMatchObject({
      code: 0,
      err: expect.stringMatching(/: 2 records, open, not signed\n$/),
    });
    expect((await home.run(["trace", "verify", "t.jsonl"])).out).toMatch(/^open: /);
  });

  test("B22: gives nothing of a journal that is not what was written, and makes no file", async () => {
    const home = await recordedHome();
    const database = new DatabaseSync(home.path("data/simplefunctions.db"));
    database.exec("UPDATE records SET text = replace(text, 'notes', 'voice') WHERE seq = 2");
    database.close();
    const { code, out, err } = await home.run(["trace", "export", "--last", ...data, "-o", "t.jsonl"]);
    expect({ code, out }).toStrictEqual({ code: 6, out: "" });
    expect(err).toMatch(/^error journal_corrupt: the journal segment seg_.* cannot be trusted: record 2 /);
    expect(existsSync(home.path("t.jsonl"))).toBe(false);
  });

  test("overwrites nothing, is not for a screen, and wants to know which", async () => {
    const home = await recordedHome();
    const before = home.read("run.jsonl");
    const onScreen = { isTerminal: { stdout: true, stderr: true } };
    const runs = [
      await home.run(["trace", "export", "--last", ...data, "-o", "run.jsonl"]),
      await home.run(["trace", "export", "--last", ...data], onScreen),
      await home.run(["trace", "export", "--last", ...data, "--json"]),
      await home.run(["trace", "export", ...data]),
      await home.run(["trace", "export", "--last", "seg_00000000", ...data]),
      await home.run(["trace", "export", "run.jsonl", ...data]),
      await home.run(["trace", "export", "--last", ...data, "-o", "no/such/folder.jsonl"]),
    ];
    expect(runs.map(({ code, out }) => [code, out.includes("manifestDigest")])).toStrictEqual(
      runs.map(() => [2, false]),
    );
    expect(home.read("run.jsonl")).toBe(before);
    expect((await home.run(["trace", "export", "seg_00000000", ...data])).code).toBe(1);
    expect((await preparedHome().run(["trace", "export", "--last", "-o", "t.jsonl"])).code).toBe(1);
  });

  test("says what it has left where it is cancelled", async () => {
    const home = await recordedHome();
    const signal = AbortSignal.abort("SIGINT");
    const { code, err } = await home.run(["trace", "export", "--last", ...data, "-o", "t.jsonl"], { signal });
    expect(code).toBe(130);
    expect(err).toMatch(/^error cancelled: /);
  });

  test("has examples that work", async () => {
    const home = await recordedHome();
    const { out } = await home.run(["trace", "show", "run.jsonl", "--json"]);
    const [entry] = (JSON.parse(out) as { entries: { callId: string }[] }).entries;
    // The last in the folder that nobody needs to name, and one in a folder that is named.
    await callNotes(home, "notes.read", { id: 1 });
    rmSync(home.path("run.jsonl"));
    const runs = await runExamples(home, ["trace", "export"], { call: entry?.callId ?? "" });
    expect(runs.map(({ code }) => code)).toStrictEqual([0, 0, 0]);
    expect(home.read("call.jsonl")).toContain("notes.add");
  });
});
