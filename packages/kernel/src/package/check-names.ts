// S1: a package is kept with its runs as it is, so that nothing in it may be a secret. It is looked at where it is made: what was kept
// is read as it is.
import {
  InvalidPackageError,
  type JsonValue,
  pathForMessage,
  secretInId,
  secretPlaceIn,
  secretPlaceText,
} from "@spfunctions/contracts";
import { packageFault } from "./package-fault.ts";

/** Refuses a secret in the names of a package, and in the JSON Schemas that stand among them. */
export function requireOpenNames(value: object, path: readonly string[] = []): void {
  for (const [key, member] of Object.entries(value) as [string, JsonValue | undefined][]) {
    if (member === undefined) continue;
    const inside = [...path, key];
    if (key === "contract" || key === "outputContract") requireOpenSchema(member, inside);
    else requireOpenName(member, inside);
  }
}

function requireOpenName(value: JsonValue, path: readonly string[]): void {
  if (typeof value === "object" && value !== null) requireOpenNames(value, path);
  else if (typeof value === "string") {
    const problem = secretInId(value, whatOf(path));
    if (problem !== undefined) throw refusal(path, problem);
  }
}

function requireOpenSchema(schema: JsonValue, path: readonly string[]): void {
  const place = secretPlaceIn(schema);
  if (place === undefined) return;
  const pointer = `${pathForMessage(path)}${place.pointer}`;
  throw refusal(path, secretPlaceText({ ...place, pointer }), place.pointer);
}

const named: ReadonlyMap<string, string> = new Map([
  ["agentId", "agent id"],
  ["childAgentId", "agent id"],
  ["model", "name of the model"],
  ["routeId", "name of the route"],
]);

/** `["hooks", "0", "id"]`: the hook's id. */
function whatOf(path: readonly string[]): string {
  const [of = "", , member] = path;
  if (of === "hooks" && member !== undefined) return `hook ${member}`;
  return named.get(path.at(-1) ?? "") ?? `name at ${pathForMessage(path)}`;
}

function refusal(path: readonly string[], message: string, below = "") {
  return packageFault(InvalidPackageError, {
    path: `${pathForMessage(path)}${below}`,
    reason: "secret",
    message,
  });
}
