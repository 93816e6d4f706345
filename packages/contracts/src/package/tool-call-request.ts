import { z } from "zod";
import { callIdSchema, contentRefSchema } from "../identity/ids.ts";
import { originSchema } from "../identity/principal.ts";
import { effectIntentSchema } from "../record/effect.ts";
import { strictObject } from "../schema/strict-object.ts";
import { packageRouteSchema } from "./package-route.ts";
import { toolExecutionStrategySchema } from "./tool-execution-strategy.ts";

/** A call as somebody asks for it. */
export const toolCallRequestSchema = strictObject({
  callId: callIdSchema,
  /** As it was asked for: there may be no such tool. */
  canonicalToolName: z.string().max(200),
  origin: originSchema,
  /** The input, as content rows. */
  requestedArgsRefs: z.array(contentRefSchema),
  redactedArgsSummary: z.string(),
  idempotencyKey: z.string().min(1).max(256).optional(),
});
export type ToolCallRequest = z.infer<typeof toolCallRequestSchema>;

/** A call and the one route it takes. */
export const resolvedToolCallSchema = strictObject({
  request: toolCallRequestSchema,
  route: packageRouteSchema,
}).refine(({ request, route }) => request.canonicalToolName === route.canonicalToolName, {
  error: "a call takes the route of the tool that it names",
  path: ["route", "canonicalToolName"],
});
export type ResolvedToolCall = z.infer<typeof resolvedToolCallSchema>;

/** What an executor is asked to do, once it has been allowed and its intent is committed (J1). */
export const toolExecutionRequestSchema = strictObject({
  resolvedCall: resolvedToolCallSchema,
  effectIntent: effectIntentSchema,
  strategy: toolExecutionStrategySchema,
})
  .refine(({ resolvedCall, effectIntent }) => effectIntent.callId === resolvedCall.request.callId, {
    error: "the intent is that of the call",
    path: ["effectIntent", "callId"],
  })
  .refine(({ resolvedCall, effectIntent }) => effectIntent.tool === resolvedCall.route.canonicalToolName, {
    error: "the intent names the tool of the route",
    path: ["effectIntent", "tool"],
  })
  .refine(({ resolvedCall, effectIntent }) => effectIntent.sideEffect === resolvedCall.route.effectClass, {
    error: "the intent has the effect class of the route",
    path: ["effectIntent", "sideEffect"],
  });
export type ToolExecutionRequest = z.infer<typeof toolExecutionRequestSchema>;
