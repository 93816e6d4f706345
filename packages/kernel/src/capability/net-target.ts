// B29: what is checked is what is connected to. An address is read once, by the parser that requests are made with, and what has two
// readings is refused: afterwards only what was read here is used.
import { type Capability, isHostName, keyForMessage } from "@spfunctions/contracts";
import { type Network, usualPorts } from "./network.ts";

/** Where a call wants to go. */
export type NetTarget = {
  /** As it is to be fetched: absolute, normalised, without a fragment. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Opened by name in the host's configuration. */
  readonly isLocal: boolean;
  /** What would reach it and nothing else; no capability names an address of numbers. */
  readonly capability?: Capability | undefined;
};

/** Why there is no going there, whatever is granted. */
export type NoTarget = { readonly reason: string; readonly remedy: string };

/**
 * An address that a call is sent to.
 * @limit capability.addressChars | `capability_denied` | fixed: what servers take
 */
const mostChars = 8192;
const ports: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

export function netTarget(given: unknown, network: Network): NetTarget | NoTarget {
  if (typeof given !== "string" || given.length > mostChars)
    return no(`an address is a text of up to ${mostChars} characters`);
  // Parsers differ about these: some drop them, some take a backslash for a slash.
  if (/[\u0000-\u0020\u007f\\]/.test(given) || !given.isWellFormed())
    return no(
      "the address has a space, a backslash or a control character in it",
      "write it percent-encoded",
    );
  const url = URL.parse(given);
  const usual = url === null ? undefined : ports[url.protocol];
  if (url === null || usual === undefined || !/^https?:\/\/[^/?#]/i.test(given))
    return no("the address is not one of http:// or https://");
  if (/^[^:]+:\/\/[^/?#]*@/.test(given))
    return no("the address has a name or a password in it", "leave out what stands before the @");
  const { hostname: host } = url;
  const port = url.port === "" ? usual : Number(url.port);
  url.hash = "";
  const isLocal = network.isLocal(host, port);
  if (!isLocal && !isHostName(host))
    return no(
      `${keyForMessage(host)} is not the exact name of a host: numeric addresses, names with a dot at the end, and names of anything but letters, digits and hyphens are out of reach`,
      "name the host",
    );
  if (!isLocal && !usualPorts.includes(port))
    return no(`port ${port} is out of reach`, "use port 80 or 443, or have the host opened in localHosts");
  const capability = isHostName(host) ? (`net:${host}` as Capability) : undefined;
  return { url: url.href, host, port, isLocal, capability };
}

export function isTarget(found: NetTarget | NoTarget): found is NetTarget {
  return "url" in found;
}

function no(reason: string, remedy = "give an address like https://example.com/page"): NoTarget {
  return { reason, remedy };
}
