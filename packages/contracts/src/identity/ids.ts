import { z } from "zod";

/** An id made by this system: a prefix that says what it is, and a part without meaning. */
function made<Brand extends string>(prefix: string, brand: Brand) {
  return z
    .string()
    .regex(
      new RegExp(`^${prefix}_[0-9A-Za-z-]{8,64}$`),
      `expected a ${brand}, ${prefix}_ and 8 to 64 characters`,
    )
    .brand<Brand>();
}

/** An id chosen outside: an account's name, a session's label. */
function given<Brand extends string>(brand: Brand) {
  return z
    .string()
    .regex(
      /^[0-9A-Za-z][0-9A-Za-z._:@-]{0,127}$/,
      `expected a ${brand}: 1 to 128 letters, digits or . _ : @ -, starting with a letter or digit`,
    )
    .brand<Brand>();
}

export const runIdSchema = made("run", "RunId");
export type RunId = z.infer<typeof runIdSchema>;
export const callIdSchema = made("call", "CallId");
export type CallId = z.infer<typeof callIdSchema>;
export const effectIdSchema = made("eff", "EffectId");
export type EffectId = z.infer<typeof effectIdSchema>;
export const stepIdSchema = made("step", "StepId");
export type StepId = z.infer<typeof stepIdSchema>;
export const approvalIdSchema = made("appr", "ApprovalId");
export type ApprovalId = z.infer<typeof approvalIdSchema>;
export const grantIdSchema = made("grant", "GrantId");
export type GrantId = z.infer<typeof grantIdSchema>;
export const capabilityGrantIdSchema = made("cap", "CapabilityGrantId");
export type CapabilityGrantId = z.infer<typeof capabilityGrantIdSchema>;
export const memoryIdSchema = made("mem", "MemoryId");
export type MemoryId = z.infer<typeof memoryIdSchema>;
export const messageIdSchema = made("msg", "MessageId");
/** What one run says to another. */
export type MessageId = z.infer<typeof messageIdSchema>;
export const contentRefSchema = made("content", "ContentRef");
/** Points at a content row: a payload that is kept, and can be erased, beside its record. */
export type ContentRef = z.infer<typeof contentRefSchema>;

export const accountIdSchema = given("AccountId");
export type AccountId = z.infer<typeof accountIdSchema>;
export const keyIdSchema = given("KeyId");
export type KeyId = z.infer<typeof keyIdSchema>;
export const sessionIdSchema = given("SessionId");
export type SessionId = z.infer<typeof sessionIdSchema>;
export const agentIdSchema = given("AgentId");
export type AgentId = z.infer<typeof agentIdSchema>;

export const traceIdSchema = z
  .string()
  .regex(/^(?!0{32})[0-9a-f]{32}$/, "expected a TraceId: 32 lower-case hex digits, not all zero")
  .brand<"TraceId">();
/** A W3C trace id, so that `traceparent` joins both seats of one call. */
export type TraceId = z.infer<typeof traceIdSchema>;

export const digestSchema = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/, "expected a digest: sha256: and 64 lower-case hex digits")
  .brand<"Digest">();
export type Digest = z.infer<typeof digestSchema>;

export const timestampSchema = z.iso.datetime({ error: "expected an ISO 8601 time in UTC" });
