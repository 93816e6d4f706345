// The web, behind the law: what may be reached is asked before every request, and nothing else is reached (B29).
import { CancelledError, isSimpleFunctionsError, TimeoutError } from "@spfunctions/contracts";
import {
  type Clock,
  heedless,
  type Installation,
  processInstallation,
  type Reach,
  type Store,
  systemClock,
  type ToolContext,
} from "@spfunctions/kernel";
import { Patience } from "../../waiting/patience.ts";
import { type Resolve, systemResolve } from "./address/vet-addresses.ts";
import { PageCache } from "./cache/page-cache.ts";
import { type GetOutput, viewOf } from "./get-contract.ts";
import { follow } from "./http/follow.ts";
import type { HttpLimits } from "./http-limits.ts";
import { readPage } from "./page/read-page.ts";
import type { Page } from "./page.ts";
import { ownUserAgent, readUserAgent } from "./user-agent.ts";

export type WebOptions = {
  /** Where answers are kept for a while, each account's apart. Without one, every call fetches. A function is asked with every call. */
  readonly store?: Store | (() => Store | undefined) | undefined;
  /**
   * Proves what is kept: a page without its proof is fetched again. Without one, pages that another process has kept count for nothing.
   * A function is asked with every call.
   */
  readonly installation?: Installation | (() => Installation | undefined) | undefined;
  /** Told once of a page that was kept and has no valid proof; the process warns unless given. */
  readonly onTrouble?: ((trouble: WebTrouble) => void) | undefined;
  /** Asked for the addresses of a name; the machine's own way unless given. */
  readonly resolve?: Resolve | undefined;
  /** What servers are told; `SimpleFunctions/<version>` unless given. */
  readonly userAgent?: string | undefined;
  readonly clock?: Pick<Clock, "now" | "after"> | undefined;
};

export type WebTrouble = { readonly what: string; readonly error: unknown };

export type GetInput = { readonly url: string; readonly use_cache: boolean };

/** Fetches pages for whoever may, or gives what was kept. */
export class PageGetter {
  readonly #limits: HttpLimits;
  readonly #clock: Pick<Clock, "now" | "after">;
  readonly #resolve: Resolve;
  readonly #userAgent: string;
  readonly #cacheNow: () => PageCache | undefined;

  constructor(limits: HttpLimits, options: WebOptions) {
    const { store, clock = systemClock, resolve = systemResolve, userAgent = ownUserAgent } = options;
    const { installation, onTrouble = warn } = options;
    this.#limits = limits;
    this.#clock = clock;
    this.#resolve = resolve;
    this.#userAgent = readUserAgent(userAgent);
    const storeNow = typeof store === "function" ? store : () => store;
    const installationNow = typeof installation === "function" ? installation : () => installation;
    const onUnproven = once((error: unknown) => heedless(onTrouble)({ what: "the cache of pages", error }));
    this.#cacheNow = () => {
      const kept = storeNow();
      const { keyHash: proves } = installationNow() ?? processInstallation();
      return kept && new PageCache({ store: kept, clock, ttlS: limits.cacheTtlS, proves, onUnproven });
    };
  }

  async get(input: GetInput, context: ToolContext): Promise<GetOutput> {
    const patience = new Patience(this.#clock, this.#limits.httpMs, context.signal);
    try {
      return await patience.race(this.#get(input, context, patience.signal));
    } catch (fault) {
      throw this.#faultOf(fault, patience, context.signal);
    } finally {
      patience.close();
    }
  }

  async #get(
    { url, use_cache: mayReuse }: GetInput,
    context: ToolContext,
    signal: AbortSignal,
  ): Promise<GetOutput> {
    const { accountId } = context.principal;
    const reach = await context.authorize(url);
    signal.throwIfAborted();
    const cache = this.#cacheNow();
    const kept = mayReuse ? await cache?.read(accountId, reach.url) : undefined;
    const isWhole = kept !== undefined && kept.hops.length <= this.#limits.redirects + 1;
    if (isWhole && (await isStillAllowed(kept, reach, context)))
      return viewOf(kept, { hit: true, expiresAt: cache?.expiresAt(kept) });
    signal.throwIfAborted();
    return await this.#fetch(reach, context, signal);
  }

  async #fetch(reach: Reach, context: ToolContext, signal: AbortSignal): Promise<GetOutput> {
    const limits = this.#limits;
    const terms = { resolve: this.#resolve, userAgent: this.#userAgent, limits, signal };
    const followed = await follow(reach, { ...terms, authorize: context.authorize });
    const { hops, status, headers } = followed;
    const page: Page = {
      ...(await readPage(followed, { textChars: limits.textChars, signal })),
      status,
      hops: hops.map(({ url, isLocal }) => ({ url, isLocal })),
      fetchedAt: this.#clock.now(),
    };
    const mayKeep =
      status >= 200 && status < 300 && !/\bno-store\b/i.test((headers["cache-control"] ?? []).join());
    const cache = this.#cacheNow();
    const isKept = await cache?.keep(context.principal.accountId, page, mayKeep);
    return viewOf(page, {
      hit: false,
      expiresAt: isKept === true ? cache?.expiresAt(page) : undefined,
    });
  }

  #faultOf(fault: unknown, { early }: Patience, asked: AbortSignal): unknown {
    if (early === "silent")
      return new TimeoutError(
        `http.get: no whole answer within ${this.#limits.httpMs} ms; give it more with limits.httpMs`,
        { details: { reason: "http_time" } },
      );
    if (early === undefined) return fault;
    return isSimpleFunctionsError(asked.reason) ? asked.reason : new CancelledError("http.get: cancelled");
  }
}

/** What was kept is given only while every address that it came through may be reached, and on the same terms. */
async function isStillAllowed({ hops }: Page, first: Reach, { authorize }: ToolContext): Promise<boolean> {
  const reaches = [first, ...(await Promise.all(hops.slice(1).map(({ url }) => authorize(url))))];
  return hops.every(({ url, isLocal }, at) => reaches[at]?.url === url && reaches[at].isLocal === isLocal);
}

function warn({ what, error }: WebTrouble): void {
  const why = error instanceof Error ? error.message : "no reason given";
  process.emitWarning(`${what}: ${why}`, { type: "WebWarning" });
}

function once(tell: (error: unknown) => void): (error: unknown) => void {
  let isTold = false;
  return (error) => {
    if (!isTold) tell(error);
    isTold = true;
  };
}
