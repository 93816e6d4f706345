// Calls whose every moment a test decides: what their judges say, when their tools answer, and what they answer.
import { type JsonObject, RecoveryNeededError } from "@spfunctions/contracts";
import type { RunHook } from "../src/hook/run-hook.ts";
import type { PolicyAnswer } from "../src/judge/input-gates.ts";
import { until } from "./call-waiting.ts";
import {
  generous,
  levelOf,
  type Proposal,
  put,
  type RunDesk,
  type RunDeskOptions,
  type Script,
} from "./run-desk.ts";

/** What becomes of a call, by the name that its input has. */
type Lever = {
  /** What the host's policy says before it runs; allowed unless given. */
  readonly judged?: () => PolicyAnswer | Promise<PolicyAnswer>;
  /** What the tool does; it answers at once unless given. */
  readonly acts?: () => unknown;
  /** What the host's policy says about its output. */
  readonly looked?: () => PolicyAnswer | Promise<PolicyAnswer>;
};

export type Levers = Readonly<Record<string, Lever>>;

/** A call with this name. */
export const call = (name: string, tool = "notes.write"): Proposal => ({ name: tool, args: { text: name } });

/** Desk options under which calls do what their levers say. */
export function pulledBy(
  levers: Levers,
): Pick<RunDeskOptions, "deed" | "evaluatePreTool" | "evaluatePostTool"> {
  const of = (input: unknown): Lever => levers[(input as { text?: string }).text ?? ""] ?? {};
  const isHeld = Object.values(levers).some(({ looked }) => looked !== undefined);
  return {
    deed: (input) => of(input).acts?.() ?? { done: true },
    evaluatePreTool: ({ input }) => of(input).judged?.() ?? { outcome: "allow" },
    ...(isHeld && { evaluatePostTool: ({ input }) => of(input).looked?.() ?? { outcome: "allow" } }),
  };
}

export const ask = (): PolicyAnswer => ({ outcome: "ask" });
export const refuse = (): PolicyAnswer => ({ outcome: "deny" });
export const doubt = (): never => {
  throw new RecoveryNeededError("the venue hung up");
};
export const hang = async (): Promise<never> => await new Promise<never>(() => {});

/** Something that happens when it is let. */
export type Held<Value> = { readonly held: () => Promise<Value>; readonly let: (value: Value) => void };

export function heldBack<Value>(): Held<Value> {
  const { promise, resolve } = Promise.withResolvers<Value>();
  return { held: () => promise, let: resolve };
}

/** Until a run has so many records of a kind. */
export async function untilKind(desk: RunDesk, runId: string, kind: string, count = 1): Promise<void> {
  let seen = 0;
  await until(() => {
    void (async () => {
      seen = (await desk.kinds(runId)).filter((one) => one === kind).length;
    })();
    return seen >= count;
  }, `${count} ${kind}`);
}

/** A hook that puts this in place of every input. */
export function revising(value: JsonObject): RunHook {
  return {
    id: "reviser",
    version: "1",
    point: "before_tool_call",
    phase: "change",
    run: () => ({ outcome: "allow", patch: [{ op: "replace", path: "", value }] }),
  };
}

/** Desk options under which a model is shown four messages: at its third step, that is condensed. */
export function condensing(policy: object = {}): Pick<RunDeskOptions, "levels" | "model" | "script"> {
  const session = { persist: true, ttlMs: 3_600_000, maxHistoryTokens: 4000 };
  return {
    levels: levelOf({ ...generous, session, ...policy }),
    model: { countTokens: ({ messages }) => 1000 * messages.length },
    script: untilCondensed,
  };
}

const untilCondensed: Script = ({ messages }) => (messages.some(isCondensed) ? "written" : [put("a")]);

export function isCondensed({ role, text }: { readonly role: string; readonly text: string }): boolean {
  return role === "user" && text.startsWith("Condensed: ");
}
