import { capabilityGrantIdSchema, capabilityStatusSchema, type JsonObject } from "@spfunctions/contracts";
import { grantAnswerSchema, mostGrantsListed, newGrantSchema } from "../grants/read-grant-request.ts";
import { listOf, pathParameter, plainSchema, queryParameter } from "./parameters.ts";
import { accountRoute } from "./plain-route.ts";
import { recordRef } from "./record-schemas.ts";

/** What calls may reach: asked for, granted, and ended. */
export function grantRoutes(): Readonly<Record<string, Readonly<Record<string, JsonObject>>>> {
  return {
    "/api/grants": {
      get: accountRoute({
        operationId: "listCapabilityGrants",
        summary: "What may be reached, and what is asked for",
        description:
          "Capabilities that wait for an answer and those that are granted, unless a status is given, oldest first: for an admin key the account's, for any other what it asked for itself or was granted by name. For keys, not for tokens.",
        parameters: [
          queryParameter("status", { type: "string", enum: [...capabilityStatusSchema.options, "any"] }),
          queryParameter("after", { type: "string" }),
          queryParameter("limit", { type: "integer", minimum: 1, maximum: mostGrantsListed, default: 50 }),
        ],
        schema: listOf("CapabilityGrant", { next: { type: "string" } }),
      }),
      post: accountRoute({
        operationId: "grantCapability",
        summary: "Grant what nobody has asked for",
        description:
          "For admin keys: for one call unless a scope is given, and for an hour unless a time is.",
        body: plainSchema(newGrantSchema),
        schema: recordRef("CapabilityGrant"),
      }),
    },
    "/api/grants/{grantId}/answer": {
      post: accountRoute({
        operationId: "answerCapability",
        summary: "Grant, deny or revoke",
        description:
          "For admin keys; never for whoever asked, and never for a token. What waits is granted or denied, what is granted can be revoked. The first answer stands.",
        parameters: [pathParameter("grantId", capabilityGrantIdSchema)],
        body: plainSchema(grantAnswerSchema),
        schema: recordRef("CapabilityGrant"),
        errors: ["404", "409"],
      }),
    },
  };
}
