const loopbacks: ReadonlyMap<string, string> = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["[::]", "[::1]"],
]);

/** What a client on this machine calls the address that is listened on. One that stands for all of them cannot be asked. */
export function ownHost(address: string): string {
  const host = address.includes(":") ? `[${address}]` : address;
  return loopbacks.get(URL.parse(`http://${host}`)?.hostname ?? host) ?? host;
}
