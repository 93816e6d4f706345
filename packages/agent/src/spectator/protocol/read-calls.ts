import {
  InvalidInputError,
  parseAtDoor,
  type ProposedToolCall,
  proposedToolCallsSchema,
} from "@spfunctions/contracts";
import type { AnswerLimits } from "./answer-limits.ts";
import { type Malformed, malformed, orMalformed, readBlockJson } from "./read-block.ts";

export type ReadCalls = { readonly type: "calls"; readonly calls: readonly ProposedToolCall[] };

/** All of them or none: what a model wants done in order is not done by half. */
export function readCalls(text: string, limits: AnswerLimits): ReadCalls | Malformed {
  const read = readBlockJson(text, limits.toolCallsBytes);
  if (read.type === "malformed") return read;
  if (Array.isArray(read.value) && read.value.length > limits.callsPerAnswer) {
    return malformed(`${read.value.length} tool calls in one answer; at most ${limits.callsPerAnswer}`);
  }
  const calls = orMalformed(() =>
    parseAtDoor(proposedToolCallsSchema, read.value, "tool calls", InvalidInputError),
  );
  return calls.type === "malformed" ? calls : { type: "calls", calls: calls.value };
}
