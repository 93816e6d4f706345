// B30: a page whose name was pointed at this machine still sends its own name as Host, and is refused by it.
import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { type HostName, parseHostName } from "./host-name.ts";

/** Whether a request was meant for this server. */
export type HostAnswer =
  | { readonly type: "allowed"; readonly host: HostName }
  | { readonly type: "refused"; readonly reason: "host_missing" | "host_malformed" | "host_not_allowed" };

/** The names of this machine, which nobody else can have. */
export const localHosts: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Checks the Host header against the names that this server answers to. A name allowed without a port is allowed with
 * any; one allowed with a port must be asked for with that port.
 */
export function hostChecker(
  allowedHosts: readonly string[] = localHosts,
): (header: string | null | undefined) => HostAnswer {
  const allowed = new Set(allowedHosts.map((text) => keyOf(requireHost(text))));
  // The few good ones come again and again.
  const known = new Map<string, HostAnswer>();
  return (header) => {
    if (header === null || header === undefined || header === "") return refused("host_missing");
    const before = known.get(header);
    if (before !== undefined) return before;
    const host = parseHostName(header);
    if (host === undefined) return refused("host_malformed");
    if (!allowed.has(host.name) && !allowed.has(keyOf(host))) return refused("host_not_allowed");
    const answer: HostAnswer = { type: "allowed", host };
    if (known.size < mostKnown) known.set(header, answer);
    return answer;
  };
}

const mostKnown = 100;

function keyOf({ name, port }: HostName): string {
  return port === undefined ? name : `${name}:${port}`;
}

function refused(reason: Extract<HostAnswer, { type: "refused" }>["reason"]): HostAnswer {
  return { type: "refused", reason };
}

function requireHost(text: string): HostName {
  const host = parseHostName(text);
  if (host !== undefined) return host;
  throw new HostConfigurationNeededError(
    `the allowed host ${JSON.stringify(text)} is not a host; write a name or an address as a Host header spells it, like example.com, example.com:8080 or [::1]`,
    { details: { reason: "invalid_allowed_host" } },
  );
}
