import { describe, expect, test } from "vitest";
import { spent } from "../../test-data/samples.ts";
import { acceptedBy, keepsItsShape } from "../../test-data/strict-record.ts";
import { budgetStateSchema, spentSchema } from "./spent.ts";

describe("what was spent", () => {
  keepsItsShape("spent", spentSchema, spent, { optional: Object.keys(spent) });
  keepsItsShape("budget", budgetStateSchema, { spent, reserved: {} });

  test("is never negative, and counts are whole", () => {
    const fields = Object.keys(spent);
    const wrong = fields.flatMap((field) => [{ [field]: -1 }, { [field]: "1" }, { [field]: null }]);
    expect(acceptedBy(spentSchema, wrong)).toStrictEqual([]);
    const fractions = fields.map((field) => ({ [field]: 0.5 }));
    expect(acceptedBy(spentSchema, fractions)).toStrictEqual([{ wallMs: 0.5 }, { usd: 0.5 }]);
  });
});
