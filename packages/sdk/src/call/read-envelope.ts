import {
  type EnvelopeMeta,
  type ErrorDetails,
  errorFor,
  type HttpEnvelope,
  httpEnvelopeSchema,
  isSimpleFunctionsError,
  type JsonValue,
  parseAtDoor,
  parseJsonStrict,
  UpstreamError,
} from "@spfunctions/contracts";
import type { Credential } from "../identity/credential.ts";
import { badAnswer, isPassing } from "../wire/faults.ts";
import type { Exchange, Failure, Outcome } from "../wire/outcome.ts";
import { maxAnswerBytes } from "../wire/read-text.ts";
import type { Answer } from "./answering.ts";

/** The platform's answer about a tool: its data with the receipt, or its refusal as the error of its code. */
export function readEnvelope(
  name: string,
  exchange: Exchange,
  credential: Credential | undefined,
): Outcome<Answer<unknown>> {
  const value = readJson(name, exchange);
  if (value.type === "failed") return value;
  const envelope = envelopeOf(value.value);
  if (isSimpleFunctionsError(envelope)) {
    const { details = {} } = envelope;
    return badAnswer(name, exchange, { reason: "not_an_envelope", says: "is no envelope", details });
  }
  if (!envelope.ok) return refusalOf(envelope, exchange, credential);
  if (exchange.status < 200 || exchange.status > 299) {
    return badAnswer(name, exchange, { reason: "contradicts_status", says: "calls itself a success" });
  }
  return { type: "answered", value: answerOf(envelope.data, envelope.meta) };
}

/** The body as JSON: of a proxy's page, or half an answer, nothing is believed. */
export function readJson(name: string, exchange: Exchange): Outcome<JsonValue> {
  try {
    return { type: "answered", value: parseJsonStrict(exchange.text, { maxBytes: maxAnswerBytes }) };
  } catch {
    return badAnswer(name, exchange, { reason: "not_json", says: "is no JSON" });
  }
}

function envelopeOf(value: JsonValue): HttpEnvelope | UpstreamError {
  try {
    return parseAtDoor(httpEnvelopeSchema, value, "answer", UpstreamError);
  } catch (error) {
    if (error instanceof UpstreamError) return error;
    throw error;
  }
}

function answerOf(data: unknown, meta: EnvelopeMeta): Answer<unknown> {
  const { requestId, receipt, replayed = false, redacted = [] } = meta;
  return { data, ...(receipt === undefined ? {} : { receipt }), requestId, replayed, redacted };
}

/** As the platform said it, with what is needed to ask about it; a platform that repeats our key is not repeated. */
function refusalOf(
  { error, meta }: Extract<HttpEnvelope, { ok: false }>,
  { status, retryAfterMs }: Exchange,
  credential: Credential | undefined,
): Failure {
  // What only this side says of an answer is not taken from the answer.
  const { receipt: _receipt, earlier: _earlier, ...said } = error.details ?? {};
  const details = {
    ...said,
    status,
    requestId: meta.requestId,
    ...(meta.receipt === undefined ? {} : { receipt: meta.receipt }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
  const message = credential === undefined ? error.message : credential.hideInText(error.message);
  const shown = credential === undefined ? details : (credential.hideIn(details) as ErrorDetails);
  return {
    type: "failed",
    error: errorFor(error.code, message, { details: shown }),
    // Under our own key another attempt may still be at work: its answer will come.
    mayHelp: isPassing(status) || error.code === "idempotency_in_progress",
    retryAfterMs,
  };
}
