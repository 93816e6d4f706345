import { encodeToolInput, isFreeRead } from "@spfunctions/contracts";
import { requireCredential } from "../identity/require-credential.ts";
import { isDocument, readDocument } from "../manifest/documents.ts";
import { type CallOptions, headersOf } from "../options/call-options.ts";
import type { ToolFacts } from "../tool/tool-facts.ts";
import type { Connection } from "../wire/connection.ts";
import type { Errand } from "../wire/outcome.ts";
import type { Answer } from "./answering.ts";
import { newIdempotencyKey } from "./new-idempotency-key.ts";
import { readEnvelope } from "./read-envelope.ts";

/** A call made ready to be sent: checked for a key, and its input written down, so that every attempt sends the same. */
export function toolErrand(
  connection: Connection,
  facts: ToolFacts,
  input: unknown,
  options: CallOptions,
  retries: number,
): Errand<Answer<unknown>> {
  const { route, sideEffect, needsKey } = facts;
  if (needsKey) requireCredential(connection.credential, route.tool);
  const { path, body } = encodeToolInput(route, inputOf(facts, input));
  const idempotencyKey = options.idempotencyKey ?? (retries > 0 ? keyForPaidRead(facts) : undefined);
  const bare = isDocument(route.tool);
  return {
    name: route.tool,
    request: {
      method: route.method,
      path,
      body,
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headersOf({ ...options, idempotencyKey }),
      },
      withKey: !bare,
    },
    isRepeatable: sideEffect === "none" || idempotencyKey !== undefined,
    read: (exchange) =>
      bare ? readDocument(route.tool, exchange) : readEnvelope(route.tool, exchange, connection.credential),
  };
}

function inputOf({ soleParam }: ToolFacts, input: unknown): unknown {
  if (typeof input === "string" && soleParam !== undefined) return { [soleParam]: input };
  return input ?? {};
}

/** A read that costs more than a request is paid for once, however often it has to be sent. */
function keyForPaidRead(facts: ToolFacts): string | undefined {
  const isPaidRead = facts.sideEffect === "none" && !isFreeRead(facts);
  return isPaidRead ? newIdempotencyKey() : undefined;
}
