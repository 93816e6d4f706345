import { strictObject, timestampSchema } from "@spfunctions/contracts";
import { z } from "zod";
import { type Order, orderActions, orderSides, orderStatuses } from "./exchange.ts";

/** The name of an order, which is no secret. */
export const shownOrderIdSchema = z
  .string()
  .regex(/^ord_[\w-]{1,64}$/)
  .meta({ "x-sf-public": true });

/** An order as its account sees it. */
export const orderViewSchema = strictObject({
  orderId: shownOrderIdSchema,
  ticker: z.string(),
  action: z.enum(orderActions),
  side: z.enum(orderSides),
  quantity: z.int(),
  limitPriceCents: z.int().optional(),
  status: z.enum(orderStatuses),
  filled: z.int(),
  filledCents: z.int(),
  feeCents: z.int(),
  placedAt: timestampSchema,
  changedAt: timestampSchema,
  reason: z.string().optional(),
});
export type OrderView = z.infer<typeof orderViewSchema>;

export function viewOfOrder({ limitCents, placedAt, changedAt, ...order }: Order): OrderView {
  return {
    ...order,
    ...(limitCents !== null && { limitPriceCents: limitCents }),
    placedAt: new Date(placedAt).toISOString(),
    changedAt: new Date(changedAt).toISOString(),
  };
}
