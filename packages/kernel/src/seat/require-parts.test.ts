import { describe, expect, test } from "vitest";
import { installation } from "../../test-data/call-desk.ts";
import { openReplay } from "../replay/replay.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { requireParts } from "./require-parts.ts";

describe("a part that is none is refused where it is given, with what to give:", () => {
  test.each<[string, object, string]>([
    [
      "a store that nobody waited for",
      { store: Promise.resolve(createMemoryStore()) },
      "store is a promise: await it, and give what it opens; store: createMemoryStore(), await openSqliteStore(",
    ],
    ["a folder", { store: "/data" }, "store is no store; give store: createMemoryStore()"],
    ["null", { store: null }, "store is no store"],
    ["a replay that nobody waited for", { replay: openReplay([]) }, "replay is a promise: await it"],
    ["the text of a trace", { replay: "{}" }, "replay is no replay; give replay: await openReplay(["],
    [
      "what an installation is loaded in",
      { installation: { installation, source: "env", created: false } },
      "installation is no installation; give installation: loadInstallation({ env: process.env }).installation",
    ],
  ])("%s", (_, given, message) => {
    expect(() => requireParts(given)).toThrow(message);
  });
});

test("what is one is taken, and so is what is not given", async () => {
  const given = { store: createMemoryStore(), installation, replay: await openReplay([]) };
  expect(() => {
    requireParts(given);
    requireParts({});
  }).not.toThrow();
});
