// B29: what was checked is what is connected to.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isTarget, type NetTarget, netTarget } from "./net-target.ts";
import { readNetwork } from "./network.ts";

const closed = readNetwork();

describe("one place, whatever it is written like", () => {
  test.each([
    ["https://example.com", "https://example.com/", 443],
    ["HTTP://EXAMPLE.com:80/a/./b/../c?x=1#y", "http://example.com/a/c?x=1", 80],
    ["https://example.com:80/", "https://example.com:80/", 80],
    ["https://ex%61mple.com/", "https://example.com/", 443],
    ["https://ｅxample。com/", "https://example.com/", 443],
    ["https://bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC", 443],
    ["https://example.com/@user:pass", "https://example.com/@user:pass", 443],
    ["https://example.com?u=http://127.0.0.1/", "https://example.com/?u=http://127.0.0.1/", 443],
  ])("%s", (given, url, port) => {
    expect(netTarget(given, closed)).toMatchObject({ url, port, isLocal: false });
  });
});

describe("no place", () => {
  const special = [
    "127.0.0.1",
    "127.1",
    "0",
    "0.0.0.0",
    "2130706433",
    "0x7f.0.0.1",
    "0x7f000001",
    "0177.0.0.1",
    "017700000001",
    "169.254.169.254",
    "10.0.0.1",
    "192.168.0.1",
    "1.1.1.1",
    "１２７.0.0.1",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "%31%32%37.0.0.1",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[0:0:0:0:0:0:0:1]",
    "[fe80::1]",
    "[2606:4700::1111]",
    "localhost.",
    "example.com.",
  ];
  const written = special.flatMap((host) => [`http://${host}/`, `https://${host}:443/x`, `http://${host}`]);

  test.each(written)("%s", (given) => {
    expect(isTarget(netTarget(given, closed))).toBe(false);
  });

  test.each([
    "",
    "example.com",
    "//example.com/",
    "http:example.com",
    "http:/example.com",
    "http:///example.com",
    "https:\\\\example.com\\",
    "https://example.com\\@evil.example/",
    "https://evil.example#@example.com\\",
    "https://user@example.com/",
    "https://user:pass@example.com/",
    "https://@example.com/",
    "https://:@example.com/",
    "https://example.com%00.evil.example/",
    "https://exa\tmple.com/",
    "https://example.com/\n",
    " https://example.com/",
    "https://example.com:0/",
    "https://example.com:22/",
    "https://example.com:65536/",
    "https://example.com:443:80/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "gopher://example.com/",
    "javascript:alert(1)",
    "data:text/html,x",
    "blob:https://example.com/x",
    "view-source:https://example.com/",
    "jar:https://example.com/!/x",
    "unix:/var/run/docker.sock",
    "http+unix://example.com/",
    "https://exam ple.com/",
    "https://*.example.com/",
    "https://a_b.example.com/",
    "https://\ud800.example.com/",
    `https://example.com/${"a".repeat(9000)}`,
    7,
    null,
    undefined,
    { toString: () => "https://example.com/" },
    ["https://example.com/"],
  ])("%j", (given) => {
    expect(isTarget(netTarget(given, closed))).toBe(false);
  });
});

/** Pieces of addresses, as they are put together to confuse. */
const pieces = fc.constantFrom(
  ..."http: https: HTTP:// https:// // / \\ @ : . # ? % %2e %40 %5c %00 [ ] ::1 127.0.0.1 0x7f.1 example.com evil.example localhost user pass 80 443 8080 65536 ü 。 ｅ \t \n".split(
    " ",
  ),
  " ",
  "",
);
export const anyAddress = fc.oneof(
  fc.array(pieces, { maxLength: 8 }).map((all) => all.join("")),
  fc.array(pieces, { maxLength: 6 }).map((all) => `https://${all.join("")}`),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.string({ unit: "binary" }),
);

test("for any text: a place is read the same by a parser of addresses, and again from what it was read as", () => {
  let found = 0;
  fc.assert(
    fc.property(anyAddress, (given) => {
      const target = netTarget(given, closed);
      if (!isTarget(target)) return;
      found++;
      const read = new URL(given);
      const fetched = new URL(target.url);
      expect([read.hostname, fetched.hostname, fetched.username, fetched.hash]).toStrictEqual([
        target.host,
        target.host,
        "",
        "",
      ]);
      expect(target.capability).toBe(`net:${target.host}`);
      expect([80, 443]).toContain(target.port);
      expect(netTarget(target.url, closed)).toStrictEqual(target satisfies NetTarget);
    }),
    { numRuns: 10_000 },
  );
  expect(found).toBeGreaterThan(100);
});
