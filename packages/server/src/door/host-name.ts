/** A host as a header or a configuration spells it, in the one spelling that is compared. */
export type HostName = {
  /** Lower-case, without a last dot; IPv6 in brackets and in its shortest form. */
  readonly name: string;
  readonly port?: string;
};

const shape = /^(?<name>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(?<port>[1-9][0-9]{0,4}))?$/i;
const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/**
 * Reads `host` or `host:port`. Nothing is repaired: spaces, userinfo, paths, percent signs, an empty port, two values
 * in one header and anything beyond ASCII are no host.
 */
export function parseHostName(text: string): HostName | undefined {
  const { name, port } = shape.exec(text)?.groups ?? {};
  if (name === undefined || Number(port ?? 1) > 65_535) return undefined;
  const read = name.startsWith("[") ? shortestIpv6(name) : domain(name.toLowerCase());
  if (read === undefined) return undefined;
  return port === undefined ? { name: read } : { name: read, port };
}

function domain(text: string): string | undefined {
  const name = text.endsWith(".") ? text.slice(0, -1) : text;
  return name.length <= 253 && name.split(".").every((part) => label.test(part)) ? name : undefined;
}

function shortestIpv6(text: string): string | undefined {
  return URL.parse(`http://${text}/`)?.hostname;
}
