import { expect, test } from "vitest";
import { isEveryAddress, ownHost } from "./own-host.ts";

test.each([
  ["127.0.0.1", "127.0.0.1"],
  ["localhost", "localhost"],
  ["::1", "[::1]"],
  ["192.0.2.7", "192.0.2.7"],
  ["2001:db8::7", "[2001:db8::7]"],
  ["0.0.0.0", "127.0.0.1"],
  ["0", "127.0.0.1"],
  ["::", "[::1]"],
  ["0:0:0:0:0:0:0:0", "[::1]"],
  ["no such host", "no such host"],
])("what listens on %s is asked at %s", (address, host) => {
  expect(ownHost(address)).toBe(host);
});

test.each([
  ["0.0.0.0", true],
  ["0", true],
  ["::", true],
  ["127.0.0.1", false],
  ["::1", false],
  ["192.0.2.7", false],
  ["localhost", false],
])("%s is every address of this machine: %s", (address, isEvery) => {
  expect(isEveryAddress(address)).toBe(isEvery);
});
