// B4, B20, X1: whenever the process dies in the life of a call that waits, before or after any of its commits, the next one brings it to
// the same end as if nobody had died: once.
import type { Approval } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { asking, operatorOf, pending, storyOf, waiting } from "../../test-data/call-approvals.ts";
import { codeOf, type Desk, type DeskOptions, openDesk } from "../../test-data/call-desk.ts";
import { FaultyStore } from "../../test-data/call-store.ts";
import { turn } from "../../test-data/call-waiting.ts";
import { problemsOf } from "../journal/verify-account.ts";

/** Repeating it is harmless, and so whatever has begun can be brought to its end. */
const put = { tool: "notes.put", input: { text: "a" }, idempotencyKey: "k" };

type Answer = "approve" | "deny" | "approveForSession";

/** One life: a call waits, somebody answers, it ends. `dies`: at which commit, and whether that was kept. */
type Death = { readonly who: "seat" | "operator"; readonly at: number; readonly written: boolean };

type Lived = {
  readonly inner: FaultyStore["inner"];
  readonly clock: Desk["clock"];
  readonly deck: Desk["deck"];
  /** How many commits each has made. */
  readonly commits: Readonly<Record<Death["who"], number>>;
  readonly outcome: string | undefined;
};

async function live(answer: Answer, death?: Death): Promise<Lived> {
  const store = new FaultyStore();
  const others = new FaultyStore(store.inner);
  const desk = openDesk({ ...waiting, store });
  const dying = death?.who === "seat" ? store : others;
  if (death !== undefined)
    dying.fault = (_unit, index) =>
      index === death.at ? { type: "die", written: death.written } : undefined;
  const call = desk.call(put);
  call.catch(() => undefined);
  const operator = operatorOf(desk, { store: others });
  const answered = (async () => {
    const { approvalId } = await pending(operatorOf(desk, { life: 7 }));
    await operator[answer](approvalId);
  })();
  answered.catch(() => undefined);
  let outcome: string | undefined;
  const whole = (async () => {
    const [ended] = await Promise.allSettled([call, answered]);
    outcome = ended.status === "fulfilled" ? codeOf(ended.value) : undefined;
    await desk.seat.close();
    await operator.close();
  })();
  await Promise.race([whole, dying.died.promise]);
  for (let turns = 0; turns < 20; turns++) {
    await turn();
  }
  // Whoever is left dies as well: nothing of this life is there for the next.
  await store.die();
  await others.die();
  const commits = { seat: store.units.length, operator: others.units.length };
  return { inner: store.inner, clock: desk.clock, deck: desk.deck, commits, outcome };
}

/** The next life: what is there is brought to its end; what is not there is called again. */
async function goOn({ inner, clock, deck }: Lived, answer: Answer) {
  const options: DeskOptions = { ...asking, life: 2, clock, deck };
  const next = openDesk({ ...options, store: new FaultyStore(inner) });
  const operator = operatorOf({ store: next.store, clock }, { life: 8 });
  await next.seat.open();
  const open = await operator.list();
  for (const { approvalId } of open) {
    await operator[answer](approvalId);
  }
  const runId = runOf(await next.records());
  const outcome =
    runId === undefined ? await callAgain(next, operator, answer) : await next.seat.resume(runId);
  await next.seat.close();
  await operator.close();
  return { next, operator, outcome };
}

function runOf(records: Awaited<ReturnType<Desk["records"]>>): string | undefined {
  return records.find((record) => record.kind === "call.waiting")?.["runId" as never];
}

async function callAgain(desk: Desk, operator: ReturnType<typeof operatorOf>, answer: Answer) {
  const call = desk.call({ ...put, asking: "wait" });
  const question: Approval = await pending(operator);
  await operator[answer](question.approvalId);
  return await call;
}

const expected: Readonly<Record<Answer, { readonly code: string; readonly status: string }>> = {
  approve: { code: "completed", status: "used" },
  deny: { code: "approval_denied", status: "denied" },
  approveForSession: { code: "completed", status: "used" },
};

describe.each(["approve", "deny", "approveForSession"] as const)(
  "a call that waits, and then: %s",
  (answer) => {
    test("ends like this where nobody dies", async () => {
      const { outcome, commits, deck } = await live(answer);
      expect(outcome).toBe(expected[answer].code);
      expect(deck.runs).toHaveLength(answer === "deny" ? 0 : 1);
      expect([commits.seat > 4, commits.operator > 1]).toStrictEqual([true, true]);
    });

    test("ends the same where its process, or whoever answers, dies at any commit, kept or not", async () => {
      const { commits } = await live(answer);
      const deaths = (["seat", "operator"] as const).flatMap((who) =>
        Array.from({ length: commits[who] }, (_, at) =>
          [true, false].map((written): Death => ({ who, at, written })),
        ).flat(),
      );
      expect(deaths.length).toBeGreaterThan(12);
      for (const death of deaths) {
        const lived = await live(answer, death);
        const { next, operator, outcome } = await goOn(lived, answer);
        const { code, status } = expected[answer];
        const output = outcome.type === "completed" ? outcome.result.output : undefined;
        const expectedOutput = code === "completed" ? { done: true } : undefined;
        expect([death, codeOf(outcome), output]).toStrictEqual([death, code, expectedOutput]);
        const approvals = await operator.list({ status: "any" });
        expect([death, approvals.map((one) => one.status)]).toStrictEqual([death, [status]]);
        const story = await storyOf(next);
        const ends = story.filter((one) => one.startsWith("call.settled") || one.startsWith("call.refused"));
        expect([
          death,
          ends.length,
          story.filter((one) => one.startsWith("call.intended")).length,
        ]).toStrictEqual([death, 1, code === "completed" ? 1 : 0]);
        expect(lived.deck.runs.length).toBeLessThanOrEqual(code === "completed" ? 2 : 0);
        const verification = await next.seat.verify();
        expect([death, verification.status, problemsOf(verification)]).toStrictEqual([death, "ok", []]);
      }
    });
  },
);
