import { canonicalJson, type JsonValue } from "@spfunctions/contracts";
import type { ModelMessage } from "../../model/model-adapter.ts";
import type { Run } from "../state/fold-run.ts";
import type { RunStep } from "../state/run-step.ts";

/** What the model was told besides, after so many steps. */
export function notesAfter({ notes }: Pick<Run, "notes">, steps: number): ModelMessage[] {
  return notes.flatMap(({ after, text }) => (after === steps ? [{ role: "user", text } as const] : []));
}

export function openingMessages({ objective }: Pick<Run, "objective">): ModelMessage[] {
  if (typeof objective === "string") return [{ role: "user", text: objective }];
  if (Array.isArray(objective) && objective.length > 0 && objective.every(isMessage))
    return objective.map(withData);
  return [{ role: "user", text: JSON.stringify(objective) }];
}

const roles = new Set<unknown>(["system", "user", "assistant", "tool"]);

function isMessage(value: unknown): value is ModelMessage {
  if (typeof value !== "object" || value === null) return false;
  const { role, text } = value as Partial<ModelMessage>;
  return roles.has(role) && typeof text === "string";
}

/** S1: what is data is kept as data, so that what stands in it under a secret's name is hidden; the model reads it after the words. */
function withData({ data, ...message }: ModelMessage & { readonly data?: JsonValue }): ModelMessage {
  if (data === undefined) return message;
  return { ...message, text: `${message.text}\n\nContext, as data:\n${canonicalJson(data)}` };
}

/** What the model said in a step, and what it was told of it, in the order in which a strategy delivers what its calls came to. */
export function messagesOfStep({ shape }: Run, { text, calls, results }: RunStep): ModelMessage[] {
  const isOrdered = shape.strategy !== "bounded_concurrent";
  const toolCalls = calls.map(({ id, name, args }) => ({ id, name, args }));
  const said: ModelMessage = { role: "assistant", text, ...(toolCalls.length > 0 && { toolCalls }) };
  const place = new Map(calls.map(({ callId, index }) => [callId, index]));
  const ordered = isOrdered
    ? results.toSorted((one, other) => (place.get(one.callId) ?? 0) - (place.get(other.callId) ?? 0))
    : results;
  const answers = ordered.map(({ callId, text: answer }): ModelMessage => {
    const call = calls.find((one) => one.callId === callId);
    return { role: "tool", toolCallId: call?.id ?? callId, text: answer };
  });
  return [said, ...answers];
}
