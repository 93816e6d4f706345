import { defineTool, govern } from "@spfunctions/agent";
import { z } from "zod";

// A tool says what it changes and costs, or it does not exist.
const refund = defineTool({
  name: "orders.refund",
  description: "Pays an order back.",
  input: z.object({ orderId: z.string(), cents: z.int().min(1) }),
  output: z.object({ refundId: z.string() }),
  permissions: ["orders:write"],
  sideEffect: "user_write",
  costEffect: "none",
  run: ({ orderId }, { idempotencyKey }) => ({ refundId: `${orderId}/${idempotencyKey}` }),
});

// Who calls, and what they may. Left out means no: without maxSideEffect nothing is changed.
const shop = govern({
  packs: [refund],
  policy: { maxSideEffect: "user_write", allowTools: ["orders.*"] },
  principal: { accountId: "corner-shop", keyId: "till-1", scopes: ["read", "write"], kind: "local" },
});

// Judged, journaled before it runs, run once for this key, checked, and receipted.
const { output, receipt } = await shop.call(
  "orders.refund",
  { orderId: "o-17", cents: 450 },
  { idempotencyKey: "refund-o-17" },
);
console.log(output.refundId, receipt.verdict.outcome, receipt.hash);

// What would happen, without it happening: sixteen gates, the one that stops, and what would have allowed it.
const { outcome, gate, reason } = shop.explain("orders.refund", { orderId: "o-17", cents: 0 });
console.log(outcome, gate, reason);

await shop.close();
