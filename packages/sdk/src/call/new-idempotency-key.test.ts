import { redactText } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { newIdempotencyKey } from "./new-idempotency-key.ts";

test("S1: a key that the client makes is new every time, and is not taken for a secret", () => {
  const keys = Array.from({ length: 5000 }, newIdempotencyKey);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.filter((key) => !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key))).toStrictEqual([]);
  expect(keys.filter((key) => redactText(key) !== key)).toStrictEqual([]);
});
