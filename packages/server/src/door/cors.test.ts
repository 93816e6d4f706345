import { describe, expect, test } from "vitest";
import type { OriginAnswer } from "./check-origin.ts";
import { corsHeaders, preflightHeaders } from "./cors.ts";

const origin = "https://app.example.com";

describe("what a browser is told (B30)", () => {
  test("names an allowed origin exactly, and what its page may read", () => {
    expect(corsHeaders({ type: "allowed", origin })).toStrictEqual({
      Vary: "Origin",
      "Access-Control-Allow-Origin": origin,
      "Access-Control-Expose-Headers":
        "ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id",
    });
  });

  test("says before a request what a page of an allowed origin may send", () => {
    expect(preflightHeaders({ type: "allowed", origin })).toStrictEqual({
      Vary: "Origin",
      "Access-Control-Allow-Origin": origin,
      "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
      "Access-Control-Allow-Headers":
        "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, Traceparent, X-SF-Origin, X-SF-Receipt, X-SF-Session, X-SF-Sign-Receipt, X-SF-Tool-Digest",
      "Access-Control-Max-Age": "600",
    });
  });

  test.each<OriginAnswer>([
    { type: "none" },
    { type: "same", origin },
    { type: "refused", reason: "origin_not_allowed" },
  ])("allows nothing to anybody else, and keeps caches apart: %j", (answer) => {
    expect(corsHeaders(answer)).toStrictEqual({ Vary: "Origin" });
    expect(preflightHeaders(answer)).toStrictEqual({ Vary: "Origin" });
  });

  test("never says every origin, and never lets cookies through", () => {
    const all = [corsHeaders, preflightHeaders].map((print) => print({ type: "allowed", origin }));
    expect(JSON.stringify(all)).not.toMatch(/\*|credentials/i);
  });
});
