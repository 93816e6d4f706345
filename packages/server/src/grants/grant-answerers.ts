import { type AccountHost, accountAnswerer, type AccountRequest } from "../route/account-answerer.ts";
import type { Inquiry } from "../route/inquiry.ts";
import { refuseQuery } from "../route/plain-request.ts";
import type { GrantDesk } from "./grant-desk.ts";
import { readGrantAnswer, readGrantsQuery, readNewGrant } from "./read-grant-request.ts";

type Answerer = (inquiry: Inquiry, params: AccountRequest["params"]) => Promise<Response>;
type Act = (request: AccountRequest) => Promise<unknown>;

/** The routes about capabilities, by their methods and paths. */
export function grantAnswerers(
  host: AccountHost,
  desk: GrantDesk,
): readonly (readonly ["GET" | "POST", string, Answerer])[] {
  const list: Act = async ({ caller, query }) => await desk.list(caller, readGrantsQuery(query));
  const grant: Act = async ({ caller, query, body }) => {
    refuseQuery(query);
    return await desk.grant(caller, readNewGrant(body));
  };
  const answer: Act = async ({ caller, params, query, body }) => {
    refuseQuery(query);
    return await desk.answer(caller, params["grantId"] ?? "", readGrantAnswer(body));
  };
  return [
    ["GET", "/api/grants", accountAnswerer(host, list)],
    ["POST", "/api/grants", accountAnswerer(host, grant)],
    ["POST", "/api/grants/{grantId}/answer", accountAnswerer(host, answer)],
  ];
}
