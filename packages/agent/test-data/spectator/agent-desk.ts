// A long-lived agent with everything about it at hand: its model says what it was told to say, and its tools count what they do.
import type { AgentPolicy } from "@spfunctions/contracts";
import {
  createMemoryStore,
  defineTool,
  type ModelAdapter,
  type ModelCompleteInput,
  openInstallation,
  openOperator,
} from "@spfunctions/kernel";
import { z } from "zod";
import { Spectator } from "../../src/spectator/spectator.ts";
import type { SpectatorOptions } from "../../src/spectator/spectator-options.ts";

export type Says = string | ((input: ModelCompleteInput, asked: number) => string);

/** Says these, one each time it is asked, then "that is all". In pieces where it streams. */
export class AgentModel implements ModelAdapter {
  readonly name = "scripted";
  readonly offline = true;
  readonly asked: ModelCompleteInput[] = [];
  readonly #says: readonly Says[];
  pieces = 7;

  constructor(says: readonly Says[]) {
    this.#says = says;
  }

  async complete(input: ModelCompleteInput) {
    const next = this.#says[this.asked.length] ?? "that is all";
    this.asked.push(input);
    const text = typeof next === "string" ? next : next(input, this.asked.length);
    return { text, toolCalls: [], finish: "stop", usage: { inputTokens: 10, outputTokens: 5 } } as const;
  }

  async *stream(input: ModelCompleteInput) {
    const result = await this.complete(input);
    for (let at = 0; at < result.text.length; at += this.pieces)
      yield { type: "text.delta", text: result.text.slice(at, at + this.pieces) } as const;
    yield { type: "done", result } as const;
  }
}

export const notesBlock = (patch: object) =>
  `<<<NOTES_JSON>>>\n${JSON.stringify(patch)}\n<<<END_NOTES_JSON>>>`;
export const callsBlock = (...calls: readonly object[]) =>
  `<<<TOOL_CALLS_JSON>>>\n${JSON.stringify(calls)}\n<<<END_TOOL_CALLS_JSON>>>`;
export const calling = (tool: string, args: object = {}, id = "t1") => callsBlock({ id, tool, args });

export const installation = openInstallation(new Uint8Array(32).fill(7));
export const principal = {
  accountId: "acct_1",
  keyId: "key_1",
  scopes: ["read", "write"],
  kind: "local",
} as const;

export const writing = {
  maxSideEffect: "user_write",
  approvals: { requireForSideEffectAtOrAbove: "secret" },
} as const satisfies AgentPolicy;

export function agentDesk({
  says = [],
  found,
  ...options
}: Partial<SpectatorOptions> & { says?: readonly Says[]; found?: string } = {}) {
  const model = new AgentModel(says);
  const done: string[] = [];
  const look = defineTool({
    name: "notes.look",
    description: "Looks something up.",
    input: z.strictObject({ text: z.string() }),
    output: z.strictObject({ text: z.string() }),
    permissions: [],
    sideEffect: "none",
    costEffect: "none",
    run: async ({ text }) => {
      done.push(`look ${text}`);
      return { text: found ?? text };
    },
  });
  const add = defineTool({
    name: "notes.add",
    description: "Adds a note.",
    input: z.strictObject({ text: z.string(), key: z.string().meta({ "x-sf-secret": true }).optional() }),
    output: z.strictObject({ added: z.boolean() }),
    permissions: [],
    sideEffect: "user_write",
    costEffect: "none",
    run: async ({ text }) => {
      done.push(`add ${text}`);
      return { added: true };
    },
  });
  const fail = defineTool({
    name: "notes.fail",
    description: "Fails.",
    input: z.strictObject({}),
    output: z.strictObject({}),
    permissions: [],
    sideEffect: "none",
    costEffect: "none",
    run: async () => {
      throw new Error("it broke");
    },
  });
  const tools = [look, add, fail];
  const store = options.store ?? createMemoryStore();
  const troubles: unknown[] = [];
  const given = {
    model,
    packs: [tools],
    principal,
    store,
    installation,
    onTrouble: (trouble: unknown) => void troubles.push(trouble),
    ...options,
  };
  const agent = new Spectator(options.backend === undefined ? given : { ...given, model: undefined });
  const operator = openOperator({
    store,
    installation,
    principal: { accountId: "acct_1", keyId: "boss", scopes: ["admin"], kind: "operator" },
  });
  return { agent, model, tools, done, store, operator, troubles };
}
