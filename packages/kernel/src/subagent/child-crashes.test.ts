// X1, B5, B20: a tree whose process dies at any of its commits goes on in the next as if it had not: every child begins once, nothing
// is done twice, and what each is told is what it would have been told.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Deck } from "../../test-data/call-deck.ts";
import { FaultyStore } from "../../test-data/call-store.ts";
import { childSpec, openFamily, type Parts, start } from "../../test-data/family.ts";
import { asking, atOnce, put, read, type RunDesk, storedRun, write } from "../../test-data/run-desk.ts";
import { problemsOf, verifyAccount } from "../journal/verify-account.ts";
import { unknownEffects } from "../journal/unknown-effects.ts";
import type { RunResult } from "../run/state/run-result.ts";

const runIn = (text: string) => /run_[0-9a-f]{32}/.exec(text)?.[0] ?? "";
const texts = (messages: readonly { readonly text: string }[]) => messages.map(({ text }) => text).join("\n");

/** One waits and writes, one asks, one goes on in the background. */
const parts: Parts = {
  parent: ({ messages }, step) => {
    if (step === 1) return [start("digger", "dig")];
    if (step === 2) return [start("writer", "write"), start("asker", "ask"), put("own")];
    const said = texts(messages);
    const question = messages.find(({ text }) => text.includes('"status":"asks"'))?.text;
    if (step === 3)
      return [
        { name: "subagent.reply_to_clarification", args: { run: runIn(question ?? ""), text: "north" } },
      ];
    return said.includes("has completed") ? "all done" : "I wait";
  },
  digger: [[put("digger")], [read], "gold"],
  writer: [[write("writer")], "written"],
  asker: ({ messages }, step) =>
    step === 1 ? '{"ask":"where?"}' : step === 2 ? [write("asker")] : `to ${messages.at(3)?.text}`,
};
const specs = [
  childSpec("digger", { mode: "background", tools: "inherit_allowlist" }),
  childSpec("writer", { tools: ["notes.write"] }),
  childSpec("asker", { tools: "inherit_allowlist", mayAsk: true }),
];

type Death = { readonly at: number; readonly isKept: boolean };

async function play(deaths: readonly Death[]) {
  const deck = new Deck();
  const options = { deck, policy: { approvals: asking.approvals }, strategy: atOnce(4) };
  const first = openFamily(parts, specs, options);
  let commits = 0;
  for (let life = 1; ; life += 1) {
    const store = life === 1 ? first.store : new FaultyStore(first.store.inner);
    const desk =
      life === 1 ? first : openFamily(parts, specs, { ...options, life, clock: first.clock, store });
    const death = deaths[life - 1];
    if (death !== undefined) store.failNext({ type: "die", written: death.isKept }, death.at);
    const result = await Promise.race([live(desk), store.died.promise]);
    commits += store.units.length;
    if (result === undefined) continue;
    const told = await tell(desk, result);
    await desk.runs.close();
    return { told, commits, desk };
  }
}

/** Whoever is asked what became of an effect looks, and does it by hand where it was not done. */
async function seeTo(desk: RunDesk, runId: string, effectId: string): Promise<void> {
  const { runs } = desk.deck;
  const isDone = runs.some(({ idempotencyKey }) => idempotencyKey === effectId);
  const listed = (await unknownEffects(desk.store, "acct_1")).find((one) => one.effectId === effectId);
  if (!isDone && listed !== undefined) {
    const text = listed.tool === "notes.write" ? await inputOf(desk, listed.callId) : "{}";
    runs.push({ tool: listed.tool, text, attempt: 1, idempotencyKey: effectId });
  }
  await desk.runs.resolve(runId, effectId, { status: "completed", note: "seen" });
}

async function inputOf(desk: RunDesk, callId: string): Promise<string> {
  for (const { runId } of await desk.runs.list())
    for (const { content, text } of await storedRun(desk.store.inner, runId)) {
      const record = JSON.parse(text) as { kind: string; callId?: string; input?: { ref: string } };
      const row = content.find(({ ref }) => ref === record.input?.ref);
      if (record.kind === "call.intended" && record.callId === callId && row && "text" in row)
        return row.text;
    }
  return "?";
}

/** Takes on what there is; somebody answers what is asked. */
async function live(desk: RunDesk): Promise<RunResult> {
  await desk.runs.open();
  const root = (await desk.runs.list()).find(({ parentRunId }) => parentRunId === undefined);
  const handle = root === undefined ? await desk.start() : await desk.runs.get(root.runId);
  for (;;) {
    const result = await handle.wait({ for: "rest" });
    if (result.status !== "requires_approval" && result.status !== "recovery_needed") return result;
    for (const effectId of result.unknown) {
      await seeTo(desk, handle.runId, effectId);
    }
    for (const { approvalId } of await desk.operator.list())
      await desk.operator.approve(approvalId).catch(() => {});
  }
}

async function tell(desk: RunDesk, { status, output, children, spent }: RunResult) {
  const done = desk.deck.runs.filter(({ tool }) => tool !== "notes.read");
  const writes = done.filter(({ tool }) => tool === "notes.write").map(({ text }) => text);
  const verification = await verifyAccount(desk.store.inner, "acct_1");
  return {
    status,
    output,
    children: children.map((child) => `${child.subagent} ${child.status}`).toSorted(),
    counted: [spent.children, spent.toolCalls],
    // What may be repeated without harm was done by one effect each.
    effects: new Set(done.map(({ idempotencyKey }) => idempotencyKey)).size,
    inputs: [...new Set(done.map(({ tool, text }) => `${tool} ${text}`))].toSorted(),
    twice: writes.filter((text, index) => writes.indexOf(text) !== index),
    broken: problemsOf(verification),
    runs: (await desk.runs.list()).length,
  };
}

test("without a crash", async () => {
  const { told } = await play([]);
  expect(told).toMatchObject({
    status: "completed",
    output: "all done",
    children: ["subagent.asker completed", "subagent.digger completed", "subagent.writer completed"],
    twice: [],
    broken: [],
    runs: 4,
  });
});

test("killed at any commit, several times over, it comes to the same", async () => {
  const { told: whole, commits } = await play([]);
  const death = fc.record({ at: fc.nat(commits - 1), isKept: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(death, { minLength: 1, maxLength: 4 }), async (deaths) => {
      const { told } = await play(deaths);
      expect(told).toStrictEqual(whole);
    }),
    { numRuns: Number(process.env["CRASHES"] ?? 12) },
  );
});
