// B30: a page somewhere else, however it calls, gets nothing and changes nothing; a page that may call does so with a token of its
// own, and can read every answer.
import { httpEnvelopeSchema } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { rawAnswers } from "../test-data/raw-request.ts";
import { type Answer, ask, generous, type TestPlatform, testPlatform } from "../test-data/test-platform.ts";

const app = "https://app.example.com";
const evil = "https://evil.example";

function leaveOf(headers: Headers): readonly string[] {
  return [...headers.keys()].filter((name) => name.startsWith("access-control-"));
}

function codeOf({ status, body }: Answer): unknown {
  return [status, body.ok ? "ok" : body.error.code];
}

async function tokenFor(platform: TestPlatform, origin: string, more: object = {}): Promise<string> {
  const key = await platform.key("acct_1");
  const { body } = await ask(platform, "/api/tokens", { key, body: { origin, ...more } });
  if (!body.ok) throw new Error(body.error.message);
  return (body.data as { token: string }).token;
}

const pages: readonly (readonly [string, Record<string, string>])[] = [
  ["of another origin", { origin: evil }],
  ["of no origin that it would name", { origin: "null" }],
  ["of another port of this machine", { origin: "http://localhost:1" }],
  ["of an origin that begins as an allowed one", { origin: `${app}.evil.example` }],
  ["of an origin in other letters", { origin: app.toUpperCase() }],
  ["that says no origin, and is elsewhere", { "sec-fetch-site": "cross-site" }],
  ["of the same site", { "sec-fetch-site": "same-site" }],
  ["of two origins", { origin: `${app}, ${evil}` }],
];

describe.each(["socket", "embedded"] as const)("B30: a page (%s)", (way) => {
  test("of anywhere else is refused whatever it asks, with a key, with a token, and without", async () => {
    const platform = await testPlatform(way, { allowedOrigins: [app] });
    const key = await platform.key("acct_1");
    const token = await tokenFor(platform, app);
    const refused: string[] = [];
    for (const [name, headers] of pages) {
      const calls = [
        ask(platform, "/api/health", { headers }),
        ask(platform, "/api/public/calendar", { headers }),
        ask(platform, "/api/contracts/tools", { headers }),
        ask(platform, "/api/events", { key, headers }),
        ask(platform, "/api/notes", { key, headers, body: {} }),
        ask(platform, "/api/notes", { key: token, headers, body: {} }),
        ask(platform, "/api/nothing", { headers }),
        // What a form sends without asking first.
        ask(platform, "/api/notes", { headers: { ...headers, "content-type": "text/plain" }, body: "{}" }),
        // What a browser asks first.
        ask(platform, "/api/notes", {
          method: "OPTIONS",
          headers: { ...headers, "access-control-request-method": "POST" },
        }),
      ];
      for (const answer of await Promise.all(calls)) {
        expect(codeOf(answer)).toStrictEqual([403, "forbidden"]);
        expect(leaveOf(answer.headers)).toStrictEqual([]);
        expect(answer.headers.get("vary")).toBe("Origin");
      }
      refused.push(name);
    }
    expect(refused).toHaveLength(pages.length);
    expect(platform.deeds).toStrictEqual([]);
  });

  test("of an allowed origin gets leave for itself, and never for cookies", async () => {
    const { baseUrl, fetch } = await testPlatform(way, { allowedOrigins: [app] });
    const headers = { origin: app, "access-control-request-method": "POST" };
    const answer = await fetch(new Request(`${baseUrl}/api/notes`, { method: "OPTIONS", headers }));
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-origin")).toBe(app);
    expect(answer.headers.get("access-control-allow-methods")).toBe("GET, POST, PUT, PATCH, DELETE");
    expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
  });

  test("of an allowed origin can read whatever it is answered", async () => {
    const platform = await testPlatform(way, {
      allowedOrigins: [app],
      limits: { ...generous, keyRate: { perSecond: 1, burst: 5 } },
    });
    const token = await tokenFor(platform, app);
    const headers = { origin: app };
    const answers: Answer[] = [];
    for (const path of [
      "/api/health",
      "/api/nothing",
      "/api/contracts/tools/nothing",
      "/api/agent/world",
      "/api/agent/world?nothing=1",
      "/api/events?nothing=1",
      "/api/keys",
      "/api/agent/world",
    ]) {
      answers.push(await ask(platform, path, { key: token, headers }));
    }
    answers.push(await ask(platform, "/api/agent/world", { headers }));
    expect(answers.map(({ status }) => status)).toStrictEqual([200, 404, 404, 200, 400, 403, 403, 429, 401]);
    for (const answer of answers) {
      expect(answer.headers.get("access-control-allow-origin")).toBe(app);
      expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
    }
  });

  // proves KEY-6.19, KEY-18.2
  test("does not carry a key, and no token but one that was made for it", async () => {
    const platform = await testPlatform(way, { allowedOrigins: [app, "https://two.example"] });
    const key = await platform.key("acct_1");
    const token = await tokenFor(platform, app);
    const world = async (secret: string, headers: Record<string, string>) =>
      codeOf(await ask(platform, "/api/agent/world", { key: secret, headers }));
    expect(await world(key, { origin: app })).toStrictEqual([403, "browser_key_forbidden"]);
    expect(await world(token, { origin: app })).toStrictEqual([200, "ok"]);
    expect(await world(token, { origin: "https://two.example" })).toStrictEqual([403, "forbidden"]);
    expect(await world(token, {})).toStrictEqual([403, "forbidden"]);
    const { body } = await ask(platform, "/api/agent/world", { key: token });
    expect(body.ok || body.error.message).toMatch(/^this token is for a page, and the request names none/);
    expect(platform.deeds).toHaveLength(1);
  });
});

test.each(["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "localhost@evil.example:1"])(
  "a page whose name was pointed at this machine (%s) gets nothing, with any method",
  async (host) => {
    const platform = await testPlatform("socket", { allowedOrigins: [app] });
    const key = await platform.key("acct_1");
    for (const line of [
      "GET /api/health",
      "GET /api/contracts/tools",
      "POST /api/notes",
      "OPTIONS /api/notes",
    ]) {
      const sent = `${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n\r\n`;
      const [answer] = await rawAnswers(platform.baseUrl, sent);
      expect([400, 421]).toContain(answer?.status);
      expect(httpEnvelopeSchema.parse(JSON.parse(answer?.body ?? "")).ok).toBe(false);
    }
    expect(platform.deeds).toStrictEqual([]);
  },
);
