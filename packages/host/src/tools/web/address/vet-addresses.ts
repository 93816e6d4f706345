// B29: a name is resolved once for a request, every answer is looked at, and only what was looked at is connected to.
import { lookup } from "node:dns/promises";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { CapabilityDeniedError, isSimpleFunctionsError, UpstreamError } from "@spfunctions/contracts";
import type { Reach } from "@spfunctions/kernel";
import { isPublicAddress } from "./is-public-address.ts";

/** Says at which addresses a name stands. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/** The machine's own way, so that what it knows of itself (/etc/hosts) counts, too. It cannot be told to stop. */
export const systemResolve: Resolve = async (host) => {
  const found = await lookup(host, { all: true, order: "verbatim" });
  return found.map(({ address }) => address);
};

/** Addresses that may be connected to for one request. */
export type Vetted = {
  /** Answers a socket that asks for the name. */
  readonly lookup: LookupFunction;
  readonly includes: (address: string | undefined) => boolean;
};

/**
 * Addresses of a host that are tried.
 * @limit web.addresses | the others are not tried | fixed: each has its part of the time
 */
const mostTried = 8;

/** One address that is out of reach refuses them all: whoever answers for the name must not choose by answering in turns. */
export async function vetAddresses(reach: Reach, resolve: Resolve, signal: AbortSignal): Promise<Vetted> {
  const { host, isLocal } = reach;
  const addresses = await answersFor(host, resolve, signal);
  if (!isLocal && !addresses.every(isPublicAddress))
    throw new CapabilityDeniedError(
      `${host} stands at an address that is not public, and no grant reaches such; if it is yours, open it by name in the host's configuration`,
      { details: { reason: "address_not_public" } },
    );
  return vetted(addresses.slice(0, mostTried));
}

/** The address that a host is named by, where that is no name; in a URL one of IPv6 stands in brackets. */
export function numericHost(host: string): string | undefined {
  const address = host.startsWith("[") ? host.slice(1, -1) : host;
  return isIP(address) === 0 ? undefined : address;
}

async function answersFor(host: string, resolve: Resolve, signal: AbortSignal): Promise<readonly string[]> {
  const address = numericHost(host);
  if (address !== undefined) return [address];
  let answers: unknown;
  try {
    answers = await resolve(host, signal);
  } catch (cause) {
    if (isSimpleFunctionsError(cause)) throw cause;
    throw unresolved(`${host} was not found`, cause);
  }
  // Taken once: what is looked at is what is tried.
  const addresses: unknown[] = Array.isArray(answers) ? [...(answers as unknown[])] : [];
  if (addresses.length === 0) throw unresolved(`${host} has no address`);
  if (!addresses.every(isAddress)) throw unresolved(`what was answered for ${host} is no address`);
  return addresses as string[];
}

function vetted(addresses: readonly string[]): Vetted {
  const list = new BlockList();
  for (const address of addresses) list.addAddress(address, familyOf(address));
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return {
    lookup: (_host, { all: wantsAll }, callback) => {
      if (wantsAll === true) callback(null, all);
      else callback(null, all[0]?.address ?? "", all[0]?.family);
    },
    includes: (address) => address !== undefined && list.check(address, familyOf(address)),
  };
}

/** One with a zone means something on this machine alone. */
function isAddress(answer: unknown): boolean {
  return typeof answer === "string" && isIP(answer) !== 0 && !answer.includes("%");
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 4 ? "ipv4" : "ipv6";
}

function unresolved(problem: string, cause?: unknown): UpstreamError {
  return new UpstreamError(`${problem}; is the name right?`, {
    details: { reason: "host_not_found" },
    cause,
  });
}
