// A call from the method to the wire and back, over a real socket and in this process alike.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { ApprovalRequiredError, isSimpleFunctionsError, UpstreamError } from "@spfunctions/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { rejectionOf } from "../../contracts/test-data/refusal-of.ts";
import { receipt } from "../../contracts/test-data/samples.ts";
import { embeddedClient, testClient, testKey, testToken } from "../test-data/test-client.ts";
import { answer, refuse, say, TestPlatform } from "../test-data/test-platform.ts";

let platform: TestPlatform;
beforeEach(async () => {
  platform = await TestPlatform.start();
});
afterEach(() => platform.stop());

describe.each([
  ["on a socket", (options: object) => testClient({ baseUrl: platform.baseUrl, ...options })],
  ["in process", (options: object) => embeddedClient(platform, options)],
])("%s", (_, clientWith) => {
  // proves KEY-2.21
  test("a method sends its tool's request and answers with the data", async () => {
    platform.handler = () => answer({ price: 42 });
    const sf = clientWith({ apiKey: testKey, userAgent: "tests/1" });
    expect(await sf.markets.read({ ticker: "FED 25/26" })).toStrictEqual({ price: 42 });
    expect(platform.arrived.map(({ method, path, body }) => ({ method, path, body }))).toStrictEqual([
      { method: "GET", path: "/api/markets/FED%2025%2F26", body: "" },
    ]);
    expect(Object.fromEntries(platform.arrived[0]?.headers ?? [])).toMatchObject({
      accept: "application/json",
      authorization: `Bearer ${testKey}`,
      "user-agent": "tests/1 spfunctions-sdk/0.1.0",
    });
    expect(platform.arrived[0]?.headers.has("idempotency-key")).toBe(false);
  });

  test("an input's body is JSON, and the call's options are headers", async () => {
    const traceparent = "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01";
    const sf = clientWith({ apiKey: testToken });
    await sf.notes.write(
      { text: "hello", gone: undefined },
      {
        idempotencyKey: "once",
        traceparent,
        origin: "mcp",
        toolDigest: `sha256:${"0".repeat(64)}`,
        receipt: "none",
      },
    );
    expect(platform.arrived[0]).toMatchObject({
      method: "POST",
      path: "/api/notes",
      body: '{"text":"hello"}',
    });
    expect(Object.fromEntries(platform.arrived[0]?.headers ?? [])).toMatchObject({
      authorization: `Bearer ${testToken}`,
      "content-type": "application/json",
      "idempotency-key": "once",
      traceparent,
      "x-sf-origin": "mcp",
      "x-sf-receipt": "none",
      "x-sf-tool-digest": `sha256:${"0".repeat(64)}`,
    });
  });

  test("the one member that an input needs may be given alone", async () => {
    await clientWith({ apiKey: testKey }).markets.read("FED");
    expect(platform.arrived.map(({ path }) => path)).toStrictEqual(["/api/markets/FED"]);
  });

  test("withReceipt gives the proof, and nothing is sent twice", async () => {
    platform.handler = () => answer({ price: 42 }, { receipt });
    const call = clientWith({ apiKey: testKey }).markets.read("FED");
    expect(await call).toStrictEqual({ price: 42 });
    expect(await call.withReceipt()).toStrictEqual({
      data: { price: 42 },
      receipt,
      requestId: "req_1",
      replayed: false,
      redacted: [],
    });
    expect(platform.arrived).toHaveLength(1);
  });

  test("a repeated answer says so, and where its record differs", async () => {
    platform.handler = () =>
      answer({ secret: "[redacted:secret]" }, { receipt, replayed: true, redacted: ["/secret"] });
    const call = clientWith({ apiKey: testKey }).notes.write({ text: "x" }, { idempotencyKey: "once" });
    expect(await call.withReceipt()).toMatchObject({ replayed: true, redacted: ["/secret"] });
  });

  test("a refusal is the error of its code, with its details, receipt and request", async () => {
    platform.handler = () =>
      refuse("approval_required", 409, {
        message: "a person has to say yes",
        details: { approvalId: "appr_1" },
        meta: { receipt },
      });
    const error = await rejectionOf(clientWith({ apiKey: testKey }).notes.write({ text: "x" }));
    expect(error).toBeInstanceOf(ApprovalRequiredError);
    expect(error.toJSON()).toStrictEqual({
      name: "ApprovalRequiredError",
      code: "approval_required",
      message: "a person has to say yes",
      retry: "after_user_action",
      details: { approvalId: "appr_1", status: 409, requestId: "req_1", receipt },
    });
  });

  test.each([
    ["a proxy's page", 502, "<html>Bad Gateway</html>", "not_json"],
    ["half an answer", 200, '{"ok":true,"data":{"pri', "not_json"],
    ["another service's JSON", 200, '{"price":42}', "not_an_envelope"],
    [
      "an error that has no code of ours",
      400,
      '{"ok":false,"error":{"code":"oops","status":400,"message":"x"},"meta":{"requestId":"r"}}',
      "not_an_envelope",
    ],
    [
      "a success that contradicts its status",
      500,
      '{"ok":true,"data":1,"meta":{"requestId":"r"}}',
      "contradicts_status",
    ],
    ["nothing", 200, "", "not_json"],
  ])(
    "an answer that is no envelope is an upstream_error with its status: %s",
    async (what, status, text, reason) => {
      platform.handler = () => say(status, text);
      const sf = clientWith({ apiKey: testKey, retries: 0 });
      const error = await rejectionOf(sf.world.read());
      expect(error).toBeInstanceOf(UpstreamError);
      const isPassing = status === 502 || status === 500;
      expect([error.details?.reason, error.details?.["status"], error.retry]).toStrictEqual([
        reason,
        status,
        isPassing ? "after_wait" : "never",
      ]);
      expect(what).not.toBe("");
    },
  );

  test("an answer that is too large is not read to its end", async () => {
    let wasCut = false;
    const chunk = new TextEncoder().encode("x".repeat(1024 * 1024));
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (sent++ < 64) controller.enqueue(chunk);
        else controller.close();
      },
      cancel() {
        wasCut = true;
      },
    });
    platform.handler = () => new Response(body);
    const error = await rejectionOf(clientWith({ apiKey: testKey, retries: 0 }).world.read());
    expect([error.code, error.details?.reason, error.details?.["status"]]).toStrictEqual([
      "upstream_error",
      "too_large",
      200,
    ]);
    await expect.poll(() => wasCut).toBe(true);
  });
});

test("a list is its first page, and all items of all its pages", async () => {
  platform.handler = ({ path }) => {
    const after = new URL(path, "http://x").searchParams.get("after");
    const pages: Record<string, object> = {
      "": { items: [{ id: "1" }, { id: "2" }], next: "2" },
      "2": { items: [], next: "two&a half" },
      "two&a half": { items: [{ id: "3" }] },
    };
    return answer(pages[after ?? ""]);
  };
  const sf = testClient({ baseUrl: platform.baseUrl, apiKey: testKey });
  const list = sf.notes.list({ tag: "a" }, { idempotencyKey: "only-the-first" });
  const ids: unknown[] = [];
  for await (const item of list) ids.push(item);
  expect(ids).toStrictEqual([{ id: "1" }, { id: "2" }, { id: "3" }]);
  expect(await list).toStrictEqual({ items: [{ id: "1" }, { id: "2" }], next: "2" });
  expect(platform.arrived.map(({ path, headers }) => [path, headers.get("idempotency-key")])).toStrictEqual([
    ["/api/notes?tag=a", "only-the-first"],
    ["/api/notes?after=2&tag=a", null],
    ["/api/notes?after=two%26a%20half&tag=a", null],
  ]);
});

test("a list whose pages go in a circle is not read for ever", async () => {
  platform.handler = () => answer({ items: [1], next: "again" });
  const sf = testClient({ baseUrl: platform.baseUrl, apiKey: testKey });
  const read = async () => {
    const seen: unknown[] = [];
    for await (const item of sf.notes.list()) seen.push(item);
    return seen;
  };
  expect((await rejectionOf(read())).details?.reason).toBe("not_a_list");
  expect(platform.arrived).toHaveLength(2);
});

describe("a key", () => {
  test("never follows a redirect", async () => {
    const seen: unknown[] = [];
    const elsewhere = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end("{}");
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
    const { port } = elsewhere.address() as AddressInfo;
    platform.handler = () =>
      new Response(null, { status: 307, headers: { location: `http://127.0.0.1:${port}/` } });
    try {
      const sf = testClient({ baseUrl: platform.baseUrl, apiKey: testKey, retries: 0 });
      expect((await rejectionOf(sf.world.read())).code).toBe("upstream_error");
      expect(seen).toStrictEqual([]);
    } finally {
      elsewhere.close();
    }
  });

  test("is nowhere in a client, however it is looked at", () => {
    const sf = testClient({ baseUrl: platform.baseUrl, apiKey: testKey });
    const texts = [
      inspect(sf, { depth: 20, showHidden: true, getters: true }),
      JSON.stringify(sf),
      JSON.stringify(Object.getOwnPropertyDescriptors(sf)),
    ];
    expect(texts.filter((text) => text.includes(testKey.slice(8, 20)))).toStrictEqual([]);
    expect(JSON.stringify(sf)).toBe(JSON.stringify({ baseUrl: platform.baseUrl, hasApiKey: true }));
  });

  // proves KEY-5.5, KEY-15.4, KEY-15.5
  test.each([
    [
      "a fetch that throws with everything it was given",
      (_: string, init: RequestInit) =>
        Promise.reject(
          Object.assign(new Error(`cannot send ${JSON.stringify([...new Headers(init.headers)])}`), {
            init,
            headers: new Headers(init.headers),
            base64: btoa(`user:${testKey}`),
            cause: new Error(testKey),
          }),
        ),
    ],
    [
      "a platform that repeats it",
      (_: string, init: RequestInit) => {
        const said = new Headers(init.headers).get("authorization") ?? "";
        const details = { header: said, deep: [{ note: `an ordinary text, and ${btoa(`ab${testKey}`)}` }] };
        const body = {
          ok: false,
          error: { code: "forbidden", status: 403, message: said, details },
          meta: { requestId: "r" },
        };
        return Promise.resolve(new Response(JSON.stringify(body), { status: 403 }));
      },
    ],
    [
      "a proxy's page that repeats it",
      (_: string, init: RequestInit) =>
        Promise.resolve(
          new Response(`<p>${new Headers(init.headers).get("authorization")}</p>`, { status: 400 }),
        ),
    ],
  ])("is in no error: %s", async (_, fetch) => {
    const sf = testClient({ apiKey: testKey, retries: 0, fetch });
    const error = await rejectionOf(sf.notes.write({ text: "x" }));
    const text = [
      inspect(error, { depth: 20, showHidden: true }),
      JSON.stringify(error),
      String(error.stack),
      inspect(error.cause, { depth: 20, showHidden: true }),
    ].join("\n");
    const forms = [
      btoa(`ab${testKey}`).slice(8, 40),
      testKey,
      testKey.slice(8, 24),
      btoa(testKey).slice(4, 30),
      btoa(`user:${testKey}`).slice(12, 40),
    ];
    expect(forms.filter((form) => text.includes(form))).toStrictEqual([]);
    expect(isSimpleFunctionsError(error)).toBe(true);
  });
});
