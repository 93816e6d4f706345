// A model is outside: it may fail, hang, or say anything. What it said is acted on once it is on record whole.
import { InvalidApiKeyError, ProviderFailedError, RateLimitedError } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { atFirst, kindsIn } from "../../../test-data/call-store.ts";
import { turn, until } from "../../../test-data/call-waiting.ts";
import {
  inTurn,
  openRunDesk,
  type RunDesk,
  type RunDeskOptions,
  saying,
  write,
} from "../../../test-data/run-desk.ts";
import { hang } from "../../../test-data/run-levers.ts";
import { toEnd } from "../../../test-data/run-stories.ts";
import { readAnswer } from "./read-answer.ts";

const overloaded = new ProviderFailedError("overloaded");

/** Lets the time of each pause pass. */
async function passing(desk: RunDesk, pauses: readonly number[]): Promise<void> {
  for (const ms of pauses) {
    await until(() => desk.clock.waits.includes(ms), `a pause of ${ms}`);
    desk.clock.advance(ms);
  }
}

describe("a model that fails", () => {
  test("is asked again after a pause, twice as long each time, and the step is the same one", async () => {
    const desk = openRunDesk({
      script: inTurn(overloaded, overloaded, overloaded, "done"),
      runLimits: { modelAttempts: 4 },
    });
    const handle = await desk.start();
    await passing(desk, [500, 1000, 2000]);
    expect((await handle.wait()).status).toBe("completed");
    const attempts = (await desk.records(handle.runId)).flatMap((one) =>
      one.kind === "model.intended" ? [`${one.stepId.slice(-2)} ${one.step} ${one.attempt}`] : [],
    );
    expect(attempts).toStrictEqual(["-1 1 1", "-1 1 2", "-1 1 3", "-1 1 4"]);
  });

  test("so often in a row ends the run, with what it said last; in between it begins anew", async () => {
    const desk = openRunDesk({
      script: inTurn(overloaded, [write("a")], overloaded, overloaded, new ProviderFailedError("gone away")),
    });
    const handle = await desk.start();
    await passing(desk, [500, 500, 1000]);
    const result = await handle.wait();
    expect(result).toMatchObject({ status: "failed", error: { code: "provider_failed" } });
    expect(result.error?.message).toContain("gone away");
    expect(desk.model.asked).toHaveLength(5);
  });

  test.each([
    ["its provider will not answer", new ProviderFailedError("no such model", { retry: "never" })],
    ["a person must do something first", new InvalidApiKeyError("no key")],
  ])("because %s is not asked again", async (_why, error) => {
    const desk = openRunDesk({ script: inTurn(error) });
    expect((await (await desk.start()).wait()).status).toBe("failed");
    expect(desk.model.asked).toHaveLength(1);
  });

  test("because it is asked too often is asked again", async () => {
    const desk = openRunDesk({ script: inTurn(new RateLimitedError("slow down"), "done") });
    const handle = await desk.start();
    await passing(desk, [500]);
    expect((await handle.wait()).status).toBe("completed");
  });

  test("by throwing what only looks like an error of ours has failed, and the run ends (B24)", async () => {
    const unreadable = { get: () => refuse() };
    const forged = Object.defineProperties(
      {},
      {
        [Symbol.for("@spfunctions/error")]: { value: true },
        ...Object.fromEntries(["code", "message", "details", "retry"].map((key) => [key, unreadable])),
      },
    );
    const answered = Object.defineProperty({}, "text", { enumerable: true, get: () => refuse(forged) });
    for (const script of [() => refuse(forged), () => ({ raw: answered })]) {
      const desk = openRunDesk({ script, runLimits: { modelAttempts: 1 } });
      const result = await (await desk.start()).wait();
      expect(result).toMatchObject({ status: "failed", error: { code: "provider_failed" } });
    }
  });

  test("by hanging is told to stop, and asked again", async () => {
    let asked = 0;
    const desk = openRunDesk({ script: () => (asked++ === 0 ? hang() : "done") });
    const handle = await desk.start();
    await passing(desk, [120_000, 500]);
    expect((await handle.wait()).status).toBe("completed");
    expect(desk.model.asked.map(({ signal }) => signal.aborted)).toStrictEqual([true, false]);
    expect(await desk.labels(handle.runId)).toContain("model.settled failed timeout");
  });

  test("after its time answers nobody", async () => {
    const late = Promise.withResolvers<string>();
    const desk = openRunDesk({ script: () => late.promise, runLimits: { modelAttempts: 1 } });
    const handle = await desk.start();
    await passing(desk, [120_000]);
    late.resolve("after all");
    expect((await handle.wait()).status).toBe("failed");
    for (let turns = 0; turns < 5; turns++) await turn();
    expect((await desk.kinds(handle.runId)).at(-1)).toBe("run.ended");
  });

  test("while the process closes is not asked again", async () => {
    const desk = openRunDesk({ script: inTurn(overloaded, "done") });
    await desk.start();
    await until(() => desk.clock.waits.includes(500));
    await desk.runs.close();
    expect(desk.model.asked).toHaveLength(1);
    expect(desk.clock.waiting).toBe(0);
  });
});

test("nothing acts on an answer before it is on record", async () => {
  const desk = openRunDesk({ script: saying([write("a")], "done") });
  const written = Promise.withResolvers<void>();
  desk.store.fault = atFirst("model.settled", { type: "wait", for: written.promise });
  const handle = await desk.start();
  await until(() => desk.model.asked.length === 1);
  for (let turns = 0; turns < 10; turns++) await turn();
  expect(desk.deck.runs).toStrictEqual([]);
  written.resolve();
  await handle.wait();
  expect(desk.deck.runs).toHaveLength(1);
});

test("J1: a model is not asked before it is on record that it will be", async () => {
  const desk = openRunDesk();
  let refusals = 0;
  desk.store.fault = (unit) => {
    if (!kindsIn(unit).includes("model.intended")) return undefined;
    refusals++;
    return { type: "throw" };
  };
  const handle = await desk.start();
  for (const tries of [1, 2, 3]) {
    await until(() => refusals >= tries);
    desk.clock.advance(2000);
  }
  expect(desk.model.asked).toStrictEqual([]);
  desk.store.fault = () => undefined;
  desk.clock.advance(2000);
  expect(await handle.wait()).toMatchObject({ status: "completed" });
  expect(desk.model.asked).toHaveLength(1);
});

describe("what is no answer", () => {
  const usage = { inputTokens: 1, outputTokens: 1 };
  const good = { text: "a", toolCalls: [], finish: "stop", usage };
  const one = { id: "1", name: "notes.write", args: {} };

  test.each<[string, unknown, string]>([
    ["nothing", undefined, "the answer is no object"],
    ["a text that is none", { ...good, text: 1 }, "its text is no text"],
    ["an end in failure", { ...good, finish: "error" }, "it says itself that it failed"],
    ["another provider's word for an end", { ...good, finish: "max_tokens" }, "its finish is none of"],
    ["an end that is held back", { ...good, finish: "content_filter" }, "its finish is none of"],
    ["no word for its end", { ...good, finish: undefined }, "its finish is none of"],
    ["a number for its end", { ...good, finish: 7 }, "its finish is none of"],
    ["half an answer", { ...good, finish: "length" }, "cut off"],
    ["half an answer with calls", { ...good, toolCalls: [one], finish: "length" }, "cut off"],
    ["nothing said and nothing called", { ...good, text: " \n" }, "it says nothing and calls nothing"],
    ["calls that are no list", { ...good, toolCalls: {} }, "toolCalls is no list"],
    ["a call that is none", { ...good, toolCalls: [null] }, "a call is no object"],
    ["a call without an id", { ...good, toolCalls: [{ ...one, id: "" }] }, "a call has no id or no name"],
    ["a call without a name", { ...good, toolCalls: [{ ...one, name: 1 }] }, "a call has no id or no name"],
    ["arguments that are no JSON", { ...good, toolCalls: [{ ...one, args: { at: 1n } }] }, "is not JSON"],
    [
      "more calls than may be",
      { ...good, toolCalls: Array.from({ length: 65 }, (_, id) => ({ ...one, id: `${id}` })) },
      "more than 64 calls",
    ],
    ["a usage that is none", { ...good, usage: undefined }, "its usage is no count of tokens"],
    [
      "a usage below nothing",
      { ...good, usage: { inputTokens: -1, outputTokens: 0 } },
      "its usage is no count of tokens",
    ],
    [
      "a usage that is no whole number",
      { ...good, usage: { inputTokens: 0.5, outputTokens: 0 } },
      "its usage is no count of tokens",
    ],
  ])("is %s", async (_what, raw, words) => {
    const options: RunDeskOptions = { script: inTurn({ raw }), runLimits: { modelAttempts: 1 } };
    const desk = openRunDesk(options);
    const result = await (await desk.start()).wait();
    expect(result).toMatchObject({ status: "failed", error: { code: "provider_failed" } });
    expect(result.error?.message).toContain(words);
    expect(desk.deck.runs).toStrictEqual([]);
  });

  test("that was cut off is not asked for again: it would be cut off again; what it has cost is counted", async () => {
    const desk = openRunDesk({ script: inTurn({ raw: { ...good, finish: "length" } }, "done") });
    const result = await (await desk.start()).wait();
    expect(result).toMatchObject({ status: "failed", spent: { inputTokens: 1, outputTokens: 1 } });
    expect(desk.model.asked).toHaveLength(1);
  });

  test("that says nothing is asked for again", async () => {
    const desk = openRunDesk({ script: inTurn({ raw: { ...good, text: "" } }, "done") });
    const handle = await desk.start();
    await passing(desk, [500]);
    expect(await handle.wait()).toMatchObject({ status: "completed", output: "done" });
  });

  test("anything at all is an answer, or a failure of the provider's", () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true, withMap: true }), (given) => {
        expect([
          faultOf(() => readAnswer({ ...good, toolCalls: [{ ...one, args: given }] }, 64)),
          faultOf(() => readAnswer(given, 64)),
        ]).toSatisfy((faults: unknown[]) =>
          faults.every((fault) => fault === undefined || fault instanceof ProviderFailedError),
        );
      }),
    );
  });

  test.each<[string, unknown[]]>([
    [
      "itself turns into others",
      Object.assign([one], { map: () => Array.from({ length: 65 }, (_, id) => ({ ...one, id: `${id}` })) }),
    ],
    ["is longer each time it is looked at", growing(one)],
  ])("a list of calls that %s has those that it showed first", (_how, toolCalls) => {
    expect(readAnswer({ ...good, toolCalls }, 64).toolCalls).toStrictEqual([one]);
  });

  test("arguments that are left out are none", async () => {
    const { args: _, ...bare } = one;
    const desk = openRunDesk({ script: inTurn({ raw: { ...good, toolCalls: [bare] } }, "done") });
    await toEnd(desk);
    expect(desk.deck.inputsOf("notes.write")).toStrictEqual(["{}"]);
  });
});

function refuse(reason: unknown = new Error("no")): never {
  throw reason;
}

function growing(item: object): unknown[] {
  let looks = 0;
  const get = (target: object[], key: PropertyKey): unknown => {
    if (key === "length") return ++looks;
    return key in target ? Reflect.get(target, key) : item;
  };
  return new Proxy<object[]>([], { get });
}

function faultOf(act: () => unknown): unknown {
  try {
    act();
    return undefined;
  } catch (error) {
    return error;
  }
}
