// How the demo's script reads what was said, and says what is to be called.
import { type JsonObject, readCanonicalJson } from "@spfunctions/contracts";
import type { ScriptStep } from "@spfunctions/host/models";
import type { ModelMessage } from "@spfunctions/kernel";

export function calling(text: string, name: string, args: JsonObject): ScriptStep {
  return { text, toolCalls: [{ name, args }] };
}

/** What a tool has answered; nothing where it was not called yet. */
export function answerOf(messages: readonly ModelMessage[], tool: string): JsonObject | undefined {
  const calls = messages.flatMap((one) =>
    one.role === "assistant" ? (one.toolCalls ?? []).filter(({ name }) => name === tool) : [],
  );
  const [call] = calls;
  const told = messages.find((one) => one.role === "tool" && one.toolCallId === call?.id);
  return call === undefined || told === undefined ? undefined : (readCanonicalJson(told.text) as JsonObject);
}

export function whyNot({ error }: JsonObject): string | undefined {
  return (error as { readonly message?: string } | undefined)?.message;
}
