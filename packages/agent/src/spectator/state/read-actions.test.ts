// B17: a model may ask for a capability; it can never grant one.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readActions } from "./read-actions.ts";

// proves LIVE-2.13, LIVE-2.14, LIVE-2.15
test("what may be asked for is read in its order, each once", () => {
  const actions = [
    "condense_smart",
    "request_permission:net:example.com",
    " condense_now ",
    "condense_smart",
    "request_permission:net",
    "request_permission:net:*.example.com",
  ];
  expect(readActions(actions)).toStrictEqual({
    wanted: [
      { type: "condense", how: "smart" },
      { type: "request", capability: "net:example.com" },
      { type: "condense", how: "now" },
      { type: "request", capability: "net" },
      { type: "request", capability: "net:*.example.com" },
    ],
    refused: [],
  });
  expect(readActions([])).toStrictEqual({ wanted: [], refused: [] });
});

test.each([
  ["grant_permission:net", "model_cannot_grant"],
  ["grant_permission:net:example.com", "model_cannot_grant"],
  ["grant_permission:everything", "model_cannot_grant"],
  ["grant_permission:", "model_cannot_grant"],
  ["grant_permission", "model_cannot_grant"],
  ["request_permission:", "bad_capability"],
  ["request_permission:net:127.0.0.1", "bad_capability"],
  ["request_permission:net:Example.com", "bad_capability"],
  ["request_permission:net:example.com:8080", "bad_capability"],
  ["request_permission: net", "bad_capability"],
  ["request_permission:fs", "bad_capability"],
  ["request_permission", "unknown_action"],
  ["Condense_now", "unknown_action"],
  ["constructor", "unknown_action"],
  ["", "unknown_action"],
] as const)("%s is refused: %s", (action, reason) => {
  expect(readActions([action])).toStrictEqual({ wanted: [], refused: [{ action, reason }] });
});

// proves LIVE-2.40
test("a flood is capped, and told without being repeated", () => {
  const asks = Array.from({ length: 1000 }, (_, at) => `request_permission:net:h${at}.example`);
  const { wanted, refused } = readActions(["grant_permission:net", ...asks]);
  expect(wanted).toHaveLength(16);
  expect(refused).toHaveLength(17);
  expect(refused[0]).toStrictEqual({ action: "grant_permission:net", reason: "model_cannot_grant" });
  expect(refused.at(-1)).toStrictEqual({ action: "and 969 more", reason: "too_many" });
  expect(readActions(["x".repeat(1_000_000)]).refused[0]?.action).toHaveLength(200);
});

// proves LIVE-2.18
test("junk does not crowd out what may be asked for", () => {
  const junk = Array.from({ length: 500 }, (_, at) => `junk ${at}`);
  expect(readActions([...junk, "condense_now"]).wanted).toStrictEqual([{ type: "condense", how: "now" }]);
});

test("for any actions: nothing but condensing and asking is ever wanted", () => {
  const word = fc.constantFrom(
    "grant_permission",
    "request_permission",
    "condense_now",
    ":",
    "net",
    "example.com",
    " ",
    "\n",
  );
  const action = fc.oneof(
    fc.array(word, { maxLength: 5 }).map((words) => words.join("")),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(action, { maxLength: 30 }), (actions) => {
      const { wanted, refused } = readActions(actions);
      for (const one of wanted) {
        const asked =
          one.type === "condense" ? `condense_${one.how}` : `request_permission:${one.capability}`;
        expect(actions.map((text) => text.trim())).toContain(asked);
      }
      expect(wanted.length).toBeLessThanOrEqual(16);
      expect(wanted.length + refused.length > 0).toBe(actions.length > 0);
    }),
  );
});
