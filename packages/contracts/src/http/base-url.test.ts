import { describe, expect, test } from "vitest";
import { refusalOf } from "../../test-data/refusal-of.ts";
import { HostConfigurationNeededError } from "../error/error-classes.ts";
import { readBaseUrl, refuseExposedKey } from "./base-url.ts";

const words = { name: "the shop's address", remedy: "give one like https://shop.example" };

describe("an address", () => {
  test.each([
    ["http://127.0.0.1:7700", "http://127.0.0.1:7700"],
    ["http://127.0.0.1:7700/", "http://127.0.0.1:7700"],
    ["HTTPS://Example.COM:443/sf//", "https://example.com/sf"],
    ["https://venue.example/trade-api/v2//", "https://venue.example/trade-api/v2"],
  ])("%s is %s", (given, address) => {
    expect(readBaseUrl(given, words)).toBe(address);
  });

  test.each([
    ["", "not_a_url"],
    ["example.com", "not_a_url"],
    ["localhost:7700", "scheme"],
    ["ftp://example.com", "scheme"],
    ["file:///etc/hunter2", "scheme"],
    ["javascript:alert(1)", "scheme"],
    ["https://user:hunter2@example.com", "userinfo"],
    ["https://hunter2@example.com", "userinfo"],
    ["https://example.com?key=hunter2", "query"],
    ["https://example.com/?", "query"],
    ["https://example.com/#hunter2", "query"],
    ["https://example.com/#", "query"],
  ])("%j is refused, and not repeated", (given, reason) => {
    const error = refusalOf(() => readBaseUrl(given, words));
    expect(error).toBeInstanceOf(HostConfigurationNeededError);
    expect([error.details?.reason, JSON.stringify(error).includes("hunter2")]).toStrictEqual([reason, false]);
  });

  test("is refused in the words of whoever asks for it", () => {
    expect(refusalOf(() => readBaseUrl("shop", words)).message).toBe(
      "the shop's address is no address; give one like https://shop.example",
    );
  });
});

describe("a key", () => {
  test.each([
    "http://example.com",
    "http://127.0.0.1.example.com",
    "http://10.0.0.1:7700",
    "http://[::2]",
    "http://localhost.",
  ])("is not sent to %s, unless somebody says so", (address) => {
    const error = refusalOf(() => refuseExposedKey(address, false));
    expect(error).toBeInstanceOf(HostConfigurationNeededError);
    expect(error.details).toStrictEqual({ reason: "plain_http" });
    expect(() => refuseExposedKey(address, true)).not.toThrow();
  });

  test.each([
    "http://localhost:1",
    "http://127.9.8.7",
    "http://127.1",
    "http://[::1]:1",
    "https://example.com",
  ])("is sent to %s", (address) => {
    expect(() => refuseExposedKey(address, false)).not.toThrow();
  });
});
