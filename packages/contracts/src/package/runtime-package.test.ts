import { describe, expect, test } from "vitest";
import * as samples from "../../test-data/package-samples.ts";
import { refusalOf } from "../../test-data/refusal-of.ts";
import { keepsItsShape } from "../../test-data/strict-record.ts";
import { InvalidPackageError } from "../error/error-classes.ts";
import { redact } from "../redact/redact.ts";
import { redactText } from "../redact/redact-text.ts";
import { parseAtDoor } from "../schema/parse-at-door.ts";
import {
  packageDraftSchema,
  packageVolatileSchema,
  providerRouteSchema,
  runtimePackageSchema,
} from "./runtime-package.ts";

const { fingerprint: _, ...draft } = samples.runtimePackage;
const parse = (value: unknown) =>
  parseAtDoor(runtimePackageSchema, value, "runtime package", InvalidPackageError);
const withChanges = (changes: object) => ({ ...samples.runtimePackage, ...changes });

describe("a runtime package", () => {
  const optional = ["provider", "outputContract"];
  keepsItsShape("package", runtimePackageSchema, samples.runtimePackage, { optional });
  keepsItsShape("draft", packageDraftSchema, draft, { optional });
  keepsItsShape("provider", providerRouteSchema, samples.providerRoute, {
    optional: ["routeId", "maxOutputTokens"],
  });

  test("of another version is not understood", () => {
    const error = refusalOf(() => parse(withChanges({ v: 2 })));
    expect(error.message).toBe(
      "invalid runtime package: /v: expected version 1 of a runtime package; this one is not understood here",
    );
  });

  test("without labels has none", () => {
    const { createdAt } = samples.runtimePackage.volatile;
    expect(packageVolatileSchema.parse({ createdAt })).toStrictEqual({ createdAt, labels: {} });
  });

  test("has nothing in it that could run", () => {
    const error = refusalOf(() => parse(withChanges({ hooks: [{ ...samples.packageHook, run: () => 1 }] })));
    expect(error.details).toStrictEqual({ path: "/hooks/0/run", reason: "not_json" });
  });

  test("S1: does not hold the word that confirms an order, and the refusal does not say it", () => {
    const [level] = samples.runtimePackage.policies;
    const policy = { ...level?.policy, trade: { ...level?.policy.trade, confirmToken: "open sesame 42" } };
    const error = refusalOf(() => parse(withChanges({ policies: [{ level: "agent", policy }] })));
    expect(error).toBeInstanceOf(InvalidPackageError);
    expect(error.message).toBe(
      "invalid runtime package: /policies/0/policy/trade/confirmToken: expected the keyed hash of the word that " +
        "confirms an order; pass the levels through keptLevels",
    );
  });
});

/** Samples without the keyed hash of a confirming word, which redaction hides by its name alone. */
const records = Object.entries(samples)
  .filter(([, sample]) => typeof sample === "object")
  .map(([name, sample]): [string, unknown] => [name, JSON.parse(JSON.stringify(sample), withoutWord)]);

function withoutWord(key: string, value: unknown): unknown {
  return key === "confirmToken" ? undefined : value;
}

test.each(records)("%s is read by its hash: redaction does not touch one byte of it", (__, record) => {
  expect(redact(record)).toStrictEqual(record);
  expect(redactText(JSON.stringify(record))).toBe(JSON.stringify(record));
});
