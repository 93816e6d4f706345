import * as fc from "fast-check";
import type { Approval } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { approvalPage } from "./approval-page.ts";

function approval(index: number, second: number, input: unknown = {}): Approval {
  const createdAt = new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
  return { approvalId: `appr_0000000${index}`, createdAt, input } as unknown as Approval;
}

test("pages together are the whole list, oldest first, whatever lies between two of them ends", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5), { maxLength: 20 }), fc.integer({ min: 1, max: 7 }), (seconds, limit) => {
      let all = seconds.map((second, index) => approval(index, second));
      const expected = all.toSorted((a, b) =>
        a.createdAt + a.approvalId < b.createdAt + b.approvalId ? -1 : 1,
      );
      const seen: Approval[] = [];
      for (let after: string | undefined; ; ) {
        const { items, next } = approvalPage(all, after, limit);
        seen.push(...items);
        // Somebody answers what was just listed: it is among those that wait no more.
        all = all.filter((one) => !items.includes(one));
        if (next === undefined) break;
        after = next;
      }
      expect(seen).toStrictEqual(expected);
    }),
  );
});

test("a page of large inputs ends early, and never before its first", () => {
  const large = "x".repeat(700_000);
  const all = [0, 1, 2].map((index) => approval(index, index, large));
  expect(approvalPage(all, undefined, 50).items).toHaveLength(1);
  const huge = [approval(0, 0, "x".repeat(3_000_000))];
  expect(approvalPage(huge, undefined, 50)).toStrictEqual({ items: huge });
});
