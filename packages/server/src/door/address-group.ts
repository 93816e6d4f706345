/**
 * What an address is counted as. One household or machine has a whole /64 of IPv6, and an IPv4 address may come dressed as
 * one of IPv6.
 */
export function addressGroup(address: string): string {
  const dressed = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (dressed !== undefined) return dressed;
  if (!address.includes(":")) return address;
  const [bare = ""] = address.toLowerCase().split("%");
  const [head = "", tail] = bare.split("::");
  const first = groupsOf(head);
  const last = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => "0");
  const groups = tail === undefined ? first : [...first, ...zeros, ...last];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}

function groupsOf(part: string): string[] {
  return part === "" ? [] : part.split(":");
}
