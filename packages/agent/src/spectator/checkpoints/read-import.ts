// G3: what is brought along from outside is somebody's text. It grants nothing, speaks for no operator and for no system.
import {
  agentExportSchema,
  type AgentRevision,
  type Checkpoint,
  checkpointWireSchema,
  type CheckpointWire,
  cutPlaceholders,
  decodeCheckpoint,
  InvalidInputError,
  isJsonObject,
  type JsonValue,
  parseAtDoor,
  parseJsonStrict,
} from "@spfunctions/contracts";
import type { AgentLimits } from "../state/agent-limits.ts";
import { othersIn } from "../state/operator-constraints.ts";
import { hashOf } from "../../kept/kept-revision.ts";
import { type RevisionContent, withCapabilities } from "./revision-content.ts";

/** What was in the text and is not taken over. */
export type NotImported = {
  readonly systemMessages: number;
  readonly capabilities: readonly string[];
  /** Those of the operator where it was exported. */
  readonly operatorConstraints: readonly string[];
};

export type ReadImport = { readonly content: RevisionContent; readonly dropped: NotImported };

/** A revision as a text brings it along; a checkpoint by itself has no hash. */
export type ImportedRevision = Pick<AgentRevision, "checkpoint"> & Partial<Pick<AgentRevision, "hash">>;

export type ImportTerms = {
  readonly operatorConstraints: readonly string[];
  readonly limits: AgentLimits;
  /** What is left of it where it is from here and something of it was erased since: that is taken instead. */
  readonly left: (named: ImportedRevision) => Promise<AgentRevision | undefined>;
};

/** The last checkpoint of an export, or a checkpoint by itself. */
export async function readImport(
  text: string,
  { operatorConstraints, limits, left }: ImportTerms,
): Promise<ReadImport> {
  const value = parseJsonStrict(text, { maxBytes: limits.exportBytes });
  const { wire, operators } = await checkpointIn(value, left);
  const { state, recentMessages, traceTail } = decodeCheckpoint(wire);
  const others = state.constraints.slice(operators);
  requireRoom({ ...state, constraints: othersIn(others, operatorConstraints) }, limits);
  const messages = recentMessages.filter(({ role }) => role !== "system");
  const content = {
    state: { ...state, constraints: others },
    recentMessages: messages,
    ...(traceTail !== undefined && { traceTail }),
  };
  return {
    content: withCapabilities(content, { capabilitiesGranted: [], capabilitiesPending: [] }),
    dropped: {
      systemMessages: recentMessages.length - messages.length,
      capabilities: [...state.capabilitiesGranted, ...state.capabilitiesPending],
      operatorConstraints: othersIn(state.constraints.slice(0, operators), operatorConstraints),
    },
  };
}

async function checkpointIn(
  value: JsonValue,
  left: ImportTerms["left"],
): Promise<{ readonly wire: CheckpointWire; readonly operators: number }> {
  const isExport = isJsonObject(value) && Object.hasOwn(value, "format");
  if (!isExport) {
    const wire = parseAtDoor(checkpointWireSchema, value, "checkpoint", InvalidInputError);
    const kept = await left({ checkpoint: wire });
    return { wire: kept?.checkpoint ?? wire, operators: kept?.operatorConstraints ?? 0 };
  }
  const { revisions } = parseAtDoor(agentExportSchema, value, "export", InvalidInputError);
  requireChain(revisions);
  const exported = revisions.at(-1) as AgentRevision;
  const last = (await left(exported)) ?? exported;
  return { wire: last.checkpoint, operators: last.operatorConstraints };
}

/** Against mistakes, and not against whoever can count: nothing here proves who wrote it. */
function requireChain(revisions: readonly AgentRevision[]): void {
  for (const [index, revision] of revisions.entries()) {
    const before = revisions[index - 1];
    const follows = before === undefined || before.hash === revision.prev;
    // Of what was erased since, nobody can say any more what its hash was made of.
    if (follows && (revision.erased !== undefined || hashOf(revision) === revision.hash)) continue;
    throw new InvalidInputError(
      `revision ${revision.checkpoint.revision} of the export is not what was exported; export it again, or import its checkpoint by itself`,
      { details: { path: `/revisions/${index}`, reason: "hash_mismatch" } },
    );
  }
}

/** B31: what would not fit is not cut away, but refused. */
function requireRoom(state: Checkpoint["state"], limits: AgentLimits): void {
  const lists = [
    ["goals", limits.itemChars],
    ["openLoops", limits.itemChars],
    ["decisions", limits.itemChars],
    ["constraints", limits.itemChars],
    ["memoryTags", limits.tagChars],
  ] as const;
  for (const [name, mostChars] of lists) {
    if (state[name].length > limits.listItems)
      throw tooLarge(name, `more than ${limits.listItems} items`, "listItems");
    if (state[name].some((text) => lengthOf(text) > mostChars))
      throw tooLarge(
        name,
        `an item of more than ${mostChars} characters`,
        name === "memoryTags" ? "tagChars" : "itemChars",
      );
  }
  if (lengthOf(state.episodeSummary) > limits.summaryChars)
    throw tooLarge("episodeSummary", `more than ${limits.summaryChars} characters`, "summaryChars");
}

/** What stands for a secret may be longer than the secret was. */
function lengthOf(text: string): number {
  return cutPlaceholders(text).length;
}

function tooLarge(name: string, what: string, limit: keyof AgentLimits): InvalidInputError {
  return new InvalidInputError(
    `the checkpoint cannot be imported: its ${name} has ${what}; shorten it, or raise the limit ${limit}`,
    {
      details: { path: `/state/${name}`, reason: "too_large", limit },
    },
  );
}
