// A held output is given to nobody before its release: not to the caller, an event, a repeated key, a replay, a trace or the
// next process.
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Desk,
  type DeskOptions,
  kindsOf,
  openDesk,
  reopenDesk,
  traceOf,
} from "../../test-data/call-desk.ts";
import { atFirst, FaultyStore } from "../../test-data/call-store.ts";
import { openReplay } from "../replay/replay.ts";
import { readTrace } from "../trace/read-trace.ts";
import { traceEntries } from "../trace/trace-entries.ts";
import type { EvaluatePostTool } from "./ask-policy.ts";

const mark = "the-output-nobody-may-see";
const deed = () => ({ found: mark });

const policies: Readonly<Record<string, EvaluatePostTool | undefined>> = {
  allows: () => ({ outcome: "allow" }),
  denies: () => ({ outcome: "deny", reason: "it is private" }),
  asks: () => ({ outcome: "ask" }),
  throws: () => {
    throw new Error("the policy is out of order");
  },
  "says nothing": () => undefined as never,
  "answers garbage": () => ({ outcome: "allowed" }) as never,
  "is gone": undefined,
};
const anyPolicy = fc.constantFrom(...Object.keys(policies));

// proves PORT-18.3, PORT-18.4, PORT-18.10, PORT-18.11, PORT-19.3, PORT-19.4
describe("B15: a held output is released by an allow and by nothing else:", () => {
  test.each(Object.entries(policies).filter(([, policy]) => policy !== undefined))(
    "%s",
    async (name, policy) => {
      const desk = openDesk({ deed, evaluatePostTool: policy });
      const outcome = await desk.call({ tool: "notes.write" });
      const isGiven = name === "allows";
      expect(outcome.type).toBe(isGiven ? "completed" : "failed");
      const told = outcome.type === "failed" && [
        outcome.error.code,
        outcome.error.details,
        outcome.receipt?.outputHash,
      ];
      const details = { tool: "notes.write", stage: "post_tool", effectExecuted: true };
      expect(told).toStrictEqual(!isGiven && ["policy_denied", details, undefined]);
      expect(JSON.stringify([outcome, desk.events]).includes(mark)).toBe(isGiven);
      expect(await kindsOf(desk)).toStrictEqual([
        "segment.opened",
        "call.intended",
        "call.settled",
        isGiven ? "call.released" : "call.withheld",
      ]);
    },
  );

  test("a policy that does not answer in time", async () => {
    const asked = Promise.withResolvers<void>();
    const desk = openDesk({
      deed,
      evaluatePostTool: async () => {
        asked.resolve();
        return await new Promise<never>(() => {});
      },
    });
    const call = desk.call({ tool: "notes.read" });
    await asked.promise;
    desk.clock.advance(30_000);
    const outcome = await call;
    expect(outcome).toMatchObject({ type: "failed", error: { code: "policy_denied" } });
    expect(JSON.stringify([outcome, desk.events]).includes(mark)).toBe(false);
  });
});

// proves PORT-18.2, PORT-18.6
test("a held output is shown to the policy in its recorded form, and only to it", async () => {
  const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
  const seen: unknown[] = [];
  const desk = openDesk({
    deed: () => ({ token: secret }),
    evaluatePostTool: (view) => {
      seen.push(view);
      return { outcome: "allow" };
    },
  });
  const outcome = await desk.call({ tool: "notes.write" });
  expect(JSON.stringify(seen)).not.toContain(secret);
  expect(seen).toMatchObject([
    { tool: "notes.write", output: { token: expect.stringContaining("[redacted:") } },
  ]);
  expect(outcome).toMatchObject({ result: { output: { token: secret }, redacted: ["/token"] } });
});

/** Everything that reached anybody: answers, events, repeats, a replay of the journal as it lies, and its entries. */
async function reached(desk: Desk, answers: readonly unknown[]): Promise<string> {
  const trace = await traceOf(desk.seat);
  const read = await readTrace(trace);
  const replay = openDesk({ replay: await openReplay([trace]), life: 9, deck: desk.deck });
  const replayed = await replay.call({ tool: "notes.write", input: { n: 1 } });
  const parts = [...answers, ...desk.events, replayed, replay.events, traceEntries(read)];
  return parts.map(said).join("\n");
}

function said(value: unknown): string {
  if (!isSimpleFunctionsError(value)) return JSON.stringify(value);
  return `${value.message} ${JSON.stringify(value)} ${String(value.stack)}`;
}

/** Calls with a key, and the same key again. */
async function callAndRepeat(desk: Desk): Promise<unknown[]> {
  const request = { tool: "notes.write", input: { n: 1 }, idempotencyKey: "k" };
  const attempt = async () => await desk.call(request).catch((error: unknown) => error);
  return [await attempt(), await attempt()];
}

// proves PORT-18.10, PORT-21.3
test("a held output reaches nobody before its release, also across a crash", async () => {
  const anyMoment = fc.record({
    /** Which commit is the last. */
    at: fc.nat(6),
    written: fc.boolean(),
    before: anyPolicy,
    after: anyPolicy,
  });
  await fc.assert(
    fc.asyncProperty(anyMoment, async ({ at, written, before, after }) => {
      if (before === "is gone") return;
      const desk = openDesk({ deed, evaluatePostTool: policies[before] });
      desk.store.fault = (_unit, index) => (index === at ? { type: "die", written } : undefined);
      const answers: unknown[] = [];
      const life = callAndRepeat(desk).then((given) => answers.push(...given));
      await Promise.race([life, desk.store.died.promise]);
      const shownBefore = [...answers, ...desk.events].map(said).join("\n");
      const released = await isReleased(desk);
      expect(released || !shownBefore.includes(mark)).toBe(true);

      const next = reopenDesk(desk, { deck: desk.deck, evaluatePostTool: policies[after] });
      await next.seat.open();
      const given = await callAndRepeat(next);
      const isFree = after === "is gone" || (await isReleased(next));
      expect(isFree || !(await reached(next, given)).includes(mark)).toBe(true);
      await next.seat.close();
    }),
    { numRuns: 150 },
  );
});

/** Whether any record has released anything, or was never held. */
async function isReleased({ store }: Pick<Desk, "store">): Promise<boolean> {
  const records = await openDesk({ store: new FaultyStore(store.inner) }).records();
  return records.some(
    (record) =>
      record.kind === "call.released" ||
      (record.kind === "call.settled" && record.status === "completed" && record.held !== true),
  );
}

/** A process that died after the result and before its release. */
async function crashed(open: DeskOptions, tool: string): Promise<Desk> {
  const desk = openDesk({ deed, ...open });
  desk.store.fault = atFirst("call.released", { type: "die", written: false });
  void desk.call({ tool, input: { n: 1 }, ...(tool === "notes.write" && { idempotencyKey: "k" }) });
  await desk.store.died.promise;
  return desk;
}

describe("a crash between the result and its release", () => {
  test.each(["notes.write", "notes.read"])(
    "asks the policy again about what %s gave, and runs nothing",
    async (tool) => {
      const desk = await crashed({ evaluatePostTool: policies["allows"] }, tool);
      const asked: unknown[] = [];
      const next = reopenDesk(desk, {
        evaluatePostTool: (view) => {
          asked.push([view.tool, view.input, view.output]);
          return { outcome: "allow" };
        },
      });
      const report = await next.seat.open();
      expect(report.settled).toMatchObject([{ tool, outcome: "released", by: "policy" }]);
      expect(asked).toStrictEqual([[tool, { n: 1 }, { found: mark }]]);
      expect(next.deck.runs).toStrictEqual([]);
    },
  );

  test("keeps holding it where no policy is there to decide, until one is", async () => {
    const desk = await crashed({ evaluatePostTool: policies["allows"] }, "notes.write");
    const next = reopenDesk(desk);
    expect((await next.seat.open()).settled).toMatchObject([{ outcome: "left", by: "nobody" }]);
    const request = { tool: "notes.write", input: { n: 1 }, idempotencyKey: "k" };
    const early = await next.call(request);
    expect(early).toMatchObject({ type: "refused", error: { code: "idempotency_in_progress" } });
    expect(JSON.stringify([early, next.events]).includes(mark)).toBe(false);
    const last = reopenDesk(desk, { evaluatePostTool: policies["allows"], life: 3 });
    expect((await last.seat.open()).settled).toMatchObject([{ outcome: "released", by: "policy" }]);
    expect(await last.call(request)).toMatchObject({ result: { output: { found: mark }, replayed: true } });
  });

  test("answers the repeated key with the recorded form once it was released", async () => {
    const desk = await crashed({ evaluatePostTool: policies["allows"] }, "notes.write");
    const next = reopenDesk(desk, { evaluatePostTool: policies["allows"] });
    const again = await next.call({ tool: "notes.write", input: { n: 1 }, idempotencyKey: "k" });
    expect(again).toMatchObject({ result: { output: { found: mark }, replayed: true } });
    expect(next.deck.runs).toStrictEqual([]);
  });
});
