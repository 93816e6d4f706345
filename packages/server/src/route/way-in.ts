// The way in of every route that is about an account, in its order: who asks, with which body, and what of its quota that takes.
import { type CostEffect, RateLimitedError, type SimpleFunctionsError } from "@spfunctions/contracts";
import type { Door } from "../door/door.ts";
import { anonymousAccount, type Caller } from "../identity/caller.ts";
import type { KeyUsage } from "../keys/key-usage.ts";
import type { PlatformLimits } from "../platform-limits.ts";
import { type KeyQuotas, type QuotaTake, untaken } from "../quota/key-quotas.ts";
import { answerClosing, answerError, type AnswerTerms, type ErrorTerms } from "./answer.ts";
import type { Inquiry } from "./inquiry.ts";
import { readBody } from "./read-body.ts";

export type WayInHost = {
  readonly door: Door;
  readonly usage: KeyUsage;
  readonly quotas: KeyQuotas;
  readonly limits: PlatformLimits;
  readonly requestId: () => string;
  /** Aborted once nothing new begins here any more. */
  readonly closing: AbortSignal;
};

/** There is no way on, and why is answered. */
export type Answered = { readonly type: "answered"; readonly answer: Response };

/** Somebody who was let in, with what they have brought. */
export type Entered = {
  readonly type: "entered";
  readonly caller: Caller;
  readonly body: string | undefined;
  readonly terms: AnswerTerms;
  /** Counted, as all that is refused at the door. */
  readonly refuse: (reason: string, error: SimpleFunctionsError, more?: Partial<ErrorTerms>) => Answered;
};

export type Taken = Extract<QuotaTake, { type: "taken" }>;

/** `missingKey`: what is said to whoever has none, where it takes one. */
export async function enter(
  { door, limits, requestId: newId }: Pick<WayInHost, "door" | "limits" | "requestId">,
  inquiry: Inquiry,
  terms: { readonly missingKey: (() => SimpleFunctionsError) | undefined; readonly hasBody: boolean },
): Promise<Entered | Answered> {
  const requestId = newId();
  const admission = await door.admit(inquiry);
  if (admission.type === "refused")
    return { type: "answered", answer: answerError(admission.error, { requestId, ...admission }) };
  const { missingKey, hasBody } = terms;
  const { caller, headers } = admission;
  const refuse: Entered["refuse"] = (reason, error, more) => {
    door.refuse(reason, error, headers);
    const all = { requestId, ...more, headers: { ...headers, ...more?.headers } };
    return { type: "answered", answer: answerError(error, all) };
  };
  if (missingKey !== undefined && caller.principal.kind === "anonymous")
    return refuse("missing_api_key", missingKey());
  const body = hasBody ? await readBody(inquiry, limits.requestBodyBytes) : undefined;
  if (body?.type === "refused") return refuse("bad_body", body.error, { status: body.status });
  return { type: "entered", caller, body: body?.text, terms: { requestId, headers }, refuse };
}

export type Cost = {
  readonly costEffect: CostEffect;
  readonly tool?: string | undefined;
  /** Asked where nothing is left: whether nothing would run. */
  readonly isFree?: (() => Promise<boolean>) | undefined;
};

/** The last step before something begins. */
export async function takeQuota(
  { quotas, limits, usage, closing }: WayInHost,
  { caller, terms, refuse }: Entered,
  cost: Cost,
): Promise<Taken | Answered> {
  // What was still arriving when the end began has not begun itself.
  const late = (): Answered => ({ type: "answered", answer: answerClosing(terms) });
  if (closing.aborted) return late();
  const { principal } = caller;
  const quota = await takeOfKey({ quotas, limits }, caller, cost);
  if (quota.type === "used_up") {
    const headers = { "Retry-After": String(Math.ceil(quota.resetMs / 1000)) };
    return refuse("quota", usedUp(cost, quota), { headers });
  }
  if (closing.aborted) {
    quota.giveBack();
    return late();
  }
  if (principal.accountId !== anonymousAccount) usage.note(principal.accountId, principal.keyId);
  return quota;
}

/** Takes one call of a caller's key, unless nothing would run. */
export async function takeOfKey(
  { quotas, limits }: Pick<WayInHost, "quotas" | "limits">,
  { principal, quotas: own }: Caller,
  { costEffect, isFree }: Cost,
): Promise<QuotaTake> {
  const all = own === undefined ? limits.quotas : { ...limits.quotas, ...own };
  const taken = await quotas.take(principal, costEffect, all);
  return taken.type === "used_up" && (await isFree?.()) === true ? untaken : taken;
}

export function usedUp(
  { costEffect, tool }: Pick<Cost, "costEffect" | "tool">,
  { limit, resetMs }: Extract<QuotaTake, { type: "used_up" }>,
): SimpleFunctionsError {
  const calls = limit === 1 ? "one call" : `${limit} calls`;
  const minutes = Math.ceil(resetMs / 60_000);
  const when = minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
  return new RateLimitedError(
    `${tool === undefined ? "" : `${tool}: `}this key has ${calls} of class ${costEffect} a day, and no more today; again in ${when}`,
    { details: { ...(tool !== undefined && { tool }), reason: "quota", costEffect, retryAfterMs: resetMs } },
  );
}
