import { RecoveryNeededError } from "@spfunctions/contracts";
import { openSqliteStore } from "@spfunctions/host/store";
import { defineTool, openInstallation, Seat, type Store } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { callNotes, installationSecret, preparedHome, recordedHome } from "../../test-data/recorded-home.ts";
import { runExamples } from "../../test-data/run-examples.ts";
import type { Home } from "../../test-data/run-sf.ts";

type Entry = { readonly callId: string; readonly runId: string; readonly hash: string };

async function entriesOf(home: Home, name: string, argv: readonly string[] = []): Promise<Entry[]> {
  const { out } = await home.run(["trace", "show", name, "--json", ...argv]);
  return (JSON.parse(out) as { entries: Entry[] }).entries;
}

async function segmentsOf(home: Home): Promise<string[]> {
  const { out } = await home.run(["trace", "ls", "--data", "data", "--json"]);
  return (JSON.parse(out) as { segments: { segment: string }[] }).segments.map(({ segment }) => segment);
}

const tool = defineTool({
  name: "notes.say",
  description: "Says it.",
  input: { type: "object" },
  output: {},
  permissions: [],
  sideEffect: "user_write",
  costEffect: "llm_cost",
  run: (input) => {
    const { fail, isLost, ...said } = input as { fail?: string; isLost?: true };
    if (isLost === true) throw new RecoveryNeededError("nobody saw how it ended");
    if (fail !== undefined) throw new Error(fail);
    return said;
  },
});

/** A seat on the journal of a home. */
function seatOn(store: Store): Seat {
  return new Seat({
    store,
    packs: [tool],
    levels: [{ level: "agent", policy: { maxSideEffect: "user_write", maxCostEffect: "llm_cost" } }],
    principal: { accountId: "local", keyId: "cli", scopes: ["read", "write"], kind: "local" },
    origin: "direct",
    surface: "plain",
    installation: openInstallation(Buffer.from(installationSecret, "hex")),
    evaluatePostTool: ({ input }) => ({
      outcome: (input as { withhold?: true }).withhold === true ? "deny" : "allow",
    }),
  });
}

/** Answers that the host withholds, erases, or gives again; all in one segment. */
async function eventfulHome(): Promise<Home> {
  const home = preparedHome();
  const store = await openSqliteStore({ folder: home.path("data") });
  const seat = seatOn(store);
  await seat.call({ tool: "notes.say", input: { text: "long ".repeat(100) }, idempotencyKey: "k" });
  await seat.call({ tool: "notes.say", input: { text: "long ".repeat(100) }, idempotencyKey: "k" });
  await seat.call({ tool: "notes.say", input: { withhold: true } });
  await seat.call({ tool: "notes.say", input: { fail: "\u001b[2J\u202e\nred" } });
  const gone = await seat.call({ tool: "notes.say", input: { text: "gone" } });
  if (gone.type !== "completed") throw new Error("it did not run");
  await seat.erase(gone.result.callId);
  await seat.close();
  await store.close();
  return home;
}

describe("sf trace show", () => {
  test("tells a call in a block: when, what, who, why, at what price, with what, and the proof", async () => {
    const home = await recordedHome();
    const [entry] = await entriesOf(home, "run.jsonl");
    const { code, out, err } = await home.run(["trace", "show", "run.jsonl"]);
    expect({ code, out: out.replace(/in [\d.]+ ms/, "in … ms") }).toStrictEqual({
      code: 0,
      out: `+0 ms  notes.add  completed in … ms
  who      local cli of account local, read write, direct
  verdict  allow
  effects  side effect user_write, cost none
  input    {"text":"x"}
  output   {"count":1}
  receipt  record 3, ${entry?.hash}
  call     ${entry?.callId}
`,
    });
    expect(err).toMatch(/^ok: run\.jsonl: 3 records, .*\n1 call, the first at 20.*Z\n$/);
  });

  test("tells which gate stopped a call, why, and what would have let it pass", async () => {
    const home = preparedHome();
    const policy = ["--policy", "none.json"];
    await callNotes(home, "notes.add", { text: "x" }, [...policy, "--record-trace", "t.jsonl"]);
    const { out } = await home.run(["trace", "show", "t.jsonl", "--wide"]);
    expect(out).toMatch(/^\+0 ms {2}notes\.add {2}refused\n/);
    expect(out).toMatch(
      /\n {2}verdict {2}deny at gate max\.sideEffect \(policy_denied\): its side effect is user_write, /,
    );
    expect(out).toMatch(/\n {2}remedy {3}\S/);
    expect(out).toContain("\n  input    (not looked at)\n");
  });

  test("tells what followed: released, repeated, withheld, erased; and keeps every line harmless and short", async () => {
    const home = await eventfulHome();
    const [segment = ""] = await segmentsOf(home);
    const { out } = await home.run(["trace", "show", segment, "--data", "data"], { env: { COLUMNS: "60" } });
    const blocks = out.trimEnd().split("\n\n");
    expect(blocks.map((block) => / notes\.say {2}(\w+)/.exec(block)?.[1])).toStrictEqual([
      "completed",
      "completed",
      "completed",
      "failed",
      "completed",
    ]);
    const thens = blocks.map((block) => [...block.matchAll(/^ {2}then {5}(.*)$/gm)].map(([, then]) => then));
    expect(thens).toStrictEqual([
      ["its output was released"],
      [expect.stringMatching(/^answered from call_.*…$/)],
      ["it ran, and its output was withheld"],
      [],
      ["its output was released", "erased: input, output"],
    ]);
    expect(blocks[1]).toMatch(
      /^\+\d+ ms {2}notes\.say {2}completed before; nothing ran\n {2}who .*\n {2}effects /,
    );
    expect(blocks[2]).toContain("\n  output   (given to nobody)\n");
    expect(blocks[4]).toContain("\n  input    (erased)\n  output   (erased)\n");
    expect(blocks[3]).toContain("upstream_error: notes.say failed: \\u001b[2J");
    expect(out.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(out.split("\n").every((line) => line.length <= 60)).toBe(true);
    const wide = await home.run(["trace", "show", segment, "--data", "data", "--wide"]);
    expect(wide.out).toContain("long ".repeat(100));
    expect(out).not.toContain("long ".repeat(20));
  });

  test("has all of that as JSON, too", async () => {
    const home = await eventfulHome();
    const [segment = ""] = await segmentsOf(home);
    const { out } = await home.run(["trace", "show", segment, "--data", "data", "--json"]);
    const { ok, entries, timeline } = JSON.parse(out) as {
      ok: boolean;
      entries: Entry[];
      timeline: { callId: string; followed: { type: string }[]; verdict: { outcome: string } }[];
    };
    expect(ok).toBe(true);
    expect(timeline.map(({ callId }) => callId)).toStrictEqual(entries.map(({ callId }) => callId));
    expect(timeline.map(({ followed }) => followed.map(({ type }) => type))).toStrictEqual([
      ["released"],
      ["repeated"],
      ["withheld"],
      [],
      ["released", "erased"],
    ]);
    expect(timeline[0]).toMatchObject({ offsetMs: 0, origin: "direct", verdict: { outcome: "allow" } });
  });

  test("shows what is journaled here by the id of a segment or a run, and of a call that call whole", async () => {
    const home = await eventfulHome();
    const data = ["--data", "data"];
    const [segment = ""] = await segmentsOf(home);
    const entries = await entriesOf(home, segment, data);
    expect(entries).toHaveLength(5);
    const third = entries[2] as Entry;
    expect(await entriesOf(home, third.runId, data)).toStrictEqual([third]);
    const whole = await home.run(["trace", "show", third.callId, ...data]);
    expect(JSON.parse(whole.out)).toStrictEqual(third);
    const stranger = await home.run(["trace", "show", "call_00000000", ...data]);
    expect(stranger).toMatchObject({
      code: 1,
      err: "error not_found: nothing is journaled here as call_00000000; sf trace ls lists what there is\n",
    });
    // I1: nor is what another account has.
    expect((await home.run(["trace", "show", segment, ...data, "--account", "other"])).code).toBe(1);
    // A file of that name is a file.
    home.write(segment, "nothing");
    expect((await home.run(["trace", "show", segment, ...data])).code).toBe(6);
  });

  test("finds a call where it was begun, though what became of it was found out in a later segment", async () => {
    const home = preparedHome();
    const store = await openSqliteStore({ folder: home.path("data") });
    const first = seatOn(store);
    await first.call({ tool: "notes.say", input: { isLost: true } });
    await first.close();
    const second = seatOn(store);
    const [effect] = await second.unknown();
    await second.resolve(effect?.effectId ?? "", { status: "completed", note: "it was seen" });
    await second.close();
    await store.close();
    const { code, out } = await home.run(["trace", "show", effect?.callId ?? "", "--data", "data"]);
    expect({ code, ...(JSON.parse(out) as object) }).toMatchObject({ code: 0, status: "unknown" });
  });

  test("reads what another installation has written, too", async () => {
    const home = await eventfulHome();
    const [segment = ""] = await segmentsOf(home);
    const env = { SF_INSTALLATION_KEY: "7b".repeat(32) };
    expect((await home.run(["trace", "show", segment, "--data", "data"], { env })).code).toBe(0);
  });

  test("colours nothing that is not for a screen", async () => {
    const home = await recordedHome();
    const seen = await home.run(["trace", "show", "run.jsonl"], {
      isTerminal: { stdout: true, stderr: true },
    });
    expect(seen.out).toContain("\u001b[");
    expect((await home.run(["trace", "show", "run.jsonl"])).out).not.toContain("\u001b[");
  });

  test("has examples that work", async () => {
    const home = await recordedHome();
    const [entry] = await entriesOf(home, "run.jsonl");
    const [segment = ""] = await segmentsOf(home);
    const runs = await runExamples(home, ["trace", "show"], { call: entry?.callId ?? "", seg: segment });
    expect(runs.map(({ code }) => code)).toStrictEqual([0, 0, 0, 0, 0]);
  });

  test("with --last shows the last in which something was called, and needs that or a trace", async () => {
    const home = await recordedHome();
    const [failed = ""] = await segmentsOf(home);
    const data = ["--data", "data"];
    const last = await home.run(["trace", "show", "--last", ...data]);
    expect(last).toMatchObject({ code: 0, out: expect.stringContaining("notes.fail  failed in ") });
    expect(last.err).toContain(`ok: ${failed}: `);
    const mistakes = [
      await home.run(["trace", "show", ...data]),
      await home.run(["trace", "show", "--last", failed]),
    ];
    expect(mistakes.map(({ code }) => code)).toStrictEqual([2, 2]);
  });
});
