import { expect, test } from "vitest";
import { defaultPlatformLimits, readPlatformLimits } from "./platform-limits.ts";

test("limits that are not given have their defaults", () => {
  expect(readPlatformLimits({ requestBodyBytes: 5 })).toStrictEqual({
    ...defaultPlatformLimits,
    requestBodyBytes: 5,
  });
});

test.each([
  [{ requestBodyByte: 5 }, 'unknown key "requestBodyByte"; did you mean "requestBodyBytes"?'],
  [{ requestBodyBytes: 0 }, "/requestBodyBytes"],
  [{ keyRate: { perSecond: 5 } }, "/keyRate/burst"],
  [{ quotas: { llm: 5 } }, 'unknown key "llm"'],
  [{ calls: { callMS: 5 } }, '/calls: unknown key "callMS"; did you mean "callMs"?'],
  [{ calls: { claimMs: 24 * 3_600_000 - 1 } }, "limits.calls.claimMs is at least 86400000"],
])("%j is refused, and why is said", (limits, why) => {
  expect(() => readPlatformLimits(limits as never)).toThrow(why);
});
