import { defineTool, govern } from "@spfunctions/agent";
import { z } from "zod";

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

const principal = { accountId: "shop", keyId: "till", scopes: ["read", "write"], kind: "local" } as const;
const shop = govern({ packs: [refund], policy: { maxSideEffect: "user_write" }, principal });

const wanted = { orderId: "o-17", cents: 450 };
const { output, receipt } = await shop.call("orders.refund", wanted, { idempotencyKey: "refund-o-17" });
console.log(output.refundId, receipt.verdict.outcome, receipt.hash);
await shop.close();
