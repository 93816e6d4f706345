// A1, B22: an approval that was answered, used or taken back is so by a record. One that is not, or that a record contradicts, was
// written by somebody else, or put back as it once was.
import {
  type Approval,
  type CapabilityGrant,
  keptApprovalSchema,
  keptCapabilitySchema,
  keptGrantSchema,
  type StandingGrant,
} from "@spfunctions/contracts";
import { documentsOf } from "../store/documents-of.ts";
import { approvalKind, capabilityKind, grantKind } from "../store/kernel-kinds.ts";
import type { Store, StoredDocument } from "../store/store.ts";
import type { ApprovalsSaid } from "./approvals-said.ts";
import { unlessCorrupt, readKept } from "./read-kept.ts";

type Key = Pick<StoredDocument, "kind" | "id">;
type Kept<Value> = Key & {
  readonly revision: number;
  readonly status: string;
  readonly value: Value | undefined;
};

/** What is kept of an account's approvals. To be read before the records that they are held against. */
export type KeptApprovals = {
  readonly approvals: readonly Kept<Approval>[];
  readonly grants: readonly Kept<StandingGrant>[];
  readonly capabilities: readonly Kept<CapabilityGrant>[];
};

export async function keptApprovals(store: Store, accountId: string): Promise<KeptApprovals> {
  const approvals: Kept<Approval>[] = [];
  const grants: Kept<StandingGrant>[] = [];
  const capabilities: Kept<CapabilityGrant>[] = [];
  for await (const { kind, id, revision, status, body } of documentsOf(store, approvalKind, accountId)) {
    const value = unlessCorrupt(() => readKept(keptApprovalSchema, body, id))?.value;
    approvals.push({ kind, id, revision, status, value: value && withoutInput(value) });
  }
  for await (const { kind, id, revision, status, body } of documentsOf(store, grantKind, accountId)) {
    const value = unlessCorrupt(() => readKept(keptGrantSchema, body, id))?.value;
    grants.push({ kind, id, revision, status, value });
  }
  for await (const { kind, id, revision, status, body } of documentsOf(store, capabilityKind, accountId)) {
    const value = unlessCorrupt(() => readKept(keptCapabilitySchema, body, id))?.value;
    capabilities.push({ kind, id, revision, status, value });
  }
  return { approvals, grants, capabilities };
}

/** There may be many, and inputs are long. */
function withoutInput(approval: Approval): Approval {
  return { ...approval, input: null, reason: "" };
}

/** The names of those that are not what the records say. */
export async function unfitApprovals(
  store: Store,
  accountId: string,
  { approvals, grants, capabilities }: KeptApprovals,
  said: readonly ApprovalsSaid[],
): Promise<string[]> {
  const journal = allSaid(said);
  const known = new Set([...approvals, ...grants].map(({ id }) => id));
  const suspects: (Key & { readonly revision?: number })[] = [
    ...approvals.filter((one) => !isApprovalSaid(one, journal)),
    ...grants.filter((one) => !isGrantSaid(one, journal)),
    ...capabilities.filter((one) => !isCapabilitySaid(one, journal)),
    ...[...journal.answers.keys(), ...journal.uses.keys()]
      .filter((id) => !known.has(id))
      .map((id) => ({ kind: approvalKind, id })),
    ...[...journal.granted].filter((id) => !known.has(id)).map((id) => ({ kind: grantKind, id })),
    ...overused(journal).map((id) => ({ kind: capabilityKind, id })),
  ];
  const unfit = await Promise.all(
    suspects.map(async ({ kind, id, revision }) => {
      const now = await store.document({ kind, accountId, id });
      // One that has changed while its records were read is in between.
      return now?.revision === revision ? [id] : [];
    }),
  );
  return [...new Set(unfit.flat())];
}

type Journal = ReturnType<typeof allSaid>;

function allSaid(said: readonly ApprovalsSaid[]) {
  const answers = said.flatMap((one) => one.answers);
  const uses = said.flatMap((one) => one.uses);
  return {
    answers: new Map(
      answers.flatMap((one) => (one.status === "superseded" ? [] : [[one.approvalId, one.status]])),
    ),
    withdrawn: new Set(answers.flatMap((one) => (one.status === "superseded" ? [one.approvalId] : []))),
    granted: new Set(answers.flatMap(({ grantId }) => grantId ?? [])),
    uses: Map.groupBy(uses, ({ approvalId }) => approvalId),
    usesOfGrants: Map.groupBy(uses, ({ grantId }) => grantId),
    revoked: new Set(said.flatMap((one) => one.revoked)),
    capabilities: Map.groupBy(
      said.flatMap((one) => one.capabilities).toSorted((one, other) => (one.at < other.at ? -1 : 1)),
      ({ grantId }) => grantId,
    ),
    reached: Map.groupBy(
      said.flatMap((one) => one.reached),
      ({ grantId }) => grantId,
    ),
  };
}

function isApprovalSaid({ id, status, value }: Kept<Approval>, journal: Journal): boolean {
  if (value?.status !== status || value.approvalId !== id) return false;
  const answer = journal.answers.get(id);
  const uses = journal.uses.get(id) ?? [];
  // What was taken back is no yes any more, and was used by no call.
  if (journal.withdrawn.has(id) && status !== "superseded") return false;
  switch (status) {
    case "used": {
      const isApproved = answer === "approved" || answer === "approved_for_session";
      const isOrdered =
        answer === undefined &&
        value.orderedUnder !== undefined &&
        journal.answers.get(value.orderedUnder) === "approved";
      const isGranted =
        answer === undefined && value.grantId !== undefined && journal.granted.has(value.grantId);
      return uses.length === 1 && uses[0]?.callId === value.usedBy && (isApproved || isGranted || isOrdered);
    }
    case "expired":
    case "cancelled":
    case "superseded":
      return uses.length === 0 && (answer === undefined || answer === "approved");
    default:
      return uses.length === 0 && status === (answer ?? "pending");
  }
}

/** What nobody has answered since it was asked is a question; what was used is so by a call. */
function isCapabilitySaid({ id, value }: Kept<CapabilityGrant>, journal: Journal): boolean {
  if (value?.grantId !== id) return false;
  const answer = journal.capabilities.get(value.grantId)?.at(-1);
  const calls = (journal.reached.get(value.grantId) ?? []).map(({ callId }) => callId);
  const isUnused = value.scope !== "once" || calls.length === 0;
  switch (value.status) {
    case "pending":
      return answer === undefined || answer.at <= value.createdAt;
    case "granted":
      return answer?.status === "granted" && answer.expiresAt === value.expiresAt && isUnused;
    case "used":
      return answer?.status === "granted" && calls.length === 1 && calls[0] === value.usedBy;
    default:
      return answer?.status === value.status;
  }
}

/** What was granted once and used more often. Its row may be gone: those that ended long ago are. */
function overused({ capabilities, reached }: Journal): string[] {
  return [...reached].flatMap(([grantId, uses]) => {
    const calls = new Set(uses.map(({ callId }) => callId));
    return calls.size > 1 && capabilities.get(grantId)?.at(-1)?.scope === "once" ? [grantId] : [];
  });
}

function isGrantSaid({ id, value }: Kept<StandingGrant>, journal: Journal): boolean {
  return (
    value?.grantId === id &&
    journal.granted.has(value.grantId) &&
    journal.revoked.has(value.grantId) === (value.revokedBy !== undefined) &&
    (journal.usesOfGrants.get(value.grantId) ?? []).length === value.uses
  );
}
