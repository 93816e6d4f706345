// S1: of a request only who asked, by ids, and how it was answered is told: no header, no body, nothing behind the path, and no secret
// in that.
import { redactText } from "@spfunctions/contracts";
import type { Clock } from "@spfunctions/kernel";
import type { LogLine } from "../log-line.ts";
import type { RequestFacts, SocketEnv } from "./inquiry.ts";

/** Longer paths are nobody's route. */
const mostChars = 200;

type Fetch = (request: Request, env: SocketEnv) => Promise<Response>;

/** The same, with a line for each request once it is answered; a stream is answered when it begins. */
export function logRequests(
  fetch: Fetch,
  { log, clock }: { readonly log: (line: LogLine) => void; readonly clock: Clock },
): Fetch {
  return async (request, env) => {
    const begun = clock.elapsed();
    let facts: RequestFacts = {};
    const note = (more: RequestFacts) => {
      facts = { ...facts, ...more };
    };
    const response = await fetch(request, { ...env, note });
    const { method } = request;
    const { status, headers } = response;
    const path = redactText(new URL(request.url).pathname.slice(0, mostChars));
    log({
      level: "info",
      event: "request.answered",
      message: `${method} ${path} answered with ${status}`,
      method,
      path,
      ...facts,
      status,
      durationMs: Math.round((clock.elapsed() - begun) * 10) / 10,
      requestId: headers.get("x-request-id") ?? undefined,
    });
    return response;
  };
}
