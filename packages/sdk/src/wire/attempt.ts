import { readRetryAfter } from "@spfunctions/contracts";
import type { Connection } from "./connection.ts";
import type { Deadline } from "./deadline.ts";
import { badAnswer, earlyFault, networkFault } from "./faults.ts";
import { NotSent } from "./not-sent.ts";
import type { Errand, Exchange, Failure, Outcome } from "./outcome.ts";
import { maxAnswerBytes, readText } from "./read-text.ts";

const says = {
  too_large: `is larger than ${maxAnswerBytes} bytes`,
  not_utf8: "is no text",
  redirected: "came by way of a redirect",
};

/** Sends a request once. Whatever happens is a value: only the caller of the retries throws. */
export async function attempt<Value>(
  connection: Connection,
  errand: Errand<Value>,
  deadline: Deadline,
  now: () => number,
): Promise<Outcome<Value>> {
  const sent = await exchange(connection, errand, deadline, now);
  return sent.type === "answered" ? errand.read(sent.value) : sent;
}

async function exchange(
  connection: Connection,
  errand: Errand<unknown>,
  deadline: Deadline,
  now: () => number,
): Promise<Outcome<Exchange>> {
  try {
    const response = await deadline.race(connection.open(errand.request, deadline.signal));
    const body = await deadline.race(readText(response, deadline.signal));
    const { status, headers, redirected } = response;
    const head = { status, headers, retryAfterMs: readRetryAfter(headers.get("retry-after"), now()) };
    if (redirected) return badAnswer(errand.name, head, { reason: "redirected", says: says.redirected });
    if ("text" in body) return { type: "answered", value: { ...head, text: body.text } };
    return badAnswer(errand.name, head, { reason: body.problem, says: says[body.problem] });
  } catch (fault) {
    return noAnswer(connection, errand, deadline, fault);
  }
}

function noAnswer(
  { credential, baseUrl }: Connection,
  errand: Errand<unknown>,
  { early }: Deadline,
  fault: unknown,
): Failure {
  if (early !== undefined)
    return { type: "failed", error: earlyFault(errand, early, true), mayHelp: false, isUnanswered: true };
  if (fault instanceof NotSent) return { type: "failed", error: fault.error, mayHelp: false };
  const cause = credential === undefined ? fault : credential.hideIn(fault);
  return { type: "failed", error: networkFault(errand, baseUrl, cause), mayHelp: true, isUnanswered: true };
}
