import { type ContractTool, type JsonValue, keyForMessage, readJsonPointer } from "@spfunctions/contracts";
import type { Stop } from "../judge/static-gates.ts";
import { isTarget, type NetTarget, netTarget } from "./net-target.ts";
import type { Network } from "./network.ts";

/** Where a call wants to go, as far as that can be said without asking what was granted. */
export function targetOf(
  { name, capability }: ContractTool,
  value: JsonValue,
  network: Network,
): NetTarget | Stop | undefined {
  if (capability === undefined) return undefined;
  const found = netTarget(readJsonPointer(value, capability.url), network);
  return isTarget(found)
    ? found
    : { code: "capability_denied", ...found, reason: `${name}: ${found.reason}` };
}

export function notGranted(tool: string, { host, capability }: NetTarget): Stop {
  const name = keyForMessage(host);
  const needed = capability === undefined ? `net, to reach ${name}` : `net:${name}`;
  return {
    code: "capability_denied",
    reason: `${tool} needs ${needed}, which nobody has granted`,
    remedy: "an operator must grant it",
  };
}
