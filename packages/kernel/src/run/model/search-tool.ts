// B18: what a model looks for tools with is a tool like any other: judged, journaled, and refused where the policy does not allow it.
import type { ContractTool } from "@spfunctions/contracts";
import { makeTool, type Tool } from "../../tool/make-tool.ts";

export const searchToolName = "tools.search";

export type FoundTool = Pick<ContractTool, "name" | "title" | "description" | "sideEffect" | "costEffect">;

const text = { type: "string" } as const;
const found = {
  type: "object",
  properties: { name: text, title: text, description: text, sideEffect: text, costEffect: text },
  required: ["name", "title", "description", "sideEffect", "costEffect"],
  additionalProperties: false,
} as const;

/** Whether it is this one, and not one of somebody else's that has its name. */
export function isSearchTool({ name, digest }: Pick<ContractTool, "name" | "digest">): boolean {
  if (name !== searchToolName) return false;
  own ??= searchTool(() => []).contract.digest;
  return digest === own;
}
let own: string | undefined;

/** `find`: of what the model may call, and of nothing else. */
export function searchTool(find: (query: string, limit: number) => readonly FoundTool[]): Tool {
  return makeTool({
    name: searchToolName,
    title: "Find tools",
    description:
      "Finds more tools by what they do. What is found can be called from the next turn on. Say in a few words what you want to do.",
    input: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, maxLength: 500 },
        limit: { type: "integer", minimum: 1, maximum: 20, default: 5 },
      },
      required: ["query"],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: { tools: { type: "array", items: found } },
      required: ["tools"],
      additionalProperties: false,
    },
    permissions: [],
    sideEffect: "none",
    costEffect: "none",
    run: (input: unknown) => {
      const { query, limit = 5 } = input as { query: string; limit?: number };
      return { tools: find(query, limit) };
    },
  });
}
