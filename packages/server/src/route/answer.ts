import {
  errorCodes,
  LeaseLostError,
  type Receipt,
  type SimpleFunctionsError,
  type ToolCallResult,
  type Verdict,
} from "@spfunctions/contracts";
import { shownOf } from "./shown-error.ts";

/** What is said with every answer. */
export type AnswerTerms = {
  readonly requestId: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whoever asks does not want the receipt. */
  readonly withoutReceipt?: boolean | undefined;
};

export type ErrorTerms = AnswerTerms & {
  readonly receipt?: Receipt | undefined;
  /** An earlier answer with the same idempotency key. */
  readonly replayed?: true | undefined;
  /** Where HTTP has a better word than the error's code. */
  readonly status?: number | undefined;
};

export function headersOf({ requestId, headers }: AnswerTerms): Record<string, string> {
  return {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": requestId,
    ...headers,
  };
}

/** An answer of a governed call. */
export function answerResult(result: ToolCallResult, terms: AnswerTerms): Response {
  return new Response(resultText(result, terms), { status: 200, headers: headersOf(terms) });
}

/** Put together by hand: of what lies in it only the payload can be anything. */
export function resultText(
  { output, receipt, replayed, redacted }: ToolCallResult,
  { requestId, withoutReceipt = false }: AnswerTerms,
): string {
  const proof = withoutReceipt ? "" : `,"receipt":${receiptText(receipt)}`;
  const marks = `${replayed === true ? ',"replayed":true' : ""}${redacted.length > 0 ? `,"redacted":${JSON.stringify(redacted)}` : ""}`;
  return `{"ok":true,"data":${JSON.stringify(output)},"meta":{"requestId":"${requestId}"${proof}${marks}}}`;
}

/** What says that a call was allowed is the same for most calls: it is written once. */
const verdictTexts = new WeakMap<Verdict, string>();

function receiptText({ verdict, ...rest }: Receipt): string {
  const known = verdictTexts.get(verdict) ?? JSON.stringify(verdict);
  verdictTexts.set(verdict, known);
  return `${JSON.stringify(rest).slice(0, -1)},"verdict":${known}}`;
}

export function answerData(data: unknown, terms: AnswerTerms): Response {
  const body = { ok: true, data, meta: { requestId: terms.requestId } };
  return new Response(JSON.stringify(body), { status: 200, headers: headersOf(terms) });
}

export function answerError(error: SimpleFunctionsError, terms: ErrorTerms): Response {
  const status = terms.status ?? errorCodes[error.code].status;
  return new Response(errorText(error, status, terms), { status, headers: headersOf(terms) });
}

// Made once: making an error costs more than refusing somebody.
const closing: SimpleFunctionsError = new LeaseLostError("this platform is closing; ask again in a moment", {
  details: { reason: "closing" },
});

/** Nothing begins any more. */
export function answerClosing(terms: AnswerTerms): Response {
  return answerError(closing, { ...terms, status: 503, headers: { ...terms.headers, "Retry-After": "1" } });
}

const closed: SimpleFunctionsError = new LeaseLostError(
  "this platform is closed; open another one to go on",
  {
    details: { reason: "closed" },
    retry: "never",
  },
);

/** Nothing begins here ever again. */
export function answerClosed(terms: AnswerTerms): Response {
  return answerError(closed, { ...terms, status: 503 });
}

export function errorText(
  error: SimpleFunctionsError,
  status: number,
  {
    requestId,
    receipt,
    replayed,
    withoutReceipt = false,
  }: Pick<ErrorTerms, "requestId" | "receipt" | "replayed" | "withoutReceipt">,
): string {
  const known = error.toJSON();
  const shown = replayed === true ? shownOf(known, "record") : shownOf(known, "thrown", requestId);
  return JSON.stringify({
    ok: false,
    error: { code: known.code, status, ...shown },
    meta: { requestId, ...(withoutReceipt ? {} : { receipt }), replayed },
  });
}

/** Told of what was thrown where nothing should be; gives back what may be shown of it. */
export type Fault = (thrown: unknown, requestId: string) => SimpleFunctionsError;
