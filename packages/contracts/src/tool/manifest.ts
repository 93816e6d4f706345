import { z } from "zod";
import { type InvalidInputError, InvalidManifestError } from "../error/error-classes.ts";
import { hashInput } from "../hash/hash-input.ts";
import { type Digest, digestSchema } from "../identity/ids.ts";
import { parseJsonStrict } from "../json/parse-json-strict.ts";
import { freezeDeep, parseAtDoor } from "../schema/parse-at-door.ts";
import { strictObject } from "../schema/strict-object.ts";
import type { JsonValue } from "../json/json-value.ts";
import { heldSecrets } from "../redact/held-secrets.ts";
import { heldPlaceIn, secretPlaceIn, secretPlaceText } from "./secret-in-contract.ts";
import {
  type ContractTool,
  contractToolSchema,
  isActive,
  type ToolDefinition,
  toolDefinitionSchema,
} from "./contract-tool.ts";
import { brokenInvariant, clashBetween, type ToolProblem } from "./tool-invariants.ts";

export const manifestVersion = "0.3.0-draft";

/** `implemented` lists what is active, `review` everything. */
const modeSchema = z.enum(["implemented", "review"]);

export const manifestSchema = strictObject({
  schemaVersion: z.literal(manifestVersion),
  mode: modeSchema,
  digest: digestSchema,
  tools: z.array(contractToolSchema),
});
export type ContractManifest = z.infer<typeof manifestSchema>;

/** A tool's identity: the digest of its canonical definition. */
export function toolDigest(definition: ToolDefinition): Digest {
  return hashInput(definition);
}

/** Contracts that were made here: checked, and nobody can have changed them since. */
const made = new WeakSet<object>();

/** Contracts that were kept or recorded: they are read as they are. */
const kept = new WeakSet<object>();

/** By digest: contracts that hold no secret, and how often what is held had changed when that was last looked at. */
const looked = new Map<Digest, number>();
const maxLooked = 10_000;

/**
 * Builds a manifest from definitions: checked, sorted by name, with digests. The order given does not matter. A definition that
 * redaction would change is refused.
 */
export function buildManifest(
  definitions: readonly ToolDefinition[],
  mode: ContractManifest["mode"] = "implemented",
): ContractManifest {
  return joinContracts(contractsOf(definitions), mode);
}

/** The same of definitions that were kept or recorded: they are read as they are, whatever would be refused in a new one. */
export function buildKeptManifest(
  definitions: readonly ToolDefinition[],
  mode: ContractManifest["mode"] = "implemented",
): ContractManifest {
  const all = contractsOf(definitions);
  for (const contract of all) kept.add(contract);
  return joinContracts(all, mode);
}

function contractsOf(definitions: readonly ToolDefinition[]): readonly ContractTool[] {
  const given = parseAtDoor(
    z.array(toolDefinitionSchema),
    definitions,
    "tool contracts",
    InvalidManifestError,
  );
  const all = given.map((definition) => Object.freeze({ ...definition, digest: toolDigest(definition) }));
  for (const contract of all) made.add(contract);
  return all;
}

/** The same of contracts that manifests were built with before: whether they fit together is all that is left to check. */
export function joinContracts(
  contracts: readonly ContractTool[],
  mode: ContractManifest["mode"] = "implemented",
): ContractManifest {
  const kind = parseAtDoor(modeSchema, mode, "manifest mode", InvalidManifestError);
  // Read once: what is checked is what is joined.
  const all = Array.isArray(contracts) ? Array.from<ContractTool>(contracts) : noList();
  // Before the list is sorted and cut: a problem is named where it was given, also in a tool that is left out.
  checkTools(all, "", (tool) => (made.has(tool) ? (brokenInvariant(tool) ?? secretIn(tool)) : stranger));
  const tools = all
    .filter((tool) => kind === "review" || isActive(tool))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return freezeDeep({
    schemaVersion: manifestVersion,
    mode: kind,
    digest: manifestDigest(kind, tools),
    tools,
  });
}

function noList(): never {
  throw new InvalidManifestError(
    "invalid manifest: give a list of contracts, as in the tools of a manifest",
    {
      details: { path: "", reason: "schema_mismatch" },
    },
  );
}

const stranger: ToolProblem = {
  reason: "not_built",
  message: "it is of no manifest that was built in this process",
};

/** Loads a manifest from outside, as text or value: every promise that building checks is checked again. */
export function parseManifest(source: unknown): ContractManifest {
  const value = typeof source === "string" ? parseText(source) : source;
  const manifest = parseAtDoor(manifestSchema, value, "manifest", InvalidManifestError);
  checkTools(
    manifest.tools,
    "/tools",
    (tool) => brokenInvariant(tool) ?? wrongIn(manifest.mode, tool) ?? secretIn(tool),
  );
  if (manifest.digest !== manifestDigest(manifest.mode, manifest.tools)) {
    throw new InvalidManifestError("invalid manifest: the digest does not match its tools", {
      details: { path: "/digest", reason: "digest_mismatch" },
    });
  }
  return manifest;
}

function checkTools(
  tools: readonly ContractTool[],
  path: string,
  problemOf: (tool: ContractTool) => ToolProblem | undefined,
): void {
  for (const [index, tool] of tools.entries()) {
    const problem = problemOf(tool);
    if (problem !== undefined) fail(`${path}/${index}`, tool, problem);
  }
  const clash = clashBetween(tools);
  if (clash !== undefined) fail(`${path}/${clash.index}`, tools[clash.index] as ContractTool, clash);
}

/** What building leaves out, or never writes. */
function wrongIn(
  mode: ContractManifest["mode"],
  { digest, ...definition }: ContractTool,
): ToolProblem | undefined {
  if (mode === "implemented" && !isActive(definition)) {
    return { reason: "not_active", message: `status ${definition.status} is only for review` };
  }
  if (digest !== toolDigest(definition)) {
    return { reason: "digest_mismatch", message: "the digest does not match the definition" };
  }
  return undefined;
}

/** Looked for once in a contract, and again where what is held has changed since. */
function secretIn(contract: ContractTool): ToolProblem | undefined {
  const { revision } = heldSecrets;
  const before = looked.get(contract.digest);
  if (before === revision || kept.has(contract)) return undefined;
  const place =
    before === undefined ? secretPlaceIn(contract as JsonValue) : heldPlaceIn(contract as JsonValue);
  if (place !== undefined) return { reason: "secret", message: secretPlaceText(place), place };
  if (looked.size >= maxLooked) looked.clear();
  looked.set(contract.digest, revision);
  return undefined;
}

/** Throws for the first of these contracts that holds a secret: also one that has been held only since they were made. */
export function requireNoSecret(contracts: readonly ContractTool[]): void {
  for (const [index, tool] of contracts.entries()) {
    const problem = secretIn(tool);
    if (problem !== undefined) fail(`/tools/${index}`, tool, problem);
  }
}

function fail(path: string, tool: ContractTool, { reason, message, place }: ToolProblem): never {
  const { name = "a tool" } = (tool ?? {}) as Partial<ContractTool>;
  throw new InvalidManifestError(`invalid manifest: ${name}: ${message}`, {
    details: {
      path: `${path}${place?.pointer ?? ""}`,
      tool: name,
      reason,
      ...(place && { kind: place.kind }),
    },
  });
}

function manifestDigest(mode: ContractManifest["mode"], tools: readonly ContractTool[]): Digest {
  const identities = tools.map(({ name, digest }) => ({ name, digest }));
  return hashInput({ schemaVersion: manifestVersion, mode, tools: identities });
}

function parseText(text: string): unknown {
  try {
    return parseJsonStrict(text);
  } catch (cause) {
    const { message, details } = cause as InvalidInputError;
    throw new InvalidManifestError(`invalid manifest: ${message}`, {
      details: { path: "", ...details },
      cause,
    });
  }
}
