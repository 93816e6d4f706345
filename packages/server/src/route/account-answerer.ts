// Routes of the platform's own that are about the caller's account: the same door, limits and words as a tool's, and no tool behind.
import { MissingApiKeyError, RateLimitedError, type SimpleFunctionsError } from "@spfunctions/contracts";
import type { Caller } from "../identity/caller.ts";
import type { KeyUsage } from "../keys/key-usage.ts";
import type { PlatformLimits } from "../platform-limits.ts";
import type { KeyQuotas } from "../quota/key-quotas.ts";
import { answerClosing, answerData, answerError, type Fault } from "./answer.ts";
import type { Door } from "../door/door.ts";
import { type Inquiry, queryOf } from "./inquiry.ts";
import type { UnderWay } from "../under-way.ts";
import { readBody } from "./read-body.ts";

export type AccountHost = {
  readonly door: Door;
  readonly usage: KeyUsage;
  readonly quotas: KeyQuotas;
  readonly limits: PlatformLimits;
  readonly requestId: () => string;
  readonly fault: Fault;
  /** Aborted once nothing new begins here any more. */
  readonly closing: AbortSignal;
  readonly underWay: UnderWay["add"];
};

/** What a caller asks of its account. */
export type AccountRequest = {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  /** Raw, without its question mark. */
  readonly query: string;
  readonly body: string | undefined;
  /** Aborted when whoever asked has gone, or the platform closes. */
  readonly signal: AbortSignal;
};

type Params = AccountRequest["params"];

/** `act` gives the data of the answer; what it throws is answered as an error. */
export function accountAnswerer(
  host: AccountHost,
  act: (request: AccountRequest) => Promise<unknown>,
): (inquiry: Inquiry, params: Params) => Promise<Response> {
  return async (inquiry, params) => {
    const requestId = host.requestId();
    const admission = await host.door.admit(inquiry);
    if (admission.type === "refused") return answerError(admission.error, { requestId, ...admission });
    const { caller, headers } = admission;
    const refuse = (reason: string, error: SimpleFunctionsError, more: Refused = {}) =>
      answerError(host.door.refuse(reason, error, headers).error, {
        requestId,
        headers: { ...headers, ...more.headers },
        status: more.status,
      });
    const { accountId, keyId, kind } = caller.principal;
    if (kind === "anonymous") return refuse("missing_api_key", missingKey);
    const hasBody = inquiry.request.method !== "GET";
    const body = hasBody ? await readBody(inquiry, host.limits.requestBodyBytes) : undefined;
    if (body?.type === "refused") return refuse("bad_body", body.error, body);
    if (host.closing.aborted) return answerClosing({ requestId, headers });
    const quotas = { ...host.limits.quotas, ...caller.quotas };
    const quota = await host.quotas.take(caller.principal, "api_cost", quotas);
    if (quota.type === "used_up") {
      const retryAfter = String(Math.ceil(quota.resetMs / 1000));
      return refuse("quota", usedUp(quota.limit), { headers: { "Retry-After": retryAfter } });
    }
    host.usage.note(accountId, keyId);
    try {
      const signal = AbortSignal.any([host.closing, inquiry.request.signal]);
      const asked = { caller, params, query: queryOf(inquiry.request), body: body?.text, signal };
      return answerData(await host.underWay(act(asked)), { requestId, headers });
    } catch (thrown) {
      quota.giveBack();
      return answerError(host.fault(thrown, requestId), { requestId, headers });
    }
  };
}

type Refused = { readonly headers?: Record<string, string>; readonly status?: number };

// Made once: making an error costs more than everything else that is done for a stranger.
const missingKey: SimpleFunctionsError = new MissingApiKeyError(
  "this route needs a key: send Authorization: Bearer with one",
);

function usedUp(limit: number): SimpleFunctionsError {
  return new RateLimitedError(
    `the ${limit} calls of class api_cost that this key has a day are used up; they are there again tomorrow (UTC)`,
    { details: { reason: "quota", costEffect: "api_cost" } },
  );
}
