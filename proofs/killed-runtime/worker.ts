// One life of the program that is killed.
import { failed, live } from "./live.ts";
import { answerSchema, objectiveOf, type Part, sessionOf } from "./plan.ts";
import { openRuntime } from "./runtime.ts";

await live({
  open: openRuntime,
  begin: (runtime, { job, part }: { readonly job: number; readonly part: Part }) => {
    const input = { objective: objectiveOf(job, part), sessionId: sessionOf(job) };
    runtime
      .run({ ...input, ...(part === 2 && { output: answerSchema }) }, { until: "end" })
      .catch(failed(`job ${job}, part ${part}`));
  },
});
