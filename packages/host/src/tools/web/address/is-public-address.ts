// B29: the floor under every grant. An address is reached only where it stands for one machine on the public internet; everything that
// the registries of special addresses (IANA, RFC 6890 and after) set apart is not, and neither is what carries such an address inside.
import { BlockList, isIP } from "node:net";

const special4 = [
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // carrier-grade NAT
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // Azure's host of every machine
  "169.254.0.0/16", // link-local, metadata
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // AMT
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, broadcast
] as const;

/** The global unicast space. What lies outside of it (loopback, unique local, link-local, multicast …) need not be named. */
const global6 = "2000::/3";

const special6 = [
  "2001::/23", // protocol assignments: Teredo, benchmarks, AMT, ORCHID …
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4
  "2620:4f:8000::/48", // AS112
  "3ffe::/16", // 6bone
  "3fff::/20", // documentation
] as const;

/** Where the last 32 bits are an IPv4 address that the packets go to in the end: mapped, and NAT64 by its well-known prefix. */
const embedding = ["::ffff:", "64:ff9b::"] as const;

const [special, reachable] = [new BlockList(), new BlockList()];
for (const range of special4) {
  add(special, range, "ipv4");
  const [start, bits] = parts(range);
  for (const prefix of embedding) add(special, `${prefix}${start}/${96 + bits}`, "ipv6");
}
for (const range of special6) add(special, range, "ipv6");
for (const range of [global6, ...embedding.map((prefix) => `${prefix}0.0.0.0/96`)])
  add(reachable, range, "ipv6");

/** Whether an address may be connected to. What is no address, in the one spelling that an address has, may not. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, "ipv4");
  // A zone names an interface of this machine.
  if (family !== 6 || address.includes("%")) return false;
  return reachable.check(address, "ipv6") && !special.check(address, "ipv6");
}

function add(list: BlockList, range: string, family: "ipv4" | "ipv6"): void {
  const [start, bits] = parts(range);
  list.addSubnet(start, bits, family);
}

function parts(range: string): [start: string, bits: number] {
  const [start = "", bits] = range.split("/");
  return [start, Number(bits)];
}
