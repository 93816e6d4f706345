import type { OutputFrame, RuntimeRunResult } from "@spfunctions/contracts";
import { failedFrame } from "../io/report-error.ts";
import type { RunView, RunViewTerms } from "./run-view.ts";
import { sayTrouble, troubleOf } from "./say-trouble.ts";

/** The run's events as they happen, one JSON object a line, with what comes before and after them. */
export function ndjsonView(terms: RunViewTerms, now: () => number): RunView {
  const { print } = terms;
  const frame = (one: OutputFrame) => print.json(one);
  return {
    begun: () => frame({ type: "session.init", v: 1, ts: new Date(now()).toISOString() }),
    opened: ({ manifest: { digest, tools } }) =>
      frame({ type: "tool.catalog.loaded", manifestDigest: digest, tools: tools.length }),
    event: (event) => print.json(event),
    cancelling: () => undefined,
    ended: (result) => {
      frame(finalFrame(result));
      sayTrouble(result, terms);
    },
  };
}

function finalFrame(result: RuntimeRunResult): OutputFrame {
  const trouble = troubleOf(result);
  return trouble === undefined
    ? { type: "agent.final", ok: true, output: result.output }
    : failedFrame(trouble);
}
