import { InvalidManifestError } from "../error/error-classes.ts";
import type { ContractTool } from "../tool/contract-tool.ts";

/** Where a tool's input goes in a request. */
export type ToolRoute = {
  readonly tool: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** A template: `/api/keys/{keyId}`. */
  readonly path: string;
  /** The input members that stand in the path, in its order. */
  readonly params: readonly string[];
};

const wholeParam = /^\{(.*)\}$/;
const identifier = /^[A-Za-z][A-Za-z0-9_]*$/;

/** A tool's place on the wire, or nothing for a tool that is local. */
export function toolRouteOf({ name, http }: Pick<ContractTool, "name" | "http">): ToolRoute | undefined {
  if (http === undefined) return undefined;
  const { method, path } = http;
  return { tool: name, method, path, params: paramsOf(name, path) };
}

/** Whether the input travels in the path and the query alone. */
export function travelsInQuery({ method }: Pick<ToolRoute, "method">): boolean {
  return method === "GET" || method === "DELETE";
}

function paramsOf(tool: string, path: string): readonly string[] {
  const params: string[] = [];
  const [, ...segments] = path.split("/");
  for (const segment of segments) {
    if (segment === "") malformed(tool, "empty_segment", "has an empty segment");
    if (!/[{}]/.test(segment)) continue;
    const param = wholeParam.exec(segment)?.[1];
    if (param === undefined) {
      malformed(tool, "malformed_parameter", "has a brace that does not enclose a whole segment");
    }
    if (!identifier.test(param)) {
      malformed(tool, "malformed_parameter", "has a parameter that is no plain identifier");
    }
    if (params.includes(param)) malformed(tool, "repeated_parameter", `names {${param}} twice`);
    params.push(param);
  }
  return params;
}

function malformed(tool: string, reason: string, what: string): never {
  throw new InvalidManifestError(
    `invalid manifest: ${tool}: its http path ${what}; write it like /api/keys/{keyId}`,
    { details: { path: "/http/path", tool, reason } },
  );
}
