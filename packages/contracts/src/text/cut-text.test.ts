import { expect, test } from "vitest";
import { canonicalJson } from "../json/canonical-json.ts";
import { cutText } from "./cut-text.ts";

test("a text is cut to its first characters, and can always be written down", () => {
  expect(["", "abc", "abcdef"].map((text) => cutText(text, 4))).toStrictEqual(["", "abc", "abcd"]);
  for (const text of ["abc😀", "\ud800", "😀😀😀"])
    expect(() => canonicalJson(cutText(text, 4))).not.toThrow();
  expect(cutText("abc😀", 4)).toBe("abc\ufffd");
});
