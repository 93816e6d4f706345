import { isSimpleFunctionsError, UpstreamError } from "@spfunctions/contracts";
import type { Answer } from "../call/answering.ts";
import { readEnvelope } from "../call/read-envelope.ts";
import { requireCredential } from "../identity/require-credential.ts";
import type { ReachOptions } from "../options/call-options.ts";
import type { Limits } from "../options/limits.ts";
import type { Connection, WireRequest } from "./connection.ts";
import { Deadline } from "./deadline.ts";
import { deliver } from "./deliver.ts";
import type { Exchange, Outcome } from "./outcome.ts";

/** A request to a route of the platform's own, behind which there is no tool. */
export type Asked<Data> = {
  readonly name: string;
  readonly path: string;
  readonly body?: string;
  /** What decides about a call is read like everything else from outside: whole, or not at all. */
  readonly read: (data: unknown) => Data;
  /** Sending it twice does no more than sending it once. */
  readonly isRepeatable: boolean;
};

export async function askPlatform<Data>(
  connection: Connection,
  limits: Limits,
  { name, path, body, read: readData, isRepeatable }: Asked<Data>,
  { signal, timeoutMs }: ReachOptions,
): Promise<Answer<Data>> {
  const credential = requireCredential(connection.credential, name);
  const request: WireRequest = {
    method: body === undefined ? "GET" : "POST",
    path,
    body,
    headers: {
      accept: "application/json",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    withKey: true,
  };
  const read = (exchange: Exchange) => readAs(readData, readEnvelope(name, exchange, credential));
  const deadline = new Deadline(limits.timing, timeoutMs ?? limits.timeoutMs, signal);
  try {
    return await deliver(connection, limits, { name, request, isRepeatable, read }, deadline);
  } finally {
    deadline.close();
  }
}

function readAs<Data>(
  read: (data: unknown) => Data,
  outcome: Outcome<Answer<unknown>>,
): Outcome<Answer<Data>> {
  if (outcome.type === "failed") return outcome;
  try {
    return { type: "answered", value: { ...outcome.value, data: read(outcome.value.data) } };
  } catch (error) {
    if (!isSimpleFunctionsError(error)) throw error;
    const { message, details = {} } = error;
    return {
      type: "failed",
      error: new UpstreamError(message, { details: { ...details }, retry: "never" }),
      mayHelp: false,
    };
  }
}
