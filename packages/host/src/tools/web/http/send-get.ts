import type { Readable } from "node:stream";
import { ContractViolationError } from "@spfunctions/contracts";
import { Client } from "undici";
import { type Resolve, vetAddresses } from "../address/vet-addresses.ts";
import type { HttpLimits } from "../http-limits.ts";
import type { Reach } from "@spfunctions/kernel";
import { vettedConnector } from "./vetted-connector.ts";
import { connectionFault } from "./web-faults.ts";

export type GetTerms = {
  readonly resolve: Resolve;
  readonly userAgent: string;
  readonly limits: HttpLimits;
  /** Ends everything that is under way. */
  readonly signal: AbortSignal;
};

/** An answer whose body is not read yet. */
export type Answer = {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: Readable;
  /** Takes the connection away. */
  readonly close: () => void;
};

const accept = "text/html, application/xhtml+xml, application/json, text/*;q=0.9, */*;q=0.5";

/** Asks once, on a connection of its own: nothing is followed, kept or reused, and no proxy stands between. */
export async function sendGet(reach: Reach, terms: GetTerms): Promise<Answer> {
  const { limits, signal, userAgent, resolve } = terms;
  const url = urlOf(reach);
  const addresses = await vetAddresses(reach, resolve, signal);
  signal.throwIfAborted();
  const client = new Client(url.origin, {
    connect: vettedConnector(reach, addresses, signal),
    maxHeaderSize: limits.httpHeaderBytes,
    pipelining: 0,
    // One clock runs for everything.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const close = () => void client.destroy().catch(() => {});
  try {
    const { statusCode, headers, body } = await client.request({
      method: "GET",
      path: url.pathname + url.search,
      headers: { "user-agent": userAgent, accept, "accept-encoding": "gzip, deflate, br" },
      signal,
    });
    // It may be closed before anybody reads it.
    body.on("error", () => {});
    return { status: statusCode, headers: listed(headers), body, close };
  } catch (fault) {
    close();
    throw connectionFault(reach.host, fault);
  }
}

/** What is asked for is what was allowed. */
function urlOf({ url, host, port }: Reach): URL {
  const parsed = new URL(url);
  const ownPort = parsed.port === "" ? (parsed.protocol === "https:" ? 443 : 80) : Number(parsed.port);
  const isHttp = parsed.protocol === "http:" || parsed.protocol === "https:";
  if (isHttp && parsed.hostname === host && ownPort === port && parsed.username + parsed.password === "")
    return parsed;
  throw new ContractViolationError("what may be reached, and the address that stands for it, differ");
}

function listed(headers: Record<string, string | string[] | undefined>): Answer["headers"] {
  const entries = Object.entries(headers).map(
    ([name, value]) => [name, value === undefined ? [] : [value].flat()] as const,
  );
  return Object.fromEntries(entries);
}
