// What the packs of the tests share: where their notes are, and how they describe themselves.
import { existsSync, readFileSync } from "node:fs";
import type { JsonObject } from "@spfunctions/contracts";

export const notesFile = (): string => process.env.SF_TEST_NOTES ?? "/dev/null";
export const lines = (): string[] =>
  existsSync(notesFile()) ? readFileSync(notesFile(), "utf8").split("\n").filter(Boolean) : [];

export const objectOf = (properties: JsonObject) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
export const text = { type: "string" };

export const reads = { permissions: ["notes"], sideEffect: "none", costEffect: "none", output: {} } as const;
export const writes = { permissions: ["notes"], sideEffect: "user_write", costEffect: "none" } as const;
