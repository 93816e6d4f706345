// Test files of one worker share the secrets that the process holds: a sample digest of one repeated digit must be the hex of none of them.
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { expect, test } from "vitest";
import { root } from "./package-graph.ts";
import { testFiles } from "./test-files.ts";

test("no test opens an installation whose secret is a sample digest in hex", () => {
  const secrets = testFiles().flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/new Uint8Array\(32\)(?:\.fill\((\d+)\))?/g)].map(
      ([, byte = "0"]) => ({ file: relative(root, file), byte: Number(byte) }),
    ),
  );
  expect(secrets.length).toBeGreaterThan(20);
  // 0x00, 0x11 … 0xff: both digits of the byte are the same.
  expect(secrets.filter(({ byte }) => byte % 0x11 === 0)).toStrictEqual([]);
});
