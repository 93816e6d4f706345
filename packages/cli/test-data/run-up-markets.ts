// `sf up` with its markets for a test, as the real program: started, asked with the starter key, and ended in either way.
import { createMemoryStore } from "@spfunctions/kernel";
import { openMarkets } from "@spfunctions/markets";
import { readFileSync } from "node:fs";
import { setTimeout as after } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import type { Home, Started } from "./run-sf.ts";
import { keyPath, urlIn } from "./run-up.ts";

const day = 86_400_000;

export type MarketsUp = { readonly up: Started; readonly url: string };

export async function startMarkets(home: Home, argv: readonly string[] = []): Promise<MarketsUp> {
  const up = home.start(["up", "--port", "0", ...argv]);
  onTestFinished(() => void up.child.kill("SIGKILL"));
  await up.says("Ctrl-C stops it.");
  return { up, url: urlIn(up.said) };
}

export async function endMarkets({ up }: MarketsUp, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  up.child.kill(signal);
  const { code } = await up.ended;
  if (signal === "SIGTERM") expect(code).toBe(0);
}

type Asked = {
  readonly body?: object;
  readonly idempotencyKey?: string | undefined;
  /** Whose secret; the starter key's unless given. */
  readonly key?: string | undefined;
};

/** What a key is answered. */
export async function askMarkets(
  home: Home,
  { url }: MarketsUp,
  path: string,
  { body, idempotencyKey, key = keyOf(home, "starter") }: Asked = {},
): Promise<unknown> {
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
  };
  const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const answer = await fetch(`${url}${path}`, init);
  const envelope = (await answer.json()) as { ok: boolean; data: unknown };
  if (envelope.ok) return envelope.data;
  throw new Error(`${path}: ${answer.status} ${JSON.stringify(envelope)}`);
}

export function keyOf(home: Home, role: "operator" | "starter"): string {
  return readFileSync(keyPath(home, role), "utf8").trim();
}

/** Asks again and again until what is answered is what was waited for. */
export async function answerWhen<Data>(
  ask: () => Promise<unknown>,
  holds: (data: Data) => boolean,
): Promise<Data> {
  for (;;) {
    const data = (await ask()) as Data;
    if (holds(data)) return data;
    await after(50);
  }
}

export type PlacedOrder = {
  readonly orderId: string;
  readonly status: string;
  readonly reason?: string;
  readonly filledCents: number;
  readonly feeCents: number;
};

type Held = {
  readonly cashCents: number;
  readonly reservedCents: number;
  readonly openOrders: number;
  readonly positions: readonly { readonly ticker: string; readonly yes: number; readonly no: number }[];
};

/** What the account has on paper, without what its contracts would bring just now. */
export async function holdingsOf(
  home: Home,
  up: MarketsUp,
): Promise<Held & { readonly items: readonly PlacedOrder[] }> {
  const listed = (await askMarkets(home, up, "/api/paper/orders?limit=100")) as { items: PlacedOrder[] };
  const portfolio = (await askMarkets(home, up, "/api/portfolio?ledger=paper")) as Held;
  const { cashCents, reservedCents, openOrders } = portfolio;
  const positions = portfolio.positions.map(({ ticker, yes, no }) => ({ ticker, yes, no }));
  return { items: listed.items, cashCents, reservedCents, openOrders, positions };
}

/** A market that stays open for as long as any test does, far from either end, with a day behind it. */
export async function lastingTicker(seed?: string): Promise<string> {
  const [embedded] = (await openMarkets({ store: createMemoryStore(), seed })).readers;
  const lasting = (await embedded?.rows())?.find(
    ({ bidCents, askCents, opensAt, closesAt }) =>
      (bidCents ?? 0) > 30 &&
      (askCents ?? 100) < 70 &&
      opensAt < Date.now() - day &&
      closesAt > Date.now() + 3 * day,
  );
  if (lasting === undefined) throw new Error("no market of the embedded venue lasts");
  return lasting.ticker;
}

/** An order of two contracts of yes. */
export function buying(ticker: string, more: object = {}): object {
  return { ticker, action: "buy", side: "yes", quantity: 2, ...more };
}
