import { inspect, isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyJson } from "../../test-data/any-json.ts";
import { hostileValues } from "../../test-data/hostile-values.ts";
import { sampleTemplate } from "../../test-data/redaction/generate.ts";
import { SecretRegistry } from "./held-secrets.ts";
import { hideHeld } from "./hide-held.ts";
import { cutPlaceholders, hasPlaceholder } from "./placeholder.ts";
import { redact } from "./redact.ts";

const token = sampleTemplate("ghp_{alnum:36}", 1);
const hidden = "[redacted:github_token]";
const keyedHash = (secret: string) =>
  Array.from(secret, (char) => (char.codePointAt(0) ?? 0).toString(16))
    .join("")
    .slice(-12)
    .padStart(12, "0");

describe("redact keeps the kind of", () => {
  test("a Map, a Set and what is in them", () => {
    expect(
      redact(
        new Map<unknown, unknown>([
          ["a", token],
          [{ b: token }, 1],
        ]),
      ),
    ).toStrictEqual(
      new Map<unknown, unknown>([
        ["a", hidden],
        [{ b: hidden }, 1],
      ]),
    );
    expect(redact(new Set([1, token]))).toStrictEqual(new Set([1, hidden]));
  });

  test("a Date, also an invalid one", () => {
    expect(redact({ at: new Date(5), never: new Date(Number.NaN) })).toStrictEqual({
      at: new Date(5),
      never: new Date(Number.NaN),
    });
  });

  test("a URL, search parameters and headers", () => {
    const url = redact(new URL(`https://joe:hunter22@example.com/a?b=1&access_token=${token}`));
    expect(url).toBeInstanceOf(URL);
    expect((url as URL).searchParams.get("b")).toBe("1");
    expect((url as URL).password).not.toContain("hunter22");
    const params = redact(new URLSearchParams({ q: "1", token })) as URLSearchParams;
    expect([...params]).toStrictEqual([
      ["q", "1"],
      ["token", "[redacted:secret]"],
    ]);
    const headers = redact(new Headers({ accept: "a/b", authorization: `Bearer ${token}` })) as Headers;
    expect([...headers]).toStrictEqual([
      ["accept", "a/b"],
      ["authorization", "[redacted:secret]"],
    ]);
  });

  test("headers that come more than once", () => {
    const headers = new Headers([
      ["set-cookie", "a=1"],
      ["set-cookie", "b=2"],
    ]);
    expect((redact(headers) as Headers).getSetCookie()).toHaveLength(2);
  });

  test.each([Error, TypeError, RangeError, SyntaxError, ReferenceError, URIError, EvalError])(
    "an %o",
    (Kind) => {
      const error = Object.assign(new Kind(`bad ${token}`), { code: "E_BAD" });
      const copy = redact(error) as Error;
      expect(copy).toBeInstanceOf(Kind);
      expect(copy).toMatchObject({ name: Kind.name, message: `bad ${hidden}`, code: "E_BAD" });
      expect(copy.stack).toContain("redact.test.ts");
      expect(copy.stack).not.toContain(token);
    },
  );

  test("gathered errors and a chain of causes", () => {
    const gathered = new AggregateError([new TypeError(token), token], "two", { cause: new Error(token) });
    const copy = redact(gathered) as AggregateError;
    expect(copy).toBeInstanceOf(AggregateError);
    expect(copy.errors).toStrictEqual([new TypeError(hidden), hidden]);
    expect(copy.cause).toStrictEqual(new Error(hidden));
    expect(Object.keys(copy)).toStrictEqual([]);
  });

  test("an object without a prototype", () => {
    const copy = redact(Object.assign(Object.create(null) as object, { a: token }));
    expect(Object.getPrototypeOf(copy)).toBeNull();
    expect(copy).toEqual({ a: hidden });
  });

  test("boxed values as what is in the box", () => {
    const boxes = [Object(token), Object(4), Object(true)] as unknown[];
    expect(redact(boxes)).toStrictEqual([hidden, 4, true]);
  });
});

test("an instance of a class comes back as plain data, without what its prototype computes", () => {
  class Connection {
    readonly host = "db";
    readonly password = "hunter22";
    get address(): string {
      return `postgres://joe:${this.password}@${this.host}`;
    }
  }
  const copy = redact(new Connection());
  expect(copy).toStrictEqual({ host: "db", password: "[redacted:password]" });
  expect(inspect(copy, { showHidden: true, getters: true })).not.toContain("hunter22");
});

describe("redact never throws", () => {
  test.each(hostileValues)("for %s", (_, make) => {
    expect(() => redact(make())).not.toThrow();
  });

  const small = hostileValues.filter(([name]) => !/sparse|100,000/.test(name));
  test.each(small)("for %s inside other things", (_, make) => {
    expect(() =>
      redact({ password: make(), list: [make()], map: new Map([[make(), make()]]) }),
    ).not.toThrow();
    expect(() => redact(new Error("x", { cause: make() }))).not.toThrow();
  });

  test("and marks what it cannot read", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const cycle: Record<string, unknown> = { proxy };
    cycle.self = cycle;
    Object.defineProperty(cycle, "bad", {
      enumerable: true,
      get: () => {
        throw new Error(token);
      },
    });
    expect(redact(cycle)).toStrictEqual({ proxy: "[unreadable]", self: "[circular]", bad: "[unreadable]" });
  });

  test("and ends, however often a value holds itself side by side", () => {
    let value: unknown = 1;
    for (let level = 0; level < 40; level++) value = [value, value];
    expect(inspect(redact([value, "the last"]), { depth: 1 })).toContain("[1 left out]");
  });

  test("and takes what a Map holds, not what its iterator says", () => {
    class Endless<Key, Value> extends Map<Key, Value> {
      override *[Symbol.iterator](): MapIterator<[Key, Value]> {
        for (;;) yield ["a", 1] as [Key, Value];
      }
    }
    expect(redact(new Endless([["k", token]]))).toStrictEqual(new Map([["k", hidden]]));
  });

  test("and leaves out functions and symbols", () => {
    expect(redact({ run: () => token, [Symbol(token)]: token, mark: Symbol(token) })).toStrictEqual({
      run: "[function]",
      mark: "[symbol]",
    });
  });

  test("and never shows raw bytes", () => {
    expect(redact([new TextEncoder().encode(token), new ArrayBuffer(3)])).toStrictEqual([
      "[40 bytes]",
      "[3 bytes]",
    ]);
  });
});

test("what redact sees is what it copies: a getter is read once", () => {
  let reads = 0;
  const value = Object.defineProperty({}, "note", {
    enumerable: true,
    get: () => (reads++ === 0 ? "first" : token),
  });
  expect(redact(value)).toStrictEqual({ note: "first" });
});

test("redact keeps dangerous keys as own keys and pollutes nothing", () => {
  const value = JSON.parse(
    `{"__proto__": {"a": "${token}"}, "constructor": {"prototype": {"polluted": true}}}`,
  );
  const copy = redact(value) as object;
  expect(Object.keys(copy)).toStrictEqual(["__proto__", "constructor"]);
  expect(Object.getOwnPropertyDescriptor(copy, "__proto__")?.value).toStrictEqual({ a: hidden });
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  expect("polluted" in {}).toBe(false);
});

function withSecretsEverywhere() {
  return {
    password: "hunter22",
    list: [token, { cookie: "a=b" }],
    map: new Map([["token", token]]),
    url: new URL(`https://a:${token}@b.c/`),
    headers: new Headers({ cookie: "a=b" }),
    error: Object.assign(new Error(token), { stack: "at x" }),
  };
}

test("redact does not change its argument", () => {
  const value = withSecretsEverywhere();
  redact(value);
  expect(value).toStrictEqual(withSecretsEverywhere());
  expect([...value.headers]).toStrictEqual([...withSecretsEverywhere().headers]);
});

describe("redacting again changes nothing", () => {
  const secrets = new SecretRegistry();
  const withSecrets = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      anyJson,
      fc.constantFrom(token, `key=${token}`, "hunter22", "https://joe:hunter22@x.y/?token=abcdefgh1234"),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(
        fc.oneof(fc.constantFrom("password", "token", "name", "value", "apiKey", "data", token), fc.string()),
        tie("value"),
        { maxKeys: 4 },
      ),
    ),
  })).value;

  test.each([
    ["without a hash", { secrets }],
    ["with a keyed hash", { secrets, keyedHash }],
  ])("for any value, %s", (_, options) => {
    fc.assert(
      fc.property(withSecrets, (value) => {
        const once = redact(value, options);
        expect(isDeepStrictEqual(redact(once, options), once)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test("for every kind", () => {
    const kinds = [new Map([["token", token]]), new URL(`https://a:hunter22@b.c/?api_key=${token}`)];
    for (const value of [...kinds, new URLSearchParams({ token }), new Error(token, { cause: token })]) {
      const once = redact(value);
      expect(redact(once)).toStrictEqual(once);
    }
  });
});

describe("a placeholder", () => {
  const other = sampleTemplate("ghp_{alnum:36}", 2);

  test("says the kind and, with a keyed hash, 12 hex digits of it", () => {
    expect(redact([token, other])).toStrictEqual([hidden, hidden]);
    expect(redact({ a: token }, { keyedHash })).toStrictEqual({
      a: `[redacted:github_token:${keyedHash(token)}]`,
    });
  });

  test("A1: a number's is never that of the same text", () => {
    const alsoSecrets = new SecretRegistry();
    alsoSecrets.add("445566", "secret");
    const options = { keyedHash, alsoSecrets };
    expect(redact({ password: 123456, pin: 445566 }, options)).toStrictEqual({
      password: `[redacted:password_number:${keyedHash("123456")}]`,
      pin: `[redacted:secret_number:${keyedHash("445566")}]`,
    });
    expect(redact({ password: "123456" }, options)).toStrictEqual({
      password: `[redacted:password:${keyedHash("123456")}]`,
    });
    expect(hideHeld([445566, "445566"], options)).toStrictEqual([
      `[redacted:secret_number:${keyedHash("445566")}]`,
      `[redacted:secret:${keyedHash("445566")}]`,
    ]);
  });

  test("differs for two secrets and is the same for one, wherever it stands", () => {
    const [a, b, c] = redact([token, other, { note: `it was ${token}` }], { keyedHash }) as [
      string,
      string,
      object,
    ];
    expect(a).not.toBe(b);
    expect(c).toStrictEqual({ note: `it was ${a}` });
    expect(hasPlaceholder(a) && hasPlaceholder(b)).toBe(true);
    expect(cutPlaceholders(`${a} ${b}`)).toBe("[redacted] [redacted]");
  });
});

describe("under a name that announces a secret", () => {
  test("any text goes, any number under a password, and whatever is in a list or in `value`", () => {
    expect(
      redact({
        password: "x",
        PIN_PASSWORD: 1234,
        dbPassword: 12n,
        "api-key": "abc",
        Cookie: ["a=b", "c=d"],
        clientSecret: { value: "plain", note: "rotated in May" },
        empty: { password: "" },
      }),
    ).toStrictEqual({
      password: "[redacted:password]",
      PIN_PASSWORD: "[redacted:password_number]",
      dbPassword: "[redacted:password_number]",
      "api-key": "[redacted:secret]",
      Cookie: ["[redacted:secret]", "[redacted:secret]"],
      clientSecret: { value: "[redacted:secret]", note: "rotated in May" },
      empty: { password: "" },
    });
  });

  test("counts, flags and null stay", () => {
    const ordinary = {
      max_tokens: 100,
      token: null,
      secret: true,
      tokenCount: 5,
      passwordRequired: true,
      tokens: 7,
    };
    expect(redact(ordinary)).toStrictEqual(ordinary);
  });

  test("the address of a coin stays, a private key goes", () => {
    const [address, key] = [sampleTemplate("0x{hex:40}", 1), sampleTemplate("0x{hex:64}", 1)];
    expect(redact({ token: address, asset: `token ${address}`, privateKey: key })).toStrictEqual({
      token: address,
      asset: `token ${address}`,
      privateKey: "[redacted:secret]",
    });
  });

  test("a JSON Schema stays", () => {
    const schema = {
      type: "object",
      required: ["password", "email", "api_key", "first_name"],
      properties: {
        password: { type: "string", minLength: 8, description: "At least 8 characters." },
        token: { type: ["string", "null"], format: "uuid", title: "The token" },
        apiKey: { $ref: "#/$defs/key" },
        secret: { anyOf: [{ type: "string" }, { type: "null" }] },
      },
      additionalProperties: false,
    };
    expect(redact(schema)).toStrictEqual(schema);
  });

  test("whatever is in an object or a Map goes, but for what describes it", () => {
    expect(
      redact({
        passwords: { a: "sunshine", b: { c: "moon" } },
        password: new Map<string, unknown>([
          ["x", "hunter2!"],
          ["name", "of the desk"],
        ]),
        secret: { a: "sunshine1x", b: ["x9k2mQ"], updatedAt: "2026-01-02", note: "rotated in May" },
        token: { symbol: "USDC", chain: "base", decimals: 6 },
      }),
    ).toStrictEqual({
      passwords: { a: "[redacted:password]", b: { c: "[redacted:password]" } },
      password: new Map<string, unknown>([
        ["x", "[redacted:password]"],
        ["name", "of the desk"],
      ]),
      secret: {
        a: "[redacted:secret]",
        b: ["[redacted:secret]"],
        updatedAt: "2026-01-02",
        note: "rotated in May",
      },
      token: { symbol: "USDC", chain: "base", decimals: 6 },
    });
  });

  test("a form's field and what a check has to say stay", () => {
    const form = {
      password: { type: "password", label: "Password", autocomplete: "new-password", rules: { rounds: 10 } },
      errors: { password: ["is too short", "must have a digit"], email: "is taken" },
    };
    expect(redact(form)).toStrictEqual(form);
  });

  test("a message of a tool that is named after a secret stays readable", () => {
    const message = { role: "tool", name: "rotate_token", content: "Done: three were rotated." };
    expect(redact(message)).toStrictEqual(message);
  });

  test("the private half of a JSON Web Key goes, the public half stays", () => {
    const [d, x] = [sampleTemplate("{b64url:43}", 1), sampleTemplate("{b64url:43}", 2)];
    expect(redact({ kty: "OKP", crv: "Ed25519", x, d })).toStrictEqual({
      kty: "OKP",
      crv: "Ed25519",
      x,
      d: "[redacted:secret]",
    });
  });
});

describe("two keys that hold secrets", () => {
  const keys = ["ghp_16C7e42F292c6912E7710c838347Ae178B4a", "ghp_99C7e42F292c6912E7710c838347Ae178B4b"];

  test("stay two members of an object, and of a Map", () => {
    const shown = ["[redacted:github_token]", "[redacted:github_token]#2"];
    expect(redact(Object.fromEntries(keys.map((key, index) => [key, index])))).toStrictEqual(
      Object.fromEntries(shown.map((key, index) => [key, index])),
    );
    expect(redact(new Map(keys.map((key, index) => [key, index])))).toStrictEqual(
      new Map(shown.map((key, index) => [key, index])),
    );
  });

  test("lose none to a key that is already called so", () => {
    const value = { "[redacted:github_token]#2": 0, [keys[0] as string]: 1, [keys[1] as string]: 2 };
    expect(Object.values(redact(value) as object)).toStrictEqual([0, 1, 2]);
  });
});

test.each([
  ["a task's variables", { Name: "DB_PASSWORD", Value: "Tr0ub4dor&3" }, "Value"],
  ["a resource's tags", { Key: "api_token", Value: "Tr0ub4dor&3" }, "Value"],
  ["a stack's parameters", { ParameterKey: "DbPassword", ParameterValue: "Tr0ub4dor&3" }, "ParameterValue"],
  ["a form with titles", { name: "Production", key: "DB_PASSWORD", value: "Tr0ub4dor&3" }, "value"],
])("a value is hidden beside the name of a secret, as in %s", (_, given, member) => {
  const copy = redact(given) as Record<string, string>;
  expect(copy[member]).toMatch(/^\[redacted:(?:password|secret)\]$/);
  expect({ ...copy, [member]: "Tr0ub4dor&3" }).toStrictEqual(given);
});
