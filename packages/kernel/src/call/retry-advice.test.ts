// X1: what cannot be repeated without harm is never said to be worth repeating, however it failed and whoever says so.
import { errorCodes, type ErrorCode, ProviderFailedError, UpstreamError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { openDesk, reopenDesk, traceOf } from "../../test-data/call-desk.ts";
import { until } from "../../test-data/call-waiting.ts";
import { openReplay } from "../replay/replay.ts";
import type { CallOutcome } from "./call-host.ts";

const harmful = "notes.write";
const harmless = ["notes.put", "notes.send", "notes.search", "notes.read"];

function adviceOf(outcome: CallOutcome): readonly [ErrorCode, string] {
  if (outcome.type === "completed") throw new Error("it did not fail");
  return [outcome.error.code, outcome.error.retry];
}

const failures: readonly (readonly [string, () => unknown, ErrorCode])[] = [
  ["an error", () => new Error("socket hang up"), "upstream_error"],
  ["a text", () => "socket hang up", "upstream_error"],
  ["something that is no error", () => Symbol("x"), "upstream_error"],
];

describe.each(failures)("a tool that throws %s", (_what, make, code) => {
  test("says never, where repeating it could do it twice", async () => {
    for (const deed of [() => raise(make()), async () => await Promise.reject(make())]) {
      const outcome = await openDesk({ deed }).call({ tool: harmful });
      expect(adviceOf(outcome)).toStrictEqual([code, "never"]);
    }
  });

  test.each(harmless)("says what its code says, where repeating it is harmless: %s", async (tool) => {
    const outcome = await openDesk({ deed: () => raise(make()) }).call({ tool });
    expect(adviceOf(outcome)).toStrictEqual([code, errorCodes[code].retry]);
  });
});

describe("a tool that throws an error of ours, and says no more about it than its code does,", () => {
  test.each([new UpstreamError("socket hang up"), new ProviderFailedError("the provider hung up")])(
    "says never, where repeating it could do it twice: %s",
    async (error) => {
      const outcome = await openDesk({ deed: () => raise(error) }).call({ tool: harmful });
      expect(adviceOf(outcome)).toStrictEqual([error.code, "never"]);
    },
  );

  test.each(harmless)("says what its code says, where repeating it is harmless: %s", async (tool) => {
    const error = new ProviderFailedError("the provider hung up");
    const outcome = await openDesk({ deed: () => raise(error) }).call({ tool });
    expect(adviceOf(outcome)).toStrictEqual(["provider_failed", "after_wait"]);
  });
});

test("a tool's own word is taken where repeating it is harmless", async () => {
  const error = new UpstreamError("try at once", { retry: "safe" });
  const outcome = await openDesk({ deed: () => raise(error) }).call({ tool: "notes.put" });
  expect(adviceOf(outcome)).toStrictEqual(["upstream_error", "safe"]);
});

describe.each([harmful, ...harmless])("%s says never, where nobody saw its end:", (tool) => {
  test.each([
    ["it took too long", "timeout"],
    ["it was cancelled", "cancelled"],
  ])("%s", async (_, code) => {
    const desk = openDesk({ deed: async () => await new Promise(() => {}) });
    const controller = new AbortController();
    const call = desk.call({ tool, signal: controller.signal });
    await until(() => desk.deck.runs.length === 1);
    if (code === "timeout") desk.clock.advance(60_000);
    else controller.abort();
    expect(adviceOf(await call)).toStrictEqual([code, "never"]);
  });
});

describe("never stays never, whoever tells it again:", () => {
  const keyed = { tool: harmful, input: { n: 1 }, idempotencyKey: "k" };
  test("to the same key", async () => {
    const desk = openDesk({ deed: hangUp });
    const told = [adviceOf(await desk.call(keyed)), adviceOf(await desk.call(keyed))];
    expect(told).toStrictEqual([
      ["upstream_error", "never"],
      ["upstream_error", "never"],
    ]);
  });

  test("to the same key in the next process", async () => {
    const desk = openDesk({ deed: hangUp });
    await desk.call(keyed);
    await desk.seat.close();
    expect(adviceOf(await reopenDesk(desk).call(keyed))).toStrictEqual(["upstream_error", "never"]);
  });

  test("in a replay", async () => {
    const desk = openDesk({ deed: hangUp });
    await desk.call(keyed);
    await desk.seat.close();
    const replay = openDesk({ life: 9, replay: await openReplay([await traceOf(desk.seat)]) });
    const outcome = await replay.call({ tool: harmful, input: { n: 1 } });
    expect(adviceOf(outcome)).toStrictEqual(["upstream_error", "never"]);
  });
});

function hangUp(): never {
  return raise(new Error("socket hang up"));
}

function raise(error: unknown): never {
  throw error;
}
