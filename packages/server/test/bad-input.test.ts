// Whatever is sent, the answer is an envelope that says what was wrong: never a fault of ours, a stack, a path or a secret.
import {
  canonicalJson,
  type ContractTool,
  encodeToolInput,
  httpEnvelopeSchema,
  toolRouteOf,
} from "@spfunctions/contracts";
import { verifyAccount } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import type { LogLine } from "../src/log-line.ts";
import { openSocket, answersOn, rawAnswers } from "../test-data/raw-request.ts";
import { telling } from "../test-data/telling.ts";
import { ask, generous, type TestPlatform, testPlatform } from "../test-data/test-platform.ts";

const trade = { allowedVenues: ["kalshi"], maxOrderCostCents: 1000, maxQuantity: 10 };

const tricks: readonly string[] = [
  "' OR 1=1; --",
  '"; DROP TABLE documents; --',
  "../../../../etc/passwd",
  "..%2f..%2fetc%2fpasswd",
  "%2e%2e/%2e%2e",
  "%00",
  "\u0000",
  "%c0%ae%c0%ae",
  "%zz",
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "toString",
  "a/b",
  "a b\r\nX-Injected: 1",
  "\u202e\ud83d\ude00\ufeff",
  "\ud800",
  "x".repeat(10_000),
  "${7*7}{{7*7}}",
  "-1",
  "1e999",
  "null",
  "[]",
  "{}",
  " ",
  "*",
  "anonymous",
  "installation",
];

async function house() {
  const logged: LogLine[] = [];
  const platform = await testPlatform("embedded", { log: (line) => void logged.push(line) });
  const key = await platform.key("acct_1", { scopes: ["read", "write", "trade", "admin"], trade });
  return { ...platform, secret: key, logged };
}

type Shape = { readonly type?: string; readonly enum?: readonly string[] };

function stringsOf(tool: ContractTool): {
  readonly names: readonly string[];
  readonly sound: Record<string, unknown>;
} {
  const properties = (tool.input["properties"] ?? {}) as Record<string, Shape>;
  const required = (tool.input["required"] ?? []) as readonly string[];
  const sound = Object.fromEntries(
    required.map((name) => {
      const { type, enum: words } = properties[name] ?? {};
      return [name, words?.[0] ?? { integer: 1, boolean: true, array: [] }[type ?? ""] ?? "x"];
    }),
  );
  return { names: Object.keys(properties), sound };
}

async function send(platform: TestPlatform & { readonly secret: string }, path: string, init: RequestInit) {
  const headers = { authorization: `Bearer ${platform.secret}`, ...(init.headers as Record<string, string>) };
  const answer = await platform.fetch(new Request(`${platform.baseUrl}${path}`, { ...init, headers }));
  const text = await answer.text();
  expect(answer.status).toBeLessThan(500);
  expect(text.replaceAll(/"secret":"sf_live_[\w-]+"/g, "")).not.toMatch(telling);
  if (answer.headers.get("etag") === null) httpEnvelopeSchema.parse(JSON.parse(text));
  return answer.status;
}

test("every string of every tool, and every part of a path, takes any trick there is", async () => {
  const platform = await house();
  const { manifest } = platform.platform;
  let sent = 0;
  // Tools that take the same in the same way are one to whoever reads it.
  const kinds = new Map(
    manifest.tools.map((tool) => [`${tool.http?.method} ${canonicalJson(tool.input)}`, tool]),
  );
  for (const tool of kinds.values()) {
    const route = toolRouteOf(tool);
    if (route === undefined) continue;
    const { names, sound } = stringsOf(tool);
    for (const name of names.length === 0 ? ["nothing"] : names) {
      for (const trick of tricks) {
        let encoded: ReturnType<typeof encodeToolInput>;
        try {
          encoded = encodeToolInput(route, { ...sound, [name]: trick });
        } catch {
          // What cannot be said in an address cannot be sent.
          continue;
        }
        const { path, body } = encoded;
        const headers = body === undefined ? {} : { "content-type": "application/json" };
        await send(platform, path, { method: route.method, headers, ...(body !== undefined && { body }) });
        sent++;
      }
    }
  }
  expect(sent).toBeGreaterThan(500);
  expect(platform.logged).toStrictEqual([]);
  expect(await verifyAccount(platform.store, "acct_1")).toMatchObject({ status: "open" });
});

test("paths that are spelled to be something else are not", async () => {
  const platform = await house();
  const paths = [
    "/api/keys/%2e%2e/%2e%2e/etc",
    "/api/portfolio/%2e%2e%2fkeys",
    "/api/portfolio/..;/keys",
    "/api//keys",
    "/api/keys/",
    "/API/KEYS",
    "/api/keys%00",
    "/api/keys%20",
    "/api/keys;x=1",
    "/api/__proto__",
    "/api/contracts/tools/__proto__",
    "/api/contracts/tools/constructor",
    `/api/contracts/tools/${"x".repeat(10_000)}`,
    `/api/portfolio/${"%41".repeat(4000)}`,
    `/api/runs/${"x".repeat(10_000)}/events`,
    "/api/runs/%00/events",
    "/api/runs/../events?after=%00",
    `/api/agent/world?${"a=1&".repeat(3000)}`,
    "/api/agent/world?__proto__=1",
    "/api/agent/world?text=a&text=b",
    "/api/agent/world?text=%zz",
    "/api/agent/world?text[]=1",
    "/api/contracts/tools?mode=review&mode=review",
    "/api/contracts/tools?__proto__=1",
  ];
  const statuses: number[] = [];
  for (const path of paths) {
    statuses.push(await send(platform, path, {}));
  }
  expect(statuses).toHaveLength(paths.length);
  expect(platform.logged).toStrictEqual([]);
});

const bodies: readonly (readonly [string, string | Uint8Array<ArrayBuffer>])[] = [
  ["half of an object", "{"],
  ["no JSON", "text=a"],
  ["a comment", "{}//"],
  ["a member that is there twice", '{"text":"a","text":"b"}'],
  ["a member that is there twice, spelled otherwise", '{"text":"a","\\u0074ext":"b"}'],
  ["a list", "[]"],
  ["null", "null"],
  ["a word", '"text"'],
  ["a number that is none", '{"count":NaN}'],
  ["a number beyond any", '{"count":1e999}'],
  ["a number beyond the safe ones", '{"count":9007199254740993}'],
  ["a fraction for a whole number", '{"count":1.5}'],
  ["a number for a string", '{"text":5}'],
  ["a string for a number", '{"count":"5"}'],
  ["an object for a list", '{"tags":{"0":"a"}}'],
  ["a member that nobody knows", '{"nothing":1}'],
  ["a prototype", '{"__proto__":{"text":"a"}}'],
  ["a lone surrogate", '{"text":"\\ud800"}'],
  ["a text that is too long", JSON.stringify({ text: "x".repeat(10_001) })],
  ["nesting beyond any", `{"tags":${"[".repeat(50_000)}${"]".repeat(50_000)}}`],
  ["objects in objects", `${'{"text":'.repeat(5000)}1${"}".repeat(5000)}`],
  ["what is not UTF-8", Uint8Array.from(Buffer.from('{"text":"\u00ff"}', "latin1"))],
  ["a mark of byte order before nothing", new Uint8Array([0xef, 0xbb, 0xbf, 0x7b])],
];

const types: readonly (readonly [string | undefined, number])[] = [
  [undefined, 415],
  ["text/plain", 415],
  ["application/x-www-form-urlencoded", 415],
  ["multipart/form-data; boundary=x", 415],
  ["application/json; charset=utf-16", 415],
  ["application/json, text/plain", 415],
  ['application/json; charset="UTF-8"', 200],
];

async function post(
  { baseUrl, fetch }: TestPlatform,
  secret: string,
  body: BodyInit,
  type: string | undefined = "application/json",
): Promise<readonly [status: number, text: string]> {
  const headers = { authorization: `Bearer ${secret}`, ...(type !== undefined && { "content-type": type }) };
  const flowing = { duplex: "half" } as RequestInit;
  const request = new Request(`${baseUrl}/api/notes`, { method: "POST", headers, body, ...flowing });
  const answer = await fetch(request);
  return [answer.status, await answer.text()];
}

describe.each(["socket", "embedded"] as const)("a body (%s)", (way) => {
  test("that is not what a tool takes is refused, and runs nothing", async () => {
    const platform = await testPlatform(way);
    const secret = await platform.key("acct_1");
    const seen: unknown[] = [];
    for (const [name, body] of bodies) {
      const [status, text] = await post(platform, secret, body);
      const envelope = httpEnvelopeSchema.parse(JSON.parse(text));
      seen.push([name, status, !envelope.ok && envelope.error.code, telling.test(text)]);
    }
    expect(seen).toStrictEqual(bodies.map(([name]) => [name, 400, "invalid_input", false]));
    expect(platform.deeds).toStrictEqual([]);
  });

  test("is JSON by its type, or is not read", async () => {
    const platform = await testPlatform(way);
    const secret = await platform.key("acct_1");
    const seen: unknown[] = [];
    for (const [type] of types) {
      const [status] = await post(platform, secret, new TextEncoder().encode("{}"), type ?? "");
      seen.push([type, status]);
    }
    expect(seen).toStrictEqual(types);
    expect(platform.deeds).toHaveLength(1);
  });

  test("of ten megabytes is not read, with its length said or not", async () => {
    const platform = await testPlatform(way);
    const secret = await platform.key("acct_1");
    const piece = new Uint8Array(65_536).fill(0x20);
    let given = 0;
    const flowing = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => {
        given += piece.byteLength;
        if (given > 10_485_760) controller.close();
        else controller.enqueue(piece);
      },
    });
    for (const body of [new Uint8Array(10_485_760).fill(0x20), flowing]) {
      const [status, text] = await post(platform, secret, body);
      expect([status, JSON.parse(text)]).toMatchObject([413, { ok: false, error: { status: 413 } }]);
    }
    expect(await ask(platform, "/api/notes", { key: secret, body: {} })).toMatchObject({ status: 200 });
    expect(platform.deeds).toHaveLength(1);
  });
});

async function raw() {
  const platform = await testPlatform("socket", { limits: { ...generous, requestBodyBytes: 1000 } });
  const key = await platform.key("acct_1");
  const head = `POST /api/notes HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
  return { ...platform, head };
}

describe("a length that is not true", () => {
  test("is too large before anything has come", async () => {
    const { baseUrl, head, deeds } = await raw();
    const [answer] = await rawAnswers(baseUrl, `${head}Content-Length: 10485760\r\n\r\n`);
    expect(answer?.status).toBe(413);
    expect(deeds).toStrictEqual([]);
  });

  test("is too short: the rest is no request", async () => {
    const { baseUrl, head, deeds } = await raw();
    const keep = head.replace("Connection: close\r\n", "");
    const answers = await rawAnswers(baseUrl, `${keep}Content-Length: 2\r\n\r\n{}{"text":"more"}`);
    expect(answers.map(({ status }) => status)).toStrictEqual([200]);
    expect(deeds).toHaveLength(1);
  });

  test("is too long: a body that breaks off runs nothing", async () => {
    const platform = await raw();
    const socket = await openSocket(platform.baseUrl);
    const answers = answersOn(socket);
    socket.end(`${platform.head}Content-Length: 200\r\n\r\n{}`);
    for (const { status } of await answers) expect(status).toBe(400);
    expect(platform.deeds).toStrictEqual([]);
    expect(await ask(platform, "/api/health")).toMatchObject({ status: 200 });
  });

  test("of chunks is counted as they come", async () => {
    const { baseUrl, head, deeds } = await raw();
    const chunk = `3e8\r\n${" ".repeat(1000)}\r\n`;
    const [answer] = await rawAnswers(baseUrl, `${head}Transfer-Encoding: chunked\r\n\r\n`, chunk, chunk);
    expect(answer?.status).toBe(413);
    expect(deeds).toStrictEqual([]);
  });
});
