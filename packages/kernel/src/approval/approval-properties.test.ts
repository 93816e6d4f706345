// For any order of calls, answers, forgeries and clocks: what runs was allowed by the judge and approved by a person, as often as that
// and no oftener (A1, A2, B1, B8).
import { type Approval, canonicalJson, type JournalRecord } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { asking, boss, operatorOf, write } from "../../test-data/call-approvals.ts";
import { type Desk, openDesk, principalOf } from "../../test-data/call-desk.ts";
import { FaultyStore } from "../../test-data/call-store.ts";
import { turn } from "../../test-data/call-waiting.ts";
import type { CallOutcome } from "../call/call-host.ts";
import { problemsOf } from "../journal/verify-account.ts";
import type { Store } from "../store/store.ts";
import type { Operator } from "./open-operator.ts";

type Answer = "approve" | "deny" | "approveForSession";
const askers = [0, 1] as const;

type Step =
  | {
      readonly type: "call";
      readonly by: 0 | 1;
      readonly text: string;
      readonly waits: boolean;
      readonly named?: number | undefined;
    }
  | {
      readonly type: "answer";
      readonly who: number;
      readonly answer: Answer;
      readonly which: number;
    }
  | { readonly type: "forge"; readonly which: number; readonly how: "list" | "body" | "both" | "answer" }
  | { readonly type: "policy"; readonly outcome: "allow" | "ask" | "deny" }
  | { readonly type: "pass"; readonly ms: number }
  | { readonly type: "revoke"; readonly which: number }
  /** A call, a yes to whatever is open, and the call again. */
  | { readonly type: "round"; readonly by: 0 | 1; readonly text: string }
  | { readonly type: "cancel" };

const which = fc.nat(2);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant("call" as const),
      by: fc.constantFrom(...askers),
      text: fc.constantFrom("a", "b"),
      waits: fc.boolean(),
      named: fc.option(which, { nil: undefined, freq: 1 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant("answer" as const),
      who: fc.constantFrom(0, 0, 0, 0, 1, 2, 3),
      answer: fc.constantFrom("approve", "approve", "deny", "approveForSession"),
      which,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("forge" as const),
      which,
      how: fc.constantFrom("list" as const, "body" as const, "both" as const, "answer" as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("policy" as const),
      outcome: fc.constantFrom("allow" as const, "allow" as const, "ask" as const, "deny" as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant("pass" as const), ms: fc.constantFrom(1, 30_000, 60_000) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("revoke" as const), which }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("round" as const),
      by: fc.constantFrom(...askers),
      text: fc.constantFrom("a", "b"),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: "cancel" as const }) },
);

type Stage = {
  readonly desks: readonly [Desk, Desk];
  /** Who answers: an operator, whoever asks, a run, and a key without the scope. */
  readonly people: readonly Operator[];
  readonly outcomes: Promise<CallOutcome>[];
  readonly controllers: AbortController[];
  /** What the host's policy said when a tool ran. */
  readonly ranUnder: string[];
  readonly policy: { outcome: "allow" | "ask" | "deny" };
};

/** Two processes on one store, with one key: what one was asked the other may do. */
function openStage(): Stage {
  const policy: Stage["policy"] = { outcome: "allow" };
  const ranUnder: string[] = [];
  const store = new FaultyStore();
  const evaluatePreTool = () => ({ outcome: policy.outcome });
  const first = openDesk({ ...asking, store, evaluatePreTool });
  const { clock, deck } = first;
  const other = new FaultyStore(store.inner);
  const second = openDesk({ ...asking, life: 2, store: other, clock, deck, evaluatePreTool });
  deck.deed = (input) => {
    ranUnder.push(policy.outcome);
    return input;
  };
  const principals = [
    boss,
    principalOf(),
    { ...boss, kind: "run", runId: "run_00000009" } as const,
    { ...boss, kind: "key", scopes: ["read"] } as const,
  ];
  const people = principals.map((principal, at) => operatorOf(first, { principal, life: 5 + at }));
  return { desks: [first, second], people, outcomes: [], controllers: [], ranUnder, policy };
}

async function all(people: readonly Operator[]): Promise<Approval[]> {
  return (await people[0]?.list({ status: "any" })) ?? [];
}

const nowhere = "appr_00000000-nowhere";

async function play(stage: Stage, one: Step): Promise<void> {
  const { desks, people, policy } = stage;
  const idOf = async (at: number) => (await all(people))[at]?.approvalId ?? nowhere;
  switch (one.type) {
    case "call": {
      const controller = new AbortController();
      const approvalId = one.named === undefined ? undefined : await idOf(one.named);
      const request = { ...write, input: { text: one.text }, asking: one.waits ? "wait" : "return" } as const;
      const call = desks[one.by].call({ ...request, approvalId, signal: controller.signal });
      call.catch(() => undefined);
      stage.controllers.push(controller);
      stage.outcomes.push(call);
      if (!one.waits) await call;
      break;
    }
    case "round": {
      const request = { ...write, input: { text: one.text } };
      const first = desks[one.by].call(request);
      await first;
      const open = (await people[0]?.list()) ?? [];
      await Promise.all(open.map(async ({ approvalId }) => await people[0]?.approve(approvalId)));
      const second = desks[one.by].call(request);
      await second;
      stage.outcomes.push(first, second);
      break;
    }
    case "answer":
      await people[one.who]?.[one.answer](await idOf(one.which)).catch(() => undefined);
      break;
    case "forge":
      await forge(desks[0].store.inner, await idOf(one.which), one.how);
      break;
    case "policy":
      policy.outcome = one.outcome;
      break;
    case "pass":
      desks[0].clock.advance(one.ms);
      break;
    case "revoke": {
      const grants = (await people[0]?.grants()) ?? [];
      await people[0]?.revoke(grants[one.which]?.grantId ?? "").catch(() => undefined);
      break;
    }
    default:
      stage.controllers.at(-1)?.abort();
  }
  for (let turns = 0; turns < 3; turns++) {
    await turn();
  }
}

/** Somebody who can write the store makes a question say that it was approved, or an answer out of nothing. */
async function forge(store: Store, id: string, how: Extract<Step, { type: "forge" }>["how"]): Promise<void> {
  const row = await store.document({ kind: "approval", accountId: "acct_1", id });
  if (row === undefined) return;
  const { value, proof } = JSON.parse(row.body) as { value: object; proof: string };
  const body = canonicalJson({ value: { ...value, status: "approved", decidedBy: boss }, proof });
  const isInBody = how === "body" || how === "both";
  const put = {
    type: "put",
    kind: "approval",
    accountId: "acct_1",
    id,
    expects: row.revision,
    status: how === "body" ? row.status : "approved",
    body: isInBody || how === "answer" ? body : row.body,
  } as const;
  await store.commit({ durability: "process", now: 0, documents: [put], wakes: [`approval ${id}`] });
}

type Intent = Extract<JournalRecord, { kind: "call.intended" }>;
type Answered = Extract<JournalRecord, { kind: "approval.answered" }>;

/** Which promises the journal breaks; none, in a good one. */
function brokenBy(records: readonly JournalRecord[], runs: number): string[] {
  const intents = records.filter((one): one is Intent => one.kind === "call.intended");
  const taken = records.filter(
    (one): one is Answered => one.kind === "approval.answered" && one.status !== undefined,
  );
  const yes = new Set(taken.filter(({ status }) => status !== "denied").map(({ approvalId }) => approvalId));
  const granted = new Set(taken.flatMap(({ grantId }) => (grantId === undefined ? [] : [grantId])));
  const used = intents.map(({ approval }) => approval?.approvalId);
  return [
    ...(intents.length === runs ? [] : ["runs without an intent"]),
    ...(new Set(used).size === used.length ? [] : ["uses an approval twice"]),
    ...(intents.every(({ verdict }) => verdict.outcome === "allow") ? [] : ["runs what was not allowed"]),
    ...(intents.every(
      ({ approval }) =>
        approval?.status === "used" &&
        (yes.has(approval.approvalId) || (approval.grantId !== undefined && granted.has(approval.grantId))),
    )
      ? []
      : ["runs what nobody has approved"]),
    ...(taken.every(({ by }) => by.keyId === "boss" && by.kind === "operator")
      ? []
      : ["takes the answer of somebody who may not"]),
    ...(new Set(taken.map(({ approvalId }) => approvalId)).size === taken.length
      ? []
      : ["takes two answers to one question"]),
  ];
}

test("no sequence of calls, answers, forgeries and times runs what the judge refuses, or what nobody has approved, or more often than that", async () => {
  const seen = { runs: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16, size: "max" }), async (steps) => {
      const stage = openStage();
      const shown = new Map<string, string>();
      for (const one of steps) {
        await play(stage, one);
        for (const { approvalId, input } of await all(stage.people))
          if (!shown.has(approvalId)) shown.set(approvalId, canonicalJson(input));
      }
      const { desks, people, outcomes } = stage;
      await Promise.all(desks.map(({ seat }) => seat.close()));
      const ended = await Promise.allSettled(outcomes);
      await Promise.all(people.map((person) => person.close()));
      const records = await desks[0].records();
      const { runs } = desks[0].deck;
      expect(brokenBy(records, runs.length)).toStrictEqual([]);
      expect(stage.ranUnder.filter((outcome) => outcome === "deny")).toStrictEqual([]);
      const completed = ended.filter((one) => one.status === "fulfilled" && one.value.type === "completed");
      expect(completed).toHaveLength(runs.length);
      // What a person was shown is what ran, text by text.
      const used = records.flatMap((one) =>
        one.kind === "call.intended" ? [one.approval?.approvalId ?? ""] : [],
      );
      expect(runs.map(({ text }) => text).toSorted()).toStrictEqual(
        used.map((id) => shown.get(id) ?? "").toSorted(),
      );
      seen.runs += runs.length;
      seen.refused += ended.length - completed.length;
    }),
    { numRuns: 90 },
  );
  expect([seen.runs > 50, seen.refused > 100]).toStrictEqual([true, true]);
});

test("however calls and answers come together, in two processes, no input runs more often than it was approved", async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ by: fc.constantFrom(...askers), text: fc.constantFrom("a", "b"), waits: fc.boolean() }),
        {
          minLength: 1,
          maxLength: 8,
        },
      ),
      fc.array(fc.constantFrom("approve" as const, "deny" as const), { minLength: 8, maxLength: 8 }),
      fc.nat(5),
      async (calls, decisions, delay) => {
        const { desks, people } = openStage();
        const outcomes = calls.map(({ by, text, waits }) =>
          desks[by].call({ ...write, input: { text }, asking: waits ? "wait" : "return" }),
        );
        for (let at = 0; at < delay; at++) {
          await turn();
        }
        const boss1 = people[0] as Operator;
        const yes = new Map<string, number>();
        for (const [at, question] of (await boss1.list()).entries()) {
          const decision = decisions[at] ?? "deny";
          const decided = await boss1[decision](question.approvalId).catch(() => undefined);
          const text = canonicalJson(question.input);
          if (decided?.status === "approved") yes.set(text, (yes.get(text) ?? 0) + 1);
        }
        // Whoever was sent back comes again, at once.
        const again = calls.filter(({ waits }) => !waits);
        const more = again.map(({ by, text }) => desks[by].call({ ...write, input: { text } }));
        await Promise.allSettled(more);
        await Promise.all(desks.map(({ seat }) => seat.close()));
        await Promise.allSettled(outcomes);
        await boss1.close();
        const ran = Map.groupBy(desks[0].deck.runs, ({ text }) => text);
        for (const [text, own] of ran) expect(own.length).toBeLessThanOrEqual(yes.get(text) ?? 0);
        runs += desks[0].deck.runs.length;
        const verification = await desks[0].seat.verify();
        expect(problemsOf(verification)).toStrictEqual([]);
      },
    ),
    { numRuns: 100 },
  );
  expect(runs).toBeGreaterThan(30);
});
