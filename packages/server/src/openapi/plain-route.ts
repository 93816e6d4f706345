import type { JsonObject } from "@spfunctions/contracts";
import { errorRefs } from "./error-responses.ts";
import { headerRefs, parameterRef, rateLimitHeaders } from "./headers.ts";
import { envelopeOf, recordRef } from "./record-schemas.ts";

/** Before anybody is let in: a wrong host, a wrong page, too many requests, a fault. */
const doorErrors = ["403", "421", "429", "500"];

export const platformTag = "platform";

/** What a route without a tool says of itself. */
export type RouteWords = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly JsonObject[];
};

/** A document is answered as it is, without an envelope, and kept by its ETag. */
export function documentRoute({
  schema,
  errors = [],
  parameters = [],
  ...words
}: RouteWords & { readonly schema: JsonObject; readonly errors?: readonly string[] }): JsonObject {
  return {
    ...words,
    tags: [platformTag],
    parameters: [...parameters, parameterRef("IfNoneMatch")],
    responses: {
      200: {
        description: "The document itself.",
        headers: headerRefs("RequestId", "ETag"),
        content: { "application/json": { schema } },
      },
      304: { description: "The caller has it already.", headers: headerRefs("RequestId", "ETag") },
      ...errorRefs([...doorErrors, ...errors]),
    },
    security: [],
  };
}

/** An answer to anybody, in an envelope. */
export function openRoute({
  schema,
  errors = [],
  ...words
}: RouteWords & { readonly schema: JsonObject; readonly errors?: readonly string[] }): JsonObject {
  return {
    ...words,
    tags: [platformTag],
    responses: {
      200: {
        description: "The answer.",
        headers: headerRefs("RequestId"),
        content: { "application/json": { schema: envelopeOf(schema) } },
      },
      ...errorRefs([...doorErrors, ...errors]),
    },
    security: [],
  };
}

/** An answer about the account of whoever has a key, in an envelope. `body`: what is sent, where something is. */
export function accountRoute({
  schema,
  body,
  errors = [],
  parameters = [],
  ...words
}: RouteWords & {
  readonly schema: JsonObject;
  readonly body?: JsonObject;
  readonly errors?: readonly string[];
}): JsonObject {
  return {
    ...words,
    tags: [platformTag],
    parameters: [...parameters],
    ...(body && { requestBody: { required: true, content: { "application/json": { schema: body } } } }),
    responses: {
      200: {
        description: "The answer.",
        headers: headerRefs("RequestId", ...rateLimitHeaders),
        content: { "application/json": { schema: envelopeOf(schema) } },
      },
      ...errorRefs([...doorErrors, "400", "401", "503", ...(body ? ["413", "415"] : []), ...errors]),
    },
    security: [{ bearer: [] }],
  };
}

/** A stream of server-sent events, for whoever has a key. */
export function eventRoute({ parameters = [], ...words }: RouteWords): JsonObject {
  const after = { name: "after", in: "query", required: false, schema: { type: "string" } };
  return {
    ...words,
    tags: [platformTag],
    parameters: [...parameters, { ...after, description: "As Last-Event-ID." }, parameterRef("LastEventId")],
    responses: {
      200: {
        description: "Server-sent events: each has a cursor as its id, and one event as JSON as its data.",
        headers: headerRefs("RequestId", ...rateLimitHeaders),
        content: { "text/event-stream": eventContent },
      },
      204: { description: "The run was over before; nothing more comes." },
      ...errorRefs([...doorErrors, "400", "401", "404"]),
    },
    security: [{ bearer: [] }],
  };
}

/** OpenAPI 3.1 has no word for what the messages of a stream are. */
export const eventContent = { schema: { type: "string" }, "x-sf-event": recordRef("AgentEvent") };
