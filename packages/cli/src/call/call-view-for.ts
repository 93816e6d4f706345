import type { CommandContext } from "../command-line/command-context.ts";
import type { AskedPlace } from "../approvals/say-what-is-asked.ts";
import type { CallView } from "./call-view.ts";
import { humanView } from "./human-view.ts";
import { jsonView } from "./json-view.ts";
import { ndjsonView } from "./ndjson-view.ts";

export type ViewOptions = {
  readonly json?: true;
  readonly ndjson?: true;
  readonly waitForApproval?: true;
};

/** How whoever asked wants to see a call. */
export function callViewFor(
  { json, ndjson, waitForApproval }: ViewOptions,
  { print, io }: Pick<CommandContext, "print" | "io">,
  place: AskedPlace,
): CallView {
  const terms = { print, env: io.env, place, isWaiting: waitForApproval === true };
  if (ndjson === true) return ndjsonView(terms, Date.now);
  return json === true ? jsonView(terms) : humanView(terms);
}
