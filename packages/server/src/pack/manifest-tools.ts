import {
  type ContractManifest,
  type ContractTool,
  manifestVersion,
  costEffects,
  nearest,
  sideEffects,
  strictObject,
  UnknownToolError,
} from "@spfunctions/contracts";
import { defineTool } from "@spfunctions/kernel";
import { z } from "zod";
import { sdk } from "./sdk-method.ts";

/** Which tools there are. `review` also lists what is not active. */
export type ManifestOf = (mode: ContractManifest["mode"]) => ContractManifest;

/** What every contract has; the rest of it is in the tool's own words. */
const contractSchema = {
  type: "object",
  required: [
    "name",
    "title",
    "description",
    "status",
    "sideEffect",
    "costEffect",
    "input",
    "output",
    "digest",
  ],
  properties: {
    name: { type: "string" },
    title: { type: "string" },
    description: { type: "string" },
    status: { enum: ["implemented", "deferred", "deprecated", "forbidden"] },
    sideEffect: { enum: [...sideEffects] },
    costEffect: { enum: [...costEffects] },
    input: { type: "object" },
    output: { type: "object" },
    digest: { type: "string" },
  },
} as const;

const open = {
  permissions: [],
  sideEffect: "none",
  costEffect: "none",
  access: { anonymousAllowed: true },
  stability: "beta",
} as const;

export function manifestTools(manifestOf: ManifestOf) {
  return [
    defineTool({
      ...open,
      name: "manifest.list",
      title: "List the tools",
      description: "Every active tool with its contract: what it changes, costs, needs, takes and gives.",
      input: strictObject({ mode: z.enum(["implemented", "review"]).optional() }),
      output: {
        type: "object",
        required: ["schemaVersion", "mode", "digest", "tools"],
        additionalProperties: false,
        properties: {
          schemaVersion: { const: manifestVersion },
          mode: { enum: ["implemented", "review"] },
          digest: { type: "string" },
          tools: { type: "array", items: contractSchema },
        },
      },
      http: { method: "GET", path: "/api/contracts/tools" },
      sdk: sdk("manifest.list"),
      run: ({ mode = "implemented" }) => manifestOf(mode),
    }),
    defineTool({
      ...open,
      name: "manifest.get",
      title: "Show one tool",
      description: "The contract of one tool, by its canonical name.",
      input: strictObject({ name: z.string() }),
      output: contractSchema,
      http: { method: "GET", path: "/api/contracts/tools/{name}" },
      sdk: sdk("manifest.get"),
      run: ({ name }) => contractNamed(manifestOf("implemented"), name),
    }),
  ];
}

export function contractNamed({ tools }: ContractManifest, name: string): ContractTool {
  const found = tools.find((tool) => tool.name === name);
  if (found !== undefined) return found;
  const suggestions = nearest(
    name,
    tools.map((tool) => tool.name),
  );
  const hint = suggestions.length === 0 ? "" : `; did you mean ${suggestions.join(" or ")}?`;
  throw new UnknownToolError(`there is no tool of this name${hint}`, { details: { suggestions } });
}
