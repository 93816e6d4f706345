// The runtime with a signed journal: in memory, and on SQLite, where a record outlives the process.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SimpleFunctionsRuntime } from "@spfunctions/agent/v1";
import { openSqliteStore } from "@spfunctions/host/store";
import {
  createMemoryStore,
  defineTool,
  type ModelAdapter,
  newInstallationSecret,
  openInstallation,
  type Store,
} from "@spfunctions/kernel";
import { z } from "zod";
import { principal } from "../bench-tools.ts";
import type { Contender, Loop } from "./contender.ts";
import { description, lastWord, objective, type Script } from "./script.ts";

const installation = openInstallation(newInstallationSecret());

export const inMemory: Contender = (script) => loopOn(createMemoryStore(), script);

export const onSqlite: Contender = async (script) => {
  const folder = await mkdtemp(join(tmpdir(), "sf-bench-"));
  const loop = await loopOn(await openSqliteStore({ folder }), script);
  return {
    ...loop,
    close: async () => {
      await loop.close?.();
      await rm(folder, { recursive: true });
    },
  };
};

async function loopOn(store: Store, script: Script): Promise<Loop> {
  const most = script.steps + 5;
  const runtime = new SimpleFunctionsRuntime({
    packs: [notesRead(script)],
    model: modelOf(script),
    policy: {
      budget: { maxSteps: most, maxToolCalls: most },
      session: { persist: true, ttlMs: 86_400_000, maxHistoryTokens: 10_000_000 },
    },
    tools: { mode: "preload-only", preload: ["notes.read"] },
    principal,
    installation,
    store,
  });
  // Once for as long as a process lives.
  await runtime.open();
  return {
    run: async () => {
      const result = await runtime.run({ objective });
      return { answer: result.output, result };
    },
    close: async () => {
      await runtime.close();
      await store.close();
    },
  };
}

function notesRead(script: Script) {
  return defineTool({
    name: "notes.read",
    description,
    input: z.object({ id: z.number() }),
    output: z.object({ text: z.string() }),
    permissions: ["notes:read"],
    sideEffect: "none",
    costEffect: "none",
    run: ({ id }) => script.read(id),
  });
}

function modelOf(script: Script): ModelAdapter {
  const usage = { inputTokens: 10, outputTokens: 10 };
  return {
    name: "script-1",
    offline: true,
    complete: async ({ messages }) => {
      const id = script.next(messages);
      if (id === undefined) return { text: lastWord, toolCalls: [], finish: "stop", usage };
      const call = { id: `call-${id}`, name: "notes.read", args: { id } };
      return { toolCalls: [call], finish: "tool_calls", usage };
    },
  };
}
