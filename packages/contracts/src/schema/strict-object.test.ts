import { describe, expect, test } from "vitest";
import { z } from "zod";
import { heldSecrets } from "../redact/held-secrets.ts";
import { strictObject } from "./strict-object.ts";

const schema = strictObject({ sideEffect: z.string(), costEffect: z.string().optional() });
const messages = (value: unknown) => schema.safeParse(value).error?.issues.map((issue) => issue.message);

describe("an unknown key (G1, B15)", () => {
  test("is refused by name, with the one probably meant", () => {
    expect(messages({ sideEffect: "none", side_effect: 1 })).toStrictEqual([
      'unknown key "side_effect"; did you mean "sideEffect"?',
    ]);
    expect(messages({ sideEffect: "none", zebra: 1 })).toStrictEqual(['unknown key "zebra"']);
  });

  test("is refused whatever its value, undefined too", () => {
    expect(messages({ sideEffect: "none", zebra: undefined })).toStrictEqual(['unknown key "zebra"']);
  });

  test("called like something that every object has is unknown too", () => {
    const value: unknown = JSON.parse('{"sideEffect":"none","__proto__":{},"constructor":{},"toString":1}');
    expect(messages(value)).toStrictEqual([
      'unknown key "__proto__", unknown key "constructor", unknown key "toString"',
    ]);
  });

  test("does not hide what else is wrong", () => {
    expect(messages({ zebra: 1 })).toStrictEqual([
      "Invalid input: expected string, received undefined",
      'unknown key "zebra"',
    ]);
  });

  test("is shown in one line, without control characters", () => {
    expect(messages({ sideEffect: "none", "a\n\u001b[2J\u202e\ud800": 1 })).toStrictEqual([
      'unknown key "a��[2J��"',
    ]);
  });

  test("S1: is not shown where it is a held secret, however long", () => {
    const secret = "a passphrase of many words, which ".repeat(3);
    heldSecrets.add(secret, "test");
    const shown = messages({ sideEffect: "none", [secret]: 1 });
    heldSecrets.remove(secret);
    expect(shown).toStrictEqual(['unknown key "[redacted:test]"']);
  });

  test("among many is named up to the fifth, each cut to 64 characters", () => {
    const many = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`${index}`.padStart(99, "z"), 1]),
    );
    const [message = ""] = messages({ sideEffect: "none", ...many }) ?? [];
    expect(message.split(", ")).toStrictEqual(
      Array.from({ length: 5 }, () => `unknown key "${"z".repeat(64)}…"`),
    );
  });
});
