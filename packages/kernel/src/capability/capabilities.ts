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
import { safeText } from "../call/safe-text.ts";
import type { Kept } from "../installation/proven.ts";
import { unlessCorrupt } from "../journal/read-kept.ts";
import { documentsOf } from "../store/documents-of.ts";
import { capabilityKind } from "../store/kernel-kinds.ts";
import type { DocumentWrite } from "../store/store.ts";
import { capabilityIn, type KeptStatus, putCapability, takeTurn } from "./kept-capability.ts";
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
  | { readonly type: "asked"; readonly grant: CapabilityGrant; readonly writes?: readonly DocumentWrite[] }
  | { readonly type: "not_asked"; readonly why: "denied" | "too_many"; readonly grant?: CapabilityGrant };

/**
 * Questions that all runs and sessions of a key have open.
 * @limit capability.openQuestionsOfKey | nothing more is asked; the call is refused all the same | fixed: runs and sessions that ask for everything are to drown nobody
 */
export const mostPendingOfKey = 64;
/**
 * How long a question can be answered.
 * @limit capability.questionMs | the question is over; the next call asks anew | fixed: whoever asked has gone on without it long ago
 */
const askedForMs = 24 * 3_600_000;
/** So long what ran out is kept where it can be looked up. The journal keeps it for good. */
export const overMs = 24 * 3_600_000;

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
      if (await this.#isDecisionOver(value, holder)) continue;
      if (value.scope !== "once") return { grant: value };
      once ??= kept;
    }
    if (once === undefined) return undefined;
    const used = { ...once.value, status: "used", usedBy: callId } as const;
    return { grant: once.value, write: putCapability(used, once.revision, this.#host.proves) };
  }

  /**
   * Allow-list semantics: `net` within the list, where there is one; a host that is named, in any case. An address of numbers that was
   * opened has no place in the list, and no other capability.
   */
  reaches(capability: Capability, { host, capability: own }: NetTarget): boolean {
    const reach = capabilityReach(capability);
    if (reach === undefined || !reachesHost(reach, host)) return false;
    return reach.type !== "net" || own === undefined || this.network.isInAllowList(host);
  }

  /** Whether something can be reached by both. */
  overlap(one: Capability, other: Capability): boolean {
    return this.#covers(one, other) || this.#covers(other, one);
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

  /**
   * The question to an operator: the same wish of the same holder is one question, and what was denied is not asked again soon.
   * `mostPending`: how many questions a run, or a session, may have open.
   */
  async ask(wish: Wish, holder: CapabilityHolder, mostPending: number): Promise<Asked> {
    const { capability, asker, reason, readBefore } = wish;
    const { clock, proves } = this.#host;
    // Before anything is counted: of questions that are put at once, each but the first is counted anew.
    const turn = await takeTurn(this.#host.store, holder);
    for await (const { value } of this.all(holder.accountId, "granted"))
      if (
        this.#isFor(value, holder) &&
        this.#covers(value.capability, capability) &&
        !(await this.#isDecisionOver(value, holder))
      )
        return { type: "granted", grant: value };
    const denied = await this.#denied(capability, holder);
    if (denied !== undefined) return { type: "not_asked", why: "denied", grant: denied };
    const standing = await this.#asked(capability, holder);
    if (standing !== undefined) return { type: "asked", grant: standing };
    const now = clock.now();
    const said = await this.#said(capability, holder, now);
    if (typeof said !== "string") return { type: "asked", grant: said };
    const over = await this.#overIfRoom(holder, mostPending);
    if (over === undefined) return { type: "not_asked", why: "too_many" };
    const grant: CapabilityGrant = {
      grantId: said,
      capability,
      holder,
      status: "pending",
      asker,
      ...(reason !== undefined && { reason: safeText(reason, 2000) }),
      ...(readBefore && { readBefore: readBefore.slice(0, 20).map((one) => safeText(one, 500)) }),
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(now + askedForMs).toISOString(),
    };
    return { type: "asked", grant, writes: [putCapability(grant, 0, proves), turn, ...over] };
  }

  /** Every one that this installation has written. */
  async *all(accountId: string, status?: KeptStatus): AsyncGenerator<Kept<CapabilityGrant>> {
    const { store, proves } = this.#host;
    for await (const document of documentsOf(store, capabilityKind, accountId, status)) {
      const kept = unlessCorrupt(() => capabilityIn(document, proves));
      if (kept !== undefined) yield kept;
    }
  }

  async read(accountId: string, id: string): Promise<Kept<CapabilityGrant> | undefined> {
    const document = await this.#host.store.document({ kind: capabilityKind, accountId, id });
    return document && unlessCorrupt(() => capabilityIn(document, this.#host.proves));
  }

  isOver({ expiresAt }: Pick<CapabilityGrant, "expiresAt">): boolean {
    return this.#host.clock.now() >= Date.parse(expiresAt);
  }

  /**
   * The question that stands already. Where there is none, the id of a new one: whoever else asks now comes to the same, and what has
   * ended keeps its own for good.
   */
  async #said(
    capability: Capability,
    holder: CapabilityHolder,
    now: number,
  ): Promise<CapabilityGrant | CapabilityGrantId> {
    const { store, proves } = this.#host;
    const { accountId } = holder;
    const day = Math.floor(now / askedForMs);
    let id = wishId([capability, holder, day]);
    /* oxlint-disable no-await-in-loop -- one after the other, and hardly ever more than two */
    // A question of yesterday may reach into today.
    for (const first of [wishId([capability, holder, day - 1]), id]) {
      id = first;
      for (;;) {
        const document = await store.document({ kind: capabilityKind, accountId, id });
        if (document === undefined) break;
        const { value } = unlessCorrupt(() => capabilityIn(document, proves)) ?? {};
        if (value?.status === "pending" && !this.isOver(value)) return value;
        id = wishId([id]);
      }
    }
    /* oxlint-enable no-await-in-loop */
    return id;
  }

  /** B13: a no is for the session that it was said in, whichever run of it asks next. */
  async #denied(capability: Capability, holder: CapabilityHolder): Promise<CapabilityGrant | undefined> {
    for await (const { value } of this.all(holder.accountId, "denied")) {
      const { keyId, sessionId } = value.holder;
      const isTheirs = keyId === holder.keyId && sessionId === holder.sessionId;
      if (isTheirs && value.capability === capability && !this.isOver(value)) return value;
    }
    return undefined;
  }

  /** A question of a session is one, whichever run of it asks next. */
  async #asked(capability: Capability, holder: CapabilityHolder): Promise<CapabilityGrant | undefined> {
    if (holder.sessionId === undefined) return undefined;
    const { pending } = await this.standing(holder);
    return pending.find((one) => one.capability === capability);
  }

  /** What somebody has been granted and may use now, and what waits for an answer. */
  async standing(holder: CapabilityHolder): Promise<{
    readonly granted: readonly CapabilityGrant[];
    readonly pending: readonly CapabilityGrant[];
  }> {
    const [granted, pending]: [CapabilityGrant[], CapabilityGrant[]] = [[], []];
    for await (const { value } of this.all(holder.accountId, "granted"))
      if (this.#isFor(value, holder) && !(await this.#isDecisionOver(value, holder))) granted.push(value);
    for await (const { value } of this.all(holder.accountId, "pending")) {
      const { keyId, sessionId } = value.holder;
      if (keyId === holder.keyId && sessionId === holder.sessionId && !this.isOver(value))
        pending.push(value);
    }
    return { granted, pending };
  }

  /** Nothing where there is no room for another question; else what makes room for it: those that nobody has answered, a day after their time. */
  async #overIfRoom(asking: CapabilityHolder, mostPending: number): Promise<DocumentWrite[] | undefined> {
    const { accountId, keyId, sessionId, runId } = asking;
    const over: DocumentWrite[] = [];
    let [all, own] = [0, 0];
    for await (const { value, revision: expects } of this.all(accountId, "pending")) {
      const { holder, grantId: id } = value;
      if (this.#isLongOver(value) && over.length < mostPendingOfKey)
        over.push({ type: "remove", kind: capabilityKind, accountId, id, expects });
      if (this.isOver(value) || holder.keyId !== keyId) continue;
      all++;
      if (holder.sessionId === sessionId && holder.runId === runId) own++;
    }
    return own >= mostPending || all >= mostPendingOfKey ? undefined : over;
  }

  #isLongOver({ expiresAt }: CapabilityGrant): boolean {
    return this.#host.clock.now() >= Date.parse(expiresAt) + overMs;
  }

  /** Whether it counts for nothing by now that somebody has granted this to whoever would use it. */
  async #isDecisionOver(
    { decidedBy, decidedAt }: CapabilityGrant,
    { accountId, keyId }: CapabilityHolder,
  ): Promise<boolean> {
    const { isDecisionOver } = this.#host;
    if (isDecisionOver === undefined || keyId === undefined) return false;
    return await isDecisionOver({ accountId, keyId, decidedBy, decidedAt });
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

/** Shaped like every other id. */
function wishId(of: readonly unknown[]): CapabilityGrantId {
  const hex = hashText(`simplefunctions wish v1\n${canonicalJson(of)}`).slice("sha256:".length);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)];
  return `cap_${parts.join("-")}` as CapabilityGrantId;
}
