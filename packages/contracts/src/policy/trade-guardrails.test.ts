import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryGuardrails } from "../../test-data/arbitrary-policies.ts";
import type { JsonValue } from "../json/json-value.ts";
import {
  orderCostCents,
  readTradeFacts,
  type TradeFacts,
  type TradeGuardrails,
  tradeGuardrailsSchema,
  tradeViolation,
} from "./trade-guardrails.ts";

const matchesConfirm = (given: string, kept: string) => `hash of ${given}` === kept;

/** Guardrails in which everything is bounded, and an order that just fits them. */
const rails: TradeGuardrails = {
  allowedVenues: ["kalshi", "polymarket"],
  maxOrderCostCents: 300,
  maxQuantity: 6,
  requireLimitPrice: true,
  dryRunOnly: true,
  allowAutoExecute: false,
  allowRuntimeStart: false,
  requireJurisdiction: true,
  jurisdiction: "US",
  blockedJurisdictions: ["FR"],
  confirmToken: "hash of yes",
};
const order: TradeFacts = {
  venue: "kalshi",
  side: "yes",
  quantity: 6,
  limitPriceCents: 50,
  dryRun: true,
  autoExecute: false,
  startsRuntime: false,
  jurisdiction: "US",
  confirm: "yes",
};

const violation = (changes: Partial<TradeGuardrails>, facts: TradeFacts) =>
  tradeViolation({ ...rails, ...changes }, facts, matchesConfirm);

test("an order that just fits passes, also as little as the contract must say", () => {
  expect(violation({}, order)).toBeUndefined();
  const small = tradeGuardrailsSchema.parse({
    allowedVenues: ["kalshi"],
    maxOrderCostCents: 1,
    maxQuantity: 1,
  });
  const smallest = { venue: "kalshi", side: "yes", quantity: 1, limitPriceCents: 1, dryRun: true };
  expect(tradeViolation(small, smallest, matchesConfirm)).toBeUndefined();
});

describe("each guardrail stops an order alone, and says so by its name", () => {
  const stopped: [field: keyof TradeGuardrails, what: string, facts: TradeFacts, reason: string][] = [
    ["allowedVenues", "elsewhere", { venue: "manifold" }, "the venue is not one of kalshi, polymarket"],
    [
      "maxQuantity",
      "one too many",
      { quantity: 7, limitPriceCents: 1 },
      "the quantity is not a whole number from 1 to 6",
    ],
    [
      "requireLimitPrice",
      "no limit",
      { quantity: 1, limitPriceCents: undefined },
      "the order has no limit price from 1 to 99 cents",
    ],
    [
      "maxOrderCostCents",
      "a cent a piece too much",
      { limitPriceCents: 51 },
      "the order could cost more than 300 cents before fees",
    ],
    ["dryRunOnly", "a real run", { dryRun: false }, "the order does not say dryRun: true"],
    ["allowAutoExecute", "by itself", { autoExecute: true }, "the order would execute by itself"],
    ["allowRuntimeStart", "with a runtime", { startsRuntime: true }, "the order would start a runtime"],
    ["requireJurisdiction", "from nowhere", { jurisdiction: undefined }, "the order names no jurisdiction"],
    ["jurisdiction", "from another place", { jurisdiction: "DE" }, "the order's jurisdiction is not US"],
    [
      "confirmToken",
      "without the token",
      { confirm: undefined },
      "the order does not carry the confirm token",
    ],
    ["confirmToken", "with another token", { confirm: "no" }, "the order does not carry the confirm token"],
    [
      "confirmToken",
      "with the kept hash itself",
      { confirm: "hash of yes" },
      "the order does not carry the confirm token",
    ],
  ];

  test.each(stopped)("%s: %s", (field, _, facts, reason) => {
    expect(violation({}, { ...order, ...facts })).toStrictEqual({ field, reason });
  });

  test("and each lets the same order pass once it is lifted", () => {
    const lifted: [Partial<TradeGuardrails>, TradeFacts][] = [
      [{ allowedVenues: ["manifold"] }, { venue: "manifold" }],
      [{ maxQuantity: 7 }, { quantity: 7, limitPriceCents: 1 }],
      [{ requireLimitPrice: false }, { quantity: 1, limitPriceCents: undefined }],
      [{ maxOrderCostCents: 306 }, { limitPriceCents: 51 }],
      [{ dryRunOnly: false }, { dryRun: false }],
      [{ allowAutoExecute: true }, { autoExecute: true }],
      [{ allowRuntimeStart: true }, { startsRuntime: true }],
      [{ requireJurisdiction: false }, { jurisdiction: undefined }],
      [{ jurisdiction: "DE" }, { jurisdiction: "DE" }],
      [{ confirmToken: "hash of no" }, { confirm: "no" }],
    ];
    expect(lifted.map(([changes, facts]) => violation(changes, { ...order, ...facts }))).toStrictEqual(
      lifted.map(() => undefined),
    );
  });

  test("blockedJurisdictions: whether the order names it or the guardrails do", () => {
    const expected = { field: "blockedJurisdictions", reason: "the jurisdiction is blocked" };
    const { jurisdiction: _, ...anywhere } = rails;
    expect(tradeViolation(anywhere, { ...order, jurisdiction: "FR" }, matchesConfirm)).toStrictEqual(
      expected,
    );
    expect(violation({ blockedJurisdictions: ["DE", "US"] }, order)).toStrictEqual(expected);
    expect(tradeViolation(anywhere, { ...order, jurisdiction: " fr\n" }, matchesConfirm)).toStrictEqual(
      expected,
    );
  });

  test.each([
    [
      "US",
      ["US", "us", " us ", "US-NY", "us-ny", " Us-Ny\n", "US-", "US -NY"],
      ["USA", "AUS", "U", "DE", "NY-US"],
    ],
    ["us-ny", ["US-NY", "us-ny ", "US-NY-X"], ["US", "US-CA", "US-NYC", "NY"]],
  ])(
    "blockedJurisdictions: %s blocks itself and what lies within it, by whole words",
    (blocked, within, beside) => {
      const { jurisdiction: _, ...anywhere } = { ...rails, blockedJurisdictions: [blocked] };
      const isBlocked = (jurisdiction: string) =>
        tradeViolation(anywhere, { ...order, jurisdiction }, matchesConfirm)?.field ===
        "blockedJurisdictions";
      expect([...within, ...beside].filter(isBlocked)).toStrictEqual(within);

      const isBlockedByItsOwn = (jurisdiction: string) =>
        violation({ jurisdiction, blockedJurisdictions: [blocked] }, { ...order, jurisdiction })?.field ===
        "blockedJurisdictions";
      expect([...within, ...beside].filter(isBlockedByItsOwn)).toStrictEqual(within);
    },
  );

  test("the first that an order breaks is the one named", () => {
    expect(violation({}, {})?.field).toBe("allowedVenues");
  });
});

describe("an order's cost", () => {
  test("is quantity times limit price, or times 99 without one", () => {
    expect(orderCostCents({ quantity: 3, limitPriceCents: 40 })).toBe(120);
    expect(orderCostCents({ quantity: 3 })).toBe(297);
    expect(orderCostCents({ quantity: 3, limitPriceCents: undefined })).toBe(297);
  });

  test("without a limit is held against the ceiling at 99 cents a piece", () => {
    const open = { ...order, quantity: 3, limitPriceCents: undefined };
    expect(violation({ requireLimitPrice: false, maxOrderCostCents: 297 }, open)).toBeUndefined();
    expect(violation({ requireLimitPrice: false, maxOrderCostCents: 296 }, open)?.field).toBe(
      "maxOrderCostCents",
    );
  });

  test("is no number, and no order, where the facts are no numbers", () => {
    for (const price of ["40", null, true, [], {}]) {
      expect(orderCostCents({ quantity: 3, limitPriceCents: price })).toBeNaN();
    }
    expect(orderCostCents({ quantity: "3", limitPriceCents: 40 })).toBeNaN();
    expect(orderCostCents({})).toBeNaN();
  });
});

describe("G1: facts that are not what they should be always violate", () => {
  const strange: JsonValue[] = [
    null,
    "",
    " ",
    "1",
    "true",
    -1,
    0,
    0.5,
    1e308,
    -1e308,
    2 ** 53,
    [],
    {},
    [1],
    { venue: "kalshi" },
  ];
  const loose: TradeGuardrails = {
    allowedVenues: rails.allowedVenues,
    maxOrderCostCents: Number.MAX_SAFE_INTEGER,
    maxQuantity: Number.MAX_SAFE_INTEGER,
    requireLimitPrice: false,
    dryRunOnly: false,
    allowAutoExecute: true,
    allowRuntimeStart: true,
    blockedJurisdictions: ["FR"],
    confirmToken: "hash of yes",
  };

  test.each<[fact: keyof TradeFacts, field: keyof TradeGuardrails]>([
    ["venue", "allowedVenues"],
    ["quantity", "maxQuantity"],
    ["limitPriceCents", "requireLimitPrice"],
    ["dryRun", "dryRunOnly"],
    ["autoExecute", "allowAutoExecute"],
    ["startsRuntime", "allowRuntimeStart"],
    ["jurisdiction", "requireJurisdiction"],
    ["confirm", "confirmToken"],
  ])("%s, also where everything that can be lifted is lifted", (fact, field) => {
    // Any word may be a jurisdiction.
    const values = strange.filter((value) => fact !== "jurisdiction" || (value !== "1" && value !== "true"));
    for (const held of [rails, loose]) {
      const found = values.map((value) => [
        value,
        tradeViolation(held, { ...order, [fact]: value }, matchesConfirm)?.field,
      ]);
      expect(found).toStrictEqual(values.map((value) => [value, field]));
    }
  });

  test("a price is 1 to 99 cents, a quantity at least 1", () => {
    const priced = (limitPriceCents: number) => violation({}, { ...order, quantity: 1, limitPriceCents });
    expect([0, 1, 99, 100].map((price) => priced(price)?.field)).toStrictEqual([
      "requireLimitPrice",
      undefined,
      undefined,
      "requireLimitPrice",
    ]);
    expect(violation({ maxQuantity: 0 }, { ...order, quantity: 0 })?.field).toBe("maxQuantity");
  });

  test("the largest order there is cannot slip past the largest ceiling by rounding", () => {
    const most = Number.MAX_SAFE_INTEGER;
    const huge = { ...order, quantity: most, limitPriceCents: 2 };
    expect(violation({ maxQuantity: most, maxOrderCostCents: most }, huge)?.field).toBe("maxOrderCostCents");
  });
});

describe("facts are read where the contract points", () => {
  const pointers = {
    venue: "/order/venue",
    side: "/side",
    quantity: "/order/legs/0/quantity",
    dryRun: "/dry~1run",
  };

  test("by own properties only, and are absent where there is nothing", () => {
    const input = { order: { venue: "kalshi", legs: [{ quantity: 2 }] }, "dry/run": true };
    expect(readTradeFacts(pointers, input)).toStrictEqual({
      venue: "kalshi",
      side: undefined,
      quantity: 2,
      dryRun: true,
    });
    const inherited = {
      venue: "/constructor/name",
      side: "/__proto__",
      quantity: "/length",
      dryRun: "/toString",
    };
    expect(readTradeFacts(inherited, { a: [] })).toStrictEqual({
      venue: undefined,
      side: undefined,
      quantity: undefined,
      dryRun: undefined,
    });
  });

  test("a fact whose pointer the contract leaves out is absent, and a guardrail that needs it stops the order", () => {
    const facts = readTradeFacts(pointers, {
      order: { venue: "kalshi", legs: [{ quantity: 2 }] },
      "dry/run": true,
      limitPriceCents: 50,
      confirm: "yes",
    });
    const open = { requireLimitPrice: false, requireJurisdiction: false };
    expect(violation({}, facts)?.field).toBe("requireLimitPrice");
    expect(violation(open, facts)?.field).toBe("confirmToken");
  });
});

describe("for any guardrails and any facts", () => {
  const fitting = {
    venue: "kalshi",
    side: "yes",
    quantity: 1,
    limitPriceCents: 1,
    dryRun: true,
    confirm: "kept",
  };
  const plausible = {
    venue: fc.constantFrom("kalshi", "polymarket", "paper"),
    side: fc.constantFrom("yes", "no"),
    quantity: fc.integer({ min: -1, max: 22 }),
    limitPriceCents: fc.constantFrom(undefined, 0, 1, 50, 99, 100),
    dryRun: fc.boolean(),
    autoExecute: fc.boolean(),
    startsRuntime: fc.boolean(),
    jurisdiction: fc.constantFrom("US", "us ", "us-ny", "DE", "FR", ""),
    confirm: fc.constantFrom("kept", "other"),
  };
  const strange = fc.dictionary(fc.constantFrom(...Object.keys(plausible)), fc.jsonValue({ maxDepth: 1 }), {
    maxKeys: 1,
  });
  const facts = fc
    .tuple(fc.record(plausible), fc.subarray(Object.keys(plausible), { maxLength: 4 }), strange)
    .map(([values, taken, spoilt]): TradeFacts => {
      const changed = Object.entries(values).filter(([fact]) => taken.includes(fact));
      return { ...fitting, ...Object.fromEntries(changed), ...spoilt };
    });

  test("no order passes that a plain reading of the rules refuses, nor the other way round", () => {
    let passed = 0;
    fc.assert(
      fc.property(
        arbitraryGuardrails.map((any) => tradeGuardrailsSchema.parse(any)),
        facts,
        (any, given) => {
          const passes = tradeViolation(any, given, matchesConfirm) === undefined;
          expect(passes).toBe(!isRefused(any, given));
          if (passes) passed += 1;
        },
      ),
      { numRuns: 5000 },
    );
    expect(passed).toBeGreaterThan(100);
  });
});

/** The rules once more, as one would write them down without thinking of speed or messages. */
function isRefused(rules: TradeGuardrails, facts: TradeFacts): boolean {
  const {
    venue,
    quantity,
    limitPriceCents: price,
    dryRun,
    autoExecute,
    startsRuntime,
    jurisdiction,
    confirm,
  } = facts;
  if (typeof venue !== "string" || !rules.allowedVenues.includes(venue)) return true;
  if (typeof quantity !== "number" || !Number.isInteger(quantity)) return true;
  if (quantity < 1 || quantity > rules.maxQuantity) return true;
  if (price === undefined && rules.requireLimitPrice) return true;
  if (price !== undefined) {
    if (typeof price !== "number" || !Number.isInteger(price) || price < 1 || price > 99) return true;
  }
  if (quantity * (typeof price === "number" ? price : 99) > rules.maxOrderCostCents) return true;
  if (dryRun !== true && (dryRun !== false || rules.dryRunOnly)) return true;
  if (autoExecute !== undefined && autoExecute !== false && autoExecute !== true) return true;
  if (autoExecute === true && !rules.allowAutoExecute) return true;
  if (startsRuntime !== undefined && startsRuntime !== false && startsRuntime !== true) return true;
  if (startsRuntime === true && !rules.allowRuntimeStart) return true;
  if (jurisdiction === undefined && rules.requireJurisdiction === true) return true;
  if (jurisdiction !== undefined && typeof jurisdiction !== "string") return true;
  if (plain(jurisdiction) === "") return true;
  if (rules.jurisdiction !== undefined && jurisdiction !== undefined) {
    if (plain(jurisdiction) !== plain(rules.jurisdiction)) return true;
  }
  for (const blocked of rules.blockedJurisdictions ?? []) {
    if (isWithin(jurisdiction, blocked) || isWithin(rules.jurisdiction, blocked)) return true;
  }
  if (rules.confirmToken === undefined) return false;
  return typeof confirm !== "string" || !matchesConfirm(confirm, rules.confirmToken);
}

function plain(name: string | undefined): string | undefined {
  return name?.toLowerCase().trim();
}

function isWithin(name: string | undefined, region: string): boolean {
  return name !== undefined && `${plain(name)}-`.startsWith(`${plain(region)}-`);
}
