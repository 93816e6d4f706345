import { type JsonObject, runCredentialSchema, runIdSchema, toolNameSchema } from "@spfunctions/contracts";
import { approvalRoutes } from "./approval-routes.ts";
import { grantRoutes } from "./grant-routes.ts";
import { pathParameter, plainSchema } from "./parameters.ts";
import { accountRoute, documentRoute, eventRoute, openRoute } from "./plain-route.ts";
import { recordRef } from "./record-schemas.ts";

/** The routes that are there without a tool, by path and method. Their operation ids are unlike any tool's. */
export function fixedRoutes(): Readonly<Record<string, Readonly<Record<string, JsonObject>>>> {
  return { ...getRoutes(), ...approvalRoutes(), ...grantRoutes(), ...runRoutes() };
}

function runRoutes(): Readonly<Record<string, { readonly post: JsonObject }>> {
  return {
    "/api/runs/{runId}/credential": {
      post: accountRoute({
        operationId: "lendToRun",
        summary: "What a run acts with",
        description:
          "A credential for a run that a model drives: good for 15 minutes, with less than the key that asks, and dead with it. For keys alone.",
        parameters: [pathParameter("runId", runIdSchema)],
        body: { type: "object", additionalProperties: false },
        schema: plainSchema(runCredentialSchema),
      }),
    },
  };
}

function getRoutes(): Readonly<Record<string, { readonly get: JsonObject }>> {
  return {
    "/api/contracts/tools": {
      get: documentRoute({
        operationId: "getManifest",
        summary: "The manifest",
        description: "Every active tool with its contract; with mode=review also what is not active.",
        parameters: [modeParameter],
        schema: recordRef("Manifest"),
        errors: ["400"],
      }),
    },
    "/api/contracts/tools/{name}": {
      get: documentRoute({
        operationId: "getTool",
        summary: "One tool",
        description: "The contract of one tool, by its canonical name.",
        parameters: [pathParameter("name", toolNameSchema)],
        schema: recordRef("ContractTool"),
        errors: ["404"],
      }),
    },
    "/api/contracts/signing-key": {
      get: documentRoute({
        operationId: "getSigningKey",
        summary: "The signing key",
        description: "The public key that receipts and seals of this platform are verified with.",
        schema: signingKeySchema,
      }),
    },
    "/api/openapi.json": {
      get: documentRoute({
        operationId: "getOpenApi",
        summary: "This document",
        description: "The routes of this platform as OpenAPI 3.1, printed from its manifest.",
        schema: { type: "object" },
      }),
    },
    "/api/health": {
      get: openRoute({
        operationId: "getHealth",
        summary: "Whether it is there",
        description:
          "Answers as long as the process takes requests, whatever its store does. For whoever would start it again.",
        schema: statusSchema,
      }),
    },
    "/api/ready": {
      get: openRoute({
        operationId: "getReady",
        summary: "Whether it can serve",
        description:
          "200 where the store answers and can be written to, 503 with the code of what is wrong where not, or while it closes. For whoever sends requests here or elsewhere, such as a load balancer.",
        schema: statusSchema,
        errors: ["503"],
      }),
    },
    "/api/events": {
      get: eventRoute({
        operationId: "streamEvents",
        summary: "What the account does",
        description:
          "The events of the account's journal as they are written, from now on or from a cursor. For keys, not for tokens.",
      }),
    },
    "/api/runs/{runId}/events": {
      get: eventRoute({
        operationId: "streamRunEvents",
        summary: "What one run does",
        description:
          "The events of one run from its beginning; the stream ends after the last. For keys, not for tokens.",
        parameters: [pathParameter("runId", runIdSchema)],
      }),
    },
  };
}

const statusSchema = { type: "object", properties: { status: { type: "string" } }, required: ["status"] };

const modeParameter = {
  name: "mode",
  in: "query",
  required: false,
  schema: { type: "string", enum: ["implemented", "review"] },
};

const signingKeySchema = {
  type: "object",
  properties: {
    keyId: { type: "string" },
    algorithm: { type: "string", const: "Ed25519" },
    publicKey: { type: "string" },
  },
  required: ["keyId", "algorithm", "publicKey"],
};
