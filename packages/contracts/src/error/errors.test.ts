import { execFileSync } from "node:child_process";
import { inspect } from "node:util";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { receipt, verdict } from "../../test-data/samples.ts";
import type { Verdict } from "../verdict/verdict.ts";
import * as classes from "./error-classes.ts";
import { type ErrorCode, errorCodes, exitCodes, isErrorCode, type Retry } from "./error-codes.ts";
import { classNameOf, isSimpleFunctionsError, SimpleFunctionsError } from "./simple-functions-error.ts";

const { errorFor, ...errorClasses } = classes;

/** Code, retry, HTTP status, exit code. */
const table: [code: ErrorCode, retry: Retry, status: number, exit: number][] = [
  ["missing_api_key", "after_user_action", 401, 3],
  ["invalid_api_key", "after_user_action", 401, 3],
  ["forbidden", "after_user_action", 403, 3],
  ["browser_key_forbidden", "after_user_action", 403, 3],
  ["unknown_tool", "never", 404, 3],
  ["tool_not_active", "never", 403, 3],
  ["tool_not_callable", "never", 403, 3],
  ["policy_denied", "after_user_action", 403, 3],
  ["trade_guardrail", "after_user_action", 403, 3],
  ["capability_denied", "after_user_action", 403, 3],
  ["approval_required", "after_user_action", 409, 4],
  ["approval_denied", "never", 403, 3],
  ["approval_expired", "after_user_action", 409, 3],
  ["approval_mismatch", "never", 409, 3],
  ["budget_exceeded", "after_user_action", 403, 3],
  ["invalid_input", "never", 400, 3],
  ["invalid_output", "never", 502, 1],
  ["replay_miss", "never", 404, 5],
  ["live_disabled", "never", 403, 3],
  ["journal_corrupt", "never", 500, 6],
  ["journal_append_failed", "after_wait", 503, 1],
  ["recovery_needed", "after_user_action", 409, 1],
  ["revision_conflict", "safe", 409, 1],
  ["lease_lost", "after_wait", 503, 1],
  ["rate_limited", "after_wait", 429, 1],
  ["idempotency_conflict", "never", 409, 3],
  ["idempotency_in_progress", "after_wait", 409, 1],
  ["upstream_error", "after_wait", 502, 1],
  ["provider_failed", "after_wait", 502, 1],
  ["timeout", "never", 504, 1],
  ["cancelled", "never", 499, 1],
  ["invalid_manifest", "never", 500, 2],
  ["invalid_policy", "after_user_action", 400, 2],
  ["invalid_package", "never", 400, 2],
  ["missing_field", "never", 400, 2],
  ["contract_violation", "never", 500, 1],
  ["invalid_transition", "never", 409, 1],
  ["host_configuration_needed", "after_user_action", 503, 1],
  ["sandbox_denied", "never", 403, 3],
  ["not_found", "never", 404, 1],
  ["internal", "never", 500, 1],
];

describe("the codes", () => {
  // proves KEY-15.1
  // proves PORT-1.7
  test("are a closed list, each with its retry, status and exit code", () => {
    expect(
      Object.entries(errorCodes).map(([code, { retry, status, exit }]) => [code, retry, status, exit]),
    ).toStrictEqual(table);
    expect(exitCodes).toStrictEqual({
      done: 0,
      failed: 1,
      badUsage: 2,
      refused: 3,
      approvalRequired: 4,
      replayMiss: 5,
      verificationFailed: 6,
      signerUnknown: 7,
    });
  });

  test("are known by own name only", () => {
    expect(table.map(([code]) => code).every(isErrorCode)).toBe(true);
    const strangers = [
      "",
      "Internal",
      "constructor",
      "__proto__",
      "toString",
      7,
      null,
      undefined,
      ["internal"],
    ];
    expect(strangers.filter(isErrorCode)).toStrictEqual([]);
  });

  // proves KEY-12.11, KEY-15.1, KEY-15.2, KEY-23.3
  test("have a class each, named after the code, and there is no other class", () => {
    expect(classNameOf("missing_api_key")).toBe("MissingApiKeyError");
    expect(classNameOf("upstream_error")).toBe("UpstreamError");
    expect(Object.keys(errorClasses).filter((name) => /Error.*Error/.test(name))).toStrictEqual([]);
    expect(Object.keys(errorClasses).toSorted()).toStrictEqual(
      table.map(([code]) => classNameOf(code)).toSorted(),
    );
    for (const [code, retry] of table) {
      const Class = errorClasses[classNameOf(code) as keyof typeof errorClasses];
      const error = new Class("it happened");
      expect(Class.name).toBe(classNameOf(code));
      expect(error).toBeInstanceOf(SimpleFunctionsError);
      expect(error.toJSON()).toStrictEqual({ name: classNameOf(code), code, message: "it happened", retry });
    }
  });

  test("that are unknown throw a TypeError, also those that every object has", () => {
    for (const code of ["nope", "", "constructor", "toString", "__proto__", undefined, null]) {
      expect(() => errorFor(code as ErrorCode, "it happened")).toThrow(TypeError);
      expect(() => new SimpleFunctionsError(code as ErrorCode, "it happened")).toThrow(TypeError);
    }
    expect(() => errorFor("nope" as ErrorCode, "it happened")).toThrow("unknown error code: nope");
  });
});

describe("an error", () => {
  const details = { path: "/order", reason: "too_large", verdict: verdict as Verdict };

  // proves PORT-1.8
  test("says what was wrong as plain data", () => {
    const error = new classes.PolicyDeniedError("no", { details, cause: new RangeError("deep") });
    expect(error.toJSON()).toStrictEqual({
      name: "PolicyDeniedError",
      code: "policy_denied",
      message: "no",
      retry: "after_user_action",
      details,
      cause: { name: "RangeError", message: "deep" },
    });
    expect(JSON.parse(JSON.stringify(error))).toStrictEqual(error.toJSON());
    expect(String(error as Error)).toBe("PolicyDeniedError: no");
    expect(error.stack).toContain("errors.test.ts");
  });

  describe("that is printed", () => {
    const { outcome, gate, reason, remedy } = verdict;
    const { runId, callId, hash } = receipt;
    const short = { verdict: { outcome, gate, reason, remedy }, receipt: { runId, callId, hash } };
    const like = (stack: string, more: object) =>
      inspect(Object.assign(new Error("no"), { stack, ...more }), { depth: 9 });
    const refusal = () =>
      new classes.PolicyDeniedError("no", { details: { ...details, receipt, deep: { a: { b: [1] } } } });

    test("has of a decision and its proof what a person reads; a program has them whole", () => {
      const error = refusal();
      error.stack = "PolicyDeniedError: no\n    at here";
      const { code, retry } = error;
      const printed = { ...details, ...short, deep: { a: { b: [1] } } };
      const expected = like(error.stack, { code, retry, details: printed });
      expect(inspect(error, { depth: 9 })).toBe(expected);
      expect(error.details).toStrictEqual({ ...details, receipt, deep: { a: { b: [1] } } });
      expect(Object.fromEntries(Object.entries(error))).toMatchObject({ details: { verdict, receipt } });
      expect(JSON.parse(JSON.stringify(error.details))).toStrictEqual(error.toJSON().details);
      expect(errorFor("internal", "again", { details: error.details ?? {} }).details).toStrictEqual(
        error.details,
      );
    });

    test("has the same of its cause", () => {
      const error = new classes.InternalError("x", { cause: refusal() });
      expect(inspect(error, { depth: 9 })).toContain(hash);
      expect(inspect(error, { depth: 9 })).not.toContain("tool.exists");
    });

    test("has no page of gates either where nobody catches it", () => {
      // As Node prints what is uncaught.
      const printed = inspect(refusal(), { customInspect: false, depth: Infinity });
      expect(printed).toContain("verdict: [Getter]");
      expect(printed).toContain("receipt: [Getter]");
      expect(printed).toContain("too_large");
    });

    test("is like any other where it has neither", () => {
      const error = new classes.InternalError("x", {
        details: { path: "/a" },
        cause: new RangeError("deep"),
      });
      expect(inspect(error)).toBe(inspect(error, { customInspect: false }));
    });
  });

  test("may say for itself whether a retry helps", () => {
    expect(new classes.InternalError("x", { retry: "safe" }).retry).toBe("safe");
  });

  test("keeps nothing of the details it was given", () => {
    const given = { path: "/a", list: ["x"] };
    const error = new classes.InternalError("x", { details: given });
    given.list.push("y");
    expect(error.details).toStrictEqual({ path: "/a", list: ["x"] });
  });

  test("can always be written down, whatever its details hold", () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    const error = new classes.InternalError("x", {
      details: {
        big: 12n,
        nan: Number.NaN,
        when: new Date(0),
        never: new Date(Number.NaN),
        map: new Map([["a", 1n]]),
        set: new Set([1, undefined, () => 1, Symbol("s")]),
        url: new URL("https://example.com/a"),
        inner: new RangeError("deep"),
        run: () => 1,
        mark: Symbol("s"),
        toJSON: () => "something else",
        gone: undefined,
        cycle,
      },
    });
    expect(JSON.parse(JSON.stringify(error))).toStrictEqual({
      name: "InternalError",
      code: "internal",
      message: "x",
      retry: "never",
      details: {
        big: "12",
        nan: "NaN",
        when: "1970-01-01T00:00:00.000Z",
        never: "Invalid Date",
        map: [["a", "1"]],
        set: [1, null, "[function]", "[symbol]"],
        url: "https://example.com/a",
        inner: { name: "RangeError", message: "deep" },
        run: "[function]",
        mark: "[symbol]",
        toJSON: "[function]",
        cycle: { self: "[circular]" },
      },
    });
  });

  test("made again from what it says is the same error", () => {
    for (const [code] of table) {
      const { name: _, ...said } = errorFor(code, "it happened", { details, retry: "safe" }).toJSON();
      const again = errorFor(said.code, said.message, { details: said.details ?? {}, retry: said.retry });
      expect(again.toJSON()).toStrictEqual({ name: classNameOf(code), ...said });
      expect(again).toBeInstanceOf(errorClasses[classNameOf(code) as keyof typeof errorClasses]);
    }
  });
});

describe("isSimpleFunctionsError", () => {
  test("knows the errors of another copy of this package, where instanceof does not", async () => {
    const copy = "./simple-functions-error.ts?another-copy";
    const other = (await import(/* @vite-ignore */ copy)) as {
      SimpleFunctionsError: typeof SimpleFunctionsError;
    };
    const error = new other.SimpleFunctionsError("internal", "from afar");
    expect(other.SimpleFunctionsError).not.toBe(SimpleFunctionsError);
    expect(error).not.toBeInstanceOf(SimpleFunctionsError);
    expect(isSimpleFunctionsError(error)).toBe(true);
  });

  test("knows the errors of another realm", () => {
    const error: unknown = runInNewContext(
      `Object.defineProperty(new Error("from afar"), Symbol.for("@spfunctions/error"), { value: true })`,
    );
    expect(error).not.toBeInstanceOf(Error);
    expect(isSimpleFunctionsError(error)).toBe(true);
  });

  test("knows nothing else, and asking never throws", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const inherited = Object.create(new classes.InternalError("x")) as unknown;
    const others = [null, undefined, "x", 7, {}, [], new Error("x"), { code: "internal" }, inherited, proxy];
    expect(others.map(isSimpleFunctionsError)).toStrictEqual(others.map(() => false));
  });

  test("an error thrown out of a process ends it with its name, message and code on stderr", () => {
    const script = `
      import { InternalError } from ${JSON.stringify(new URL("error-classes.ts", import.meta.url))};
      throw new InternalError("from afar", { details: { path: "/a" } });`;
    const args = ["--conditions=source", "--input-type=module", "--eval", script];
    expect(() => execFileSync(process.execPath, args, { stdio: "pipe", encoding: "utf8" })).toThrow(
      /InternalError: from afar[\s\S]*code: 'internal'/,
    );
  });
});
