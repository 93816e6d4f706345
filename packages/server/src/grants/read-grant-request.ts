import {
  capabilityGrantIdSchema,
  capabilitySchema,
  capabilityStatusSchema,
  grantScopeSchema,
  InvalidInputError,
  givenKeyIdSchema,
  parseAtDoor,
  parseJsonStrict,
  givenRunIdSchema,
  givenSessionIdSchema,
  strictObject,
} from "@spfunctions/contracts";
import { z } from "zod";
import { queryMembers, wholeNumber } from "../route/plain-request.ts";

/**
 * Grants in one page.
 * @limit platform.grantsListed | `invalid_input`; `after` gives the next page | fixed: the next page goes on where it ended
 */
export const mostGrantsListed = 100;

const listQuerySchema = strictObject({
  status: z.enum([...capabilityStatusSchema.options, "any"]).optional(),
  after: z.string().max(200).optional(),
  limit: wholeNumber(1, mostGrantsListed).default(50),
});
export type GrantsQuery = z.output<typeof listQuerySchema>;

const note = z.string().max(2000).optional();
const howFar = { scope: grantScopeSchema.optional(), forMs: z.int().positive().optional(), note };

/** G3: what nobody has asked for. Whose word it is, is not among what can be sent. */
export const newGrantSchema = strictObject({
  capability: capabilitySchema,
  ...howFar,
  /** Whom it is for: everybody in the account unless given. */
  keyId: givenKeyIdSchema.optional(),
  sessionId: givenSessionIdSchema.optional(),
  runId: givenRunIdSchema.optional(),
});
export type NewGrant = z.output<typeof newGrantSchema>;

/** One of three words; how far it goes is said with a yes. */
export const grantAnswerSchema = z.discriminatedUnion("answer", [
  strictObject({ answer: z.literal("granted"), ...howFar }),
  strictObject({ answer: z.literal("denied"), note }),
  strictObject({ answer: z.literal("revoked"), note }),
]);
export type GrantAnswer = z.output<typeof grantAnswerSchema>;

export function readGrantsQuery(query: string): GrantsQuery {
  return parseAtDoor(listQuerySchema, queryMembers(query), "query", InvalidInputError);
}

export function readNewGrant(body: string | undefined): NewGrant {
  return parseAtDoor(newGrantSchema, parseJsonStrict(body ?? "null"), "grant", InvalidInputError);
}

export function readGrantAnswer(body: string | undefined): GrantAnswer {
  return parseAtDoor(grantAnswerSchema, parseJsonStrict(body ?? "null"), "answer", InvalidInputError);
}

export function isCapabilityGrantId(id: string): boolean {
  return capabilityGrantIdSchema.safeParse(id).success;
}
