import { expect, test } from "vitest";
import { addressGroup } from "./address-group.ts";

test.each([
  ["127.0.0.1", "127.0.0.1"],
  ["::ffff:10.0.0.7", "10.0.0.7"],
  ["::FFFF:10.0.0.7", "10.0.0.7"],
  ["::1", "0:0:0:0::/64"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::6", "2001:db8:1:2::/64"],
  ["2001:0db8:0001:0002:ffff::", "2001:db8:1:2::/64"],
  ["2001:db8::", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["unknown", "unknown"],
])("%s is counted as %s", (address, group) => {
  expect(addressGroup(address)).toBe(group);
});
