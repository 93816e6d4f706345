/** Runtimes that give a worker's globals to code that no visitor can read. */
const servers = /^(?:Node\.js|Deno|Bun|Cloudflare-Workers)\b/;

type Scope = {
  readonly window?: unknown;
  readonly document?: unknown;
  readonly importScripts?: unknown;
  readonly WorkerGlobalScope?: unknown;
  readonly EdgeRuntime?: unknown;
  readonly navigator?: { readonly userAgent?: unknown } | undefined;
};

/** Whether whoever visits a page can read what this code holds. In doubt it says yes. */
export function isBrowser(scope: object = globalThis): boolean {
  const { window, document, importScripts, WorkerGlobalScope, EdgeRuntime, navigator } = scope as Scope;
  if (window !== undefined && document !== undefined) return true;
  const isWorker = typeof importScripts === "function" || WorkerGlobalScope !== undefined;
  return isWorker && EdgeRuntime === undefined && !servers.test(String(navigator?.userAgent));
}
