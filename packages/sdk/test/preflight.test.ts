// Before any request: what a client can know by itself it does not ask the platform.
import {
  BrowserKeyForbiddenError,
  HostConfigurationNeededError,
  InvalidApiKeyError,
  InvalidInputError,
  MissingApiKeyError,
} from "@spfunctions/contracts";
import { afterEach, describe, expect, test } from "vitest";
import { refusalOf, rejectionOf } from "../../contracts/test-data/refusal-of.ts";
import type { CallOptions } from "../src/index.ts";
import { testClient, testKey, testToken } from "../test-data/test-client.ts";
import { answer } from "../test-data/test-platform.ts";

/** A fetch that counts. */
function counting() {
  const sent: string[] = [];
  const fetch = (url: string) => {
    sent.push(url);
    return Promise.resolve(answer({}));
  };
  return { sent, fetch };
}

describe("without a key", () => {
  // proves KEY-6.9, KEY-6.10, KEY-11.5, KEY-23.3
  test.each([
    ["a tool that needs one", (sf: ReturnType<typeof testClient>) => sf.markets.read("FED")],
    ["a search", (sf: ReturnType<typeof testClient>) => sf.search.run({ query: "x" })],
    ["a model's answer", (sf: ReturnType<typeof testClient>) => sf.ask.model({ question: "x" })],
    ["data of its user", (sf: ReturnType<typeof testClient>) => sf.profile.read()],
    ["a side effect", (sf: ReturnType<typeof testClient>) => sf.notes.write({ text: "x" })],
    [
      "a list, read item by item",
      (sf: ReturnType<typeof testClient>) => sf.notes.list()[Symbol.asyncIterator]().next(),
    ],
    ["a call by name", (sf: ReturnType<typeof testClient>) => sf.call("notes.write", { text: "x" })],
    ["events", (sf: ReturnType<typeof testClient>) => sf.events().next()],
  ])("%s is refused before any request", async (_, ask) => {
    const { sent, fetch } = counting();
    const sf = testClient({ fetch });
    expect(await rejectionOf(ask(sf))).toBeInstanceOf(MissingApiKeyError);
    expect([sent, sf.hasApiKey()]).toStrictEqual([[], false]);
  });

  test("a free public read is sent", async () => {
    const { sent, fetch } = counting();
    await testClient({ fetch }).world.read({ topic: "fed", depth: 2 });
    expect(sent).toStrictEqual(["http://127.0.0.1:7700/api/world?depth=2&topic=fed"]);
  });
});

describe("a key", () => {
  // proves KEY-11.1
  test.each([
    ["nothing", ""],
    ["an end of line", `${testKey}\n`],
    ["a space before it", ` ${testKey}`],
    ["another prefix", testKey.replace("sf_live_", "sf_test_")],
    ["one character less", testKey.slice(0, -1)],
    ["a token of two parts", testToken.split(".").slice(0, 2).join(".")],
    ["a token with a header line in it", testToken.replace(".", "\r\nx: y.")],
    ["a token without end", `${testToken}${"a".repeat(9000)}`],
    ["no text", 7 as never],
  ])("is a key or a token, and not %s; the error does not say it again", (_, apiKey) => {
    const error = refusalOf(() => testClient({ apiKey }));
    expect(error).toBeInstanceOf(InvalidApiKeyError);
    expect(JSON.stringify(error) + String(error.stack)).not.toContain(testKey.slice(8, 20));
  });

  // proves KEY-3.2, KEY-11.1, KEY-11.2, KEY-11.3
  test("is known to be there without asking anybody", () => {
    const { sent, fetch } = counting();
    expect(testClient({ fetch, apiKey: testKey }).hasApiKey()).toBe(true);
    const ids = [testKey, testKey, testToken].map((apiKey) => testClient({ fetch, apiKey }).credentialId());
    expect([ids[0] === ids[1], ids[0] === ids[2], testClient({ fetch }).credentialId()]).toStrictEqual([
      true,
      false,
      undefined,
    ]);
    expect(ids[0]).toMatch(/^key_[0-9a-f]{16}$/);
    expect(testClient({ fetch, apiKey: testToken }).hasApiKey()).toBe(true);
    expect(testClient({ fetch, apiKey: undefined }).hasApiKey()).toBe(false);
    expect(sent).toStrictEqual([]);
  });

  test.each([
    "http://example.com",
    "http://127.0.0.1.example.com",
    "http://10.0.0.1:7700",
    "http://[::2]",
    "http://localhost.",
  ])("is not sent over plain http to %s, unless somebody says so", async (baseUrl) => {
    const { sent, fetch } = counting();
    const error = refusalOf(() => testClient({ fetch, baseUrl, apiKey: testKey }));
    expect(error).toBeInstanceOf(HostConfigurationNeededError);
    expect(error.details?.reason).toBe("plain_http");
    await testClient({ fetch, baseUrl }).world.read();
    await testClient({ fetch, baseUrl, apiKey: testKey, insecure: true }).world.read();
    expect(sent).toHaveLength(2);
  });

  // proves KEY-18.3
  test.each([
    "http://localhost:1",
    "http://127.9.8.7",
    "http://127.1",
    "http://[::1]:1",
    "https://example.com/sf/",
  ])("is sent to %s", (baseUrl) => {
    expect(testClient({ baseUrl, apiKey: testKey }).hasApiKey()).toBe(true);
  });
});

const enterPage = () => void Object.assign(globalThis, { window: globalThis, document: {} });

describe("in a browser", () => {
  afterEach(() => {
    Reflect.deleteProperty(globalThis, "window");
    Reflect.deleteProperty(globalThis, "document");
  });

  // proves KEY-18.1
  test("a client with a long-lived key is not made, and one with a token is", async () => {
    enterPage();
    const { sent, fetch } = counting();
    expect(refusalOf(() => testClient({ fetch, apiKey: testKey }))).toBeInstanceOf(BrowserKeyForbiddenError);
    await testClient({ fetch, apiKey: testToken }).markets.read("FED");
    expect(sent).toHaveLength(1);
  });

  test("what a page may not set is not set, and its cookies stay at home", async () => {
    const given: RequestInit[] = [];
    const fetch = (_: string, init: RequestInit) => {
      given.push(init);
      return Promise.resolve(answer({}));
    };
    const sf = testClient({ fetch, apiKey: testToken });
    await sf.world.read();
    enterPage();
    await sf.world.read();
    const seen = given.map(({ headers, credentials, redirect }) => [
      new Headers(headers).has("user-agent"),
      credentials,
      redirect,
    ]);
    expect(seen).toStrictEqual([
      [true, undefined, "error"],
      [false, "omit", "error"],
    ]);
  });

  test("a client that was made elsewhere sends nothing", async () => {
    const { sent, fetch } = counting();
    const sf = testClient({ fetch, apiKey: testKey });
    enterPage();
    expect(await rejectionOf(sf.markets.read("FED"))).toBeInstanceOf(BrowserKeyForbiddenError);
    expect(await rejectionOf(sf.world.read())).toBeInstanceOf(BrowserKeyForbiddenError);
    expect(await rejectionOf(sf.events().next())).toBeInstanceOf(BrowserKeyForbiddenError);
    expect(sent).toStrictEqual([]);
  });
});

describe("an option that would be misread is refused before any request:", () => {
  test.each([
    ["an unknown one of the client, with the one that was meant", { apikey: testKey }, ["apiKey"]],
    ["an unknown one", { verbose: true }, []],
  ])("%s", (_, options, suggestions) => {
    const error = refusalOf(() => testClient(options as object));
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error.details).toStrictEqual({ reason: "unknown_option", suggestions });
  });

  test.each([
    [{ timeoutMs: 0 }],
    [{ timeoutMs: Number.POSITIVE_INFINITY }],
    [{ timeoutMs: 2 ** 31 }],
    [{ retries: -1 }],
    [{ retries: 1.5 }],
    [{ userAgent: "a\nb" }],
  ])("%j of the client", (options) => {
    expect(refusalOf(() => testClient(options))).toBeInstanceOf(InvalidInputError);
  });

  test.each([
    [{ idempotencykey: "x" }],
    [{ idempotencyKey: "" }],
    [{ idempotencyKey: "two words" }],
    [{ idempotencyKey: "a\r\nx-sf-origin: direct" }],
    [{ idempotencyKey: "x".repeat(257) }],
    [{ timeoutMs: -1 }],
    [{ traceparent: "00-zz" }],
    [{ origin: "admin" as never }],
    [{ toolDigest: "sha256:0" }],
  ])("%j of a call", async (options) => {
    const { sent, fetch } = counting();
    const sf = testClient({ fetch, apiKey: testKey });
    expect(await rejectionOf(sf.notes.write({ text: "x" }, options as CallOptions))).toBeInstanceOf(
      InvalidInputError,
    );
    expect(sent).toStrictEqual([]);
  });

  test.each([[{ run: "x" }], [{ runId: "../keys" }], [{ after: "a\nb" }], [{ after: "" }]])(
    "%j of events",
    (options) => {
      const sf = testClient({ apiKey: testKey });
      expect(refusalOf(() => sf.events(options as object))).toBeInstanceOf(InvalidInputError);
    },
  );
});

test("an input that no request can carry is refused before any request", async () => {
  const { sent, fetch } = counting();
  const sf = testClient({ fetch, apiKey: testKey });
  const refusals = await Promise.all(
    [sf.markets.read(".."), sf.markets.read({}), sf.world.read({ topic: 1n }), sf.notes.write([])].map(
      rejectionOf,
    ),
  );
  expect(refusals.map(({ code }) => code)).toStrictEqual(Array.from({ length: 4 }, () => "invalid_input"));
  expect(sent).toStrictEqual([]);
});
