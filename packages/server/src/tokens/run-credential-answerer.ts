import { InvalidInputError, parseAtDoor, givenRunIdSchema } from "@spfunctions/contracts";
import { type AccountHost, accountAnswerer, type AccountRequest } from "../route/account-answerer.ts";
import type { Inquiry } from "../route/inquiry.ts";
import { refuseBody, refuseQuery } from "../route/plain-request.ts";
import { lendToRun } from "./run-credentials.ts";
import type { TokenHost } from "./signed-token.ts";

/** Lends a run what it acts with, and lends it again, as long as the key that asks is good. */
export function runCredentialAnswerer(
  host: AccountHost,
  tokens: TokenHost,
): (inquiry: Inquiry, params: AccountRequest["params"]) => Promise<Response> {
  return accountAnswerer(host, async ({ caller, params, query, body }) => {
    refuseQuery(query);
    refuseBody(body);
    const runId = parseAtDoor(givenRunIdSchema, params["runId"], "runId", InvalidInputError);
    return await lendToRun(tokens, caller.principal, runId);
  });
}
