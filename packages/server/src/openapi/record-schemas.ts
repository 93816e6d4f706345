import {
  agentEventSchema,
  approvalSchema,
  capabilityGrantSchema,
  contractToolSchema,
  envelopeMetaSchema,
  errorCodeSchema,
  httpEnvelopeSchema,
  type JsonObject,
  jsonObjectSchema,
  manifestSchema,
  principalSchema,
  receiptSchema,
  standingGrantSchema,
  verdictSchema,
} from "@spfunctions/contracts";
import { z } from "zod";
import { withoutKeywords } from "./without-keywords.ts";

const [, errorEnvelopeSchema] = httpEnvelopeSchema.options;

/** The shapes that many answers share. Tools' names are lower case, so that none is ever called like one of these. */
const shared = {
  AgentEvent: agentEventSchema,
  Approval: approvalSchema,
  CapabilityGrant: capabilityGrantSchema,
  ContractTool: contractToolSchema,
  EnvelopeMeta: envelopeMetaSchema,
  ErrorCode: errorCodeSchema,
  ErrorEnvelope: errorEnvelopeSchema,
  Manifest: manifestSchema,
  Principal: principalSchema,
  Receipt: receiptSchema,
  StandingGrant: standingGrantSchema,
  Verdict: verdictSchema,
} as const;

export type RecordName = keyof typeof shared;

export const schemasHome = "#/components/schemas";

export function recordRef(name: RecordName): JsonObject {
  return { $ref: `${schemasHome}/${name}` };
}

/** The contracts' own schemas as JSON Schema, each once, referring to each other by name. */
export function recordSchemas(): Record<string, JsonObject> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(shared)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `${schemasHome}/${id}`,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      // A check written in code says nothing as JSON Schema: this one is for an object.
      if (zodSchema === jsonObjectSchema) jsonSchema.type = "object";
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => [
      id,
      withoutKeywords(schema as JsonObject, ["$schema", "$id"]),
    ]),
  );
}

/** An answer that went well. */
export function envelopeOf(data: JsonObject): JsonObject {
  return {
    type: "object",
    properties: { ok: { type: "boolean", const: true }, data, meta: recordRef("EnvelopeMeta") },
    required: ["ok", "data", "meta"],
    additionalProperties: false,
  };
}
