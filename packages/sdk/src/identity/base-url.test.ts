import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import { readBaseUrl } from "./base-url.ts";

test.each([
  ["http://127.0.0.1:7700", "http://127.0.0.1:7700"],
  ["http://127.0.0.1:7700/", "http://127.0.0.1:7700"],
  ["HTTPS://Example.COM:443/sf//", "https://example.com/sf"],
])("%s is %s", (given, address) => {
  expect(readBaseUrl(given)).toBe(address);
});

test.each([
  ["", "not_a_url"],
  ["example.com", "not_a_url"],
  ["localhost:7700", "scheme"],
  ["ftp://example.com", "scheme"],
  ["file:///etc/passwd", "scheme"],
  ["javascript:alert(1)", "scheme"],
  ["https://user:hunter2@example.com", "userinfo"],
  ["https://hunter2@example.com", "userinfo"],
  ["https://example.com?key=hunter2", "query"],
  ["https://example.com/?", "query"],
  ["https://example.com/#hunter2", "query"],
])("%j is refused, and not repeated", (given, reason) => {
  const error = refusalOf(() => readBaseUrl(given));
  expect(error).toBeInstanceOf(HostConfigurationNeededError);
  expect([error.details?.reason, JSON.stringify(error).includes("hunter2")]).toStrictEqual([reason, false]);
});
