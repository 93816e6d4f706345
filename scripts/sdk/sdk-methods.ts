import type { ContractManifest, ContractTool } from "@spfunctions/contracts";
import { factsOf, type ToolFacts } from "../../packages/sdk/src/tool/tool-facts.ts";

const sdkPackage = "@spfunctions/sdk";

/** A tool and the one method that calls it. */
export type SdkMethod = {
  readonly tool: ContractTool;
  readonly facts: ToolFacts;
  readonly resource: string;
  readonly method: string;
};

/** A word that starts small: it can follow a dot, and its type's name follows from it. */
const shape = /^([a-z][A-Za-z0-9]*)\.([a-z][A-Za-z0-9]*)$/;

/** Members that a client, an object or a promise has already. */
const taken = new Set([
  "approvals",
  "call",
  "events",
  "hasApiKey",
  "toJSON",
  "constructor",
  "prototype",
  "then",
]);

/** Every active tool that the client calls, in the order of their methods. */
export function sdkMethodsOf(manifest: ContractManifest): SdkMethod[] {
  const problems = sdkProblems(manifest);
  if (problems.length > 0) throw new Error(`the SDK cannot be generated:\n- ${problems.join("\n- ")}`);
  return activeTools(manifest)
    .flatMap((tool) => {
      const facts = factsOf(tool);
      const [, resource, method] = shape.exec(tool.sdk?.method ?? "") ?? [];
      if (facts === undefined || resource === undefined || method === undefined) return [];
      return tool.sdk?.package === sdkPackage ? [{ tool, facts, resource, method }] : [];
    })
    .toSorted((a, b) => (`${a.resource}.${a.method}` < `${b.resource}.${b.method}` ? -1 : 1));
}

/** Why the tools and the methods are not one to one, or nothing. */
export function sdkProblems(manifest: ContractManifest): string[] {
  const owners = new Map<string, string>();
  return activeTools(manifest).flatMap(({ name, http, sdk }) => {
    if (sdk === undefined) return http === undefined ? [] : [`${name} has a route and no sdk.method`];
    if (sdk.package !== sdkPackage) return [];
    if (http === undefined) return [`${name} has the method ${sdk.method} and no route`];
    const [, resource = "", method = ""] = shape.exec(sdk.method) ?? [];
    if (resource === "") return [`${name}: the method ${sdk.method} is not written like keys.create`];
    if (taken.has(resource) || taken.has(method))
      return [`${name}: the method ${sdk.method} uses a taken name`];
    // Told apart without case, because the names of their types are made of them.
    const key = `${resource}${method}`.toLowerCase();
    const owner = owners.get(key);
    owners.set(key, name);
    return owner === undefined ? [] : [`${name} and ${owner} have one method: ${sdk.method}`];
  });
}

function activeTools({ tools }: ContractManifest): ContractTool[] {
  return tools.filter(({ status }) => status === "implemented");
}
