import { z } from "zod";

const mostChars = 253;
const label = /^(?!-)[0-9a-z-]{1,63}(?<!-)$/;

/**
 * Whether this is the exact name of a host: lower case, punycode, no port, no dot at its end. What a parser of addresses takes for a
 * number is none.
 */
export function isHostName(text: string): boolean {
  const labels = text.split(".");
  const last = labels.at(-1) ?? "";
  const isNumber = /^(?:[0-9]+|0x[0-9a-f]*)$/.test(last);
  if (text.length > mostChars || isNumber || !labels.every((one) => label.test(one))) return false;
  return URL.canParse(`http://${text}`) && new URL(`http://${text}`).hostname === text;
}

/** What a capability lets a call reach: everything, one host, or all that lie below one. */
export type CapabilityReach =
  | { readonly type: "net" }
  | { readonly type: "host" | "below"; readonly host: string };

/** Nothing where it is no capability. */
export function capabilityReach(text: string): CapabilityReach | undefined {
  if (text === "net") return { type: "net" };
  if (!text.startsWith("net:")) return undefined;
  const isBelow = text.startsWith("net:*.");
  const host = text.slice(isBelow ? "net:*.".length : "net:".length);
  return isHostName(host) ? { type: isBelow ? "below" : "host", host } : undefined;
}

export const capabilitySchema = z
  .string()
  .refine(
    (text) => capabilityReach(text) !== undefined,
    "expected net, net:<host> or net:*.<host>: a host by its exact name in lower case, without port, address or path",
  )
  .brand<"Capability">();
/** What an operator can grant. `net`: every host, or those of the allow-list where there is one. */
export type Capability = z.infer<typeof capabilitySchema>;

/** Whether what reaches this far reaches a host. */
export function reachesHost(reach: CapabilityReach, host: string): boolean {
  if (reach.type === "net") return true;
  return reach.type === "host" ? host === reach.host : host.endsWith(`.${reach.host}`);
}
