// Before a call is judged, hooks may object to it or put something else in place of its input. G4: what they leave is what is judged,
// and what is judged is what runs. Both are on record.
import { canonicalJson, type KeyedHash, readCanonicalJson, readJsonPointer } from "@spfunctions/contracts";
import type { PolicyView } from "../call/ask-policy.ts";
import { differences, freeze } from "../call/payload.ts";
import { type PreparedInput, prepareInput } from "../call/prepare-input.ts";
import type { PolicyAnswer } from "../judge/input-gates.ts";
import type { Tool } from "../tool/define-tool.ts";
import { applyPatch, type Both, UnfitPatch } from "./apply-patch.ts";
import type { Hooks, PlacedHook } from "./hooks.ts";
import type { JsonPatch } from "./run-hook.ts";

/** A call before it is judged with its input. */
export type Proposed = {
  readonly tool: Tool;
  readonly input: PreparedInput;
  /** Of whoever may stop it meanwhile. */
  readonly signal?: AbortSignal | undefined;
};

/** What hooks have made of a call. */
export type Revision = {
  readonly input: PreparedInput;
  /** By whom it was changed. */
  readonly by: readonly Pick<PlacedHook, "id" | "version">[];
  readonly objection?: PolicyAnswer | undefined;
};

/** `view`: what is shown of a call with such an input. */
export async function reviseInput(
  hooks: Hooks,
  { tool, input: proposed, signal }: Proposed,
  view: (input: PreparedInput) => PolicyView,
  keyedHash: KeyedHash,
): Promise<Revision> {
  const by: Revision["by"][number][] = [];
  let input = proposed;
  const denied = (id: string, reason: string): Revision => ({
    input,
    by,
    objection: { outcome: "deny", reason: `${id}: ${reason}` },
  });
  for (const { id, version, phase, ask } of hooks.at("before_tool_call")) {
    // oxlint-disable-next-line no-await-in-loop -- each sees what the one before has left
    const { outcome, reason = "it gave no reason", patch } = await ask(view(input), signal);
    if (outcome === "deny") return denied(id, reason);
    if (patch === undefined) continue;
    if (phase !== "change") return denied(id, "only a hook of phase change may change an input");
    const changed = patched(tool, input, patch, keyedHash);
    if (typeof changed === "string") return denied(id, `its patch cannot be applied: ${changed}`);
    if (changed.live.text === input.live.text) continue;
    input = changed;
    by.push({ id, version });
  }
  return { input, by };
}

/** Frozen again, with the contract's defaults; or why it cannot be. */
function patched(
  tool: Tool,
  { live, recorded }: PreparedInput,
  patch: JsonPatch,
  keyedHash: KeyedHash,
): PreparedInput | string {
  try {
    const both = applyPatch(
      { live: readCanonicalJson(live.text), recorded: readCanonicalJson(recorded.text) },
      patch,
    );
    const input = prepareInput(tool, freeze(both.live), keyedHash, recorded.hidden);
    if (input.type === "unreadable") return `the input ${input.problem.message}`;
    return showsHidden(both, input) ? "what is hidden on record would not be any more" : input;
  } catch (error) {
    if (error instanceof UnfitPatch) return error.message;
    return "it holds what is not JSON";
  }
}

/** S1: a value may be hidden for what stands beside it, and that can be taken away. */
function showsHidden({ live, recorded }: Both, input: PreparedInput): boolean {
  const after = readCanonicalJson(input.recorded.text);
  return differences(live, recorded).some((path) => {
    const [before, now] = [readJsonPointer(live, path), readJsonPointer(after, path)];
    return now !== undefined && canonicalJson(before) === canonicalJson(now);
  });
}
