import {
  approvalIdSchema,
  approvalStatusSchema,
  grantIdSchema,
  InvalidInputError,
  isJsonPointer,
  parseAtDoor,
  parseJsonStrict,
  strictObject,
} from "@spfunctions/contracts";
import { z } from "zod";
import { queryMembers, wholeNumber } from "../route/plain-request.ts";

/**
 * How long a request for one approval is held open at most.
 * @limit platform.approvalWaitMs | `invalid_input`; ask again for longer | fixed: below what proxies cut
 */
export const mostWaitMs = 25_000;

/**
 * Approvals in one page.
 * @limit platform.approvalsListed | `invalid_input`; `after` gives the next page | fixed: the next page goes on where it ended
 */
export const mostListed = 100;

const statusSchema = z.enum([...approvalStatusSchema.options, "any"]);

const listQuerySchema = strictObject({
  status: statusSchema.default("pending"),
  after: z.string().max(200).optional(),
  limit: wholeNumber(1, mostListed).default(50),
});
export type ListQuery = z.output<typeof listQuerySchema>;

const getQuerySchema = strictObject({ waitMs: wholeNumber(0, mostWaitMs).default(0) });

const note = z.string().max(2000).optional();

/** B8, B9: one of three words, and whose they are is not among what can be sent. */
export const answerSchema = z.discriminatedUnion("answer", [
  strictObject({ answer: z.literal("approved"), note }),
  strictObject({ answer: z.literal("denied"), note }),
  strictObject({
    answer: z.literal("approved_for_session"),
    note,
    /** Members of the input that must stay as they are, as JSON pointers. */
    fixed: z.array(z.string().max(500).refine(isJsonPointer, "expected a JSON pointer")).max(100).optional(),
    maxUses: z.int().positive().optional(),
    forMs: z.int().positive().optional(),
  }),
]);
export type GivenAnswer = z.output<typeof answerSchema>;

export function readListQuery(query: string): ListQuery {
  return parseAtDoor(listQuerySchema, queryMembers(query), "query", InvalidInputError);
}

export function readGetQuery(query: string): z.output<typeof getQuerySchema> {
  return parseAtDoor(getQuerySchema, queryMembers(query), "query", InvalidInputError);
}

export function readAnswer(body: string | undefined): GivenAnswer {
  return parseAtDoor(answerSchema, parseJsonStrict(body ?? "null"), "answer", InvalidInputError);
}

export function isApprovalId(id: string): boolean {
  return approvalIdSchema.safeParse(id).success;
}

export function isGrantId(id: string): boolean {
  return grantIdSchema.safeParse(id).success;
}
