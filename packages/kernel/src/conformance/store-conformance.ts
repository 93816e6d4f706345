import type { ConformanceCase } from "./conformance-case.ts";
import { accountCases } from "./store/account-cases.ts";
import { atomicityCases } from "./store/atomicity-cases.ts";
import { claimCases } from "./store/claim-cases.ts";
import { concurrencyCases } from "./store/concurrency-cases.ts";
import { contentCases } from "./store/content-cases.ts";
import { documentCases } from "./store/document-cases.ts";
import { leaseCases } from "./store/lease-cases.ts";
import { ownershipCases } from "./store/ownership-cases.ts";
import { repetitionCases } from "./store/repetition-cases.ts";
import type { Ability, OpenedStore } from "./store/store-case.ts";
import { streamCases } from "./store/stream-cases.ts";
import { valueCases } from "./store/value-cases.ts";
import { watchCases } from "./store/watch-cases.ts";
import { wakeCases } from "./store/wake-cases.ts";

/** What a store cannot be asked for, each with the reason why not. */
export type LeftOut = { readonly [Left in Ability]?: string };

/**
 * What every store promises, tried on a fresh one for each promise.
 *
 * @example for (const { name, run } of storeConformance(open)) test(name, run);
 */
export function storeConformance(open: () => Promise<OpenedStore>, leftOut: LeftOut = {}): ConformanceCase[] {
  const cases = [
    ...streamCases,
    ...repetitionCases,
    ...documentCases,
    ...claimCases,
    ...contentCases,
    ...accountCases,
    ...atomicityCases,
    ...leaseCases,
    ...concurrencyCases,
    ...valueCases,
    ...ownershipCases,
    ...wakeCases,
    ...watchCases,
  ];
  return cases
    .filter(({ needs }) => needs === undefined || leftOut[needs] === undefined)
    .map(({ name, run }) => ({
      name,
      run: async () => {
        const opened = await open();
        try {
          await run(opened);
        } finally {
          await opened.dispose();
        }
      },
    }));
}
