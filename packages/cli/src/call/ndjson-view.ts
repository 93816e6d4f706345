import type { OutputFrame } from "@spfunctions/contracts";
import { optionsFor } from "../effects/what-to-do.ts";
import { failedFrame, printError } from "../io/report-error.ts";
import type { CallView, ViewTerms } from "./call-view.ts";
import { printRecovery } from "./human-view.ts";

/** The call's events as they happen, one JSON object a line, with what comes before and after them. */
export function ndjsonView({ print, env, place, tools }: ViewTerms, now: () => number): CallView {
  const frame = (one: OutputFrame) => print.json(one);
  return {
    begun: () => frame({ type: "session.init", v: 1, ts: new Date(now()).toISOString() }),
    opened: (manifest, recovery) => {
      frame({ type: "tool.catalog.loaded", manifestDigest: manifest.digest, tools: manifest.tools.length });
      printRecovery(print, recovery, place);
    },
    event: (event) => print.json(event),
    ended: ({ outcome, trouble }) => {
      if (outcome.type === "completed") {
        const { output, receipt, redacted } = outcome.result;
        frame({ type: "agent.final", ok: true, output });
        frame({ type: "trace.receipt", receipt });
        if (redacted.length > 0)
          print.err(`note: the record hides ${redacted.join(", ")}; here it was shown once`);
      } else {
        frame(failedFrame(outcome.error));
        if (outcome.receipt !== undefined) frame({ type: "trace.receipt", receipt: outcome.receipt });
        printError(print, outcome.error, env, optionsFor(place), tools);
      }
      if (trouble !== undefined) printError(print, trouble, env);
    },
    left: (trouble) => printError(print, trouble, env),
  };
}
