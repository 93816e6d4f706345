import type { SimpleFunctionsError } from "@spfunctions/contracts";
import type { WireRequest } from "./connection.ts";

/** An answer as it came in, whole. */
export type Exchange = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** How long the platform asks to wait, if it does. */
  readonly retryAfterMs?: number | undefined;
};

/** How one attempt ended. */
export type Outcome<Value> = { readonly type: "answered"; readonly value: Value } | Failure;

export type Failure = {
  readonly type: "failed";
  readonly error: SimpleFunctionsError;
  /** Whether the same request could end otherwise later. Whether it may be sent again is another question. */
  readonly mayHelp: boolean;
  readonly retryAfterMs?: number | undefined;
  /** No answer of the platform came: what was sent may have taken effect all the same. */
  readonly isUnanswered?: true;
};

/** What is sent, what may be done with it, and how its answer is read. */
export type Errand<Value> = {
  /** The tool, or what else to call it in a message. */
  readonly name: string;
  readonly request: WireRequest;
  /** Sending it twice does no more than sending it once. */
  readonly isRepeatable: boolean;
  readonly read: (exchange: Exchange) => Outcome<Value>;
};
