import {
  type CapabilityGrant,
  capabilityGrantSchema,
  parseAtDoor,
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
  type GrantAnswerInput,
  grantAnswerBody,
  grantBody,
  type GrantInput,
  type GrantsListOptions,
  grantsQuery,
  requireCapabilityGrantId,
} from "./grant-options.ts";

/** What calls may reach at the platform: what is asked for, what is granted, and saying so. */
export class Grants {
  readonly #connection: Connection;
  readonly #limits: Limits;

  constructor(connection: Connection, limits: Limits) {
    this.#connection = connection;
    this.#limits = limits;
  }

  /** For an operator's key the account's, for any other what it asked for itself or was granted by name. */
  list(options: GrantsListOptions = {}): Listing<Page<CapabilityGrant>, CapabilityGrant> {
    const page = (own: GrantsListOptions) => this.#page(own);
    return new Listing("grants.list", page(options), (after) => page({ ...options, after }));
  }

  /** Grants what nobody has asked for. Sent twice it would be two grants: where no answer came, the list has what stands. */
  async grant(given: GrantInput, options: ReachOptions = {}): Promise<CapabilityGrant> {
    checkReach(options, "grants");
    const path = "/api/grants";
    return await this.#say({ name: "grants.grant", path, body: grantBody(given) }, options);
  }

  /** Grants or denies what is asked for, or revokes what is granted. The first answer stands. */
  async answer(
    grantId: string,
    given: GrantAnswerInput,
    options: ReachOptions = {},
  ): Promise<CapabilityGrant> {
    checkReach(options, "grants");
    const path = `/api/grants/${requireCapabilityGrantId(grantId)}/answer`;
    return await this.#say({ name: "grants.answer", path, body: grantAnswerBody(given) }, options);
  }

  async #page(options: GrantsListOptions): Promise<Answer<Page<CapabilityGrant>>> {
    const path = `/api/grants${grantsQuery(options)}`;
    return await this.#send({ name: "grants.list", path, read: readPage, isRepeatable: true }, options);
  }

  async #say(
    asked: Pick<Asked<CapabilityGrant>, "name" | "path" | "body">,
    options: ReachOptions,
  ): Promise<CapabilityGrant> {
    return (await this.#send({ ...asked, read: readGrant, isRepeatable: false }, options)).data;
  }

  async #send<Data>(asked: Asked<Data>, options: ReachOptions): Promise<Answer<Data>> {
    return await askPlatform(this.#connection, this.#limits, asked, options);
  }
}

function readGrant(data: unknown): CapabilityGrant {
  return parseAtDoor(capabilityGrantSchema, data, "grant", UpstreamError);
}

function readPage(data: unknown): Page<CapabilityGrant> {
  return readPageOf(data, (items) =>
    parseAtDoor(capabilityGrantSchema.array(), items, "grants", UpstreamError),
  );
}
