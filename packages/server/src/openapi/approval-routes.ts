import {
  approvalIdSchema,
  approvalStatusSchema,
  grantIdSchema,
  type JsonObject,
} from "@spfunctions/contracts";
import { answerSchema, mostListed, mostWaitMs } from "../approvals/read-approval-request.ts";
import { listOf, pathParameter, plainSchema, queryParameter } from "./parameters.ts";
import { accountRoute } from "./plain-route.ts";
import { recordRef } from "./record-schemas.ts";

const approvalParameter = pathParameter("approvalId", approvalIdSchema);
const grantParameter = pathParameter("grantId", grantIdSchema);

/** Questions to people, and what they have answered. */
export function approvalRoutes(): Readonly<Record<string, Readonly<Record<string, JsonObject>>>> {
  return {
    "/api/approvals": {
      get: accountRoute({
        operationId: "listApprovals",
        summary: "What is asked",
        description:
          "The approvals of the account, oldest first: for an admin key all of them, for any other what it asked itself or may answer.",
        parameters: [
          queryParameter("status", {
            type: "string",
            enum: [...approvalStatusSchema.options, "any"],
            default: "pending",
          }),
          queryParameter("after", { type: "string" }),
          queryParameter("limit", { type: "integer", minimum: 1, maximum: mostListed, default: 50 }),
        ],
        schema: listOf("Approval", { next: { type: "string" } }),
      }),
    },
    "/api/approvals/{approvalId}": {
      get: accountRoute({
        operationId: "getApproval",
        summary: "One approval",
        description: "With waitMs it answers once somebody has decided, or when that time is over.",
        parameters: [
          approvalParameter,
          queryParameter("waitMs", { type: "integer", minimum: 0, maximum: mostWaitMs, default: 0 }),
        ],
        schema: recordRef("Approval"),
        errors: ["404"],
      }),
    },
    "/api/approvals/{approvalId}/answer": {
      post: accountRoute({
        operationId: "answerApproval",
        summary: "Approve or deny",
        description:
          "For admin keys, and keys that the policy names among its approvers; never for whoever asked, and never for a token. The first answer stands.",
        parameters: [approvalParameter],
        body: plainSchema(answerSchema),
        schema: recordRef("Approval"),
        errors: ["404", "409"],
      }),
    },
    "/api/approvals/grants": {
      get: accountRoute({
        operationId: "listGrants",
        summary: "What is approved for a session",
        description: "The standing grants of the account, or of the key that asks.",
        schema: listOf("StandingGrant"),
      }),
    },
    "/api/approvals/grants/{grantId}/revoke": {
      post: accountRoute({
        operationId: "revokeGrant",
        summary: "End a standing grant",
        description: "What it has approved so far stays approved.",
        parameters: [grantParameter],
        schema: { type: "object", properties: { grantId: { type: "string" } }, required: ["grantId"] },
        errors: ["404", "409", "413", "415"],
      }),
    },
  };
}
