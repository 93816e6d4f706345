// Whatever a host does to a tree, and whenever: depth and children stay within the budget, no child outlives its parent without being
// let go, nothing is done twice, and every journal is whole.
import * as fc from "fast-check";
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { Deck } from "../../test-data/call-deck.ts";
import { FaultyStore } from "../../test-data/call-store.ts";
import { childSpec, openFamily, type Parts, start } from "../../test-data/family.ts";
import { asking, atOnce, put, read, type RunDesk, write } from "../../test-data/run-desk.ts";
import { problemsOf, verifyAccount } from "../journal/verify-account.ts";
import { hasEnded } from "../run/state/run-states.ts";

const budget = { maxSteps: 60, maxToolCalls: 60, maxChildren: 5, maxDepth: 2 };
const specs = [
  childSpec("worker", {
    tools: "inherit_allowlist",
    budget: { maxSteps: 6, maxToolCalls: 6, maxChildren: 1 },
  }),
  childSpec("digger", {
    tools: "inherit_allowlist",
    mode: "background",
    mayAsk: true,
    budget: { maxSteps: 6, maxToolCalls: 6 },
  }),
];
const last = (messages: readonly { readonly text: string }[]) => messages.at(-1)?.text ?? "";
const parts: Parts = {
  parent: (_input, step) =>
    step === 1
      ? [start("digger", "1")]
      : step === 2
        ? [start("worker", "2"), start("digger", "3"), read]
        : "I am done",
  worker: [[write("w")], [read], "worked"],
  digger: ({ messages }, step) =>
    step === 1
      ? [put("d")]
      : step === 2
        ? '{"ask":"go on?"}'
        : last(messages) === "stop"
          ? "stopped"
          : [read],
};

/** What a host does, to which of the runs that there are. */
type Deed = {
  readonly what: "start" | "tell" | "detach" | "reclaim" | "cancel" | "approve" | "die";
  readonly to: number;
  readonly pause: number;
  /** Whether the next one waits for it. */
  readonly isAwaited: boolean;
};
const deeds = fc.array(
  fc.record({
    what: fc.constantFrom<Deed["what"]>(
      "start",
      "start",
      "tell",
      "tell",
      "detach",
      "reclaim",
      "cancel",
      "approve",
      "approve",
      "die",
    ),
    to: fc.nat(6),
    pause: fc.nat(30),
    isAwaited: fc.boolean(),
  }),
  { maxLength: 14 },
);

class Stage {
  readonly deck = new Deck();
  readonly #options = {
    deck: this.deck,
    policy: { budget, approvals: asking.approvals },
    strategy: atOnce(3),
  };
  desk: RunDesk = openFamily(parts, specs, this.#options);
  #life = 1;
  root = "";
  key = 0;

  async die(): Promise<void> {
    await this.desk.store.die();
    this.#life += 1;
    const { clock, store } = this.desk;
    this.desk = openFamily(parts, specs, {
      ...this.#options,
      life: this.#life,
      clock,
      store: new FaultyStore(store.inner),
    });
    await this.desk.runs.open();
  }
}

async function act(stage: Stage, { what, to }: Deed): Promise<void> {
  const { desk } = stage;
  const all = await desk.runs.list();
  const run = all[to % all.length]?.runId ?? "";
  switch (what) {
    case "start":
      await desk.runs.startChild(run, { subagent: "subagent.digger", task: "more", key: `${stage.key++}` });
      return;
    case "tell":
      return await desk.runs.tell(run, to % 2 === 0 ? "stop" : "go on");
    case "detach":
      return await desk.runs.detach(run, "the night desk");
    case "reclaim":
      return await desk.runs.reclaim(run);
    case "cancel":
      // Seldom the first of them, with which all end.
      return run === stage.root && to < 6 ? undefined : await desk.runs.cancel(run);
    case "approve": {
      const [asked] = await desk.operator.list();
      return asked && void (await desk.operator.approve(asked.approvalId));
    }
    case "die":
      return await stage.die();
  }
}

async function pause(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Until the first of them has ended: whoever asks is answered, and what nobody knows is said. */
async function toEnd(stage: Stage): Promise<void> {
  for (;;) {
    const { desk } = stage;
    const result = await (await desk.runs.get(stage.root)).wait({ for: "rest" });
    if (result.status !== "requires_approval" && result.status !== "recovery_needed") return;
    for (const effectId of result.unknown)
      await desk.runs
        .resolve(stage.root, effectId, { status: "failed", note: "it is not there" })
        .catch(refused);
    for (const { approvalId } of await desk.operator.list())
      await desk.operator.approve(approvalId).catch(refused);
  }
}

/** What cannot be done says so, in our words. */
function refused(error: unknown): void {
  if (!isSimpleFunctionsError(error) || error.code === "internal" || error.code === "journal_corrupt")
    throw error;
}

test("whatever the interleaving", async () => {
  await fc.assert(
    fc.asyncProperty(deeds, async (plan) => {
      const stage = new Stage();
      stage.root = (await stage.desk.start()).runId;
      for (const deed of plan) {
        await pause(deed.pause);
        const acting = act(stage, deed).catch(refused);
        if (deed.isAwaited || deed.what === "die") await acting;
      }
      await toEnd(stage);
      const { desk, deck } = stage;
      const runs = await desk.runs.list();
      const records = await Promise.all(runs.map(async ({ runId }) => await desk.records(runId)));
      const starts = records.flat().filter(({ kind }) => kind === "subagent.started");
      const depths = starts.map(
        (one) => (one as unknown as { depth: { currentDepth: number } }).depth.currentDepth,
      );
      const letGo = new Set(
        records.flat().flatMap((one) => (one.kind === "run.owned" && one.owner === "host" ? one.runId : [])),
      );
      const under = (runId: string | undefined): boolean =>
        runId !== undefined &&
        (letGo.has(runId as never) || under(runs.find((one) => one.runId === runId)?.parentRunId));
      const outliving = runs.filter(({ runId, state }) => !hasEnded(state) && !under(runId));
      const writes = deck.runs
        .filter(({ tool }) => tool === "notes.write")
        .map(({ idempotencyKey }) => idempotencyKey);
      expect({
        started: starts.length <= budget.maxChildren,
        begunOnce: new Set(runs.map(({ runId }) => runId)).size === runs.length,
        depths: depths.every((depth) => depth <= budget.maxDepth),
        outliving,
        twice: writes.filter((key, index) => writes.indexOf(key) !== index),
        broken: problemsOf(await verifyAccount(desk.store.inner, "acct_1")),
      }).toStrictEqual({
        started: true,
        begunOnce: true,
        depths: true,
        outliving: [],
        twice: [],
        broken: [],
      });
      await desk.runs.close();
    }),
    { numRuns: Number(process.env["CASES"] ?? 10) },
  );
});
