import { readFileSync } from "node:fs";
import { canonicalJson, type JsonObject } from "@spfunctions/contracts";
import { newInstallationSecret, openInstallation } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { Home, notesPack } from "../../test-data/run-sf.ts";

const secret = "5e".repeat(32);
const { publicKey, keyId } = openInstallation(Buffer.from(secret, "hex")).signer;
const stranger = openInstallation(newInstallationSecret()).signer;

type Call = { ok: boolean; receipt: Record<string, unknown>; signer?: unknown };

/** A home in which a call was made: its answer in call.json, its trace in t.jsonl. */
async function called(...argv: string[]): Promise<Home> {
  const home = new Home({ SF_INSTALLATION_KEY: secret });
  const call = ["call", "notes.read", "--pack", notesPack, "--input", '{"id":7}', "--json"];
  home.write("call.json", (await home.run([...call, "--record-trace", "t.jsonl", ...argv])).out);
  return home;
}

function change(home: Home, changes: Record<string, unknown>): void {
  const { receipt } = JSON.parse(home.read("call.json")) as Call;
  home.write("receipt.json", { ...receipt, ...changes });
}

describe("sf receipt verify", () => {
  test("holds a receipt against what is journaled here, by its id", async () => {
    const home = await called();
    const { receipt } = JSON.parse(home.read("call.json")) as Call;
    const { out } = await home.run(["receipt", "verify", "call.json", "--trace", String(receipt.callId)]);
    expect(out).toContain("✓ trace      record 2 of the trace says the same\n");
    change(home, { seq: 3 });
    const other = await home.run(["receipt", "verify", "receipt.json", "--trace", String(receipt.runId)]);
    expect([other.code, other.out]).toStrictEqual([6, expect.stringMatching(/^invalid\n/)]);
  });

  test("says authentic only against a key that was given", async () => {
    const home = await called("--sign");
    expect((JSON.parse(home.read("call.json")) as Call).signer).toStrictEqual({ keyId, publicKey });
    expect(await home.run(["receipt", "verify", "call.json", "--key", publicKey])).toStrictEqual({
      code: 0,
      out: `authentic
  ✓ shape      it is a receipt
  ✓ verdict    allow: no gate stopped it
  · trace      no trace was given
  ✓ signature  signed by ${keyId}
  ✓ answer     the answer beside it is the one it is of
`,
      err: "",
    });
    expect(await home.run(["receipt", "verify", "call.json", "--trace", "t.jsonl"])).toStrictEqual({
      code: 0,
      out: `consistent, signer unknown
  ✓ shape      it is a receipt
  ✓ verdict    allow: no gate stopped it
  ✓ trace      record 2 of the trace says the same
  · signature  signed by ${keyId}, whose key was not given
  ✓ answer     the answer beside it is the one it is of
`,
      err: "",
    });
  });

  test("reads the receipt itself, a call's answer, or the standard input", async () => {
    const home = await called("--sign");
    change(home, {});
    const runs = await Promise.all([
      home.run(["receipt", "verify", "receipt.json", "--key", publicKey, "--json"]),
      home.run(["receipt", "verify", "-", "--key", publicKey, "--json"], { input: home.read("call.json") }),
    ]);
    for (const { code, out } of runs) {
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject({ ok: true, status: "authentic" });
    }
  });

  test("knows a key that was pinned once it had proven itself, and only then", async () => {
    const home = await called("--sign");
    const pins = () => readFileSync(home.path("home/.config/simplefunctions/signers.json"), "utf8");
    const verify = ["receipt", "verify", "call.json"];
    const unproven = await home.run([...verify, "--key", stranger.publicKey, "--pin"]);
    expect(unproven).toMatchObject({ code: 6, out: expect.stringMatching(/^consistent, signer unknown\n/) });
    change(home, { tool: "notes.other" });
    const forged = await home.run(["receipt", "verify", "receipt.json", "--key", publicKey, "--pin"]);
    expect(forged).toMatchObject({ code: 6, out: expect.stringMatching(/^invalid\n/) });
    expect(pins).toThrow(/ENOENT/);
    const proven = await home.run([...verify, "--key", stranger.publicKey, "--key", publicKey, "--pin"]);
    expect(proven).toMatchObject({ code: 0, out: expect.stringMatching(new RegExp(`\npinned ${keyId}\n$`)) });
    expect(JSON.parse(pins())).toStrictEqual({ v: 1, signers: [publicKey] });
    expect(await home.run(verify)).toMatchObject({ code: 0, out: expect.stringMatching(/^authentic\n/) });
    expect((await home.run(["trace", "verify", "t.jsonl"])).out).toContain(`authentic: signed by ${keyId}\n`);
  });

  test("with a key believes nobody else: a receipt without a signature, or with another one, exits with 6", async () => {
    const home = await called();
    const unsigned = await home.run(["receipt", "verify", "call.json", "--key", publicKey]);
    expect(unsigned).toMatchObject({ code: 6, out: expect.stringContaining("consistent, signer unknown\n") });
    expect(await home.run(["receipt", "verify", "call.json"])).toMatchObject({ code: 0 });
  });

  test.each([
    ["names another tool", { tool: "notes.other" }, "trace", "the trace says otherwise about tool"],
    [
      "has another output",
      { outputHash: `sha256:${"0".repeat(64)}` },
      "trace",
      "the trace says otherwise about outputHash",
    ],
    [
      "was decided otherwise",
      { policyDigest: `sha256:${"0".repeat(64)}` },
      "verdict",
      "its verdict is about another tool or another policy",
    ],
    ["is of another call", { callId: "call_00000000" }, "trace", "the trace has no such call"],
    ["is not one", { v: 2 }, "shape", "invalid receipt: "],
  ])("exits with 6 and says what contradicts a receipt that %s", async (_, changes, check, detail) => {
    const home = await called("--sign");
    change(home, changes);
    const { code, out } = await home.run(["receipt", "verify", "receipt.json", "--trace", "t.jsonl"]);
    expect(code).toBe(6);
    expect(out).toMatch(/^invalid\n/);
    expect(out).toContain(`✗ ${check.padEnd(9)}  ${detail}`);
    const signed = await home.run(["receipt", "verify", "receipt.json", "--key", publicKey, "--json"]);
    expect({ code: signed.code, ...(JSON.parse(signed.out) as object) }).toMatchObject({
      code: 6,
      ok: false,
      status: "invalid",
    });
  });

  test("exits with 6 for what is no JSON, 2 for what is not there, no file, or a key that is none", async () => {
    const home = await called("--sign");
    home.write("none.json", "{");
    expect(await home.run(["receipt", "verify", "none.json"])).toMatchObject({
      code: 6,
      out: expect.stringMatching(/^invalid\n/),
    });
    expect((await home.run(["receipt", "verify", "nowhere.json"])).code).toBe(2);
    expect((await home.run(["receipt", "verify", "home"])).code).toBe(2);
    expect((await home.run(["receipt", "verify", "call.json", "--trace", "nowhere.jsonl"])).code).toBe(2);
    expect((await home.run(["receipt", "verify", "call.json", "--key", "abc"])).code).toBe(2);
    expect((await home.run(["receipt", "verify", "call.json", "--pin"])).code).toBe(2);
  });

  test("does not trust a receipt to a broken trace", async () => {
    const home = await called("--sign");
    home.write("t.jsonl", home.read("t.jsonl").replace("milk", "wine"));
    const { code, out } = await home.run([
      "receipt",
      "verify",
      "call.json",
      "--trace",
      "t.jsonl",
      "--key",
      publicKey,
    ]);
    expect(code).toBe(6);
    expect(out).toContain("✗ trace      the trace cannot be trusted: record 2 has content that was changed");
  });
});

describe("what stands beside a receipt", () => {
  test("is what it is of, or the receipt is not believed", async () => {
    const home = new Home();
    const read = ["call", "notes.read", "--pack", notesPack, "--input", '{"id":7}', "--json"];
    const answer = JSON.parse((await home.run(read)).out) as { output: object };
    home.write("call.json", answer);
    expect((await home.run(["receipt", "verify", "call.json"])).out).toMatch(/✓ answer/);
    for (const [name, forged] of Object.entries({
      output: { ...answer, output: { id: 7, text: "poison" } },
      error: { ...answer, ok: false, output: undefined, error: { code: "timeout", message: "no" } },
    })) {
      home.write(`${name}.json`, forged);
      const { code, out } = await home.run(["receipt", "verify", `${name}.json`]);
      expect([code, out]).toStrictEqual([6, expect.stringMatching(/^invalid\n[\s\S]*✗ answer/)]);
    }
  });
});

describe("B22: a trace under the name of somebody who has not signed it", () => {
  test("is not shown, replayed, judged or believed", async () => {
    const home = await called("--sign");
    const other = ["call", "notes.read", "--pack", notesPack, "--input", '{"id":7}'];
    await home.run([...other, "--record-trace", "other.jsonl"]);
    await home.run(["receipt", "verify", "call.json", "--key", publicKey, "--pin"]);
    const seal = (name: string) =>
      JSON.parse(home.read(name).trimEnd().split("\n").at(-1) ?? "") as { seal: object };
    const lines = home.read("t.jsonl").trimEnd().split("\n");
    const { signature } = seal("other.jsonl").seal as { signature: unknown };
    expect(signature).toBeDefined();
    const forged = canonicalJson({ seal: { ...seal("t.jsonl").seal, signature } as JsonObject });
    home.write("forged.jsonl", `${[...lines.slice(0, -1), forged].join("\n")}\n`);
    const verified = await home.run(["trace", "verify", "forged.jsonl"]);
    expect([verified.code, verified.out]).toStrictEqual([
      6,
      expect.stringMatching(/^forged: forged\.jsonl: /),
    ]);
    home.write("policy.json", {});
    for (const argv of [
      ["trace", "show", "forged.jsonl"],
      ["trace", "diff", "forged.jsonl", "t.jsonl"],
      [...other, "--replay-trace", "forged.jsonl"],
      ["agent", "--tool", "notes.read", "--input", '{"id":7}', "--replay-trace", "forged.jsonl"],
      ["policy", "test", "policy.json", "--trace", "forged.jsonl"],
      ["policy", "suggest", "--trace", "forged.jsonl"],
      ["receipt", "verify", "call.json", "--trace", "forged.jsonl"],
    ]) {
      const { code, out, err } = await home.run(argv);
      expect([argv.slice(0, 2), code, out, err]).toStrictEqual([
        argv.slice(0, 2),
        6,
        "",
        expect.stringMatching(
          /^error journal_corrupt: forged\.jsonl cannot be trusted: the signature is not /,
        ),
      ]);
    }
  });
});
