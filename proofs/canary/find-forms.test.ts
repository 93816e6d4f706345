// A search that saw nothing would prove nothing: each form of a key is seen.
import { expect, test } from "vitest";
import { findForms } from "./find-forms.ts";

const key = "sf_live_Q9w2E4r6T8y1U3i5O7p0A2s4D6f8G1h3";
const bytes = Buffer.from(key);
const each = (write: (byte: number) => string) => [...bytes].map(write).join("");

test.each([
  ["as it is", key],
  ["in hex", bytes.toString("hex")],
  ["in base64", bytes.toString("base64")],
  ["in base64 in lines", bytes.toString("base64").replaceAll(/.{20}/g, "$&\r\n  ")],
  ["in base64 in lines of JSON", bytes.toString("base64").replaceAll(/.{20}/g, String.raw`$&\n`)],
  ["percent-encoded", each((byte) => `%${byte.toString(16)}`)],
  ["escaped", each((byte) => `\\u00${byte.toString(16).toUpperCase()}`)],
  ["as entities", each((byte) => `&#${byte};`)],
  ["as entities in hex", each((byte) => `&#x${byte.toString(16)};`)],
])("a key is seen %s", (_, form) => {
  expect(findForms(`before ${form} after`, key)).not.toStrictEqual([]);
});

test("and nothing is seen where there is none", () => {
  expect(findForms("before %41 \\u0041 &#65;\nafter", key)).toStrictEqual([]);
});
