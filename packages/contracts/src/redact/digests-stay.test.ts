// Ids and digests are what records are found and proven by: none of them is taken for somebody's key, whatever it begins with.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { redactText } from "./redact-text.ts";
import { tokenFormats } from "./token-formats.ts";

/** Beginnings that a digest can have by chance, and that some vendor's keys have. */
const heads = [...new Set(tokenFormats.map(({ head }) => head).filter((head) => /^[0-9a-f]+$/.test(head)))];
const hex = (length: number) =>
  fc
    .tuple(
      fc.constantFrom("", ...heads),
      fc.string({
        unit: fc.constantFrom(..."0123456789abcdef".split("")),
        minLength: length,
        maxLength: length,
      }),
    )
    .map(([head, rest]) => (head + rest).slice(0, length));

test("a digest is left as it is, by itself and where digests stand", () => {
  expect(heads).toContain("4b1d");
  fc.assert(
    fc.property(hex(64), hex(40), hex(32), (digest, commit, id) => {
      const said = `sha256:${digest} of ${commit}, run_${id}, {"policyDigest":"sha256:${digest}"}`;
      expect(redactText(said)).toBe(said);
    }),
    {
      numRuns: 1500,
      examples: [
        [
          "4b1d3dc211c5da64c9809d583f522a6cfb0394a04695bdef0384dab97a7fcd70",
          "4b1d".repeat(10),
          "4b1d".repeat(8),
        ],
      ],
    },
  );
});
