// The program whose data the old stores hold, with the interfaces of the present: its tools, its model, its policies and who calls. What its
// package of tools and policies says must stay as it is in `scripts/old-stores/house.ts`, or runs of the old stores cannot go on.
import { govern } from "@spfunctions/agent";
import { Spectator } from "@spfunctions/agent/spectator";
import { SimpleFunctionsRuntime, subagent } from "@spfunctions/agent/v1";
import {
  type Clock,
  defineTool,
  type EvaluatePostTool,
  type ModelAdapter,
  type ModelCompleteInput,
  openInstallation,
  openOperator,
  type Store,
  type Tool,
} from "@spfunctions/kernel";
import { z } from "zod";

const day = 86_400_000;
/** The installation that proves the rows of the old stores. Its secret protects nothing else. */
export const installation = openInstallation(new Uint8Array(32).fill(21));

/** The library's calls, runs and sessions are this account's. */
export const office = "office";
/** A crash left effects in this account, and another process has settled it since. */
export const past = "past";
/** The account of a long-lived agent. */
export const club = "club";
/** The account of a platform's keys. */
export const desk = "desk";

/** What the tools did, outside of any store, and what keeps one of them from ending. */
export type World = {
  readonly did: string[];
  /** Resolves when a tool may end that was told to hang. */
  readonly hang: (text: string) => Promise<void>;
};

export function openWorld(hang: World["hang"] = async () => undefined): World {
  return { did: [], hang };
}

const year = 365 * day;

function officeTools({ did, hang }: World): Tool[] {
  const act = async (text: string) => {
    did.push(text);
    if (text.startsWith("hang ")) await hang(text);
    return { count: did.length };
  };
  const writing = {
    input: z.strictObject({ text: z.string() }),
    output: z.strictObject({ count: z.int() }),
    permissions: ["notes:write"],
    sideEffect: "user_write",
    costEffect: "none",
    run: async ({ text }: { text: string }) => await act(text),
  } as const;
  return [
    defineTool({
      name: "notes.read",
      description: "Reads the notes.",
      input: z.strictObject({ text: z.string().optional() }),
      output: z.strictObject({ notes: z.string() }),
      permissions: ["notes:read"],
      sideEffect: "none",
      costEffect: "none",
      run: async ({ text = "all" }) => {
        if (text.startsWith("hang ")) await hang(text);
        return { notes: `the notes of ${text}` };
      },
    }),
    defineTool({
      ...writing,
      name: "notes.put",
      description: "Puts a note, once for each key.",
      idempotency: { type: "key", keyRetentionMs: year },
    }),
    defineTool({
      ...writing,
      name: "notes.once",
      description: "Writes a note.",
      idempotency: { type: "none" },
    }),
    defineTool({
      ...writing,
      name: "notes.ask",
      description: "Writes a note that a person approves.",
      sideEffect: "paper_trade",
    }),
    defineTool({
      name: "web.fetch",
      description: "Fetches a page.",
      input: z.strictObject({ url: z.string() }),
      output: z.strictObject({ text: z.string() }),
      permissions: ["net"],
      sideEffect: "none",
      costEffect: "api_cost",
      capability: { kind: "net", url: "/url" },
      run: async ({ url }, context) => ({ text: (await context.authorize(url)).url }),
    }),
  ];
}

const boss = { keyId: "boss", scopes: ["admin"], kind: "operator" } as const;
export const operatorOf = (store: Store, accountId: string, clock: Clock) =>
  openOperator({ store, installation, clock, principal: { ...boss, accountId } });

/** A person approves every call that writes; a question waits for a month. */
const asking = {
  maxSideEffect: "user_write",
  approvals: { requireForSideEffectAtOrAbove: "user_write", ttlMs: 30 * day },
} as const;

const caller = { keyId: "clerk", scopes: ["read", "write"], kind: "local" } as const;

/** Direct calls: without a question unless `asks`. */
export function openDesk(
  store: Store,
  accountId: string,
  clock: Clock,
  world: World,
  more: {
    readonly asks?: boolean;
    readonly sessionId?: string;
    /** The policy that a held output waits for. */
    readonly evaluatePostTool?: EvaluatePostTool;
  } = {},
) {
  const { asks = false, ...options } = more;
  return govern({
    packs: [officeTools(world)],
    policy: asks ? asking : { maxSideEffect: "user_write" },
    principal: { ...caller, accountId },
    store,
    installation,
    clock,
    network: { allowHosts: ["example.com", "*.example.com"] },
    ...options,
  });
}

type Step = { readonly name: string; readonly text: string } | string;
const write = (name: string, text: string): Step => ({ name: `notes.${name}`, text });
const toChild = (task: string): Step => ({ name: "subagent.reader", text: task });

/** What the model does for each objective: calls, one after the other, and a last word. */
const stories: Readonly<Record<string, readonly Step[]>> = {
  "story-write": [write("put", "run wrote this"), "it is written"],
  "story-ask": [write("ask", "run asked for this"), "it is written, after a yes"],
  "story-ask-more": [
    toChild("story-child"),
    write("ask", "run asked for more"),
    "the child read, and it is written",
  ],
  "story-with-child": [toChild("story-child"), "the child read it"],
  "story-child": [write("read", "a child"), "the child has read"],
  "story-hang-read": [write("read", "hang run"), write("put", "after hang"), "read, and written"],
  "story-hang-child": [toChild("story-child-hangs"), write("put", "after child"), "the child came back"],
  "story-child-hangs": [write("read", "hang child"), "the child has read after all"],
  "story-hang-keyed": [write("put", "hang keyed"), "written once"],
  "story-hang-plain": [write("once", "hang plain"), "it went on"],
  "story-child-asks": [toChild("story-asked-child"), "the child has answered"],
  "story-asked-child": [write("ask", "a child asked for this"), "the child has written"],
};

/** Answers by what it sees alone, so that it says the same in another process. */
const model: ModelAdapter = {
  name: "story-teller",
  offline: true,
  complete: async ({ messages }: ModelCompleteInput) => {
    const usage = { inputTokens: 20, outputTokens: 5 };
    // A handed-down task stands after the objective of the child itself.
    const told = messages
      .filter(({ role }) => role !== "assistant" && role !== "tool")
      .map(({ text }) => text);
    const story =
      told
        .join("\n")
        .match(/story-[a-z-]+/g)
        ?.at(-1) ?? "";
    const step = messages.filter(({ role }) => role === "assistant").length;
    const next = stories[story]?.[step] ?? "nothing is to be done";
    if (typeof next === "string") return { text: next, toolCalls: [], finish: "stop", usage };
    const args = next.name.startsWith("subagent.") ? { task: next.text } : { text: next.text };
    const toolCalls = [{ id: `t${step}`, name: next.name, args }];
    return { text: "", toolCalls, finish: "tool_calls", usage };
  },
};

export function openRuntime(
  store: Store,
  accountId: string,
  clock: Clock,
  world: World,
): SimpleFunctionsRuntime {
  const reader = subagent({
    name: "reader",
    objective: "Do what you are told.",
    tools: ["notes.read", "notes.ask"],
    budget: { maxSteps: 6, maxToolCalls: 4 },
  });
  return new SimpleFunctionsRuntime({
    packs: [officeTools(world), reader],
    model,
    principal: { ...caller, accountId, kind: "key" },
    store,
    installation,
    clock,
    agentId: "secretary",
    policy: {
      maxSideEffect: "paper_trade",
      maxCostEffect: "llm_cost",
      budget: { maxSteps: 20, maxToolCalls: 20, maxChildren: 4, maxDepth: 2 },
      session: { persist: true, ttlMs: year, maxHistoryTokens: 32_000 },
      // Of the writes, a person is asked about `notes.ask` alone.
      approvals: { requireForSideEffectAtOrAbove: "paper_trade", ttlMs: 30 * day },
    },
    hooks: { beforeToolCall: { id: "watch", version: "1", phase: "observe", run: () => undefined } },
  });
}

const notes = (patch: object) => `<<<NOTES_JSON>>>${JSON.stringify(patch)}<<<END_NOTES_JSON>>>`;

/** What the long-lived agent's model says, by what it is asked last. */
const sayings: readonly (readonly [asked: string, says: string])[] = [
  [
    "When shall we go",
    `On Sunday. ${notes({ set_goals: ["visit the club"], add_decisions: ["go on Sunday"] })}`,
  ],
  [
    "What should we bring",
    `Cake. ${notes({ add_open_loops: ["who bakes?"], actions: ["request_permission:net:bakery.example"] })}`,
  ],
  ["Who bakes", `Anna. ${notes({ add_decisions: ["Anna bakes"] })}`],
];

/** What its model was shown, from the first request on. */
export type Shown = string[];

export function openAgent(store: Store, clock: Clock, shown: Shown = []): Spectator {
  return new Spectator({
    model: {
      name: "member",
      offline: true,
      complete: async ({ messages }) => {
        shown.push(messages.map(({ text }) => text).join("\n"));
        const asked = messages.findLast(({ role }) => role === "user")?.text ?? "";
        const text = sayings.find(([words]) => asked.includes(words))?.[1] ?? "As you say.";
        return { text, toolCalls: [], finish: "stop", usage: { inputTokens: 20, outputTokens: 5 } };
      },
    },
    principal: { accountId: club, keyId: "desk", scopes: ["read"], kind: "local" },
    store,
    installation,
    clock,
    constraints: ["never pay for anything"],
  });
}
