import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCodeUnits, anyText } from "../../test-data/any-json.ts";
import { sha256Vectors } from "../../test-data/fips180.ts";
import { refusalOf } from "../../test-data/refusal-of.ts";
import { digestSchema } from "../identity/ids.ts";
import { hashInput, hashText } from "./hash-input.ts";
import { sha256Hex as nodeSha256 } from "./sha256-node.ts";
import { sha256Hex as portableSha256 } from "./sha256-portable.ts";

describe("SHA-256", () => {
  test.each(sha256Vectors)("of a published message is $hex", ({ text, hex }) => {
    expect([nodeSha256(text), portableSha256(text)]).toEqual([hex, hex]);
  });

  test("is the same in Node and elsewhere, for any string", () => {
    const long = fc
      .tuple(anyText, fc.integer({ min: 1, max: 300 }))
      .map(([text, times]) => text.repeat(times));
    fc.assert(
      fc.property(fc.oneof(anyText, anyCodeUnits, long), (text) => {
        expect(portableSha256(text)).toBe(nodeSha256(text));
      }),
      { numRuns: 1000 },
    );
  });

  test("is the same at every length around a block", () => {
    const texts = Array.from(
      { length: 200 },
      (_, length) => "é".repeat(length >> 1) + "x".repeat(length & 1),
    );
    expect(texts.map(portableSha256)).toEqual(texts.map(nodeSha256));
  });
});

describe("a digest", () => {
  test("of a text names its algorithm", () => {
    const digest = hashText("abc");
    expect(digest).toBe("sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(digestSchema.parse(digest)).toBe(digest);
  });

  // proves KEY-13.12
  test("of a value is the digest of its canonical text", () => {
    expect(hashInput({ b: [1, null], a: "é", c: undefined })).toBe(hashText('{"a":"é","b":[1,null]}'));
  });

  test("R2: is pinned, so that recorded hashes stay valid", () => {
    expect(hashInput({ ticker: "KXFED-26SEP", side: "yes", quantity: 10, dryRun: true })).toBe(
      "sha256:36238dc5cd5571596e2057e809bb558e0e8705982f686954a7b046a34444824a",
    );
  });

  test("of what is no JSON does not exist", () => {
    expect(refusalOf(() => hashInput({ a: Number.NaN })).details).toEqual({ path: "/a", reason: "not_json" });
  });
});
