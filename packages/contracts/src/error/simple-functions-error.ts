// S1: what an error carries has been redacted before anybody can read it: message, stack, details and cause.
import { redact } from "../redact/redact.ts";
import { redactText } from "../redact/redact-text.ts";
import type { Verdict } from "../verdict/verdict.ts";
import { type ErrorCode, errorCodes, isErrorCode, type Retry } from "./error-codes.ts";
import { plainData } from "./plain-data.ts";
import { hideLongDetails, printedError } from "./printed-error.ts";

/** Machine-readable circumstances. Paths and reasons, never input or output values. */
export type ErrorDetails = {
  /** JSON pointer to what was wrong. */
  readonly path?: string;
  /** Why, as a stable snake_case word. */
  readonly reason?: string;
  readonly tool?: string;
  readonly suggestions?: readonly string[];
  /** With `policy_denied`: the whole decision. */
  readonly verdict?: Verdict;
  /** With `approval_required`, and where an approval does not count: the question, for `sf approvals` and `operator.approve`. */
  readonly approvalId?: string;
  readonly [key: string]: unknown;
};

export type ErrorOptions = {
  readonly details?: ErrorDetails;
  readonly cause?: unknown;
  /** Only where the code's own answer does not fit this case. */
  readonly retry?: Retry;
};

/** What `toJSON` gives: plain data, safe to log, store or send. */
export type ErrorJson = {
  readonly name: string;
  readonly code: ErrorCode;
  readonly message: string;
  readonly retry: Retry;
  readonly details?: ErrorDetails;
  readonly cause?: { readonly name: string; readonly message: string };
};

type Inspect = (value: unknown, options: unknown) => string;

const brand = Symbol.for("@spfunctions/error");

/** The errors of this very copy of the package: asking it runs no code of the value asked about. */
const madeHere = new WeakSet<object>();

/** The base of every fault of this system. Catch by `code`, or by the class named after it. */
export class SimpleFunctionsError extends Error {
  readonly code: ErrorCode;
  readonly retry: Retry;
  readonly details?: ErrorDetails;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    requireErrorCode(code);
    const safe = redactParts(message, options);
    super(safe.message, options.cause === undefined ? undefined : { cause: safe.cause });
    this.name = classNameOf(code);
    this.code = code;
    this.retry = options.retry ?? errorCodes[code].retry;
    if (safe.details !== undefined) {
      this.details = safe.details;
      hideLongDetails(this.details);
    }
    Object.defineProperty(this, brand, { value: true });
    redactStack(this);
    madeHere.add(this);
  }

  toJSON(): ErrorJson {
    const { cause } = this;
    return {
      name: this.name,
      code: this.code,
      message: this.message,
      retry: this.retry,
      ...(this.details === undefined ? {} : { details: plainData(this.details) as ErrorDetails }),
      ...(cause instanceof Error ? { cause: { name: cause.name, message: cause.message } } : {}),
    };
  }

  /** What Node prints of it: of a decision and its proof what a person reads. */
  [Symbol.for("nodejs.util.inspect.custom")](_: number, options: unknown, inspect: Inspect): string {
    return inspect(printedError(this), options);
  }
}

/** Frames can name what was called, and a name can be anything. It is written, and redacted, for whoever reads it: most errors are only caught. */
function redactStack(error: Error): void {
  const own = Object.getOwnPropertyDescriptor(error, "stack");
  let stack: unknown;
  // Elsewhere it is written when the error is made.
  if (own?.get === undefined) stack = redactText(error.stack ?? "");
  Object.defineProperty(error, "stack", {
    get: () => (stack ??= redactText(String(own?.get?.call(error) ?? ""))),
    set: (value: unknown) => {
      stack = value;
    },
    configurable: true,
  });
}

/** Also true for an error made by another copy of this package, where `instanceof` is not. */
export function isSimpleFunctionsError(value: unknown): value is SimpleFunctionsError {
  try {
    return typeof value === "object" && value !== null && Object.hasOwn(value, brand);
  } catch {
    // A proxy that refuses to be asked.
    return false;
  }
}

/** `missing_api_key` is thrown as `MissingApiKeyError`, and `upstream_error` as `UpstreamError`. */
export function classNameOf(code: ErrorCode): string {
  return `${code.replace(/_error$/, "").replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Error`;
}

export function requireErrorCode(code: unknown): asserts code is ErrorCode {
  if (!isErrorCode(code)) throw new TypeError(`unknown error code: ${redactText(String(code))}`);
}

/** What is found in one of them is hidden in the others. Of causes, only what this copy made was redacted with the secrets that it holds. */
function redactParts(
  message: string,
  { details, cause }: ErrorOptions,
): { readonly message: string; readonly details?: ErrorDetails; readonly cause?: unknown } {
  const isSafe = cause === undefined || madeHere.has(cause as object);
  if (details === undefined && isSafe) return { message: redactText(message), cause };
  const safe = redact({ message, details, ...(!isSafe && { cause }) }) as ReturnType<typeof redactParts>;
  return isSafe ? { ...safe, cause } : safe;
}
