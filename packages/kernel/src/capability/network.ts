import { capabilityReach, HostConfigurationNeededError, reachesHost } from "@spfunctions/contracts";

/** What whoever puts a program together says of the network. */
export type NetworkOptions = {
  /** Where given, `net` reaches these alone: `example.com`, or `*.example.com` for all below it. `net:<host>` reaches its host all the same. */
  readonly allowHosts?: readonly string[] | undefined;
  /**
   * Hosts that may stand at an address which is otherwise out of reach, and at another port than 80 and 443: `localhost:8080`,
   * `wiki.corp.example`. They are to be granted like any other.
   */
  readonly localHosts?: readonly string[] | undefined;
};

export type Network = {
  /** Whether `net` reaches a host. */
  readonly isInAllowList: (host: string) => boolean;
  /** Whether a host was opened at a port. */
  readonly isLocal: (host: string, port: number) => boolean;
};

/** Ports that need no opening. */
export const usualPorts: readonly number[] = [80, 443];

export function readNetwork({ allowHosts, localHosts = [] }: NetworkOptions = {}): Network {
  const allowed = allowHosts?.map((entry) => {
    const reach = capabilityReach(`net:${entry}`);
    if (reach !== undefined) return reach;
    throw refused(entry, "allowHosts", "a host by its exact name, or *. and a host for all below it");
  });
  const opened = new Set(localHosts.flatMap(readLocalHost));
  return {
    isInAllowList: (host) => allowed === undefined || allowed.some((reach) => reachesHost(reach, host)),
    isLocal: (host, port) => opened.has(placeOf(host, port)),
  };
}

function readLocalHost(entry: string): string[] {
  const [, name = "", port] = /^((?:[0-9a-z.-]+|\[[0-9a-f:.]+\]))(?::([0-9]{1,5}))?$/.exec(entry) ?? [];
  const isHost = URL.canParse(`http://${name}`) && new URL(`http://${name}`).hostname === name;
  const isPort = port === undefined || (Number(port) > 0 && Number(port) < 65_536);
  if (!isHost || !isPort) throw refused(entry, "localHosts", "a host in lower case, with a port or without");
  return (port === undefined ? usualPorts : [Number(port)]).map((one) => placeOf(name, one));
}

function placeOf(host: string, port: number): string {
  return `${host}:${port}`;
}

function refused(entry: unknown, field: string, expected: string): HostConfigurationNeededError {
  return new HostConfigurationNeededError(
    `network.${field}: ${JSON.stringify(entry)} is not ${expected}`.slice(0, 300),
    { details: { path: `/network/${field}`, reason: "bad_network" } },
  );
}
