// R1: replay never calls live. Nobody's policy is asked about what is only answered from a trace, and none changes it.
import { describe, expect, test } from "vitest";
import {
  codeOf,
  type DeskOptions,
  openDesk,
  outputOf,
  reopenDesk,
  traceOf,
} from "../../test-data/call-desk.ts";
import { settlement, until } from "../../test-data/call-waiting.ts";
import { openReplay } from "../replay/replay.ts";

const request = { tool: "notes.write", input: { n: 1 } };

/** Policies that note that they were asked. */
function listening(asked: string[]): DeskOptions {
  return {
    evaluatePreTool: () => {
      asked.push("pre");
      return { outcome: "deny", reason: "not today" };
    },
    evaluatePostTool: () => {
      asked.push("post");
      return { outcome: "deny", reason: "not today" };
    },
  };
}

async function recorded(options: DeskOptions = {}): Promise<string> {
  const desk = openDesk(options);
  await desk.call(request);
  await desk.seat.close();
  return await traceOf(desk.seat);
}

// proves PORT-18.8
describe("in a replay nobody asks a host's policy about", () => {
  test("a call that the trace has", async () => {
    const trace = await recorded();
    const asked: string[] = [];
    const desk = openDesk({ life: 9, replay: await openReplay([trace]), ...listening(asked) });
    const outcome = await desk.call(request);
    expect(outputOf(outcome)).toStrictEqual({ done: true });
    expect([asked, desk.deck.runs]).toStrictEqual([[], []]);
    const verdict = outcome.type === "completed" ? outcome.result.receipt.verdict : undefined;
    expect(verdict?.gates.filter(({ gate }) => gate === "pre_tool")).toStrictEqual([
      { gate: "pre_tool", result: "not_applicable" },
    ]);
  });

  test("a call that the trace does not have", async () => {
    const trace = await recorded();
    const asked: string[] = [];
    const desk = openDesk({ life: 9, replay: await openReplay([trace]), ...listening(asked) });
    expect(codeOf(await desk.call({ ...request, input: { n: 2 } }))).toBe("replay_miss");
    expect([asked, desk.deck.runs]).toStrictEqual([[], []]);
  });

  test("a call that was refused or withheld when it was recorded: it stays so", async () => {
    const policies: readonly DeskOptions[] = [
      { evaluatePreTool: () => ({ outcome: "deny", reason: "as recorded" }) },
      { evaluatePostTool: () => ({ outcome: "deny", reason: "as recorded" }) },
    ];
    for (const policy of policies) {
      const replay = await openReplay([await recorded(policy)]);
      const asked: string[] = [];
      const desk = openDesk({ life: 9, replay, ...listening(asked) });
      const outcome = await desk.call(request);
      expect(outcome).toMatchObject({
        type: "failed",
        error: { code: "policy_denied", message: expect.stringContaining("as recorded") },
      });
      expect([asked, desk.deck.runs]).toStrictEqual([[], []]);
    }
  });

  test("anything, so that one which never answers stops nothing", async () => {
    const trace = await recorded();
    const options = { evaluatePreTool: never, evaluatePostTool: never };
    const desk = openDesk({ life: 9, replay: await openReplay([trace]), ...options });
    expect((await settlement(desk.call(request))).state).toBe("kept");
  });
});

test("in a replay nothing that a crash has left is run, also when a person gives one of them up", async () => {
  const replay = await openReplay([await recorded()]);
  const desk = openDesk({ deed: async () => await new Promise(() => {}) });
  for (const n of [1, 2]) void desk.call({ tool: "notes.put", input: { n } });
  await until(() => desk.deck.runs.length === 2);
  await desk.store.die();
  const asked: string[] = [];
  const next = reopenDesk(desk, { replay, deed: () => null, ...listening(asked) });
  await next.seat.open();
  const effectId = "eff_00000001-0000-4000-8000-000000000001";
  await settlement(next.seat.resolve(effectId, { status: "failed", note: "it is gone", givesUp: true }));
  expect(next.deck.runs).toStrictEqual([]);
});

async function never(): Promise<never> {
  return await new Promise(() => {});
}
