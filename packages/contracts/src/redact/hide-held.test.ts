import { describe, expect, test } from "vitest";
import type { JsonValue } from "../json/json-value.ts";
import { SecretRegistry } from "./held-secrets.ts";
import { redact } from "./redact.ts";

const alsoSecrets = new SecretRegistry();
for (const secret of ["rosen am zaun", "1234567"]) alsoSecrets.add(secret, "secret");
const secrets = new SecretRegistry();

const hide = (value: JsonValue) => redact(value, { secrets, alsoSecrets, onlyHeld: true });

describe("where only held secrets are looked for", () => {
  test.each<[string, JsonValue, JsonValue]>([
    ["a text", "it is rosen am zaun", "it is [redacted:secret]"],
    ["a number", [1234567, 12345678], ["[redacted:secret_number]", 12345678]],
    ["an item of an item", [["rosen am zaun"], "x"], [["[redacted:secret]"], "x"]],
    ["a member", { a: { b: "rosen%20am%20zaun" }, c: 1 }, { a: { b: "[redacted:secret]" }, c: 1 }],
    [
      "keys, which stay two",
      { "rosen am zaun": 1, "rosen%20am%20zaun": 2 },
      { "[redacted:secret]": 1, "[redacted:secret]#2": 2 },
    ],
    [
      "a member that objects inherit",
      JSON.parse('{"__proto__":"rosen am zaun"}'),
      JSON.parse('{"__proto__":"[redacted:secret]"}'),
    ],
  ])("%s is hidden", (_, value, safe) => {
    expect(hide(value)).toStrictEqual(safe);
    expect(redact(value, { secrets, alsoSecrets })).toStrictEqual(safe);
  });

  test("a number is hidden that the process holds, and no other", () => {
    const held = new SecretRegistry();
    for (const secret of ["493827156493", "0.25", "12345678901234567890"]) held.add(secret);
    const value = [493827156493, -493827156493, 4938271564930, 0.25, 25, 0];
    const safe = [
      "[redacted:secret_number]",
      -493827156493,
      4938271564930,
      "[redacted:secret_number]",
      25,
      0,
    ];
    expect(redact(value, { secrets: held, onlyHeld: true })).toStrictEqual(safe);
    expect(redact({ n: value }, { secrets: held })).toStrictEqual({ n: safe });
    const digits = 12345678901234567890n;
    expect(redact([digits, digits + 1n], { secrets: held })).toStrictEqual([
      "[redacted:secret_number]",
      digits + 1n,
    ]);
    held.remove("493827156493");
    expect(redact(493827156493, { secrets: held })).toBe(493827156493);
    expect(redact(493827156493, { secrets: held, onlyHeld: true })).toBe(493827156493);
  });

  test("names and shapes say nothing, and what holds none comes back as it is", () => {
    const value = {
      password: "another one",
      list: ["ghp_0123456789abcdefghijABCDEFGHIJ456789", 1, true, null],
      n: {},
    };
    expect(hide(value)).toBe(value);
  });
});
