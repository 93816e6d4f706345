// B12: a yes for a session holds for what was shown and nothing beside it: this account and key, this tool as it is, these
// policies, this session, the fixed parts of the input, so many times, so long. What the host's own policy asks it does not answer.
import {
  canonicalJson,
  type Gate,
  type HiddenPart,
  hasPlaceholder,
  type JsonValue,
  readJsonPointer,
  type SideEffect,
  type StandingGrant,
} from "@spfunctions/contracts";
import { unlessCorrupt } from "../journal/read-kept.ts";
import { documentsOf } from "../store/documents-of.ts";
import { grantKind } from "../store/kernel-kinds.ts";
import type { DocumentWrite } from "../store/store.ts";
import type { Wanted } from "./approval-fit.ts";
import type { ApprovalsHost } from "./approvals-host.ts";
import { grantIn, putGrant } from "./kept-approval.ts";
import { type Kept } from "../installation/proven.ts";

/** For what does more than this, every call is asked about. */
export function mayStand(sideEffect: SideEffect): boolean {
  return sideEffect === "none" || sideEffect === "user_write";
}

/** Whether a yes for a session can answer: what the host's own policy asks is about one call, and so is what is hidden in a call. */
export function isForSession({
  gate,
  hidden = [],
}: {
  readonly gate?: Gate | undefined;
  readonly hidden?: readonly HiddenPart[] | undefined;
}): boolean {
  return gate !== "pre_tool" && hidden.length === 0;
}

/** A grant, and the write that counts one more use of it. */
export type GrantUse = { readonly grant: StandingGrant; readonly write: DocumentWrite };

/** A grant that covers a call. */
export async function grantFor(host: ApprovalsHost, wanted: Wanted): Promise<GrantUse | undefined> {
  if (wanted.sessionId === undefined || !mayStand(wanted.contract.sideEffect)) return undefined;
  if (!isForSession(wanted)) return undefined;
  for await (const kept of grantsOf(host, wanted.asker.accountId, "standing")) {
    const isForCall = isInTime(host, kept.value) && covers(kept.value, wanted);
    if (isForCall && !(await isGrantOver(host, kept.value))) return useOf(host, kept);
  }
  return undefined;
}

/** The grant that an answer has made, while it stands. */
export async function useOfGrant(
  host: ApprovalsHost,
  accountId: string,
  grantId: string | undefined,
): Promise<GrantUse | undefined> {
  if (grantId === undefined) return undefined;
  const kept = await readGrant(host, accountId, grantId);
  const isStanding = kept?.isStanding === true && isInTime(host, kept.value);
  return isStanding ? useOf(host, kept) : undefined;
}

/** A grant as it is kept, also one that has ended. Returns undefined if this installation has written none. */
export async function readGrant(
  { store, proves }: Pick<ApprovalsHost, "store" | "proves">,
  accountId: string,
  id: string,
): Promise<(Kept<StandingGrant> & { readonly isStanding: boolean }) | undefined> {
  const document = await store.document({ kind: grantKind, accountId, id });
  const kept = document && unlessCorrupt(() => grantIn(document, proves));
  return kept && { ...kept, isStanding: document?.status === "standing" };
}

function useOf({ proves }: ApprovalsHost, { value: grant, revision }: Kept<StandingGrant>): GrantUse {
  return { grant, write: putGrant({ ...grant, uses: grant.uses + 1 }, revision, proves) };
}

/** Whether what its grantor has decided counts for nothing by now. */
async function isGrantOver(
  { isDecisionOver }: ApprovalsHost,
  { principal: { accountId, keyId }, grantedBy: decidedBy }: StandingGrant,
): Promise<boolean> {
  return (await isDecisionOver?.({ accountId, keyId, decidedBy })) === true;
}

function isInTime({ clock }: ApprovalsHost, { expiresAt }: StandingGrant): boolean {
  return clock.now() < Date.parse(expiresAt);
}

/** B22: what this installation did not write is no grant. */
export async function* grantsOf(
  { store, proves }: Pick<ApprovalsHost, "store" | "proves">,
  accountId: string,
  status?: "standing" | "ended",
): AsyncGenerator<Kept<StandingGrant>> {
  for await (const document of documentsOf(store, grantKind, accountId, status)) {
    const kept = unlessCorrupt(() => grantIn(document, proves));
    if (kept !== undefined) yield kept;
  }
}

function covers(grant: StandingGrant, wanted: Wanted): boolean {
  const { principal, sessionId, toolDigest, policyDigest, fixedInput = {} } = grant;
  const { asker, contract } = wanted;
  const isTheirs =
    principal.accountId === asker.accountId &&
    principal.keyId === asker.keyId &&
    principal.kind === asker.kind;
  return (
    isTheirs &&
    sessionId === wanted.sessionId &&
    toolDigest === contract.digest &&
    policyDigest === wanted.policyDigest &&
    Object.entries(fixedInput).every(([pointer, value]) => isAt(wanted.input, pointer, value))
  );
}

function isAt(input: JsonValue, pointer: string, value: unknown): boolean {
  const found = readJsonPointer(input, pointer);
  if (found === undefined) return false;
  const text = canonicalJson(found);
  // What was hidden when the grant was made was not seen by whoever made it.
  return text === canonicalJson(value) && !hasPlaceholder(text);
}
