import type { CommandContext } from "../command-line/command-context.ts";
import type { EffectsPlace } from "../effects/what-to-do.ts";
import type { CallView } from "./call-view.ts";
import { humanView } from "./human-view.ts";
import { jsonView } from "./json-view.ts";
import { ndjsonView } from "./ndjson-view.ts";

/** How whoever asked wants to see a call. */
export function callViewFor(
  { json, ndjson }: { readonly json?: true; readonly ndjson?: true },
  { print, io }: Pick<CommandContext, "print" | "io">,
  place: EffectsPlace,
): CallView {
  const terms = { print, env: io.env, place };
  if (ndjson === true) return ndjsonView(terms, Date.now);
  return json === true ? jsonView(terms) : humanView(terms);
}
