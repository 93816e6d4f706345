// B26: what a run may use up is known before anything starts, and nothing starts that might use up more.
import { ProviderFailedError, TimeoutError } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { atFirst, kindsIn } from "../../../test-data/call-store.ts";
import { Deck } from "../../../test-data/call-deck.ts";
import { turn, until } from "../../../test-data/call-waiting.ts";
import {
  asking,
  atOnce,
  generous,
  inOrder,
  inTurn,
  levelOf,
  openRunDesk,
  type Proposal,
  read,
  reopenRunDesk,
  type RunDeskOptions,
  type Script,
  saying,
  write,
} from "../../../test-data/run-desk.ts";
import {
  ask,
  call,
  condensing,
  doubt,
  hang,
  heldBack,
  isCondensed,
  pulledBy,
  untilKind,
} from "../../../test-data/run-levers.ts";
import { toEnd } from "../../../test-data/run-stories.ts";

const within = (budget: object, policy: object = generous) => levelOf({ ...policy, budget });
const price = { inputPerMillion: 10, outputPerMillion: 50 };
/** One that asks for something else every time. */
const runaway = (_input: unknown, step: number): Proposal[] => [write(`more ${step}`)];

describe("a run that would use up more than it may is stopped, and says what was spent on what:", () => {
  test.each([
    ["maxSteps", { maxSteps: 2 }, "maxSteps is 2, and going on could make it 3"],
    ["maxToolCalls", { maxToolCalls: 2 }, "maxToolCalls is 2, and all of it is used"],
    ["maxTokens", { maxTokens: 500 }, "maxTokens is 500, and going on could make it 550"],
    ["budgetUsd", { budgetUsd: 0.012 }, "budgetUsd is 0.012, and going on could make it 0.0145"],
  ])("%s", async (_limit, budget, words) => {
    const desk = openRunDesk({
      script: runaway,
      levels: within(budget),
      model: { countTokens: () => 50, maxOutputTokens: 100, price },
    });
    desk.model.usage = { inputTokens: 50, outputTokens: 50 };
    const result = await (await desk.start()).wait();
    expect(result).toMatchObject({ status: "blocked", error: { code: "budget_exceeded" } });
    expect(result.error?.message).toContain(words);
    const steps = desk.model.asked.length;
    const calls = desk.deck.runs.length;
    expect(result.spent).toStrictEqual({
      steps,
      inputTokens: 50 * steps,
      outputTokens: 50 * steps,
      usd: expect.closeTo(0.003 * steps, 9),
      toolCalls: calls,
      wallMs: 0,
    });
    expect(result.error?.message).toContain(`tool notes.write: toolCalls ${calls}`);
    expect(result.error?.message).toContain(
      `model scripted: inputTokens ${50 * steps}, outputTokens ${50 * steps}, steps ${steps}`,
    );
    expect(result.spentOn.map(({ what }) => what)).toStrictEqual(["model scripted", "tool notes.write"]);
  });

  test("maxWallMs, in the middle of a model's answer", async () => {
    const desk = openRunDesk({ script: hang, levels: within({ maxWallMs: 5000 }) });
    const handle = await desk.start();
    await until(() => desk.model.asked.length === 1);
    desk.clock.advance(5001);
    const result = await handle.wait();
    expect(result).toMatchObject({ status: "blocked", error: { code: "budget_exceeded" } });
    expect(result.error?.message).toContain("maxWallMs is 5000, and going on could make it 5001");
    expect(desk.model.asked[0]?.signal.aborted).toBe(true);
    expect(await desk.labels(handle.runId)).toContain("model.settled cancelled cancelled");
  });

  test("maxWallMs, with calls that had not begun", async () => {
    const desk = openRunDesk({
      script: saying([write("a"), write("b")], "done"),
      deed: hang,
      levels: within({ maxWallMs: 70_000 }),
    });
    const handle = await desk.start();
    await until(() => desk.deck.runs.length === 1);
    desk.clock.advance(60_000);
    await until(() => desk.deck.runs.length === 2);
    desk.clock.advance(10_001);
    expect((await handle.wait()).status).toBe("blocked");
  });

  test("maxWallMs, while it waits to ask a model again", async () => {
    const desk = openRunDesk({
      script: inTurn(...Array.from({ length: 9 }, () => new ProviderFailedError("overloaded"))),
      runLimits: { modelAttempts: 9, backoffMs: 1000 },
      levels: within({ maxWallMs: 2500 }),
    });
    const handle = await desk.start();
    await until(() => desk.clock.waits.includes(1000));
    desk.clock.advance(1000);
    await until(() => desk.clock.waits.includes(2000));
    desk.clock.advance(1501);
    expect((await handle.wait()).error?.message).toContain("maxWallMs is 2500");
    expect(desk.model.asked).toHaveLength(2);
  });
});

describe("before a model is asked", () => {
  test("its worst case is on record and set aside", async () => {
    const desk = openRunDesk({ model: { countTokens: () => 70, maxOutputTokens: 30, price } });
    const runId = await toEnd(desk);
    const intended = (await desk.records(runId)).find(({ kind }) => kind === "model.intended");
    expect(intended).toMatchObject({
      reserved: { steps: 1, inputTokens: 70, outputTokens: 30, usd: 0.0022 },
      messages: 1,
    });
    expect(desk.model.asked[0]?.maxTokens).toBe(30);
  });

  test.each([
    [{ maxTokens: 99 }, 0],
    [{ maxTokens: 100 }, 1],
    [{ budgetUsd: 0.00219 }, 0],
    [{ budgetUsd: 0.0022 }, 1],
  ])("with %o, it is asked %i times", async (budget, times) => {
    const desk = openRunDesk({
      levels: within(budget),
      model: { countTokens: () => 70, maxOutputTokens: 30, price },
    });
    await toEnd(desk);
    expect(desk.model.asked).toHaveLength(times);
  });

  test("what it must answer with is counted too, by the host or without it: a provider bills it", async () => {
    const names = Array.from({ length: 200 }, (_, at) => `member_number_${at}`);
    const output = {
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
    };
    const script: Script = ({ messages, tools, output: asked }) => {
      const inputTokens = Math.ceil(JSON.stringify({ messages, tools, output: asked }).length / 2);
      const usage = { inputTokens, outputTokens: 1 };
      return { raw: { text: "{}", toolCalls: [], finish: "stop", usage } };
    };
    expect((await (await openRunDesk({ script, output }).start()).wait()).status).toBe("completed");
    const counted: unknown[] = [];
    const countTokens = (input: object) => {
      counted.push("output" in input && input.output);
      return 10_000;
    };
    await toEnd(openRunDesk({ script, output, model: { countTokens } }));
    expect(counted).toStrictEqual([output]);
  });

  test("B24: what is condensed and cannot be counted fails the run, too", async () => {
    const desk = openRunDesk({
      ...condensing(),
      model: { countTokens: ({ messages }) => (messages.some(isCondensed) ? -1 : 1000 * messages.length) },
    });
    const result = await (await desk.start()).wait();
    expect(result).toMatchObject({ status: "failed", error: { code: "host_configuration_needed" } });
    expect(desk.model.asked).toHaveLength(2);
  });

  test("of the budgets of several levels the smallest counts", async () => {
    const desk = openRunDesk({
      script: runaway,
      levels: [
        { level: "key", policy: { ...generous, budget: { maxSteps: 1 } } },
        { level: "agent", policy: { ...generous, budget: { maxSteps: 5 } } },
      ],
    });
    await toEnd(desk);
    expect(desk.model.asked).toHaveLength(1);
  });

  test("money is no budget without a price, and a price is a number", () => {
    expect(() => openRunDesk({ levels: within({ budgetUsd: 1 }) })).toThrow("give its price");
    for (const wrong of [Number.NaN, -1, Number.POSITIVE_INFINITY])
      expect(() => openRunDesk({ model: { price: { ...price, inputPerMillion: wrong } } })).toThrow("price");
  });

  test.each([Number.NaN, -1, 1.5])(
    "a count of %d tokens is none: the run fails, and says why",
    async (wrong) => {
      const desk = openRunDesk({ model: { countTokens: () => wrong } });
      const result = await (await desk.start()).wait();
      expect(result).toMatchObject({ status: "failed", error: { code: "host_configuration_needed" } });
      expect(desk.model.asked).toHaveLength(0);
    },
  );
});

test("a step is an answer: a model that fails is asked again without using up one, and what that cost counts", async () => {
  let asked = 0;
  const usage = { inputTokens: 100, outputTokens: 100 };
  const raw = { text: "", toolCalls: [], finish: "error", usage };
  const script: Script = (_input, step) => (++asked % 3 === 0 ? [write(`more ${step}`)] : { raw });
  const options = { script, runLimits: { modelAttempts: 3, backoffMs: 1 } };
  const run = async (budget: object) => {
    asked = 0;
    const desk = openRunDesk({ ...options, levels: within(budget) });
    const handle = await desk.start();
    const ended = handle.wait();
    for (let isOver = false; !isOver; desk.clock.advance(10))
      isOver = await Promise.race([ended.then(() => true), turn().then(() => false)]);
    return await ended;
  };
  const four = await run({ maxSteps: 4 });
  expect([asked, four.status, four.spent]).toMatchObject([
    12,
    "blocked",
    { steps: 4, inputTokens: 8 * 100 + 4 * 10 },
  ]);
  expect(four.error?.message).toContain("maxSteps is 4");
  const few = await run({ maxSteps: 4, maxTokens: 5000 });
  expect([asked < 12, few.error?.message]).toStrictEqual([true, expect.stringContaining("maxTokens")]);
});

describe("what an attempt has cost", () => {
  const model = { countTokens: () => 70, maxOutputTokens: 30, price } as const;
  const worst = { steps: 0, inputTokens: 70, outputTokens: 30, usd: 0.0022 };
  const spentOnModel = async (options: RunDeskOptions, pass = 0) => {
    const desk = openRunDesk({ ...options, model, runLimits: { modelAttempts: 1 } });
    const handle = await desk.start();
    await until(() => desk.model.asked.length === 1);
    desk.clock.advance(pass);
    const { spentOn } = await handle.wait();
    return spentOn[0]?.spent;
  };

  test("where it hung: what was set aside", async () => {
    expect(await spentOnModel({ script: hang }, 120_000)).toStrictEqual(worst);
  });

  test("where its adapter threw something of its own: what was set aside", async () => {
    expect(await spentOnModel({ script: inTurn(new Error("socket hang up")) })).toStrictEqual(worst);
    expect(await spentOnModel({ script: inTurn(new TimeoutError("no answer")) })).toStrictEqual(worst);
  });

  test("where the provider has refused: nothing", async () => {
    const refused = await spentOnModel({ script: inTurn(new ProviderFailedError("overloaded")) });
    expect(refused).toStrictEqual({ usd: 0 });
  });

  test("where it has answered and does not say: what was set aside, and it is not asked again", async () => {
    const silent = new ProviderFailedError("it does not say", {
      details: { reason: "unknown_usage" },
      retry: "never",
    });
    const desk = openRunDesk({ script: inTurn(silent, "done"), model });
    const result = await (await desk.start()).wait();
    expect(result).toMatchObject({ status: "failed", error: { code: "provider_failed" } });
    expect(result.spentOn[0]?.spent).toStrictEqual(worst);
    expect(desk.model.asked).toHaveLength(1);
  });

  test("where the answer cannot be read: what it says, or what was set aside", async () => {
    const usage = { inputTokens: 20, outputTokens: 10 };
    expect(await spentOnModel({ script: inTurn({ raw: { usage } }) })).toStrictEqual({
      ...usage,
      usd: 0.0007,
    });
    expect(await spentOnModel({ script: inTurn({ raw: {} }) })).toStrictEqual(worst);
  });

  test("where the process died: what was set aside, however often", async () => {
    const options = { script: saying("done"), model };
    const desk = openRunDesk(options);
    desk.store.fault = atFirst("model.settled", { type: "die", written: false });
    void desk.start().catch(() => undefined);
    await desk.store.died.promise;
    const second = reopenRunDesk(desk, options);
    second.store.fault = atFirst("model.intended", { type: "die", written: true });
    void second.runs.open().catch(() => undefined);
    await second.store.died.promise;
    const third = reopenRunDesk(desk, { ...options, life: 3 });
    const [handle] = await third.runs.open();
    const { spentOn, status } = (await handle?.wait()) ?? {};
    expect(status).toBe("completed");
    expect(spentOn?.[0]?.spent).toStrictEqual({
      steps: 1,
      inputTokens: 70 + 70 + 10,
      outputTokens: 30 + 30 + 5,
      usd: expect.closeTo(0.0022 + 0.0022 + 0.00035, 9),
    });
    // A process that dies is no fault of the model's: it was asked a third time without a pause.
    const attempts = (await third.records(handle?.runId ?? "")).filter(
      (one) => one.kind === "model.intended",
    );
    expect(attempts.map(({ attempt }) => attempt)).toStrictEqual([1, 2, 3]);
  });
});

describe("a provider that bills more than it could", () => {
  test("ends the run: nothing that it proposed begins", async () => {
    const desk = openRunDesk({ script: saying([write("a"), read], "done"), model: { maxOutputTokens: 30 } });
    desk.model.usage = { inputTokens: 1, outputTokens: 31 };
    const handle = await desk.start();
    const result = await handle.wait();
    expect(result).toMatchObject({ status: "blocked", error: { code: "budget_exceeded" } });
    expect(result.error?.message).toContain("outputTokens 31");
    expect(desk.deck.runs).toStrictEqual([]);
    expect(await desk.records(handle.runId)).toContainEqual(
      expect.objectContaining({
        kind: "budget.overrun",
        spent: { steps: 1, inputTokens: 1, outputTokens: 31 },
      }),
    );
  });

  test("ends it also where what it said cannot be read", async () => {
    const raw = { usage: { inputTokens: 1, outputTokens: 31 } };
    const desk = openRunDesk({ script: inTurn({ raw }), model: { maxOutputTokens: 30 } });
    const runId = await toEnd(desk);
    expect(await desk.kinds(runId)).toContain("budget.overrun");
    expect(desk.model.asked).toHaveLength(1);
  });
});

const hour = 3_600_000;

describe("time", () => {
  test("ends no run because the clock was set forward", async () => {
    const desk = openRunDesk({
      script: saying([call("a")], "done"),
      levels: within({ maxWallMs: 10_000 }),
      deed: () => {
        desk.clock.jump(hour);
        desk.clock.advance(400);
        return {};
      },
    });
    expect(await (await desk.start()).wait()).toMatchObject({ status: "completed", spent: { wallMs: 400 } });
  });

  test("that is looked at before a model is asked is what has passed by then", async () => {
    const desk = openRunDesk({
      script: saying("done"),
      levels: within({ maxWallMs: 10_000 }),
      model: {
        countTokens: () => {
          desk.clock.jump(hour);
          return 100;
        },
      },
    });
    expect(await (await desk.start()).wait()).toMatchObject({ status: "completed", spent: { wallMs: 0 } });
  });

  test("is not given away where the clock was set back", async () => {
    const desk = openRunDesk({
      script: saying(...["a", "b", "c", "d"].map((name) => [call(name)]), "done"),
      levels: within({ maxWallMs: 10_000 }),
      deed: () => {
        desk.clock.jump(-hour);
        desk.clock.advance(4000);
        return {};
      },
    });
    const result = await (await desk.start()).wait();
    expect(result).toMatchObject({ status: "blocked", error: { code: "budget_exceeded" } });
    expect(desk.deck.runs).toHaveLength(3);
  });

  test("that an earlier process took is what passed there, however the clock was set, also where it was killed", async () => {
    for (const jump of [-hour, hour]) {
      const acts = heldBack<object>();
      const options = {
        script: saying([call("a")], [call("b")], "done"),
        levels: within({ maxWallMs: 10_000 }),
        ...pulledBy({ a: { acts: acts.held }, b: { acts: hang } }),
      };
      const desk = openRunDesk(options);
      const handle = await desk.start();
      await untilKind(desk, handle.runId, "call.intended");
      desk.clock.advance(700);
      desk.clock.jump(jump);
      acts.let({});
      await untilKind(desk, handle.runId, "call.intended", 2);
      desk.clock.advance(300);
      await desk.store.die();
      desk.clock.jump(jump);
      const next = reopenRunDesk(desk, options);
      const again = await next.runs.resume(handle.runId);
      expect((await again.wait({ for: "rest" })).spent.wallMs).toBe(700);
    }
  });

  test("for any way in which the clock is set, what has passed is what is on record and what whoever goes on counts with", async () => {
    const ms = fc.oneof(
      fc.constant(0),
      fc.integer({ min: -1e10, max: -200 }),
      fc.integer({ min: 200, max: 1e10 }),
    );
    const moves = fc.array(fc.tuple(ms, fc.nat(5000)), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(moves, async (given) => {
        const left = [...given];
        const move = () => {
          const [jump, passed] = left.shift() ?? [0, 0];
          desk.clock.jump(jump);
          desk.clock.advance(passed);
        };
        const options: RunDeskOptions = {
          // What is said, and what is read, is written with what comes next.
          script: (_input, step) => {
            move();
            if (step <= given.length) return [step % 2 === 0 ? read : call(`${step}`)];
            return step === given.length + 1 ? [call("ask")] : "done";
          },
          levels: within({ maxWallMs: 1e9, maxSteps: 100 }),
          ...pulledBy({ ask: { judged: ask } }),
          deed: () => {
            move();
            return {};
          },
        };
        const desk = openRunDesk(options);
        const wallMs = given.reduce((sum, [, passed]) => sum + passed, 0);
        const handle = await desk.start();
        expect((await handle.wait({ for: "rest" })).spent.wallMs).toBe(wallMs);
        await desk.store.die();
        const next = reopenRunDesk(desk, options);
        const again = await next.runs.resume(handle.runId);
        const { approvals } = await again.wait({ for: "rest" });
        await next.operator.approve(approvals[0]?.approvalId ?? "");
        expect((await again.wait()).spent.wallMs).toBe(wallMs);
      }),
      { numRuns: 20 },
    );
  });

  test("in which a run waits for a person, or is nobody's, is not its own", async () => {
    const options = {
      script: saying([write("a")], "done"),
      levels: within({ maxWallMs: 10_000 }, asking),
    };
    const desk = openRunDesk(options);
    const handle = await desk.start();
    await handle.wait({ for: "rest" });
    desk.clock.advance(1_000_000);
    await desk.store.die();
    desk.clock.advance(1_000_000);
    const next = reopenRunDesk(desk, options);
    const again = await next.runs.resume(handle.runId);
    const { approvals } = await again.wait({ for: "rest" });
    desk.clock.advance(1_000_000);
    await next.operator.approve(approvals[0]?.approvalId ?? "");
    expect(await again.wait()).toMatchObject({ status: "completed", spent: { wallMs: 0 } });
  });

  test("in which its process is gone is not its own, whatever it was doing", async () => {
    const options = { script: saying("done"), levels: within({ maxWallMs: 10_000 }) };
    const desk = openRunDesk({ ...options, script: hang });
    const handle = await desk.start();
    await until(() => desk.model.asked.length === 1);
    desk.clock.advance(300);
    await desk.store.die();
    desk.clock.advance(1_000_000);
    const next = reopenRunDesk(desk, options);
    const again = await next.runs.resume(handle.runId);
    expect(await again.wait()).toMatchObject({ status: "completed", spent: { wallMs: 0 } });
  });

  test("that is over when a model was to be asked: it is not asked, and nothing is spent", async () => {
    const written = Promise.withResolvers<void>();
    const desk = openRunDesk({ levels: within({ maxWallMs: 1000 }) });
    desk.store.fault = atFirst("model.intended", { type: "wait", for: written.promise });
    const handle = await desk.start();
    // What would be spent is on its way to the disk.
    await until(() => desk.store.units.some((unit) => kindsIn(unit).includes("model.intended")));
    desk.clock.advance(1001);
    written.resolve();
    expect(await handle.wait()).toMatchObject({ status: "blocked", spent: { wallMs: 1001 } });
    expect((await handle.result()).spentOn).toStrictEqual([{ what: "model scripted", spent: {} }]);
    expect(desk.model.asked).toStrictEqual([]);
  });

  test("in which a person finds out what became of an effect is not its own either", async () => {
    const desk = openRunDesk({
      script: saying([call("a")], "done"),
      levels: within({ maxWallMs: 10_000 }),
      deed: doubt,
    });
    const handle = await desk.start();
    const { unknown } = await handle.wait({ for: "rest" });
    desk.clock.advance(1_000_000);
    await desk.runs.resolve(handle.runId, unknown[0] ?? "", { status: "completed", note: "seen" });
    expect(await handle.wait()).toMatchObject({ status: "completed", spent: { wallMs: 0 } });
  });

  test("in which something runs beside what waits is its own", async () => {
    const acts = heldBack<object>();
    const desk = openRunDesk({
      script: saying([call("a"), call("b")], "done"),
      strategy: atOnce(2),
      ...pulledBy({ a: { judged: ask }, b: { acts: acts.held } }),
    });
    const handle = await desk.start();
    await untilKind(desk, handle.runId, "call.intended");
    desk.clock.advance(700);
    acts.let({});
    await handle.wait({ for: "rest" });
    desk.clock.advance(5000);
    await handle.cancel();
    expect((await handle.wait()).spent.wallMs).toBe(700);
  });
});

test("a call that is refused for another reason takes nothing from those beside it", async () => {
  const desk = openRunDesk({
    script: saying([{ name: "notes.no" }, write("a")], "done"),
    strategy: atOnce(2),
    levels: within({ maxToolCalls: 1 }),
  });
  const runId = await toEnd(desk);
  expect(await desk.labels(runId)).toContain("call.settled completed");
  expect(desk.deck.runs).toHaveLength(1);
});

test("of two that were approved at once, and only one fits, one runs", async () => {
  const written = Promise.withResolvers<void>();
  const desk = openRunDesk({
    script: saying([call("a"), call("b"), call("c", "notes.read")], "done"),
    strategy: atOnce(3),
    levels: within({ maxToolCalls: 2 }),
    ...pulledBy({ a: { judged: ask }, b: { judged: ask } }),
  });
  // What the first has decided is on its way to the disk for a while.
  desk.store.fault = atFirst("call.intended", { type: "wait", for: written.promise });
  const handle = await desk.start();
  const { approvals } = await handle.wait({ for: "rest" });
  await Promise.all(approvals.map(({ approvalId }) => desk.operator.approve(approvalId)));
  for (let turns = 0; turns < 10; turns++) await turn();
  written.resolve();
  await handle.wait();
  expect(desk.deck.runs.map(({ tool }) => tool)).toStrictEqual(["notes.read", "notes.write"]);
  expect(await desk.labels(handle.runId)).toContain("call.refused budget_exceeded");
});

test("what was decided is set aside until it is on record, whatever is written meanwhile", async () => {
  const [refused, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const judged = heldBack<{ outcome: "allow" }>();
  const desk = openRunDesk({
    script: saying([{ name: "notes.no" }, call("b"), call("c")], "done"),
    strategy: atOnce(3),
    levels: within({ maxToolCalls: 1 }),
    ...pulledBy({ c: { judged: judged.held } }),
  });
  const waits = new Map([
    ["call.refused", refused.promise],
    ["call.intended", begun.promise],
  ]);
  desk.store.fault = (unit) => {
    const kind = kindsIn(unit).at(-1) ?? "";
    const wait = waits.get(kind);
    waits.delete(kind);
    return wait && { type: "wait", for: wait };
  };
  const handle = await desk.start();
  await until(() => waits.size === 1);
  refused.resolve();
  // One is on record; what was decided beside it is on its way.
  await until(() => waits.size === 0);
  for (let turns = 0; turns < 5; turns++) await turn();
  judged.let({ outcome: "allow" });
  for (let turns = 0; turns < 5; turns++) await turn();
  begun.resolve();
  await handle.wait();
  expect(desk.deck.runs.map(({ text }) => text)).toStrictEqual(['{"text":"b"}']);
});

test("what is asked about, and what is still being judged, takes nothing from those beside it", async () => {
  const judged = heldBack<{ outcome: "deny" }>();
  const desk = openRunDesk({
    script: saying([call("a"), call("b"), call("c")], "done"),
    strategy: atOnce(3),
    levels: within({ maxToolCalls: 1 }),
    ...pulledBy({ a: { judged: ask }, b: { judged: judged.held } }),
  });
  const handle = await desk.start();
  await untilKind(desk, handle.runId, "call.settled");
  judged.let({ outcome: "deny" });
  await handle.wait({ for: "rest" });
  await handle.cancel();
  await handle.wait();
  expect(desk.deck.runs).toHaveLength(1);
});

describe("in whatever order calls, approvals and answers come", () => {
  const anyStrategy = fc.oneof(
    fc.constant({ type: "sequential" as const }),
    fc.integer({ min: 1, max: 3 }).map(atOnce),
    fc.integer({ min: 1, max: 3 }).map(inOrder),
  );
  const anyCall = fc.record({
    tool: fc.constantFrom("notes.write", "notes.put", "notes.read", "notes.no"),
    judged: fc.constantFrom("allow", "ask", "deny"),
    end: fc.constantFrom("done", "fail", "unknown"),
    answer: fc.constantFrom("approve", "deny"),
  });
  const anySteps = fc.array(fc.array(anyCall, { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 3,
  });

  test("no call starts that does not fit, counts are exact, and no more are under way than may be", async () => {
    const deck = new Deck();
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        anyStrategy,
        anySteps,
        fc.nat(6),
        async (s, strategy, steps, maxToolCalls) => {
          const named = steps.map((calls, step) =>
            calls.map((one, index) => ({ ...one, name: `${step}.${index}` })),
          );
          const byName = new Map(named.flat().map((one) => [one.name, one]));
          const of = (input: unknown) => byName.get((input as { text?: string }).text ?? "");
          let running = 0;
          deck.runs.length = 0;
          deck.deed = async (input) => {
            running += 1;
            expect(running).toBeLessThanOrEqual(strategy.type === "sequential" ? 1 : strategy.maxInFlight);
            expect(deck.runs.length).toBeLessThanOrEqual(maxToolCalls);
            await s.schedule(Promise.resolve());
            running -= 1;
            const end = of(input)?.end;
            if (end === "unknown") return doubt();
            if (end === "fail") throw new Error("no");
            return {};
          };
          const desk = openRunDesk({
            deck,
            script: saying(...named.map((calls) => calls.map(({ name, tool }) => call(name, tool))), "done"),
            strategy,
            levels: within({ maxToolCalls }),
            runLimits: { repeatedCalls: 100 },
            evaluatePreTool: async ({ input }) => {
              await s.schedule(Promise.resolve());
              return { outcome: (of(input)?.judged ?? "deny") as "allow" };
            },
          });
          const handle = await desk.start();
          for (;;) {
            const rest = await s.waitFor(handle.wait({ for: "rest" }));
            if (rest.status !== "requires_approval" && rest.status !== "recovery_needed") break;
            const pending = await desk.operator.list();
            const answers = pending.map(async ({ approvalId, input }) => {
              await s.schedule(Promise.resolve());
              await desk.operator[of(input)?.answer ?? "deny"](approvalId);
            });
            const resolutions = rest.unknown.map((effectId) =>
              desk.runs.resolve(handle.runId, effectId, { status: "failed", note: "it is not there" }),
            );
            await s.waitFor(Promise.all([...answers, ...resolutions]));
          }
          const { spent, status } = await handle.wait();
          expect(["completed", "blocked"]).toContain(status);
          expect(spent.toolCalls ?? 0).toBe(deck.runs.length);
          expect(deck.runs.length).toBeLessThanOrEqual(maxToolCalls);
          if (strategy.type !== "sequential") return;
          // One after the other, none is refused while there is still something left.
          const labels = await desk.labels(handle.runId);
          const isShort = labels.includes("call.refused budget_exceeded");
          expect(isShort).toBe(isShort && deck.runs.length === maxToolCalls);
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);
});
