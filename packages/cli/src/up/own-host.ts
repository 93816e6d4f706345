const loopbacks: ReadonlyMap<string, string> = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["[::]", "[::1]"],
]);

/** Whether all addresses of this machine are listened on. */
export function isEveryAddress(address: string): boolean {
  return loopbacks.has(hostnameOf(address));
}

/** What a client on this machine calls the address that is listened on. One that stands for all of them cannot be asked. */
export function ownHost(address: string): string {
  const host = hostnameOf(address);
  return loopbacks.get(host) ?? bracketed(address);
}

function hostnameOf(address: string): string {
  const host = bracketed(address);
  return URL.parse(`http://${host}`)?.hostname ?? host;
}

function bracketed(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}
