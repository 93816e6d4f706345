// What is no request is answered in the words of every other answer. Its errors are made once: whoever sends such things sends
// many.
import { RequestError } from "@hono/node-server";
import { InternalError, InvalidInputError, type SimpleFunctionsError } from "@spfunctions/contracts";
import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { answerError, errorText, headersOf } from "../route/answer.ts";
import { newRequestId } from "../route/request-id.ts";

type Broken = { readonly status: number; readonly error: SimpleFunctionsError };

const notHttp = broken(400, "this is not an HTTP request");
const notHere = broken(400, "neither the address nor the host of this request can be read");
const otherProtocol = broken(400, "no other protocol is spoken here");
const byCode: ReadonlyMap<string, Broken> = new Map([
  ["HPE_HEADER_OVERFLOW", broken(431, "the headers of this request are too large")],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", broken(413, "the chunk extensions of this request are too large")],
  ["ERR_HTTP_REQUEST_TIMEOUT", broken(408, "this request did not arrive in time; send it again, faster")],
]);
const fault: SimpleFunctionsError = new InternalError("something went wrong here, and not with your request");

/**
 * Answers what could not be read as a request, and closes. `last`: what was asked before on the same connection. Where that is
 * still being answered it comes first, and this is not taken for a part of it.
 */
export function answerBroken(
  { code = "" }: NodeJS.ErrnoException,
  socket: Duplex,
  last: ServerResponse | undefined,
): void {
  const isOwn = last === undefined || last.writableFinished || !(last.req.complete || last.headersSent);
  if (isOwn) answerAndClose(byCode.get(code) ?? notHttp, socket);
  else last.once("close", () => socket.destroy());
}

/** Answers whoever wants another protocol, or a tunnel, and closes. */
export function answerOtherProtocol(_: unknown, socket: Duplex): void {
  answerAndClose(otherProtocol, socket);
}

/** What is answered where the platform could not be asked. */
export function answerUnreadable(thrown: unknown): Response {
  const requestId = newRequestId();
  if (!(thrown instanceof RequestError)) return answerError(fault, { requestId });
  const { error, status } = notHere;
  return answerError(error, { requestId, status, headers: { connection: "close" } });
}

function answerAndClose({ status, error }: Broken, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = newRequestId();
  const body = errorText(error, status, { requestId });
  const headers = Object.entries({
    ...headersOf({ requestId }),
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join("")}\r\n${body}`);
}

function broken(status: number, message: string): Broken {
  return { status, error: new InvalidInputError(message, { details: { reason: "broken_request" } }) };
}
