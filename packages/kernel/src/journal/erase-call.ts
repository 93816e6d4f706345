// Erasing takes a call's payloads and their salts; its records, their hashes and the chain stay as they are, and say so.
import { type CallId, NotFoundError, type Principal } from "@spfunctions/contracts";
import type { Approvals } from "../approval/approvals.ts";
import type { Forgetting } from "../approval/forget-question.ts";
import { forgetClaim } from "../call/claims.ts";
import type { ClaimWrite, Erasure, Store } from "../store/store.ts";
import type { Clock } from "../time/clock.ts";
import type { AccountJournal } from "./account-journal.ts";
import { payloadName } from "./gone-payloads.ts";
import { type Payloads, payloadsOf } from "./payloads-of-call.ts";
import { draftRecord } from "./record-draft.ts";
import { forgetReasons } from "./unknown-effects.ts";

export type EraseHost = {
  readonly store: Store;
  readonly journal: AccountJournal;
  readonly principal: Principal;
  readonly approvals: Approvals;
  readonly clock: Clock;
};

/**
 * Erases what was kept of a call's inputs, outputs and messages; how many payloads there were is the answer. `also`: other payloads of
 * the account that are erased with it, in the same write.
 */
export async function eraseCall(
  host: EraseHost,
  callId: string,
  also: readonly Omit<Erasure, "accountId">[] = [],
): Promise<number> {
  const { store, journal, principal } = host;
  const { accountId } = principal;
  const found = await payloadsOf(store, accountId, callId);
  if (found.erasures.length + also.length === 0)
    throw new NotFoundError(`there is no call ${callId} with payloads in this account`);
  const { forgetting, answers } = await forgetApprovals(host, callId, found);
  const others = also.map((erasure) => ({ ...erasure, accountId }));
  const erasures = eachOnce([...found.erasures, ...answers, ...others]);
  const erased = erasures.map(({ stream, seq, ref }) =>
    draftRecord("content.erased", { by: principal, stream, of: seq, ref: ref as never }),
  );
  const reasons = await forgetReasons(store, accountId, [...found.effectIds]);
  const claims = await forgetClaims(host, callId, found.keys);
  await journal.append({
    durability: "power",
    records: [...erased, ...forgetting.flatMap(({ records }) => records)],
    documents: [...reasons, ...forgetting.flatMap(({ documents }) => documents)],
    erasures,
    claims: () => claims,
    wakes: forgetting.flatMap(({ wakes }) => wakes),
  });
  return erasures.length;
}

function eachOnce(erasures: readonly Erasure[]): Erasure[] {
  return [...new Map(erasures.map((one) => [payloadName(one.stream, one.seq, one.ref), one])).values()];
}

/** A claim holds a digest of what its key was used for. */
async function forgetClaims(
  { store, clock }: EraseHost,
  callId: string,
  keys: Payloads["keys"],
): Promise<ClaimWrite[]> {
  const now = clock.now();
  const writes = [...keys.values()].map((key) => forgetClaim(store, key, callId as CallId, now));
  return (await Promise.all(writes)).flat();
}

/** A person was shown the call, and what they have said of it may quote it. */
async function forgetApprovals(
  { approvals, principal }: EraseHost,
  callId: string,
  { approvalIds, answers }: Payloads,
): Promise<{ readonly forgetting: readonly Forgetting[]; readonly answers: readonly Erasure[] }> {
  const forgetting: Forgetting[] = [];
  const erasures: Erasure[] = [];
  for (const approvalId of approvalIds) {
    // oxlint-disable-next-line no-await-in-loop -- one or two
    const forgotten = await approvals.forget(principal.accountId, approvalId, callId);
    if (forgotten === undefined) continue;
    forgetting.push(forgotten);
    for (const answer of answers.filter((one) => one.approvalId === approvalId)) {
      erasures.push(...answer.erasures);
      // oxlint-disable-next-line no-await-in-loop -- see above
      const grant = answer.grantId && (await approvals.forgetGrant(principal, answer.grantId));
      if (grant !== undefined) forgetting.push(grant);
    }
  }
  return { forgetting, answers: erasures };
}
