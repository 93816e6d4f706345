import { expect, test } from "vitest";
import { day, hour, noon, sampleRows } from "../../test-data/sample-world.ts";
import { byClosing, type CalendarQuery, closingMarkets } from "./calendar.ts";

const rows = sampleRows(
  { ticker: "LATER", closesAt: noon + 2 * day },
  { ticker: "SOON", closesAt: noon + hour },
  { ticker: "B", category: "politics" },
  { ticker: "A" },
  { ticker: "GONE", closesAt: noon - 1 },
);

test.each<[CalendarQuery, string[]]>([
  [{ days: 7, limit: 10 }, ["SOON", "LATER", "A", "B"]],
  [{ days: 2, limit: 10 }, ["SOON", "LATER"]],
  [{ days: 7, category: "politics", limit: 10 }, ["B"]],
  [{ days: 7, limit: 1 }, ["SOON"]],
])(
  "the calendar has what closes within some days, the next first, and nothing that has closed: %j",
  (query, expected) => {
    expect(closingMarkets(byClosing(rows), query, noon).map(({ ticker }) => ticker)).toEqual(expected);
  },
);
