import type { Revision } from "../hook/revise-input.ts";
import { draftContent, draftRecord } from "../journal/record-draft.ts";
import { contentRef } from "../time/ids.ts";
import type { Tool } from "../tool/define-tool.ts";
import { isAborted } from "../time/abort-signal.ts";
import type { CallHost } from "./call-host.ts";
import type { Call } from "./call-in-progress.ts";
import type { Unreadable } from "./payload.ts";
import { policyViewOf } from "./policy-view.ts";
import type { PreparedInput } from "./prepare-input.ts";

export type Revised = Pick<Revision, "objection"> & { readonly input: PreparedInput | Unreadable };

/** What hooks leave of a call. Where that is not what was proposed, both are on record before it is judged. */
export async function reviseCall(
  host: CallHost,
  { names, unique, request: { signal } }: Call,
  tool: Tool,
  proposed: PreparedInput | Unreadable,
): Promise<Revised> {
  const { hooks, journal, ids } = host;
  // What cannot be read is refused in any case.
  if (hooks === undefined || proposed.type === "unreadable") return { input: proposed };
  const { runId, callId } = names;
  const view = (input: PreparedInput) => policyViewOf(host, names, tool, input);
  const { input, by, objection } = await hooks.revise({ tool, input: proposed, signal }, view);
  // It does not begin, whatever they would have said.
  if (isAborted(signal)) return { input: proposed };
  if (by.length === 0) return { input, objection };
  const contentOf = ({ recorded: { text, hash } }: PreparedInput, part: string) =>
    draftContent(contentRef(unique, part), ids.salt(), text, hash);
  const [before, after] = [contentOf(proposed, "proposed"), contentOf(input, "revised")];
  const body = { runId, callId, tool: tool.contract.name, by: [...by] };
  const record = draftRecord(
    "call.revised",
    { ...body, input: before.digest, output: after.digest },
    { content: [before.row, after.row] },
  );
  await journal.append({ durability: "process", records: [record] }, tool.contract);
  return { input, objection };
}
