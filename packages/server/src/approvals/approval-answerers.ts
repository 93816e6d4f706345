import { RateLimitedError } from "@spfunctions/contracts";
import { OpenCounts } from "../door/open-counts.ts";
import { type AccountHost, accountAnswerer, type AccountRequest } from "../route/account-answerer.ts";
import type { Inquiry } from "../route/inquiry.ts";
import { refuseBody, refuseQuery } from "../route/plain-request.ts";
import type { ApprovalDesk } from "./approval-desk.ts";
import { readAnswer, readGetQuery, readListQuery } from "./read-approval-request.ts";

type Answerer = (inquiry: Inquiry, params: AccountRequest["params"]) => Promise<Response>;
type Act = (request: AccountRequest) => Promise<unknown>;

/** The routes about approvals, by their methods and paths. */
export function approvalAnswerers(
  host: AccountHost,
  desk: ApprovalDesk,
): readonly (readonly ["GET" | "POST", string, Answerer])[] {
  const waits = new OpenCounts(host.limits.approvalWaitsPerKey);
  const get: Act = async ({ caller, params, query, signal }) => {
    const { waitMs } = readGetQuery(query);
    const { accountId, keyId } = caller.principal;
    const leave = waitMs === 0 ? () => undefined : waits.enter(`${accountId} ${keyId}`);
    if (leave === undefined) throw tooMany(host.limits.approvalWaitsPerKey);
    try {
      return await desk.get(caller, params["approvalId"] ?? "", { waitMs, signal });
    } finally {
      leave();
    }
  };
  const answer: Act = async ({ caller, params, query, body }) => {
    refuseQuery(query);
    return await desk.answer(caller, params["approvalId"] ?? "", readAnswer(body));
  };
  const grants: Act = async ({ caller, query }) => {
    refuseQuery(query);
    return { items: await desk.grants(caller) };
  };
  const revoke: Act = async ({ caller, params, query, body }) => {
    const { grantId = "" } = params;
    refuseQuery(query);
    refuseBody(body);
    await desk.revoke(caller, grantId);
    return { grantId };
  };
  const list: Act = async ({ caller, query }) => await desk.list(caller, readListQuery(query));
  return [
    ["GET", "/api/approvals", accountAnswerer(host, list)],
    // Before one approval's own: no approval has such an id.
    ["GET", "/api/approvals/grants", accountAnswerer(host, grants)],
    ["POST", "/api/approvals/grants/{grantId}/revoke", accountAnswerer(host, revoke)],
    ["GET", "/api/approvals/{approvalId}", accountAnswerer(host, get)],
    ["POST", "/api/approvals/{approvalId}/answer", accountAnswerer(host, answer)],
  ];
}

function tooMany(most: number): RateLimitedError {
  return new RateLimitedError(
    `this key waits for ${most} approvals at once; ask without waitMs, or wait for fewer`,
    { details: { reason: "waits", limit: "approvalWaitsPerKey" } },
  );
}
