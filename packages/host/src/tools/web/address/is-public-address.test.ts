// B29: the floor. Every special range is tried at its edges and inside, in IPv4, in IPv6, and as IPv4 inside IPv6.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isPublicAddress } from "./is-public-address.ts";

const ranges4 = [
  "0.0.0.0-0.255.255.255",
  "10.0.0.0-10.255.255.255",
  "100.64.0.0-100.127.255.255",
  "127.0.0.0-127.255.255.255",
  "168.63.129.16-168.63.129.16",
  "169.254.0.0-169.254.255.255",
  "172.16.0.0-172.31.255.255",
  "192.0.0.0-192.0.0.255",
  "192.0.2.0-192.0.2.255",
  "192.31.196.0-192.31.196.255",
  "192.52.193.0-192.52.193.255",
  "192.88.99.0-192.88.99.255",
  "192.168.0.0-192.168.255.255",
  "192.175.48.0-192.175.48.255",
  "198.18.0.0-198.19.255.255",
  "198.51.100.0-198.51.100.255",
  "203.0.113.0-203.0.113.255",
  "224.0.0.0-255.255.255.255",
].map((range) => range.split("-").map(numberOf) as [number, number]);

function numberOf(address: string): number {
  return address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}
function addressOf(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".");
}
const isSpecial4 = (number: number) => ranges4.some(([from, to]) => number >= from && number <= to);

/** First, last, middle, and both neighbours of every range. */
const edges4 = ranges4
  .flatMap(([from, to]) => [from - 1, from, from + 1, Math.trunc((from + to) / 2), to - 1, to, to + 1])
  .filter((number) => number >= 0 && number <= 0xff_ff_ff_ff);

/** Ways in which an IPv6 address carries an IPv4 address that packets come to. */
const carriers = [
  (address: string) => `::ffff:${address}`,
  (address: string) => `0:0:0:0:0:FFFF:${address}`,
  (address: string) => `::ffff:${hexOf(address)}`,
  (address: string) => `64:ff9b::${address}`,
  (address: string) => `64:ff9b::${hexOf(address)}`,
  (address: string) => `0064:ff9b:0:0:0:0:${hexOf(address)}`,
];
/** And ways in which none may be reached, whatever it carries. */
const shut = [
  (address: string) => `::${address}`,
  (address: string) => `::ffff:0:${address}`,
  (address: string) => `64:ff9b:1::${address}`,
  (address: string) => `2002:${hexOf(address)}::1`,
  (address: string) => `2001:0:4136:e378:8000:63bf:${hexOf(addressOf(~numberOf(address) >>> 0))}`,
  (address: string) => `2001::${address}`,
  (address: string) => `fe80::5efe:${address}`,
];

function hexOf(address: string): string {
  const number = numberOf(address);
  return `${(number >>> 16).toString(16)}:${(number & 0xffff).toString(16)}`;
}

describe("IPv4", () => {
  test("no special range is reached, from its first to its last address, and what lies beside it is", () => {
    expect(edges4.length).toBeGreaterThan(110);
    for (const number of edges4)
      expect([addressOf(number), isPublicAddress(addressOf(number))]).toStrictEqual([
        addressOf(number),
        !isSpecial4(number),
      ]);
  });

  test("for any address", () => {
    fc.assert(
      fc.property(fc.nat(0xff_ff_ff_ff), (number) => {
        expect(isPublicAddress(addressOf(number))).toBe(!isSpecial4(number));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("IPv4 in IPv6", () => {
  test("is as public as what it carries, where packets come to that", () => {
    for (const number of edges4)
      for (const carried of carriers.map((carrier) => carrier(addressOf(number))))
        expect([carried, isPublicAddress(carried)]).toStrictEqual([carried, !isSpecial4(number)]);
  });

  test("is never reached by tunnels, old forms and local translations", () => {
    for (const number of [...edges4, numberOf("8.8.8.8")])
      for (const carried of shut.map((carrier) => carrier(addressOf(number))))
        expect([carried, isPublicAddress(carried)]).toStrictEqual([carried, false]);
  });
});

test.each([
  ["unspecified", ["::", "0:0:0:0:0:0:0:0"]],
  ["loopback", ["::1", "0:0:0:0:0:0:0:1", "0000::0001"]],
  ["metadata", ["fd00:ec2::254", "fe80::a9fe:a9fe", "fd20:ce::254"]],
  ["unique local", ["fc00::", "fc00::1", "fd00::1", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"]],
  ["link-local", ["fe80::", "fe80::1", "febf:ffff::1", "fe80::1%eth0", "fe80::1%1"]],
  ["site-local", ["fec0::1", "feff:ffff::1"]],
  ["multicast", ["ff00::", "ff02::1", "ff05::1:3", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"]],
  ["discard", ["100::", "100::1", "100:0:0:1::1"]],
  ["documentation", ["2001:db8::", "2001:db8:ffff::1", "3fff::1", "3fff:fff:ffff::1"]],
  ["protocol assignments", ["2001::1", "2001:1::1", "2001:1ff:ffff:ffff::1", "2001:4:112::1"]],
  ["benchmarks", ["2001:2::1", "2001:2:0:ffff::1"]],
  ["ORCHID", ["2001:10::1", "2001:1f:ffff::1", "2001:20::1", "2001:2f:ffff::1", "2001:30::1"]],
  ["6to4 and Teredo", ["2002::1", "2002:808:808::1", "2001:0:ffff::1"]],
  ["segment routing", ["5f00::1"]],
  ["AS112 and 6bone", ["2620:4f:8000::1", "3ffe::1"]],
  ["unassigned", ["4000::1", "8000::1", "c000::1", "e000::1", "1fff:ffff::1", "200::1", "400::1"]],
  ["with a zone", ["2606:4700::1%eth0", "2606:4700::1%1"]],
])("IPv6 %s: never", (_, addresses) => {
  expect(addresses.filter(isPublicAddress)).toStrictEqual([]);
});

test.each([
  [
    "IPv4",
    ["1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "93.184.215.14", "151.101.1.69", "223.255.255.255"],
  ],
  ["IPv6", ["2606:4700:4700::1111", "2001:4860:4860::8888", "2a00:1450:4001::1", "2001:200::1", "2003::1"]],
  ["IPv6 up to the edges", ["2000::1", "3ffd:ffff::1", "3fff:1000::1", "2001:db7:ffff::1", "2001:db9::1"]],
])("public %s addresses pass", (_, addresses) => {
  expect(addresses.filter((address) => !isPublicAddress(address))).toStrictEqual([]);
});

test.each([
  [
    "another spelling",
    ["127.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.0.0.01", "8.8.8", "0x8.8.8.8"],
  ],
  ["a name", ["localhost", "example.com", "8.8.8.8.", "8.8.8.8.example.com", "", " ", "."]],
  [
    "more than an address",
    ["8.8.8.8:80", "8.8.8.8/32", " 8.8.8.8", "8.8.8.8 ", "8.8.8.8\n", "[2606:4700::1]"],
  ],
  ["less", ["2606:4700", "1::2::3", "1:2:3:4:5:6:7:8:9", "8.8.8.256", "-8.8.8.8", "８.8.8.8", "8。8。8。8"]],
])("what is %s is no address", (_, words) => {
  expect(words.filter(isPublicAddress)).toStrictEqual([]);
});

test("any other words are no address", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (words) => {
      fc.pre(!/^[\da-f:.]+$/i.test(words));
      expect(isPublicAddress(words)).toBe(false);
    }),
  );
});
