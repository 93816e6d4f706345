import type { JsonObject } from "@spfunctions/contracts";

/** An object of these members and no others; what has no default, and is not said to be missing at times, must be there. */
export function objectOf(properties: Readonly<Record<string, JsonObject>>, optional: readonly string[] = []) {
  const required = Object.entries(properties)
    .filter(([name, schema]) => !Object.hasOwn(schema, "default") && !optional.includes(name))
    .map(([name]) => name);
  return { type: "object", properties, required, additionalProperties: false } as const;
}

/** A number of things, from one to the most. */
export function countTo(most: number, usual: number): JsonObject {
  return { type: "integer", minimum: 1, maximum: most, default: Math.min(usual, most) };
}

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const amount = { type: "integer", minimum: 0 } as const;
const sandbox = { enum: ["full", "reduced"] } as const;

export const readSchema = objectOf(
  { path: text, text, bytes: amount, lossy: flag, truncated: flag, totalBytes: amount, sandbox },
  ["totalBytes"],
);

const entrySchema = objectOf(
  { name: text, type: { enum: ["file", "folder", "link", "other"] }, bytes: amount, lossy: { const: true } },
  ["bytes", "lossy"],
);

export const listedSchema = objectOf(
  {
    path: text,
    entries: { type: "array", items: entrySchema },
    truncated: flag,
    totalEntries: amount,
    scannedEntries: amount,
    sandbox,
  },
  ["totalEntries", "scannedEntries"],
);

export const writtenSchema = objectOf({ path: text, bytes: amount, sandbox });
