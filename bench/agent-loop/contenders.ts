import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Contender } from "./contender.ts";

type Entry = {
  /** Loaded by the one process that runs it. */
  readonly load: () => Promise<Contender>;
  /** Run from its sources, and expected to run anywhere. */
  readonly isOurs?: boolean;
};

const manifest = readFileSync(join(import.meta.dirname, "../package.json"), "utf8");
const { dependencies: versions } = JSON.parse(manifest) as { dependencies: Record<string, string> };
const langGraph = `LangGraph ${versions["@langchain/langgraph"]}`;

/** By name, in the order of the table. The first is the measure of the others. */
export const contenders = new Map<string, Entry>([
  [`AI SDK ${versions["ai"]}`, { load: async () => (await import("./ai-sdk.ts")).inMemory }],
  ["SimpleFunctions, memory", { load: async () => (await import("./ours.ts")).inMemory, isOurs: true }],
  ["SimpleFunctions, SQLite", { load: async () => (await import("./ours.ts")).onSqlite, isOurs: true }],
  [
    `OpenAI Agents ${versions["@openai/agents"]}`,
    { load: async () => (await import("./openai-agents.ts")).inMemory },
  ],
  [`${langGraph}, memory`, { load: async () => (await import("./langgraph.ts")).inMemory }],
  [`${langGraph}, SQLite`, { load: async () => await (await import("./langgraph.ts")).openSqlite() }],
]);
