import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { readBaseUrl } from "./base-url.ts";

test("an address loses the slashes at its end and nothing else", () => {
  expect(readBaseUrl("kalshi", "https://venue.example/trade-api/v2//")).toBe(
    "https://venue.example/trade-api/v2",
  );
});

test.each([
  ["venue.example", "not_a_url"],
  ["file:///etc/passwd", "scheme"],
  ["https://me:hunter2@venue.example", "userinfo"],
  ["https://venue.example/?key=hunter2", "query"],
  ["https://venue.example/#", "query"],
])("%s is refused and not repeated", (text, reason) => {
  const refused = () => readBaseUrl("kalshi", text);
  expect(refused).toThrow(HostConfigurationNeededError);
  expect(refused).toThrow(expect.objectContaining({ details: { reason } }));
  expect(refused).not.toThrow(/hunter2|passwd/);
});
