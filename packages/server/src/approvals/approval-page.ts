import type { Approval } from "@spfunctions/contracts";

export type ApprovalPage = { readonly items: readonly Approval[]; readonly next?: string };

/** Inputs may be large: a page ends early rather than to grow beyond this, but never before its first item. */
const pageChars = 2 ** 20;

/** The oldest first, after the place that an earlier page ended at. */
export function approvalPage(
  approvals: readonly Approval[],
  after: string | undefined,
  limit: number,
): ApprovalPage {
  const left = approvals
    .toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))
    .filter((one) => after === undefined || placeOf(one) > after);
  const items: Approval[] = [];
  let chars = 0;
  for (const one of left.slice(0, limit)) {
    chars += JSON.stringify(one).length;
    if (items.length > 0 && chars > pageChars) break;
    items.push(one);
  }
  const last = items.at(-1);
  return { items, ...(last !== undefined && items.length < left.length && { next: placeOf(last) }) };
}

/** Where one stands in the list: also when it is no longer there, what comes after it is known. */
function placeOf({ createdAt, approvalId }: Approval): string {
  return `${createdAt},${approvalId}`;
}
