// What two readers could read in two ways is nobody's request: a proxy in front might have judged the other reading. Its errors
// are made once: whoever sends such things sends many.
import { InvalidInputError, type SimpleFunctionsError } from "@spfunctions/contracts";
import type { IncomingMessage } from "node:http";
import { requestHeaders } from "./known-headers.ts";

/** Why a request cannot be read in one way alone; nothing where it can. `incoming`: as it came from the socket, where it did. */
export function ambiguityIn(
  { url }: Request,
  incoming: IncomingMessage | undefined,
): SimpleFunctionsError | undefined {
  if (url.includes("%") && !isDecodable(url)) return undecodable;
  if (incoming === undefined) return undefined;
  const target = incoming.url ?? "/";
  if (isRewritten(target)) return rewritten;
  if (!target.startsWith("/") && hostIn(target).toLowerCase() !== incoming.headers.host?.toLowerCase())
    return otherHost;
  return repetitionIn(incoming);
}

/** The host that an address names. */
export function hostIn(url: string): string {
  return /^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1] ?? "";
}

/** A path that URL parsers rewrite: `/x/%2e%2e/api` would be `/api` here, and something else to whoever matches it as it is written. */
function isRewritten(target: string): boolean {
  const [path = ""] = target.split("?", 1);
  return /#|\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path);
}

function isDecodable(url: string): boolean {
  const [path = ""] = url.split("?", 1);
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function repetitionIn({ headers, rawHeaders }: IncomingMessage): SimpleFunctionsError | undefined {
  // Names and values take turns: where no name comes twice, there is a pair for each.
  if (rawHeaders.length === 2 * Object.keys(headers).length) return undefined;
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  const again = names.find((name, at) => repeated.has(name) && names.indexOf(name) < at);
  return again === undefined ? undefined : repeated.get(again);
}

const undecodable = ambiguous(
  "the path has a percent sign with which no UTF-8 character begins; write a percent sign itself as %25",
);
const rewritten = ambiguous(
  "the path has a segment . or .. (or %2e), or a #; write the path that is meant, and # as %23",
);
const otherHost = ambiguous(
  "the request line names another host than the Host header; send the same in both, or the path alone",
);

/** A list may come in several headers, and of traces whoever is on the way may add one. */
const several = new Set<string>([requestHeaders.IfNoneMatch.name, requestHeaders.Traceparent.name]);
const own = Object.values(requestHeaders).map(({ name }) => name);
/** By each header that is read as one value. */
const repeated: ReadonlyMap<string, SimpleFunctionsError> = new Map(
  ["authorization", "content-type", "host", "origin", "sec-fetch-site", ...own]
    .filter((name) => !several.has(name))
    .map((name) => name.toLowerCase())
    .map((name) => [name, ambiguous(`the header ${name} comes more than once; send it once`)]),
);

function ambiguous(message: string): SimpleFunctionsError {
  return new InvalidInputError(message, { details: { reason: "ambiguous_request" } });
}
