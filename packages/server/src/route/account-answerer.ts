// Routes of the platform's own that are about the caller's account: the same door, limits and words as a tool's, and no tool behind.
import { MissingApiKeyError, type SimpleFunctionsError } from "@spfunctions/contracts";
import type { Caller } from "../identity/caller.ts";
import type { UnderWay } from "../under-way.ts";
import { answerData, answerError, type Fault } from "./answer.ts";
import { type Inquiry, queryOf } from "./inquiry.ts";
import { enter, takeQuota, type WayInHost } from "./way-in.ts";

export type AccountHost = WayInHost & {
  readonly fault: Fault;
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
    const hasBody = inquiry.request.method !== "GET";
    const entered = await enter(host, inquiry, { missingKey: () => missingKey, hasBody });
    if (entered.type === "answered") return entered.answer;
    const quota = await takeQuota(host, entered, { costEffect: "api_cost" });
    if (quota.type === "answered") return quota.answer;
    const { caller, body, terms } = entered;
    try {
      const signal = AbortSignal.any([host.closing, inquiry.request.signal]);
      const asked = { caller, params, query: queryOf(inquiry.request), body, signal };
      return answerData(await host.underWay(act(asked)), terms);
    } catch (thrown) {
      quota.giveBack();
      return answerError(host.fault(thrown, terms.requestId), terms);
    }
  };
}

// Made once: making an error costs more than everything else that is done for a stranger.
const missingKey: SimpleFunctionsError = new MissingApiKeyError(
  "this route needs a key: send Authorization: Bearer with one",
);
