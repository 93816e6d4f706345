import type { SimpleFunctions } from "@spfunctions/sdk";
import { classPack } from "../packages/server/test-data/class-pack.ts";
import { testPlatform } from "../packages/server/test-data/test-platform.ts";
import { sdkPlan } from "./test-data/sdk-plan.ts";

const names: readonly string[] = classPack([]).flatMap(({ contract: { name, status } }) =>
  status === "implemented" ? [name] : [],
);

// A name that the compiler does not look up: its input is the test's own too.
const calendar: string = "calendar.list";

/** By name alone: the tools of this platform are the test's own, and the SDK's methods are for others. */
function everyName(client: SimpleFunctions) {
  return Object.fromEntries(names.map((name) => [name, () => client.call(name, {})]));
}

sdkPlan("SDK tests", {
  house: testPlatform,
  calls: everyName,
  unknown: ["notes.add"],
  sideEffecting: "notes.add",
  freeRead: (client) => client.call(calendar, { day: "2026-11-16" }),
  freeAnswer: { tool: "calendar.list", echo: { day: "2026-11-16" } },
  misplacedKey: (client, key) => [
    ["invalid_input", () => client.call("notes.add", { text: [key] })],
    ["invalid_input", () => client.call("notes.add", { [key]: 1 })],
  ],
});
