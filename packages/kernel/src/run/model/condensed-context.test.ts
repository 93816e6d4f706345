// What a model is shown is a projection of what is kept: within its limit, with nothing torn apart, the same each time it is made.
import { canonicalJson } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Deck } from "../../../test-data/call-deck.ts";
import { atFirst } from "../../../test-data/call-store.ts";
import { messagesOf } from "../../../test-data/messages-of.ts";
import { planned, type PlannedStep, sessions, shownTo, unpaired } from "../../../test-data/planned-run.ts";
import {
  atOnce,
  foldsOf,
  inOrder,
  openRunDesk,
  reopenRunDesk,
  type RunDesk,
  type RunDeskOptions,
  storedRun,
  toldIn,
} from "../../../test-data/run-desk.ts";
import { verifyAccount } from "../../journal/verify-account.ts";
import type { ModelMessage } from "../../model/model-adapter.ts";
import { toldOf } from "./conversation.ts";
import { tokensIn } from "../state/run-budget.ts";
import type { RunHandle } from "../run-handle.ts";
import type { RunModel } from "../run-host.ts";

const deck = new Deck();
const instructions = { role: "system", text: "Never sell. 🧭 Answer in Greek." } as const;
const objective = { role: "user", text: "Find out what the notes say, and keep the list whole." } as const;
const opening = [instructions, objective];

type Story = {
  readonly steps: readonly PlannedStep[];
  readonly limit: number;
  readonly counts: boolean;
  readonly strategy: NonNullable<RunDeskOptions["strategy"]>;
};

/** A counter of a host's own: of letters, with something for each message. */
const countTokens: NonNullable<RunModel["countTokens"]> = ({ messages, tools }) =>
  messages.reduce((sum, one) => sum + 3 + Math.ceil(JSON.stringify(one).length / 3), tools.length);

function optionsOf({ steps, limit, counts, strategy }: Story): RunDeskOptions {
  return {
    ...planned(steps),
    deck,
    strategy,
    levels: sessions({ maxHistoryTokens: limit }),
    ...(counts && { model: { countTokens } }),
  };
}

function open(story: Story, options: RunDeskOptions = {}): RunDesk {
  const given = { ...optionsOf(story), ...options };
  deck.deed = given.deed ?? (() => ({}));
  return openRunDesk(given);
}

async function play(desk: RunDesk): Promise<RunHandle> {
  const handle = await desk.runs.start({ objective: opening });
  await handle.wait();
  return handle;
}

const anyText = fc.oneof(
  fc.constant(""),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: fc.constantFrom("a", "é", "漢", "🦊", "\n", '"', "\\", "\u0001"), maxLength: 2000 }),
);
const anyCall = fc.record(
  {
    tool: fc.constantFrom("notes.read", "notes.put", "notes.search", "notes.none"),
    answer: fc.oneof(
      anyText,
      fc.constant(null),
      fc.record({ words: anyText, more: fc.array(anyText, { maxLength: 3 }) }),
    ),
  },
  { requiredKeys: ["tool"] },
);
const anyStep: fc.Arbitrary<PlannedStep> = fc.record({
  text: fc.oneof(fc.constant(""), fc.string({ unit: "binary", maxLength: 300 })),
  calls: fc.array(anyCall, { minLength: 1, maxLength: 4 }),
});
const anyStory: fc.Arbitrary<Story> = fc.record({
  steps: fc.array(anyStep, { maxLength: 9 }),
  limit: fc.oneof(fc.integer({ min: 0, max: 800 }), fc.integer({ min: 800, max: 4000 })),
  counts: fc.boolean(),
  strategy: fc.constantFrom({ type: "sequential" as const }, inOrder(2), atOnce(3)),
});

/** As the host counts it. */
function counted({ model }: RunDesk, story: Story, turn: number): number {
  const { messages, tools } = model.asked[turn] as (typeof model.asked)[number];
  if (story.counts) return countTokens({ messages, tools });
  return tokensIn(toldOf(messages).bytes + Buffer.byteLength(canonicalJson(tools)));
}

const mark = /\[… \d+ more characters, on record\]$/;

/** Whether nothing less can be shown: what is always shown, that something is not, and answers as short as they get. */
function isLeast(messages: readonly ModelMessage[], last: readonly ModelMessage[]): boolean {
  const between = messages.slice(1, messages.length - 1 - last.length);
  const isHead = between.every(({ text }) => text.startsWith("Condensed: ") && !text.includes("\n"));
  const answers = last.filter(({ role }) => role === "tool");
  return between.length <= 1 && isHead && answers.every(({ text }) => text.length <= 260);
}

test("for any steps: within the limit where that can be, calls with their answers, instructions and objective whole, the last step last", async () => {
  let condensed = 0;
  await fc.assert(
    fc.asyncProperty(anyStory, async (story) => {
      const desk = open(story);
      const { runId } = await play(desk);
      const stored = await storedRun(desk.store.inner, runId);
      const folds = foldsOf(stored);
      const asked = folds.filter(({ record }) => record.kind === "model.intended");
      expect(asked).toHaveLength(desk.model.asked.length);
      const digests = toldIn(stored).map(({ digest }) => digest);
      for (const [turn, messages] of shownTo(desk).entries()) {
        expect(unpaired(messages)).toStrictEqual([]);
        expect(messages[0]).toStrictEqual(instructions);
        expect(messages.filter((one) => canonicalJson(one) === canonicalJson(objective))).toHaveLength(1);
        const { run, record } = asked[turn] as (typeof asked)[number];
        const step = run.steps.at(-1);
        const last = step === undefined ? [] : messagesOf(run).slice(-1 - step.results.length);
        const shown = last.length === 0 ? [] : messages.slice(-last.length);
        for (const [at, whole] of last.entries()) expect(isAsWas(shown[at], whole)).toBe(true);
        const tokens = counted(desk, story, turn);
        expect(tokens <= story.limit || isLeast(messages, shown), `turn ${turn}: ${tokens}`).toBe(true);
        expect(digests[turn]).toBe(toldOf(messages).digest);
        expect(record).toMatchObject({ messages: messages.length, reserved: { inputTokens: tokens } });
        for (const { text } of messages) expect(text.isWellFormed()).toBe(true);
      }
      condensed += folds.filter(({ record }) => record.kind === "context.condensed").length;
      // Everything that was said is kept, whatever was shown.
      expect(await verifyAccount(desk.store.inner, "acct_1")).toMatchObject({ missing: [] });
      const kept = messagesOf(folds.at(-1)?.run ?? (undefined as never));
      expect(kept.filter(({ role }) => role === "assistant")).toHaveLength(story.steps.length + 1);
      expect(kept.some(({ text }) => mark.test(text))).toBe(false);
    }),
    { numRuns: 40 },
  );
  expect(condensed).toBeGreaterThan(20);
}, 120_000);

/** The same message, or an answer that was cut and says so. */
function isAsWas(shown: ModelMessage | undefined, whole: ModelMessage): boolean {
  if (shown === undefined || canonicalJson(shown) === canonicalJson(whole)) return shown !== undefined;
  const { text } = shown;
  const { index = -1 } = mark.exec(text) ?? {};
  const isCut = index > 0 && whole.text.startsWith(text.slice(0, index)) && text.length < whole.text.length;
  return isCut && canonicalJson({ ...shown, text: "" }) === canonicalJson({ ...whole, text: "" });
}

const long = (letter: string, length = 4000): string => letter.repeat(length);
/** Six steps that do not fit. */
const story: Story = {
  steps: ["a", "b", "c", "d", "e", "f"].map((letter) => ({
    text: `looking for ${letter}`,
    calls: [
      { tool: "notes.put", answer: { found: long(letter, 700) } },
      { tool: "notes.read", answer: { found: long(letter, 300) } },
    ],
  })),
  limit: 1800,
  counts: false,
  strategy: { type: "sequential" },
};

type Asked = { readonly step: number; readonly digest: string };

async function digestsOf(desk: RunDesk, runId: string): Promise<Asked[]> {
  const stored = await storedRun(desk.store.inner, runId);
  const steps = (await desk.records(runId)).flatMap((one) => (one.kind === "model.intended" ? one.step : []));
  return toldIn(stored).map(({ digest }, at) => ({ step: steps[at] ?? 0, digest }));
}

describe("wherever a process dies, the next one shows the same, byte for byte:", () => {
  test.each([true, false])(
    "the commit kept: %o",
    async (isKept) => {
      const whole = open(story);
      const { runId } = await play(whole);
      const digests = await digestsOf(whole, runId);
      expect(
        (await whole.kinds(runId)).filter((kind) => kind === "context.condensed").length,
      ).toBeGreaterThan(2);
      const commits = whole.store.units.length;
      for (let at = 2; at < commits; at++) {
        const desk = open(story);
        desk.store.failNext({ type: "die", written: isKept }, at);
        const handle = await desk.runs.start({ objective: opening });
        await desk.store.died.promise;
        const next = reopenRunDesk(desk, optionsOf(story));
        const again = await next.runs.resume(handle.runId);
        expect(await again.wait()).toMatchObject({ status: "completed", output: "done" });
        const asked = await digestsOf(next, handle.runId);
        const firsts = asked.filter(
          ({ step }, index) => asked.findIndex((one) => one.step === step) === index,
        );
        expect(firsts, `at ${at}`).toStrictEqual(digests);
        expect(
          asked.filter((one) => !digests.some((other) => canonicalJson(other) === canonicalJson(one))),
        ).toStrictEqual([]);
      }
    },
    60_000,
  );

  test("between what was condensed and the asking: it is not condensed again", async () => {
    const desk = open(story);
    desk.store.fault = atFirst("context.condensed", { type: "die", written: true });
    const handle = await desk.runs.start({ objective: opening });
    await desk.store.died.promise;
    const next = reopenRunDesk(desk, optionsOf(story));
    expect((await next.runs.list()).map(({ state }) => state)).toStrictEqual(["compacting"]);
    await (await next.runs.resume(handle.runId)).wait();
    const kinds = await next.kinds(handle.runId);
    const at = kinds.indexOf("context.condensed");
    expect(kinds.slice(at, at + 3)).toStrictEqual(["context.condensed", "run.resumed", "model.intended"]);
  });

  test("it can be cancelled there, too", async () => {
    const desk = open(story);
    desk.store.fault = atFirst("context.condensed", { type: "die", written: true });
    const handle = await desk.runs.start({ objective: opening });
    await desk.store.died.promise;
    const next = reopenRunDesk(desk, optionsOf(story));
    await next.runs.cancel(handle.runId);
    expect(await (await next.runs.get(handle.runId)).wait()).toMatchObject({ status: "cancelled" });
    expect(next.model.asked).toStrictEqual([]);
  });
});
