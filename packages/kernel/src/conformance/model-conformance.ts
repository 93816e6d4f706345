import type { ConformanceCase } from "./conformance-case.ts";
import { modelAnswerCases } from "./model/answer-cases.ts";
import { modelCancelCases } from "./model/cancel-cases.ts";
import { modelHostileCases } from "./model/hostile-cases.ts";
import type { ModelAbility, OpenedModel } from "./model/model-case.ts";
import { modelRefusalCases } from "./model/refusal-cases.ts";
import { modelWireCases } from "./model/wire-cases.ts";

/** What an adapter cannot be asked for, each with the reason why not. */
export type ModelLeftOut = { readonly [Left in ModelAbility]?: string };

/**
 * What every model adapter promises, tried on a fresh one for each promise.
 *
 * @example for (const { name, run } of modelConformance(open)) test(name, run);
 */
export function modelConformance(
  open: () => Promise<OpenedModel>,
  leftOut: ModelLeftOut = {},
): ConformanceCase[] {
  const cases = [
    ...modelAnswerCases,
    ...modelWireCases,
    ...modelRefusalCases,
    ...modelCancelCases,
    ...modelHostileCases,
  ];
  return cases
    .filter(({ needs = [] }) => needs.every((need) => leftOut[need] === undefined))
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
