import { describe, expect, test } from "vitest";
import { rateHeaders } from "./rate-headers.ts";

describe("rate headers", () => {
  test("say what is left and when it is all back", () => {
    expect(rateHeaders({ ok: true, limit: 20, remaining: 19, resetMs: 50, retryMs: 0 })).toStrictEqual({
      "X-RateLimit-Limit": "20",
      "X-RateLimit-Remaining": "19",
      "X-RateLimit-Reset": "1",
    });
  });

  test("tell a refused caller when to come back: whole seconds, never too early, never at once", () => {
    const refused = { ok: false, limit: 20, remaining: 0, resetMs: 20_000 };
    const retryAfter = (retryMs: number) => rateHeaders({ ...refused, retryMs })["Retry-After"];
    expect([1, 999, 1000, 1001, 0].map(retryAfter)).toStrictEqual(["1", "1", "1", "2", "1"]);
    expect(rateHeaders({ ...refused, retryMs: 1500 })).toStrictEqual({
      "X-RateLimit-Limit": "20",
      "X-RateLimit-Remaining": "0",
      "X-RateLimit-Reset": "20",
      "Retry-After": "2",
    });
  });
});
