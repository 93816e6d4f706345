import {
  type Approval,
  approvalSchema,
  parseAtDoor,
  type StandingGrant,
  standingGrantSchema,
  UpstreamError,
} from "@spfunctions/contracts";
import type { Answer } from "../call/answering.ts";
import { Listing, type Page, readPageOf } from "../call/listing.ts";
import type { ReachOptions } from "../options/call-options.ts";
import { checkReach } from "../options/check-reach.ts";
import type { Limits } from "../options/limits.ts";
import { type Asked, askPlatform } from "../wire/ask-platform.ts";
import type { Connection } from "../wire/connection.ts";
import {
  answerBody,
  type ApprovalAnswerInput,
  type ApprovalGetOptions,
  type ApprovalsListOptions,
  getQuery,
  listQuery,
  requireApprovalId,
  requireGrantId,
} from "./approval-options.ts";

/** Questions to people at the platform: what waits for an answer, what was answered, and answering. */
export class Approvals {
  readonly #connection: Connection;
  readonly #limits: Limits;

  constructor(connection: Connection, limits: Limits) {
    this.#connection = connection;
    this.#limits = limits;
  }

  /** For an operator's key the account's, for any other what it asked itself or may answer. */
  list(options: ApprovalsListOptions = {}): Listing<Page<Approval>, Approval> {
    const page = (own: ApprovalsListOptions) => this.#page(own);
    return new Listing("approvals.list", page(options), (after) => page({ ...options, after }));
  }

  async get(approvalId: string, options: ApprovalGetOptions = {}): Promise<Approval> {
    const path = `/api/approvals/${requireApprovalId(approvalId)}${getQuery(options)}`;
    const asked = { name: "approvals.get", path, read: readApproval, isRepeatable: true };
    return (await this.#send(asked, options)).data;
  }

  /** The first answer stands. Saying the same again with the same key changes nothing, and tells what stands. */
  async answer(
    approvalId: string,
    given: ApprovalAnswerInput,
    options: ReachOptions = {},
  ): Promise<Approval> {
    checkReach(options, "approvals");
    const path = `/api/approvals/${requireApprovalId(approvalId)}/answer`;
    const body = answerBody(given);
    const asked = { name: "approvals.answer", path, body, read: readApproval, isRepeatable: true };
    return (await this.#send(asked, options)).data;
  }

  /** What is approved for a whole session. */
  async grants(options: ReachOptions = {}): Promise<StandingGrant[]> {
    checkReach(options, "approvals");
    const path = "/api/approvals/grants";
    const asked = { name: "approvals.grants", path, read: readGrants, isRepeatable: true };
    return (await this.#send(asked, options)).data;
  }

  /** Ends a standing grant; what it has approved so far stays approved. */
  async revoke(grantId: string, options: ReachOptions = {}): Promise<void> {
    checkReach(options, "approvals");
    const path = `/api/approvals/grants/${requireGrantId(grantId)}/revoke`;
    const asked = { name: "approvals.revoke", path, body: "{}", read: () => undefined, isRepeatable: false };
    await this.#send(asked, options);
  }

  async #page(options: ApprovalsListOptions): Promise<Answer<Page<Approval>>> {
    const path = `/api/approvals${listQuery(options)}`;
    return await this.#send({ name: "approvals.list", path, read: readPage, isRepeatable: true }, options);
  }

  async #send<Data>(asked: Asked<Data>, options: ReachOptions): Promise<Answer<Data>> {
    return await askPlatform(this.#connection, this.#limits, asked, options);
  }
}

function readApproval(data: unknown): Approval {
  return parseAtDoor(approvalSchema, data, "approval", UpstreamError);
}

function readPage(data: unknown): Page<Approval> {
  return readPageOf(data, (items) => parseAtDoor(approvalSchema.array(), items, "approvals", UpstreamError));
}

function readGrants(data: unknown): StandingGrant[] {
  const { items } = readPageOf(data, (all) =>
    parseAtDoor(standingGrantSchema.array(), all, "grants", UpstreamError),
  );
  return [...items];
}
