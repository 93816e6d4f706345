// G3: what an operator has granted, as a call asks for it. A grant holds for whom it names, as long as it says, and once where it says
// so; nothing that is called, read or said makes one.
import {
  type CallId,
  type Capability,
  type CapabilityGrant,
  type CapabilityGrantId,
  type CapabilityHolder,
  capabilityReach,
  canonicalJson,
  hashText,
  type Principal,
  reachesHost,
} from "@spfunctions/contracts";
import type { ApprovalsHost } from "../approval/approvals-host.ts";
import { documentsOf } from "../approval/standing-grants.ts";
import { safeText } from "../call/safe-text.ts";
import type { Kept } from "../installation/proven.ts";
import { orNothing } from "../journal/read-kept.ts";
import type { DocumentWrite } from "../store/store.ts";
import { capabilityIn, capabilityKind, putCapability } from "./kept-capability.ts";
import type { NetTarget } from "./net-target.ts";
import type { Network } from "./network.ts";

/** By which grant something is reached, and what is to be written where that uses it up. */
export type GrantInUse = { readonly grant: CapabilityGrant; readonly write?: DocumentWrite };

/** Who wants to reach something, and for which call. */
export type Wanted = {
  readonly holder: CapabilityHolder;
  readonly callId: CallId;
  /** The grant that the call has used up by now. */
  readonly ranBy?: string | undefined;
};

/** What is told to whoever is asked. */
export type Wish = {
  readonly capability: Capability;
  readonly asker: Principal;
  readonly reason?: string | undefined;
  readonly readBefore?: readonly string[] | undefined;
};

/** What becomes of a wish: it is granted already; a question is put, or stands already; or why nobody is asked. */
export type Asked =
  | { readonly type: "granted"; readonly grant: CapabilityGrant }
  | { readonly type: "asked"; readonly grant: CapabilityGrant; readonly write?: DocumentWrite }
  | { readonly type: "not_asked"; readonly why: "denied" | "too_many"; readonly grant?: CapabilityGrant };

/** So many questions of one holder can be open. */
const mostPending = 16;
const askedForMs = 24 * 3_600_000;

export class Capabilities {
  readonly #host: ApprovalsHost;
  readonly network: Network;

  constructor(host: ApprovalsHost, network: Network) {
    this.#host = host;
    this.network = network;
  }

  /** A grant by which somebody reaches a place now. One that lasts is taken before one that is used up by it. */
  async find(target: NetTarget, { holder, callId, ranBy }: Wanted): Promise<GrantInUse | undefined> {
    const own = ranBy === undefined ? undefined : await this.read(holder.accountId, ranBy);
    const isOwn = own?.value.status === "used" && own.value.usedBy === callId && !this.isOver(own.value);
    if (isOwn && this.reaches(own.value.capability, target)) return { grant: own.value };
    let once: Kept<CapabilityGrant> | undefined;
    for await (const kept of this.all(holder.accountId, "granted")) {
      const { value } = kept;
      if (!this.#isFor(value, holder) || !this.reaches(value.capability, target)) continue;
      if (value.scope !== "once") return { grant: value };
      once ??= kept;
    }
    if (once === undefined) return undefined;
    const used = { ...once.value, status: "used", usedBy: callId } as const;
    return { grant: once.value, write: putCapability(used, once.revision, this.#host.proves) };
  }

  /** Allow-list semantics: `net` within the list, where there is one; a host that is named, in any case. */
  reaches(capability: Capability, { host, isLocal }: NetTarget): boolean {
    const reach = capabilityReach(capability);
    if (reach === undefined || !reachesHost(reach, host)) return false;
    return reach.type !== "net" || isLocal || this.network.isInAllowList(host);
  }

  /** Whether whoever has the one needs no other. */
  #covers(granted: Capability, wanted: Capability): boolean {
    const [has, wants] = [capabilityReach(granted), capabilityReach(wanted)];
    if (has === undefined || wants === undefined) return false;
    if (wants.type === "net") return has.type === "net";
    const isIn = has.type !== "net" || this.network.isInAllowList(wants.host);
    const isBelow = has.type === "below" && wants.host === has.host && wants.type === "below";
    const isWhole = wants.type === "host" || has.type !== "host";
    return isIn && (isBelow || (isWhole && reachesHost(has, wants.host)));
  }

  /** The question to an operator: the same wish of the same holder is one question, and what was denied is not asked again soon. */
  async ask(wish: Wish, holder: CapabilityHolder): Promise<Asked> {
    const { capability, asker, reason, readBefore } = wish;
    const { clock, proves } = this.#host;
    for await (const { value } of this.all(holder.accountId, "granted"))
      if (this.#isFor(value, holder) && this.#covers(value.capability, capability))
        return { type: "granted", grant: value };
    const grantId = wishId(capability, holder);
    const kept = await this.read(holder.accountId, grantId);
    const isOpen = kept !== undefined && !this.isOver(kept.value);
    if (isOpen && kept.value.status === "pending") return { type: "asked", grant: kept.value };
    if (isOpen && kept.value.status === "denied")
      return { type: "not_asked", why: "denied", grant: kept.value };
    if ((await this.#pending(holder)) >= mostPending) return { type: "not_asked", why: "too_many" };
    const now = clock.now();
    const grant: CapabilityGrant = {
      grantId,
      capability,
      holder,
      status: "pending",
      asker,
      ...(reason !== undefined && { reason: safeText(reason, 2000) }),
      ...(readBefore && { readBefore: readBefore.slice(0, 20).map((one) => safeText(one, 500)) }),
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(now + askedForMs).toISOString(),
    };
    const expects = kept?.revision ?? (await this.#revisionAt(holder.accountId, grantId));
    return { type: "asked", grant, write: putCapability(grant, expects, proves) };
  }

  /** Every one that this installation has written. */
  async *all(
    accountId: string,
    status?: "pending" | "granted" | "ended",
  ): AsyncGenerator<Kept<CapabilityGrant>> {
    const { store, proves } = this.#host;
    for await (const document of documentsOf(store, capabilityKind, accountId, status)) {
      const kept = orNothing(() => capabilityIn(document, proves));
      if (kept !== undefined) yield kept;
    }
  }

  async read(accountId: string, id: string): Promise<Kept<CapabilityGrant> | undefined> {
    const document = await this.#host.store.document({ kind: capabilityKind, accountId, id });
    return document && orNothing(() => capabilityIn(document, this.#host.proves));
  }

  isOver({ expiresAt }: Pick<CapabilityGrant, "expiresAt">): boolean {
    return this.#host.clock.now() >= Date.parse(expiresAt);
  }

  /** What somebody else has put in its place is replaced. */
  async #revisionAt(accountId: string, id: string): Promise<number> {
    const document = await this.#host.store.document({ kind: capabilityKind, accountId, id });
    return document?.revision ?? 0;
  }

  async #pending(holder: CapabilityHolder): Promise<number> {
    let count = 0;
    for await (const { value } of this.all(holder.accountId, "pending"))
      if (!this.isOver(value) && value.holder.keyId === holder.keyId) count++;
    return count;
  }

  #isFor(grant: CapabilityGrant, { keyId, sessionId, runId }: CapabilityHolder): boolean {
    const { holder } = grant;
    const isTheirs =
      (holder.keyId === undefined || holder.keyId === keyId) &&
      (holder.sessionId === undefined || holder.sessionId === sessionId) &&
      (holder.runId === undefined || holder.runId === runId);
    return isTheirs && !this.isOver(grant);
  }
}

function wishId(capability: Capability, holder: CapabilityHolder): CapabilityGrantId {
  const digest = hashText(`simplefunctions wish v1\n${canonicalJson([capability, holder])}`);
  const hex = digest.slice("sha256:".length);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)];
  return `cap_${parts.join("-")}` as CapabilityGrantId;
}
