// S1: no secret that this process holds is ever in an error, wherever it was put and however it is looked at.
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { heldSecrets } from "../redact/held-secrets.ts";
import { errorFor, InternalError, UpstreamError } from "./error-classes.ts";
import { type ErrorCode, errorCodes } from "./error-codes.ts";
import { SimpleFunctionsError } from "./simple-functions-error.ts";

const secret = "correct horse battery staple";
const forms = [secret, encodeURIComponent(secret), btoa(secret), btoa(secret).replaceAll("=", "")];

beforeAll(() => heldSecrets.add(secret, "test"));
afterAll(() => heldSecrets.remove(secret));

/** Everything a person or a program could read from an error, as one text. */
function readable(error: Error): string {
  const seen = [String(error), error.message, error.stack, JSON.stringify(error)];
  const shown = [inspect(error, { depth: 20, showHidden: true }), inspect(error), Object.keys(error).join()];
  const causes: unknown[] = [];
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause)
    causes.push(cause.stack, cause.message);
  return [...seen, ...shown, ...causes, inspect(error.cause, { depth: 20, showHidden: true })].join("\n");
}

/** The forms of the secret that can be read from an error. */
function secretsIn(error: Error): string[] {
  const text = readable(error);
  return forms.filter((form) => text.includes(form));
}

const inside: [place: string, make: (held: string) => Error][] = [
  ["the message", (held) => new InternalError(`the key ${held} was refused`)],
  ["a URL in the message", (held) => new InternalError(`GET https://x.test/?q=${encodeURIComponent(held)}`)],
  ["base64 in the message", (held) => new InternalError(`Basic ${btoa(held)}`)],
  ["a frame of the stack", (held) => calledBy(held, () => new InternalError("x"))],
  [
    "a frame of the cause's stack",
    (held) => new InternalError("x", { cause: calledBy(held, () => new Error("y")) }),
  ],
  ["a detail", (held) => new InternalError("x", { details: { path: held } })],
  ["a key of the details", (held) => new InternalError("x", { details: { [held]: 1 } })],
  [
    "the details, deep",
    (held) => new InternalError("x", { details: { a: [{ b: new Map([[held, held]]) }] } }),
  ],
  ["an error in the details", (held) => new InternalError("x", { details: { inner: new Error(held) } })],
  ["the cause's message and stack", (held) => new InternalError("x", { cause: new Error(held) })],
  [
    "a cause's cause",
    (held) => new InternalError("x", { cause: new Error("y", { cause: new Error(held) }) }),
  ],
  [
    "a property of the cause",
    (held) => new InternalError("x", { cause: Object.assign(new Error("y"), { held }) }),
  ],
  [
    "errors gathered in the cause",
    (held) => new InternalError("x", { cause: new AggregateError([new Error(held)]) }),
  ],
  ["a cause that is no error", (held) => new InternalError("x", { cause: { held } })],
  ["a cause that is text", (held) => new InternalError("x", { cause: held })],
  ["our own error as a cause", (held) => new InternalError("x", { cause: new UpstreamError(held) })],
  ["a forgery of our error as a cause", (held) => new InternalError("x", { cause: forged(held) })],
  ["an unknown code", (held) => thrownBy(() => errorFor(held as ErrorCode, "x"))],
  [
    "an unknown code of the base class",
    (held) => thrownBy(() => new SimpleFunctionsError(held as ErrorCode, "x")),
  ],
];

// proves KEY-15.6
describe("a held secret is not in an error", () => {
  test.each(inside)("when it was in %s", (_, make) => {
    expect(secretsIn(make(secret))).toStrictEqual([]);
  });

  test.each(inside)("and the same error with ordinary text in %s would be found", (_, make) => {
    expect(readable(make("an ordinary text"))).toMatch(
      /an ordinary text|an%20ordinary%20text|YW4gb3JkaW5hcnkgdGV4d/,
    );
  });

  test("of any code", () => {
    const codes = Object.keys(errorCodes) as ErrorCode[];
    const said = { details: { reason: secret }, cause: new Error(secret) };
    expect(codes.flatMap((code) => secretsIn(errorFor(code, secret, said)))).toStrictEqual([]);
  });

  test("and its place is marked with its kind", () => {
    const error = new InternalError(`the key ${secret} was refused`, { details: { path: `/${secret}` } });
    expect(error.toJSON()).toStrictEqual({
      name: "InternalError",
      code: "internal",
      message: "the key [redacted:test] was refused",
      retry: "never",
      details: { path: "/[redacted:test]" },
    });
  });
});

test("a stack is written for whoever reads it, once; what somebody puts in its place stays", () => {
  const before = Object.getOwnPropertyDescriptor(Error, "prepareStackTrace");
  const write = vi.fn<(error: Error) => string>(() => `at ${secret}`);
  Error.prepareStackTrace = write;
  try {
    const error = new InternalError("x");
    expect(write).not.toHaveBeenCalled();
    expect([error.stack, error.stack]).toStrictEqual(["at [redacted:test]", "at [redacted:test]"]);
    expect(write).toHaveBeenCalledTimes(1);
    error.stack = "other";
    expect(Object.freeze(error).stack).toBe("other");
  } finally {
    Reflect.deleteProperty(Error, "prepareStackTrace");
    if (before !== undefined) Object.defineProperty(Error, "prepareStackTrace", before);
  }
});

test("a stack keeps its frames, and an ordinary one is as it was", () => {
  const error = calledBy("ordinaryMethod", () => new InternalError("x"));
  expect(error.stack).toMatch(
    /^(?:InternalError|Error): x\n {4}at [\s\S]*ordinaryMethod[\s\S]*errors-without-secrets/,
  );
  expect(calledBy(secret, () => new InternalError("x")).stack).toContain("[redacted:test]");
  expect(Object.keys(error)).not.toContain("stack");
});

test("an error of another copy, which holds other secrets, is redacted again as a cause", async () => {
  const copy = "./simple-functions-error.ts?copy-with-other-secrets";
  const other = (await import(/* @vite-ignore */ copy)) as {
    SimpleFunctionsError: typeof SimpleFunctionsError;
  };
  const cause = new other.SimpleFunctionsError("internal", "a message from before the secret was known");
  cause.message = secret;
  expect(secretsIn(new InternalError("x", { cause }))).toStrictEqual([]);
});

test("an own error stays itself as a cause", () => {
  const cause = new UpstreamError("the venue answered 503");
  expect(new InternalError("x", { cause }).cause).toBe(cause);
});

/** What a method of that name makes: its stack names the method. */
function calledBy(name: string, make: () => Error): Error {
  const methods = {
    [name](): Error {
      return make();
    },
  };
  return methods[name]?.() ?? new Error("there is no such method");
}

function forged(held: string): Error {
  return Object.defineProperty(new Error(held), Symbol.for("@spfunctions/error"), { value: true });
}

function thrownBy(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
}
