import { type ErrorCode, errorCodes, type JsonObject } from "@spfunctions/contracts";
import { headerRefs } from "./headers.ts";
import { recordRef } from "./record-schemas.ts";

/** Where HTTP has a better word than the code of the error. */
const wireStatuses: Record<string, string> = {
  413: "The body is larger than the platform takes.",
  415: "The body is not sent as application/json.",
  421: "The platform does not answer to the host name that was asked for.",
};

const codesOf = Map.groupBy(Object.keys(errorCodes) as ErrorCode[], (code) =>
  String(errorCodes[code].status),
);

/** One answer for each status that an error can have, by the name that operations refer to. */
export function errorResponses(): Record<string, JsonObject> {
  const coded = [...codesOf].map(([status, codes]) => [status, `One of ${codes.join(", ")}.`] as const);
  const all = [...coded, ...Object.entries(wireStatuses)];
  return Object.fromEntries(
    all.map(([status, description]) => [
      `Error${status}`,
      {
        description,
        headers: headerRefs("RequestId", ...(status === "429" ? (["RetryAfter"] as const) : [])),
        content: { "application/json": { schema: recordRef("ErrorEnvelope") } },
      },
    ]),
  );
}

/** What a governed call can end with, besides well. */
export function callErrors({ hasBody }: { readonly hasBody: boolean }): JsonObject {
  return errorRefs([...codesOf.keys(), ...(hasBody ? ["413", "415"] : []), "421"]);
}

export function errorRefs(statuses: readonly string[]): JsonObject {
  const sorted = [...new Set(statuses)].toSorted();
  return Object.fromEntries(
    sorted.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
  );
}
