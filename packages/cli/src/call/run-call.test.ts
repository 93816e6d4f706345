import { govern, memoryTrace } from "@spfunctions/agent";
import type { AgentEvent } from "@spfunctions/contracts";
import { createMemoryStore, type Store, type TraceStore } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { tools } from "../../test-data/notes-pack.ts";
import { callerOf } from "../seat/caller.ts";
import { runnerOn } from "../seat/open-governed.ts";
import type { CallView, EndedCall } from "./call-view.ts";
import { runCall } from "./run-call.ts";
import type { Runner } from "./runner.ts";

const { signal } = new AbortController();
const call = { tool: "notes.read", input: { id: 7 }, signal };

async function openRunner(
  on: { readonly store?: Store; readonly trace?: TraceStore; readonly fault?: Error } = {},
): Promise<Runner & { readonly left: () => boolean }> {
  const { fault, ...kept } = on;
  const governed = govern({ packs: [tools], policy: {}, principal: callerOf(), ...kept });
  let hasLeft = false;
  const leave = async () => {
    hasLeft = true;
    if (fault !== undefined) throw fault;
  };
  const runner = await runnerOn({ governed, report: await governed.recover(), leave });
  return { ...runner, left: () => hasLeft };
}

function watching(): {
  readonly view: CallView;
  readonly ended: EndedCall[];
  readonly events: AgentEvent[];
  readonly troubles: string[];
} {
  const troubles: string[] = [];
  const ended: EndedCall[] = [];
  const events: AgentEvent[] = [];
  const view: CallView = {
    begun: () => undefined,
    opened: () => undefined,
    event: (event) => void events.push(event),
    ended: (one) => void ended.push(one),
    left: ({ message }) => void troubles.push(message),
  };
  return { view, ended, events, troubles };
}

test("a trace that cannot be written takes nothing away from the answer, and is not hidden either", async () => {
  const trace = { ...memoryTrace(), append: () => Promise.reject(new Error("the disk is full")) };
  const runner = await openRunner({ trace });
  const { view, ended } = watching();
  expect(await runCall(runner, call, view)).toBe(1);
  expect(ended).toMatchObject([
    {
      outcome: { type: "completed", result: { output: { id: 7, text: "milk" } } },
      trouble: { message: expect.stringContaining("the disk is full") },
    },
  ]);
  expect(runner.left()).toBe(true);
});

test("a call that cannot even be journaled is thrown, and what was opened is left", async () => {
  const store = createMemoryStore();
  const runner = await openRunner({ store });
  store.commit = () => Promise.reject(new Error("the disk is gone"));
  const { view, ended, events } = watching();
  await expect(runCall(runner, call, view)).rejects.toThrow("the disk is gone");
  expect({ ended, events, left: runner.left() }).toStrictEqual({ ended: [], events: [], left: true });
  await expect(runner.stream("notes.read", { id: 7 }, {}).result).rejects.toThrow("it is closed");
});

describe("what fails when everything is let go of is told beside the answer", () => {
  const fault = new Error("the disk is gone");
  const told = ["something failed that should not: the disk is gone"];

  test.each([
    ["of a call that was done, and it has failed then", call, 1],
    ["of a refusal, which stays one", { ...call, tool: "notes.add", input: { text: "x" } }, 3],
  ])("%s", async (_, asked, exit) => {
    const { view, ended, troubles } = watching();
    expect(await runCall(await openRunner({ fault }), asked, view)).toBe(exit);
    expect({ ended: ended.length, troubles }).toStrictEqual({ ended: 1, troubles: told });
  });

  test("of a call that was thrown, and that is still what is thrown", async () => {
    const store = createMemoryStore();
    const runner = await openRunner({ store, fault });
    store.commit = () => Promise.reject(new Error("no room"));
    const { view, troubles } = watching();
    await expect(runCall(runner, call, view)).rejects.toThrow("no room");
    expect(troubles).toStrictEqual(told);
  });
});

test("where a runner cannot be had, what it would stand on is left", async () => {
  const store = createMemoryStore();
  const governed = govern({ packs: [tools], policy: {}, principal: callerOf(), store });
  const report = await governed.recover();
  store.documents = () => Promise.reject(new Error("the disk is gone"));
  let hasLeft = false;
  const leave = async () => {
    hasLeft = true;
    throw new Error("and nothing can be closed");
  };
  await expect(runnerOn({ governed, report, leave })).rejects.toThrow("the disk is gone");
  expect(hasLeft).toBe(true);
});
