import { type AgentEvent, HostConfigurationNeededError } from "@spfunctions/contracts";
import { createMemoryStore, Seat } from "@spfunctions/kernel";
import { expect, test } from "vitest";
import { tools } from "../../test-data/notes-pack.ts";
import { callerOf } from "../seat/caller.ts";
import type { OpenSeat } from "../seat/open-seat.ts";
import type { CallView, EndedCall } from "./call-view.ts";
import { runCall } from "./run-call.ts";

const { signal } = new AbortController();

async function openSeat(store = createMemoryStore()): Promise<OpenSeat & { readonly left: () => boolean }> {
  const levels = [{ level: "agent", policy: {} }] as const;
  const seat = new Seat({
    packs: tools,
    levels,
    principal: callerOf(),
    origin: "direct",
    surface: "agent",
    store,
  });
  let hasLeft = false;
  const leave = async () => {
    hasLeft = true;
  };
  return { seat, report: await seat.open(), leave, left: () => hasLeft };
}

function watching(): { readonly view: CallView; readonly ended: EndedCall[]; readonly events: AgentEvent[] } {
  const ended: EndedCall[] = [];
  const events: AgentEvent[] = [];
  const view: CallView = {
    begun: () => undefined,
    opened: () => undefined,
    event: (event) => void events.push(event),
    ended: (call) => void ended.push(call),
  };
  return { view, ended, events };
}

test("a trace that cannot be written takes nothing away from the answer, and is not hidden either", async () => {
  const open = await openSeat();
  const { view, ended } = watching();
  const full = new HostConfigurationNeededError("the disk is full");
  const trace = { write: () => Promise.reject(full), leave: async () => undefined };
  const code = await runCall(open, { tool: "notes.read", input: { id: 7 }, signal }, { view, trace });
  expect(code).toBe(1);
  expect(ended).toMatchObject([
    {
      outcome: { type: "completed", result: { output: { id: 7, text: "milk" } } },
      trouble: { message: "the disk is full" },
    },
  ]);
  expect(open.left()).toBe(true);
});

test("a call that cannot even be journaled is thrown, and what was opened is left", async () => {
  const store = createMemoryStore();
  const open = await openSeat(store);
  store.commit = () => Promise.reject(new Error("the disk is gone"));
  const { view, ended, events } = watching();
  const call = runCall(open, { tool: "notes.read", input: { id: 7 }, signal }, { view, trace: undefined });
  await expect(call).rejects.toThrow("the disk is gone");
  expect({ ended, events, left: open.left() }).toStrictEqual({ ended: [], events: [], left: true });
  await expect(open.seat.call({ tool: "notes.read", input: { id: 7 } })).rejects.toThrow("it is closed");
});
