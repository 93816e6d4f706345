import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { capabilityReach, capabilitySchema, isHostName, reachesHost } from "./capability.ts";

const long = `${"a".repeat(63)}.`.repeat(3);

describe("a host by its exact name", () => {
  test.each([
    "example.com",
    "localhost",
    "a.b.c.example",
    "xn--bcher-kva.example",
    "1.example.com",
    "0x7f.example",
    "a-b.example",
    `${long}${"a".repeat(61)}`,
  ])("%s", (host) => {
    expect(isHostName(host)).toBe(true);
  });

  test.each([
    "",
    ".",
    "a.",
    ".a",
    "a..b",
    "-a.example",
    "a-.example",
    "A.example",
    "bücher.example",
    "ｅxample.com",
    "a_b.example",
    "a b",
    "a/b",
    "a:80",
    "a@b",
    "a%2eb",
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0x",
    "example.0x7f",
    "example.1",
    "[::1]",
    "::1",
    "*.example",
    "xn--",
    `${"a".repeat(64)}.example`,
    `${long}${"a".repeat(62)}`,
    "a\n",
    "a\0",
  ])("is not %j", (host) => {
    expect(isHostName(host)).toBe(false);
  });

  test("for any text: what is one is read back as itself by a parser of addresses, and is no number there", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.domain(),
      fc.ipV4Extended(),
      fc.ipV6(),
      fc.string({ unit: fc.constantFrom(..."a b 0 1 x - . : @ / \\ % [ ] é".split(" ")) }),
    );
    fc.assert(
      fc.property(text, (given) => {
        if (!isHostName(given)) return;
        const { hostname, host, username, pathname } = new URL(`https://${given}/`);
        expect([hostname, host, username, pathname]).toStrictEqual([given, given, "", "/"]);
        expect(/^\d+\.\d+\.\d+\.\d+$/.test(hostname)).toBe(false);
      }),
      { numRuns: 5000 },
    );
  });
});

describe("a capability", () => {
  test.each([
    ["net", { type: "net" }],
    ["net:example.com", { type: "host", host: "example.com" }],
    ["net:*.example.com", { type: "below", host: "example.com" }],
  ])("%s", (text, reach) => {
    expect(capabilityReach(text)).toStrictEqual(reach);
    expect(capabilitySchema.parse(text)).toBe(text);
  });

  test.each([
    "",
    "net:",
    "Net",
    "net ",
    "net:*",
    "net:*.",
    "net:*.*.a",
    "net:**.a",
    "fs",
    "net:net:a",
    "net:127.0.0.1",
  ])("is not %j", (text) => {
    expect(capabilityReach(text)).toBeUndefined();
    expect(capabilitySchema.safeParse(text).success).toBe(false);
  });
});

test("all below a host are those whose names end in it, and not it itself", () => {
  const below = { type: "below", host: "example.com" } as const;
  const reached = ["a.example.com", "a.b.example.com", "example.com", "aexample.com", "example.com.a"];
  expect(reached.map((host) => reachesHost(below, host))).toStrictEqual([true, true, false, false, false]);
});
