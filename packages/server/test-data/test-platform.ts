import type { HttpEnvelope } from "@spfunctions/contracts";
import { createMemoryStore, newInstallationSecret, openInstallation, type Store } from "@spfunctions/kernel";
import { onTestFinished } from "vitest";
import { listen } from "../src/listen/listen.ts";
import { openPlatform, type Platform } from "../src/open-platform.ts";
import type { PlatformOptions } from "../src/platform-options.ts";
import { classPack, type Deeds } from "./class-pack.ts";

/** One installation for a file: what it holds secret is looked for in every text from then on. */
export const installation = openInstallation(newInstallationSecret());

export const generous = {
  keyRate: { perSecond: 10_000, burst: 100_000 },
  addressRate: { perSecond: 10_000, burst: 100_000 },
};

export type TestPlatform = {
  readonly platform: Platform;
  readonly store: Store;
  readonly deeds: Deeds;
  /** Where it is asked: on a socket, or in process. */
  readonly baseUrl: string;
  readonly fetch: (request: Request) => Promise<Response>;
  /** A key's secret. */
  readonly key: (accountId: string, key?: Parameters<Platform["createKey"]>[1]) => Promise<string>;
};

export type Way = "socket" | "embedded";

/** A platform with a tool of every class, which ends with its test. */
export async function testPlatform(
  way: Way = "embedded",
  { store = createMemoryStore(), ...options }: Partial<PlatformOptions> = {},
): Promise<TestPlatform> {
  const deeds: Deeds = [];
  const platform = await openPlatform({
    store,
    installation,
    packs: [classPack(deeds)],
    limits: generous,
    ...options,
  });
  onTestFinished(async () => void (await platform.close()));
  const key: TestPlatform["key"] = async (accountId, wanted = { scopes: ["read", "write"] }) =>
    (await platform.createKey(accountId, wanted)).secret;
  if (way === "embedded") {
    const baseUrl = "http://localhost";
    return { platform, store, deeds, baseUrl, fetch: (request) => platform.fetch(request), key };
  }
  const { url, close } = await listen(platform, { port: 0 });
  onTestFinished(() => close(0));
  return { platform, store, deeds, baseUrl: url, fetch: (request) => fetch(request), key };
}

export type Asked = {
  readonly method?: string;
  readonly key?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Answer = { readonly status: number; readonly headers: Headers; readonly body: HttpEnvelope };

/** One request and its envelope. */
export async function ask(
  { baseUrl, fetch }: Pick<TestPlatform, "baseUrl" | "fetch">,
  path: string,
  { method, key, body, headers }: Asked = {},
): Promise<Answer> {
  const request = new Request(`${baseUrl}${path}`, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const response = await fetch(request);
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as HttpEnvelope,
  };
}
