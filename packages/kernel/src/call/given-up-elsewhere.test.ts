// J4: of an effect that is unknown a person says what became of it, and nobody else: what the place where it runs says after the
// request was given up is no note in the journal.
import { CancelledError } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { type Deck, sharedDeck } from "../../test-data/call-deck.ts";
import { openDesk } from "../../test-data/call-desk.ts";
import { settlement, turn, until } from "../../test-data/call-waiting.ts";
import { openRunDesk, saying, write } from "../../test-data/run-desk.ts";
import { problemsOf, verifyAccount } from "../journal/verify-account.ts";
import type { Tool } from "../tool/define-tool.ts";
import { describedTool } from "../tool/described-tool.ts";

/** A tool whose request is given up with its call, and says so, as a client of a platform does. */
function remote(spec: Partial<Parameters<Deck["tool"]>[0]> = {}): {
  readonly tool: Tool;
  readonly signals: AbortSignal[];
} {
  const signals: AbortSignal[] = [];
  const { contract } = sharedDeck().tool({ name: "notes.write", sideEffect: "user_write", ...spec });
  const run = async (_input: unknown, { signal }: { readonly signal: AbortSignal }) => {
    signals.push(signal);
    return await new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(new CancelledError("the request was given up")));
    });
  };
  const idempotency = { type: "key", keyRetentionMs: 86_400_000 } as const;
  return { tool: describedTool(contract, { isElsewhere: true, idempotency, run }), signals };
}

const turns = async () => {
  for (let at = 0; at < 20; at++) await turn();
};

test.each(["timeout", "cancelled"])("a call that was given up (%s) leaves a whole journal", async (code) => {
  const { tool, signals } = remote();
  const desk = openDesk({ packs: [tool] });
  const controller = new AbortController();
  const call = desk.call({
    tool: "notes.write",
    input: { text: "a" },
    timeoutMs: 1000,
    signal: controller.signal,
  });
  await until(() => signals.length === 1);
  if (code === "timeout") desk.clock.advance(1000);
  else controller.abort();
  expect(await settlement(call)).toMatchObject({ value: { type: "failed", error: { code } } });
  await turns();
  await desk.seat.close();
  expect((await desk.records()).map(({ kind }) => kind)).toStrictEqual([
    "segment.opened",
    "call.intended",
    "call.settled",
  ]);
  expect((await desk.seat.verify()).status).toBe("ok");
});

test("X1: of a paid read that was given up nothing is unknown: it has changed nothing", async () => {
  const { tool, signals } = remote({ name: "notes.look", sideEffect: "none", costEffect: "search_cost" });
  const desk = openDesk({ packs: [tool] });
  const call = desk.call({ tool: "notes.look", input: { text: "a" }, timeoutMs: 1000 });
  await until(() => signals.length === 1);
  desk.clock.advance(1000);
  expect(await settlement(call)).toMatchObject({ value: { error: { code: "timeout" } } });
  expect(await desk.records()).toContainEqual(
    expect.objectContaining({ kind: "call.settled", status: "timed_out" }),
  );
  expect(await desk.seat.unknown()).toStrictEqual([]);
});

test("a run whose call was given up can be read, and goes on once a person has said what became of it", async () => {
  const { tool, signals } = remote();
  const desk = openRunDesk({
    packs: [tool],
    script: saying([write("a")], "done"),
    limits: { callMs: 1000 },
  });
  const handle = await desk.start();
  await until(() => signals.length === 1);
  desk.clock.advance(1000);
  await turns();
  expect((await desk.labels(handle.runId)).at(-1)).toBe("call.settled unknown timeout");
  const { unknown } = await handle.result();
  await desk.runs.resolve(handle.runId, unknown[0] ?? "", { status: "completed", note: "seen" });
  expect((await handle.wait()).status).toBe("completed");
  expect(problemsOf(await verifyAccount(desk.store.inner, "acct_1"))).toStrictEqual([]);
});
