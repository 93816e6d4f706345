// What is refused here is counted, not journaled: nobody has been let in yet (B30).
import { ForbiddenError, RateLimitedError, type SimpleFunctionsError } from "@spfunctions/contracts";
import type { Clock } from "@spfunctions/kernel";
import { hostChecker, localHosts } from "./check-host.ts";
import { allowPages, type OriginAnswer, originChecker } from "./check-origin.ts";
import { corsHeaders } from "./cors.ts";
import { rateHeaders } from "./rate-headers.ts";
import { ambiguityIn, hostIn } from "./read-one-way.ts";
import { TokenBuckets } from "./token-bucket.ts";
import type { Identities } from "../identity/authenticate.ts";
import type { Caller } from "../identity/caller.ts";
import type { PlatformLimits } from "../platform-limits.ts";
import type { Inquiry } from "../route/inquiry.ts";

export type Refusal = {
  readonly type: "refused";
  readonly error: SimpleFunctionsError;
  readonly headers: Record<string, string>;
  readonly status?: number;
};
export type Admission =
  | { readonly type: "admitted"; readonly caller: Caller; readonly headers: Record<string, string> }
  | Refusal;

/** Where a request comes from. */
export type Placed = {
  readonly type: "placed";
  readonly page: OriginAnswer;
  readonly headers: Record<string, string>;
};

export type DoorTerms = {
  readonly identities: Identities;
  readonly clock: Clock;
  readonly limits: PlatformLimits;
  readonly allowedHosts?: readonly string[] | undefined;
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Told of every refusal. */
  readonly count: (reason: string) => void;
};

export class Door {
  readonly #terms: DoorTerms;
  readonly #host: ReturnType<typeof hostChecker>;
  readonly #origin: ReturnType<typeof originChecker>;
  readonly #addresses: TokenBuckets;
  readonly #keys: TokenBuckets;
  readonly #wrongKeys: TokenBuckets;
  readonly #anonymous: TokenBuckets;

  constructor(terms: DoorTerms) {
    const { allowedHosts = [], allowedOrigins = [], clock, limits } = terms;
    const maxBuckets = limits.countedCallers;
    this.#terms = terms;
    this.#host = hostChecker([...localHosts, ...allowedHosts]);
    this.#origin = originChecker({ allowedOrigins });
    this.#addresses = new TokenBuckets({ ...limits.addressRate, maxBuckets, clock });
    this.#keys = new TokenBuckets({ ...limits.keyRate, maxBuckets, clock });
    this.#wrongKeys = new TokenBuckets({ ...limits.wrongKeyRate, maxBuckets, clock });
    this.#anonymous = new TokenBuckets({ ...limits.anonymousRate, maxBuckets, clock });
  }

  async admit(inquiry: Inquiry): Promise<Admission> {
    const place = this.place(inquiry);
    if (place.type === "refused") return place;
    const identity = await this.#terms.identities.of(inquiry.header("authorization"), place.page);
    if (identity.type === "refused") {
      const tried = this.#takeOf(this.#wrongKeys, inquiry, place.headers, wrongKeyTooOften);
      return tried.type === "refused"
        ? tried
        : this.refuse(identity.error.code, identity.error, place.headers);
    }
    const { caller } = identity;
    const { accountId, keyId, kind } = caller.principal;
    if (kind === "anonymous") {
      const taken = this.#takeOf(this.#anonymous, inquiry, place.headers, anonymousTooOften);
      return taken.type === "refused" ? taken : { type: "admitted", caller, headers: taken.headers };
    }
    inquiry.note?.({ accountId, keyId });
    const take = this.#keys.take(`${accountId} ${keyId}`, caller.rateLimit);
    const headers = { ...place.headers, ...rateHeaders(take) };
    return take.ok ? { type: "admitted", caller, headers } : this.refuse("key_rate", keyTooOften, headers);
  }

  /** Where a request comes from, before it is asked who sent it. */
  place({ header, address, request, incoming }: Inquiry): Placed | Refusal {
    const ambiguity = ambiguityIn(request, incoming);
    if (ambiguity !== undefined) return this.refuse("ambiguous_request", ambiguity, {});
    // In process there is no Host header: the address that was asked for says it.
    const hostHeader = header("host") ?? hostIn(request.url);
    const host = this.#host(hostHeader);
    if (host.type === "refused") return this.refuse(host.reason, wrongHost, {}, 421);
    const page = this.#origin({
      origin: header("origin"),
      secFetchSite: header("sec-fetch-site"),
      host: hostHeader,
      protocol: request.url.startsWith("https:") ? "https:" : "http:",
    });
    const headers = corsHeaders(page);
    if (page.type === "refused") return this.refuse(page.reason, wrongPage, headers);
    const take = address === undefined ? undefined : this.#addresses.take(address);
    if (take === undefined || take.ok) return { type: "placed", page, headers };
    return this.refuse("address_rate", addressTooOften, { ...headers, ...rateHeaders(take) });
  }

  /** Whether pages of an origin are let in, at some name that this server answers to. */
  takesPagesOf(origin: string): boolean {
    const { host, protocol } = new URL(origin);
    const isOwn = this.#host(host).type === "allowed";
    const page = this.#origin({ origin, secFetchSite: undefined, host: isOwn ? host : undefined, protocol });
    return page.type !== "refused";
  }

  /** In process there is no address, and nobody to be kept out. */
  #takeOf(
    buckets: TokenBuckets,
    { address }: Inquiry,
    headers: Record<string, string>,
    tooMany: SimpleFunctionsError,
  ): { readonly type: "taken"; readonly headers: Record<string, string> } | Refusal {
    if (address === undefined) return { type: "taken", headers };
    const take = buckets.take(address);
    const all = { ...headers, ...rateHeaders(take) };
    return take.ok ? { type: "taken", headers: all } : this.refuse("address_rate", tooMany, all);
  }

  refuse(
    reason: string,
    error: SimpleFunctionsError,
    headers: Record<string, string>,
    status?: number,
  ): Refusal {
    this.#terms.count(reason);
    return { type: "refused", error, headers, ...(status !== undefined && { status }) };
  }
}

// Made once: making an error costs more than everything else that is done for a stranger.
const wrongHost: SimpleFunctionsError = new ForbiddenError(
  "this server does not answer to that host name; use the address it printed when it started, or let its operator allow the name",
  { details: { reason: "wrong_host" } },
);
const wrongPage: SimpleFunctionsError = new ForbiddenError(
  `pages of that origin may not call here; ${allowPages("<origin>")}`,
  { details: { reason: "wrong_origin" } },
);
const keyTooOften = tooOften("this key", "keyRate");
const addressTooOften = tooOften("this address", "addressRate");
const anonymousTooOften = tooOften("this address, without a key,", "anonymousRate");
const wrongKeyTooOften = tooOften("this address, with wrong keys,", "wrongKeyRate");

function tooOften(who: string, limit: keyof PlatformLimits): SimpleFunctionsError {
  return new RateLimitedError(`${who} has sent too many requests; wait as long as Retry-After says`, {
    details: { reason: "rate", limit },
  });
}
