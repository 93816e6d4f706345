import {
  type AgentEvent,
  agentEventSchema,
  type JsonValue,
  parseAtDoor,
  parseJsonStrict,
  UpstreamError,
} from "@spfunctions/contracts";
import type { SseMessage } from "./sse-parser.ts";

const knownTypes = new Set<unknown>(agentEventSchema.options.map(({ shape }) => shape.type.value));

/** The event of a message, or nothing for a kind that this client is too old to know. */
export function readEvent({ data }: SseMessage): AgentEvent | undefined {
  const value = jsonOf(data);
  if (!knownTypes.has((value as { type?: unknown } | null)?.type)) return undefined;
  return parseAtDoor(agentEventSchema, value, "event", UpstreamError);
}

function jsonOf(text: string): JsonValue {
  try {
    return parseJsonStrict(text);
  } catch (cause) {
    throw new UpstreamError(
      "events: a message of the stream is no JSON; make sure that the address is a platform's, and go on after the last event",
      {
        details: { reason: "not_json" },
        retry: "never",
        cause,
      },
    );
  }
}
