import type { IncomingMessage } from "node:http";
import { addressGroup } from "../door/address-group.ts";

/** What the socket's server knows of a request besides the request. Nothing where there is no socket. */
export type SocketEnv = { readonly incoming?: IncomingMessage; readonly note?: NoteRequest };

/** Who sent a request, and which tool it is for: ids alone. */
export type RequestFacts = { readonly accountId?: string; readonly keyId?: string; readonly tool?: string };
/** Told of them as they become known, by whoever logs requests. */
type NoteRequest = (facts: RequestFacts) => void;

/** A request, and where its headers are read without making more of them than is asked for. */
export type Inquiry = {
  readonly request: Request;
  /** As it came from the socket, where there is one. */
  readonly incoming: IncomingMessage | undefined;
  readonly header: (name: string) => string | null;
  /** What whoever sent it is counted as; none in process. */
  readonly address: string | undefined;
  readonly note: NoteRequest | undefined;
};

export function inquiryOf(request: Request, env: SocketEnv | undefined): Inquiry {
  const { incoming, note } = env ?? {};
  if (incoming === undefined)
    return { request, incoming, header: (name) => request.headers.get(name), address: undefined, note };
  const { headers, socket } = incoming;
  return {
    request,
    incoming,
    header: (name) => {
      const value = headers[name];
      return value === undefined ? null : typeof value === "string" ? value : value.join(", ");
    },
    address: addressGroup(socket.remoteAddress ?? "unknown"),
    note,
  };
}

/** The query, raw and without its question mark. */
export function queryOf({ url }: Request): string {
  const start = url.indexOf("?");
  if (start === -1) return "";
  const end = url.indexOf("#", start);
  return url.slice(start + 1, end === -1 ? undefined : end);
}
