// One life of the program that is killed.
import { failed, live } from "../killed-runtime/live.ts";
import { hostBeside } from "./host.ts";
import { objectiveOf, sessionOf } from "./plan.ts";
import { TreeRuntime } from "./runtime.ts";

await live({
  open: (store, server) => new TreeRuntime(store, server),
  begin: (runtime, { job }: { readonly job: number }) => {
    const input = { objective: objectiveOf(job), sessionId: sessionOf(job) };
    runtime.run(input, { until: "end" }).catch(failed(`job ${job}`));
  },
  beside: hostBeside,
});
