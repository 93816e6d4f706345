import { strictObject } from "@spfunctions/contracts";
import { z } from "zod";
import type { Depth } from "../venue/market.ts";

export const ledgers = ["live", "paper"] as const;
/** The same exchange twice: what is traded on paper never meets what is traded live. */
export type Ledger = (typeof ledgers)[number];

export const orderActions = ["buy", "sell"] as const;
export const orderSides = ["yes", "no"] as const;
export const orderStatuses = ["open", "filled", "cancelled"] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** What somebody wants. Without a limit it takes what there is and leaves nothing standing. */
export type WantedOrder = {
  readonly ticker: string;
  readonly action: (typeof orderActions)[number];
  readonly side: (typeof orderSides)[number];
  readonly quantity: number;
  /** Cents for a contract of `side`, from 1 to 99. */
  readonly limitCents?: number | undefined;
  /** Whether what cannot be had at once is left standing (`gtc`, the default with a limit) or given up (`ioc`). */
  readonly timeInForce?: "gtc" | "ioc" | undefined;
};

const cents = z.int();

export const orderSchema = strictObject({
  orderId: z.string(),
  ticker: z.string(),
  action: z.enum(orderActions),
  side: z.enum(orderSides),
  quantity: z.int().min(1),
  limitCents: z.int().min(1).max(99).nullable(),
  status: z.enum(orderStatuses),
  filled: z.int().min(0),
  /** Paid for what was bought, or received for what was sold, without fees. */
  filledCents: cents,
  feeCents: cents,
  placedAt: z.int(),
  changedAt: z.int(),
  /** Why it was ended before it was filled. */
  reason: z.string().optional(),
});
export type Order = Readonly<z.infer<typeof orderSchema>>;

export const tradeSchema = strictObject({
  tradeId: z.string(),
  orderId: z.string(),
  ticker: z.string(),
  action: z.enum(orderActions),
  side: z.enum(orderSides),
  quantity: z.int().min(1),
  /** Cents for a contract of `side`. */
  priceCents: z.int().min(1).max(99),
  feeCents: cents,
  at: z.int(),
});
export type Trade = Readonly<z.infer<typeof tradeSchema>>;

export type Position = {
  readonly ticker: string;
  readonly title: string;
  readonly yes: number;
  readonly no: number;
  /** What it would bring at the best prices that others offer now. */
  readonly valueCents: number;
};

export type Portfolio = {
  readonly ledger: Ledger;
  /** Free to use. */
  readonly cashCents: number;
  /** Held for orders that stand. */
  readonly reservedCents: number;
  readonly positions: readonly Position[];
  readonly openOrders: number;
  readonly equityCents: number;
};

/** A minute's trades that somebody real had a part in, as prices of yes. `at` is when the minute began. */
export type Print = {
  readonly at: number;
  readonly lowCents: number;
  readonly highCents: number;
  readonly quantity: number;
};

/** `prints`: the last of them, oldest first. */
export type Activity = { readonly depth: Depth; readonly prints: readonly Print[] };

export type Page = { readonly after?: string | undefined; readonly limit: number };

/**
 * One ledger of the embedded venue. What cannot be (too little cash, no such market, a closed one) is thrown as an error of
 * contracts, and nothing has happened then.
 */
export interface Exchange {
  readonly ledger: Ledger;
  /**
   * `key`: whoever comes again with it gets the same order, and with another wish `idempotency_conflict`. `isFinal`: what comes
   * of it, an order or a refusal, stands for the key for ever; otherwise an order does for a week, and a refusal not at all.
   */
  place(
    accountId: string,
    key: string,
    wanted: WantedOrder,
    terms?: { readonly isFinal?: boolean },
  ): Promise<Order>;
  /** Makes sure that nothing is ever placed with a key that is final; gives the order, where there is one already. */
  giveUp(accountId: string, key: string, wanted: WantedOrder): Promise<Order | undefined>;
  /** What an order would come to now; nothing is written. */
  preview(accountId: string, wanted: WantedOrder): Promise<Order>;
  /** The order that was placed with a key which is not final, also where the key is no longer honoured; nothing is placed. */
  placed(accountId: string, key: string, wanted: WantedOrder): Promise<Order | undefined>;
  cancel(accountId: string, orderId: string): Promise<Order>;
  /** As it is now, with everything that has happened to it, as `portfolio` shows it, whether or not that is written already. */
  order(accountId: string, orderId: string): Promise<Order | undefined>;
  /** As it was last written: for whoever writes down what follows from it. */
  writtenOrder(accountId: string, orderId: string): Promise<Order | undefined>;
  /** As they are now, in the order of their ids. */
  orders(
    accountId: string,
    page: Page & { readonly status?: OrderStatus | undefined },
  ): Promise<readonly Order[]>;
  /** Those that are written, newest first. */
  trades(accountId: string, page: Page): Promise<readonly Trade[]>;
  portfolio(accountId: string): Promise<Portfolio>;
  depth(ticker: string): Promise<Depth | undefined>;
  /** What somebody real has done to a market; nothing where nobody ever has. */
  activity(ticker: string): Promise<Activity | undefined>;
  /** The same of every market that somebody real has a stake in. */
  activities(): Promise<ReadonlyMap<string, Activity>>;
  /** Brings every market that somebody stands in up to now: fills what was met, settles what has closed. */
  advance(signal?: AbortSignal): Promise<void>;
}
