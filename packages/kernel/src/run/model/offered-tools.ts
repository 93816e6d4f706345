import { canonicalJson, heldPlaceIn, heldSecrets, readCanonicalJson, redact } from "@spfunctions/contracts";
import type { Judge } from "../../judge/judge.ts";
import type { ModelTool } from "../../model/model-adapter.ts";
import { projectPackage } from "../../package/project-package.ts";
import type { Run } from "../state/fold-run.ts";
import type { RunHost } from "../run-host.ts";
import type { RunStep } from "../state/run-step.ts";
import { isSearchTool, searchToolName } from "./search-tool.ts";

/** S1: without secrets that are held only since the tools were defined. Looked at again where what is held has changed. */
export function withoutHeldSecrets(tools: readonly ModelTool[]): readonly ModelTool[] {
  const { revision } = heldSecrets;
  const before = lookedAt.get(tools);
  if (before?.revision === revision) return before.tools;
  const safe = Object.freeze(tools.map(withoutHeldSecret));
  lookedAt.set(tools, { tools: safe, revision });
  return safe;
}

/** Its name is what its calls are told by, and holds none: it was refused there. */
function withoutHeldSecret(tool: ModelTool): ModelTool {
  const { description, input } = tool;
  if (heldPlaceIn({ description, input }) === undefined) return tool;
  return { ...tool, ...(redact({ description, input }, { onlyHeld: true }) as typeof tool) };
}

const lookedAt = new WeakMap<
  readonly ModelTool[],
  { readonly tools: readonly ModelTool[]; readonly revision: number }
>();

export type Offered = { readonly tools: readonly ModelTool[]; readonly bytes: number };

const known = new WeakMap<Judge, Offered>();

/** What a model may be shown: of its package, what the judge would not refuse out of hand. The same all through a run. */
export function offeredTools({ package: runtimePackage }: Pick<RunHost, "package">, judge: Judge): Offered {
  const before = known.get(judge);
  if (before !== undefined) return before;
  const tools = projectPackage(runtimePackage)
    .filter(
      ({ canonicalToolName: tool }) => judge.judge({ tool, origin: "model" }).verdict.outcome !== "deny",
    )
    .map(({ canonicalToolName: name, description, input }) => Object.freeze({ name, description, input }));
  const offered = offer(tools);
  known.set(judge, offered);
  return offered;
}

function offer(tools: readonly ModelTool[]): Offered {
  return { tools: Object.freeze(tools), bytes: Buffer.byteLength(canonicalJson(tools)) };
}

/** What a model is shown of that: what its run began with, and what it has found since. */
export class ShownTools {
  readonly #offered: Offered;
  readonly #names: Set<string> | undefined;
  readonly #isSearched: boolean;
  #steps = 0;
  #shown: Offered | undefined;

  constructor(
    offered: Offered,
    shown: readonly string[] | undefined,
    { tools }: Pick<RunHost["registry"], "tools">,
  ) {
    this.#offered = offered;
    this.#names = shown && new Set(shown);
    const search = tools.get(searchToolName);
    this.#isSearched = search !== undefined && isSearchTool(search.contract);
  }

  upTo({ steps }: Run): Offered {
    const names = this.#names;
    if (names === undefined) return this.#offered;
    const before = names.size;
    if (this.#isSearched)
      for (const step of steps.slice(this.#steps)) for (const name of foundIn(step)) names.add(name);
    this.#steps = steps.length;
    if (this.#shown === undefined || names.size > before)
      this.#shown = offer(this.#offered.tools.filter(({ name }) => names.has(name)));
    return this.#shown;
  }
}

/** G3: what a search has answered only shows what may be called in any case. One that was refused, failed or erased has found nothing. */
function foundIn({ calls, results }: RunStep): string[] {
  const searches = new Set(calls.flatMap(({ callId, name }) => (name === searchToolName ? [callId] : [])));
  return results
    .filter(({ callId }) => searches.has(callId))
    .flatMap(({ text }) => namesIn(readCanonicalJson(text)));
}

/** A replayed search has answered what is in its trace, whatever that is. */
function namesIn(answer: unknown): string[] {
  const { tools } = (answer ?? {}) as { readonly tools?: unknown };
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown) => {
    const { name } = (tool ?? {}) as { readonly name?: unknown };
    return typeof name === "string" ? [name] : [];
  });
}
