import type { GetOutput } from "../src/tools/web/get-contract.ts";
import { type HttpLimits, readHttpLimits } from "../src/tools/web/http-limits.ts";
import { PageGetter, type WebOptions } from "../src/tools/web/page-getter.ts";
import { resolveLocal, webContext, type WebContext } from "./web-server.ts";

export type GetTerms = WebOptions & {
  readonly context?: WebContext;
  readonly limits?: Partial<HttpLimits>;
  readonly useCache?: boolean;
};

/** Gets a page from this machine as the tool does. */
export async function getPage(url: string, terms: GetTerms = {}): Promise<GetOutput> {
  const { context = webContext(), limits, useCache = true, ...options } = terms;
  const getter = new PageGetter(readHttpLimits(limits), { resolve: resolveLocal, ...options });
  return await getter.get({ url, use_cache: useCache }, context);
}

/** How it failed: code and reason, or nothing. */
export async function failureOf(getting: Promise<unknown>): Promise<string | undefined> {
  try {
    await getting;
    return undefined;
  } catch (fault) {
    const { code, details } = fault as { code?: string; details?: { reason?: string } };
    if (code === undefined) throw fault;
    return details?.reason === undefined ? code : `${code} ${details.reason}`;
  }
}
