import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MissingFieldError,
  toJsonPointer,
} from "@spfunctions/contracts";
import { packageFault } from "./package-fault.ts";

/** What cannot be left out or empty, and why; `*` is each member of a list. */
type Needed = readonly (readonly [way: string, why: string])[];

const neededInPackage: Needed = [
  ["agentId", "say whose package it is"],
  ["policies", "give at least one policy level: without one nothing is allowed"],
  ["provider/model", "say which model is asked, or leave the provider out"],
  ["capabilities/*/capabilityId", "give the capability its id, like tool.world.read"],
  ["toolRoutes/*/capabilityId", "a route belongs to a capability"],
  ["toolRoutes/*/executorRef", "a route names its executor"],
  ["toolRoutes/*/policyRefs", "a route names the policies that govern it"],
  ["hooks/*/id", "a hook is known by its id and version"],
  ["hooks/*/version", "a hook is known by its id and version"],
  ["sidecars/*/ref", "a sidecar is known by its ref"],
  ["sidecars/*/kind", "say what kind of sidecar it is"],
];

/** Refuses a package in which something is not said: absent, an empty text or an empty list. */
export function requireFilled(draft: JsonObject, needed: Needed = neededInPackage): void {
  for (const [way, why] of needed) {
    const at = firstEmpty(draft, way.split("/"));
    if (at === undefined) continue;
    const path = toJsonPointer(at);
    throw packageFault(MissingFieldError, {
      path,
      reason: "missing",
      message: `${path} is missing or empty; ${why}`,
    });
  }
}

/** Where a part on the way is not there at all, nothing in it is missing. */
function firstEmpty(value: JsonValue | undefined, [step, ...rest]: readonly string[]): string[] | undefined {
  if (step === undefined) return isEmpty(value) ? [] : undefined;
  if (step !== "*") {
    if (value === undefined || !isJsonObject(value)) return undefined;
    const at = firstEmpty(Object.hasOwn(value, step) ? value[step] : undefined, rest);
    return at && [step, ...at];
  }
  if (!Array.isArray(value)) return undefined;
  for (const [index, member] of (value as readonly JsonValue[]).entries()) {
    const at = firstEmpty(member, rest);
    if (at !== undefined) return [String(index), ...at];
  }
  return undefined;
}

function isEmpty(value: JsonValue | undefined): boolean {
  return value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}
