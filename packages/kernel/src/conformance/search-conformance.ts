import type { ConformanceCase } from "./conformance-case.ts";
import { searchAccountCases } from "./search/account-cases.ts";
import { searchAnythingCases } from "./search/anything-cases.ts";
import { searchEntryCases } from "./search/entry-cases.ts";
import { searchRankCases } from "./search/rank-cases.ts";
import { searchRebuildCases } from "./search/rebuild-cases.ts";
import type { OpenedSearchIndex } from "./search/search-case.ts";
import { searchSyntaxCases } from "./search/syntax-cases.ts";
import { searchWordCases } from "./search/word-cases.ts";

/**
 * What every search index promises, tried on an empty one for each promise.
 *
 * @example for (const { name, run } of searchConformance(open)) test(name, run);
 */
export function searchConformance(open: () => Promise<OpenedSearchIndex>): ConformanceCase[] {
  const cases = [
    ...searchEntryCases,
    ...searchRankCases,
    ...searchWordCases,
    ...searchSyntaxCases,
    ...searchAnythingCases,
    ...searchAccountCases,
    ...searchRebuildCases,
  ];
  return cases.map(({ name, run }) => ({
    name,
    run: async () => {
      const { index, dispose } = await open();
      try {
        await run(index);
      } finally {
        await dispose();
      }
    },
  }));
}
