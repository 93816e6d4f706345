import { govern } from "@spfunctions/agent";
import { expect, test } from "vitest";
import { countingIds } from "../../../kernel/test-data/call-ids.ts";
import { FaultyStore } from "../../../kernel/test-data/call-store.ts";
import { failureOf } from "../../test-data/governed-desk.ts";
import { tradingDesk } from "../../test-data/trading-desk.ts";
import { paperTools } from "./paper-tools.ts";

const order = { ticker: "RAIN", action: "buy", side: "yes", quantity: 10, limitPriceCents: 20 } as const;

/** Paper trading under law, on a store that can fail. */
function paperDesk() {
  const desk = tradingDesk();
  const store = new FaultyStore(desk.store);
  const host = tradingDesk({ ...desk, store, ids: countingIds(2) });
  const { clock, ids } = host;
  const principal = { accountId: "ann", keyId: "key-1", scopes: ["read", "write"], kind: "key" } as const;
  const policy = { maxSideEffect: "paper_trade" } as const;
  const governed = govern({ packs: [paperTools(host)], policy, principal, store, clock, ids });
  return { store, paper: desk.paper, governed };
}

test.each([
  ["placed", "paper.order"],
  ["taken back", "paper.cancel"],
] as const)(
  "X1: whether an order is %s is unknown, never failed, where the store does not answer",
  async (_, tool) => {
    const { store, paper, governed } = paperDesk();
    const { output } = await governed.call("paper.order", order);
    const { orderId } = (output as { readonly order: { readonly orderId: string } }).order;
    store.fault = ({ documents = [] }) =>
      documents.some(({ kind }) => kind === "exchange.paper.market") ? { type: "throw" } : undefined;
    const { code, message } = await failureOf(
      governed.call(tool, tool === "paper.order" ? order : { orderId }),
    );
    expect([code, message]).toStrictEqual([
      "recovery_needed",
      expect.stringContaining("look with paper.orders"),
    ]);
    expect((await governed.unknown()).map((effect) => effect.tool)).toStrictEqual([tool]);
    expect(await paper.orders("ann", { limit: 9 })).toMatchObject([{ orderId, status: "open" }]);
  },
);
