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

  test("names and shapes say nothing, and what holds none comes back as it is", () => {
    const value = {
      password: "another one",
      list: ["ghp_0123456789abcdefghijABCDEFGHIJ456789", 1, true, null],
      n: {},
    };
    expect(hide(value)).toBe(value);
  });
});
