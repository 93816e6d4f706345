// The runtime with a signed journal: in memory, and on SQLite, where a record outlives the process.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "@spfunctions/host/store";
import {
  createMemoryStore,
  defineTool,
  type ModelAdapter,
  newInstallationSecret,
  openInstallation,
  Runs,
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
  const loop = loopOn(await openSqliteStore({ folder }), script);
  return {
    ...loop,
    close: async () => {
      await loop.close?.();
      await rm(folder, { recursive: true });
    },
  };
};

function loopOn(store: Store, script: Script): Loop {
  const most = script.steps + 5;
  const runs = new Runs({
    packs: [notesRead(script)],
    levels: [{ level: "agent", policy: { budget: { maxSteps: most, maxToolCalls: most } } }],
    principal,
    agentId: "bench",
    model: { adapter: modelOf(script) },
    installation,
    store,
  });
  return {
    run: async () => {
      const handle = await runs.start({ objective });
      const result = await handle.wait();
      return { answer: result.output, result };
    },
    close: async () => {
      await runs.close();
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
