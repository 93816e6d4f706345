import { expect, test } from "vitest";
import { acceptedBy } from "../../test-data/strict-record.ts";
import { toolExecutionStrategySchema } from "./tool-execution-strategy.ts";

const strategies = [
  { type: "sequential" },
  { type: "bounded_concurrent", maxInFlight: 1 },
  { type: "ordered_batch", maxInFlight: 8 },
];

// proves PORT-1.6, PORT-17.1, PORT-17.2, PORT-17.3, PORT-17.4, PORT-17.5, PORT-17.7, PORT-17.8
test("a strategy is one of three, and two of them say how many calls run at once", () => {
  const others = [
    {},
    { type: "parallel" },
    { type: "sequential", maxInFlight: 1 },
    { type: "bounded_concurrent" },
    { type: "ordered_batch", maxInFlight: 1.5 },
    { type: "ordered_batch", maxInFlight: "2" },
    { type: "ordered_batch", maxInFlight: Number.POSITIVE_INFINITY },
  ];
  expect(acceptedBy(toolExecutionStrategySchema, [...strategies, ...others])).toStrictEqual(strategies);
});

test.each(["bounded_concurrent", "ordered_batch"])("%s with fewer than one at once is refused", (type) => {
  for (const maxInFlight of [0, -1]) {
    const { error } = toolExecutionStrategySchema.safeParse({ type, maxInFlight });
    expect(error?.issues.map(({ message }) => message)).toStrictEqual([
      "maxInFlight is at least 1: with less, no call would ever start",
    ]);
  }
});
