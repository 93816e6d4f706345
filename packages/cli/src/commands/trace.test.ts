import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashText, traceEntrySchema } from "@spfunctions/contracts";
import { newInstallationSecret, openInstallation } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { Home, notesPack } from "../../test-data/run-sf.ts";

const pack = ["--pack", notesPack];
const throwing = ["--pack", join(import.meta.dirname, "../../test-data/throwing-pack.ts")];
const secret = "5e".repeat(32);
const { publicKey, keyId } = openInstallation(Buffer.from(secret, "hex")).signer;

/** A home with a trace of one call in it: header, opening, intent, result, seal. */
async function recorded(argv: readonly string[] = []): Promise<Home> {
  const home = new Home({ SF_INSTALLATION_KEY: secret });
  home.write("policy.json", { maxSideEffect: "user_write" });
  const call = ["call", "notes.add", ...pack, "--policy", "policy.json", "--input", '{"text":"x"}'];
  await home.run([...call, "--record-trace", "t.jsonl", ...argv]);
  return home;
}

/** Writes the trace again with its lines changed. */
function tamper(home: Home, change: (lines: string[]) => string[]): void {
  const lines = home.read("t.jsonl").trimEnd().split("\n");
  home.write("t.jsonl", `${change(lines).join("\n")}\n`);
}

/** A line as if what lies beside its record had been erased. */
function withoutPayloads(line: string): string {
  const { content, record } = JSON.parse(line) as { content?: { ref: string }[]; record?: string };
  if (content === undefined) return line;
  return JSON.stringify({ content: content.map(({ ref }) => ({ erased: true, ref })), record });
}

const tamperings: readonly (readonly [string, (lines: string[]) => string[], string])[] = [
  [
    "edited",
    (lines) =>
      lines.map((line) =>
        line.replace(String.raw`\"costEffect\":\"none\"`, String.raw`\"costEffect\":\"llm_cost\"`),
      ),
    "record 2 was changed: the next one does not continue it",
  ],
  [
    "given other content",
    (lines) => lines.map((line) => line.replace(String.raw`{\"text\":\"x\"}`, String.raw`{\"text\":\"y\"}`)),
    "record 2 has content that was changed",
  ],
  ["robbed of a record", (lines) => lines.toSpliced(2, 1), "record 2 is missing"],
  ["given a record twice", (lines) => lines.toSpliced(2, 0, lines[2] ?? ""), "record 2 is there twice"],
  ["put into another order", ([a, b, c, d, e]) => [a, b, d, c, e] as string[], "record 2 is missing"],
  [
    "cut before its seal",
    ([a, b, c, , e]) => [a, b, c, e] as string[],
    "record 3 is missing, as is everything after it; the seal counts 3 records",
  ],
  [
    "given another first line",
    (lines) => lines.map((line) => line.replace('"Adds a note', '"Sends a note')),
    "record 0 (the first line) has a contract of notes.add that was changed",
  ],
  ["put into other words", () => ["hello"], "record 0 (the first line) is not a trace's header"],
  ["emptied", () => [], "record 0 (the first line) is not there: nothing was written"],
];

describe("sf trace verify", () => {
  test("says ok of what was recorded, and who signed it where that is known", async () => {
    const home = await recorded();
    const head = JSON.parse(home.read("t.jsonl").trimEnd().split("\n").at(-1) ?? "") as {
      seal: { head: string };
    };
    const ok = `ok: t.jsonl: 3 records, head ${head.seal.head}\n`;
    const elsewhere = { env: { SF_INSTALLATION_KEY: "6f".repeat(32) } };
    expect(await home.run(["trace", "verify", "t.jsonl", "--allow-unknown-signer"], elsewhere)).toStrictEqual(
      {
        code: 0,
        out: `${ok}signer unknown: signed by ${keyId}, whose key is not known here\n`,
        err: "",
      },
    );
    expect((await home.run(["trace", "verify", "t.jsonl"])).out).toBe(`${ok}authentic: signed by ${keyId}\n`);
    expect(await home.run(["trace", "verify", "t.jsonl", "--key", publicKey])).toStrictEqual({
      code: 0,
      out: `${ok}authentic: signed by ${keyId}\n`,
      err: "",
    });
    expect((await home.run(["trace", "verify", "-"], { input: home.read("t.jsonl") })).code).toBe(0);
  });

  test("exits with 7 where the signer is not known, unless that is allowed", async () => {
    const home = await recorded();
    const elsewhere = { env: { SF_INSTALLATION_KEY: "6f".repeat(32) } };
    const verify = async (...more: string[]) =>
      await home.run(["trace", "verify", "t.jsonl", ...more], elsewhere);
    const { code, out, err } = await verify();
    expect([code, out]).toStrictEqual([7, expect.stringContaining(`signer unknown: signed by ${keyId}`)]);
    expect(err).toContain("--allow-unknown-signer");
    const json = await verify("--json");
    expect([json.code, JSON.parse(json.out)]).toMatchObject([7, { ok: false, status: "ok" }]);
    const allowed = await verify("--json", "--allow-unknown-signer");
    expect([allowed.code, JSON.parse(allowed.out)]).toMatchObject([0, { ok: true }]);
    expect((await verify("--key", publicKey)).code).toBe(0);
    expect((await home.run(["trace", "verify", "t.jsonl"])).code).toBe(0);
  });

  test("says open of one without a seal, never ok", async () => {
    const home = await recorded();
    tamper(home, (lines) => lines.slice(0, -1));
    const { code, out } = await home.run(["trace", "verify", "t.jsonl"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^open: t\.jsonl: 3 records, head sha256:[0-9a-f]{64}\nit has no seal: /);
    expect(JSON.parse((await home.run(["trace", "verify", "t.jsonl", "--json"])).out)).toMatchObject({
      ok: true,
      status: "open",
      signature: { status: "not_signed" },
    });
  });

  test("says plainly that payloads are not in it, where nothing in it says that they were erased", async () => {
    const home = await recorded();
    tamper(home, (lines) => lines.map(withoutPayloads));
    const { code, out } = await home.run(["trace", "verify", "t.jsonl"]);
    expect([code, out.split("\n").slice(1)]).toStrictEqual([
      0,
      [
        "2 payloads are not in it, and nothing in it says that they were erased: the journal that it is of would know",
        `authentic: signed by ${keyId}`,
        "",
      ],
    ]);
    expect(out).not.toContain("2 erased");
    const json = await home.run(["trace", "verify", "t.jsonl", "--json"]);
    expect(JSON.parse(json.out)).toMatchObject({ ok: true, status: "ok", erased: 0, withheld: 0, absent: 2 });
  });

  test.each(tamperings)(
    "B22: exits with 6 and names the first bad record of a trace that was %s",
    async (_, change, message) => {
      const home = await recorded();
      tamper(home, change);
      const human = await home.run(["trace", "verify", "t.jsonl"]);
      const json = await home.run(["trace", "verify", "t.jsonl", "--json", "--key", publicKey]);
      expect(human).toStrictEqual({ code: 6, out: `broken: t.jsonl: ${message}\n`, err: "" });
      expect(json.code).toBe(6);
      expect(JSON.parse(json.out)).toMatchObject({ ok: false, status: "broken" });
    },
  );

  test("exits with 6 for what is not even text, and 2 for what is not there or no file", async () => {
    const home = await recorded();
    writeFileSync(home.path("t.bin"), Buffer.from([0xff, 0xfe, 0]));
    expect(await home.run(["trace", "verify", "t.bin"])).toMatchObject({
      code: 6,
      err: expect.stringMatching(/^error journal_corrupt: the trace t\.bin is not UTF-8 text/),
    });
    const runs = ["verify", "show"].flatMap((command) =>
      ["none.jsonl", "home"].map((file) => home.run(["trace", command, file])),
    );
    expect((await Promise.all(runs)).map(({ code }) => code)).toStrictEqual([2, 2, 2, 2]);
  });

  test("with a key believes nobody else: other signers, no signature, no seal, a rewritten trace", async () => {
    const home = await recorded();
    const other = openInstallation(newInstallationSecret()).signer;
    expect(await home.run(["trace", "verify", "t.jsonl", "--key", other.publicKey])).toMatchObject({
      code: 6,
      out: expect.stringContaining(`signer unknown: signed by ${keyId}`),
    });
    // A seal whose signature is somebody else's, under the name of the one that is believed.
    const whole = home.read("t.jsonl");
    tamper(home, (lines) => lines.map((line) => line.replace(/"sig":"..../, '"sig":"AAAA')));
    expect(await home.run(["trace", "verify", "t.jsonl", "--key", publicKey])).toMatchObject({
      code: 6,
      out: expect.stringContaining(`forged: t.jsonl: the signature is not ${keyId}'s`),
    });
    home.write("t.jsonl", whole);
    tamper(home, (lines) => lines.map((line) => line.replace(/,"signature":\{[^}]*\}/, "")));
    expect(await home.run(["trace", "verify", "t.jsonl"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("not signed: "),
    });
    expect((await home.run(["trace", "verify", "t.jsonl", "--key", publicKey])).code).toBe(6);
    tamper(home, (lines) => lines.slice(0, -1));
    expect((await home.run(["trace", "verify", "t.jsonl", "--key", publicKey])).code).toBe(6);
  });
});

describe("sf trace show", () => {
  test("lists the calls with --table, and one of them whole", async () => {
    const home = await recorded();
    const { code, out, err } = await home.run(["trace", "show", "t.jsonl", "--table"]);
    const [head = "", row = "", ...more] = out.trimEnd().split("\n");
    expect({ code, more, err: err.slice(0, 3) }).toStrictEqual({ code: 0, more: [], err: "ok:" });
    expect(head.split(/ +/)).toStrictEqual(["seq", "time", "tool", "status", "duration", "hash", "call"]);
    const [seq, time, tool, status, ms, unit, hash = "", callId = ""] = row.split(/ +/);
    expect([seq, tool, status, unit]).toStrictEqual(["3", "notes.add", "completed", "ms"]);
    expect([Date.parse(time ?? "") > 0, Number(ms) >= 0]).toStrictEqual([true, true]);
    const one = await home.run(["trace", "show", "t.jsonl", "--call", callId]);
    const entry = traceEntrySchema.parse(JSON.parse(one.out));
    expect(entry).toMatchObject({ callId, input: { text: "x" }, output: { count: 1 }, status: "completed" });
    expect(entry.hash.slice(7, 19)).toBe(hash);
    const json = await home.run(["trace", "show", "t.jsonl", "--json"]);
    expect(JSON.parse(json.out)).toMatchObject({
      ok: true,
      verification: { status: "ok" },
      entries: [entry],
    });
    expect((await home.run(["trace", "show", "t.jsonl", "--call", "call_00000000"])).code).toBe(1);
  });

  test.each(tamperings)(
    "shows nothing of a trace that was %s but what is wrong with it",
    async (_, change, message) => {
      const home = await recorded();
      tamper(home, change);
      expect(await home.run(["trace", "show", "t.jsonl"])).toStrictEqual({
        code: 6,
        out: `broken: t.jsonl: ${message}\n`,
        err: "",
      });
      const json = await home.run(["trace", "show", "t.jsonl", "--json"]);
      expect(json.code).toBe(6);
      expect(Object.keys(JSON.parse(json.out) as object)).toStrictEqual(["ok", "verification"]);
    },
  );

  test("keeps the names in it from driving the terminal", async () => {
    const home = new Home();
    await home.run(["call", "notes.\u001b[31m\u202ered", ...pack, "--record-trace", "t.jsonl"]);
    const { out } = await home.run(["trace", "show", "t.jsonl"]);
    expect(out).toContain("notes.\\u001b[31m\\u202ered");
    expect(out.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
  });
});

describe("sf call --replay-trace", () => {
  const replay = ["call", "notes.add", "--policy", "policy.json", "--replay-trace", "t.jsonl"];

  test("R1: answers from the trace with every executor replaced by one that throws, and touches no folder and no secret", async () => {
    const home = await recorded();
    const bare = { env: { SF_INSTALLATION_KEY: undefined, HOME: home.path("nowhere") } };
    const before = readdirSync(home.folder);
    for (const from of [throwing, []]) {
      const { code, out, err } = await home.run([...replay, ...from, "--input", '{"text":"x"}'], bare);
      expect({ code, out }).toStrictEqual({ code: 0, out: '{\n  "count": 1\n}\n' });
      expect(err).toContain("note: replayed; nothing ran\n");
    }
    expect(readdirSync(home.folder)).toStrictEqual(before);
    expect(home.read("notes").split("\n")).toHaveLength(2);
  });

  test("says when the contract was another one, and what was hidden", async () => {
    const home = await recorded();
    const { out } = await home.run([...replay, ...throwing, "--input", '{"text":"x"}', "--json"]);
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      replayed: true,
      matchedBy: "exact",
      recordedToolDigest: expect.stringMatching(/^sha256:/),
    });
    const alone = await home.run([...replay, "--input", '{"text":"x"}', "--json"]);
    expect(JSON.parse(alone.out)).not.toHaveProperty("recordedToolDigest");
  });

  test("records a replay as a trace that replays the same", async () => {
    const home = await recorded();
    const input = ["--input", '{"text":"x"}'];
    expect((await home.run([...replay, ...input, "--record-trace", "again.jsonl"])).code).toBe(0);
    expect((await home.run(["trace", "verify", "again.jsonl"])).out).toMatch(/^ok: /);
    const again = ["call", "notes.add", "--policy", "policy.json", "--replay-trace", "again.jsonl", ...input];
    expect((await home.run(again)).out).toBe('{\n  "count": 1\n}\n');
  });

  test("exits with 5 for what is not in it, 3 for what is not allowed, 6 for a trace that is broken", async () => {
    const home = await recorded();
    const miss = await home.run([...replay, "--input", '{"text":"other"}']);
    expect(miss).toMatchObject({ code: 5, out: "" });
    expect(miss.err).toContain(
      `error replay_miss: notes.add: no recorded call left with the input ${hashText('{"text":"other"}')}`,
    );
    home.write("policy.json", { maxSideEffect: "user_write", denyTools: ["notes.*"] });
    expect((await home.run([...replay, "--input", '{"text":"x"}'])).code).toBe(3);
    tamper(home, (lines) => lines.toSpliced(2, 1));
    expect(await home.run([...replay, "--input", '{"text":"x"}'])).toMatchObject({
      code: 6,
      err: expect.stringMatching(/^error journal_corrupt: t\.jsonl cannot be trusted: record 2 is missing/),
    });
  });

  test("names the file that cannot be trusted, of several", async () => {
    const home = await recorded();
    home.write("whole.jsonl", home.read("t.jsonl"));
    tamper(home, (lines) => lines.toSpliced(2, 1));
    const several = ["--replay-trace", "whole.jsonl", "--replay-trace", "t.jsonl"];
    for (const from of [pack, []]) {
      expect(await home.run(["call", "notes.add", ...several, ...from])).toMatchObject({
        code: 6,
        err: "error journal_corrupt: t.jsonl cannot be trusted: record 2 is missing\n  what to do: Trust nothing of it: look with sf trace verify and sf doctor, and restore it from a copy.\n",
      });
    }
    const gone = await home.run(["call", "notes.add", "--replay-trace", "none.jsonl"]);
    expect(gone).toMatchObject({
      code: 2,
      err: "error not_found: there is no file none.jsonl; sf trace ls lists what is journaled here, and its ids do as well as a file\n",
    });
  });

  test.each([["--sign"], ["--data", "d"], ["--idempotency-key", "k"]])(
    "is bad usage together with %s",
    async (...more) => {
      const home = await recorded();
      const { code, err } = await home.run([...replay, ...more]);
      expect(code).toBe(2);
      expect(err).toMatch(/^error invalid_input: option .* cannot be used with option /);
    },
  );
});

test("an entry of sf trace show --json names the approval that its call was asked about", async () => {
  const home = new Home({ SF_INSTALLATION_KEY: secret });
  home.write("policy.json", {
    maxSideEffect: "user_write",
    approvals: { requireForSideEffectAtOrAbove: "user_write" },
  });
  const call = ["call", "notes.add", ...pack, "--policy", "policy.json", "--input", '{"text":"x"}', "--json"];
  const asked = JSON.parse((await home.run([...call, "--record-trace", "t.jsonl"])).out) as {
    error: { details: { approvalId: string } };
  };
  const { entries } = JSON.parse((await home.run(["trace", "show", "t.jsonl", "--json"])).out) as {
    entries: { approvalId?: string }[];
  };
  expect(asked.error.details.approvalId).toMatch(/^appr_/);
  expect(entries.map(({ approvalId }) => approvalId)).toStrictEqual([asked.error.details.approvalId]);
});
