// Whatever is sent to a tool of the markets, the answer is an envelope that says what was wrong and where: never a fault of ours, a
// stack or a secret; and nothing has happened.
import { encodeToolInput } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { badInputHouse, doorOf, refusedAt, sendWith, without } from "./test-data/bad-input-house.ts";
import { type Shape, wrongTexts, wrongWords } from "./test-data/wrong-values.ts";

test("every member of every tool refuses what is not its kind, and says which it was", async () => {
  const at = await badInputHouse();
  const wrong: unknown[] = [];
  let sent = 0;
  for (const tool of at.tools) {
    const { properties, route, inQuery } = doorOf(at, tool);
    for (const [name, shape] of Object.entries(properties)) {
      const inPath = route.params.includes(name);
      const texts = inQuery || inPath ? wrongWords(shape) : wrongTexts(shape).map(([, text]) => text);
      // An empty part of a path is another path.
      for (const text of texts.filter((one) => !inPath || one !== "")) {
        const found = refusedAt(await sendWith(at, tool, name, text), name);
        if (found !== "refused") wrong.push([tool.name, name, text.slice(0, 40), found]);
        sent++;
      }
    }
  }
  expect(wrong).toStrictEqual([]);
  expect(sent).toBeGreaterThan(600);
  await at.isWell();
});

test("every tool refuses a member that it does not know, and misses one that it needs", async () => {
  const at = await badInputHouse();
  const wrong: unknown[] = [];
  for (const tool of at.tools) {
    const { route, required, sound } = doorOf(at, tool);
    for (const name of ["nothing", "__proto__", "constructor", "toString", "accountId", "principal"]) {
      const found = refusedAt(await sendWith(at, tool, name, "1"), name);
      if (found !== "refused") wrong.push([tool.name, name, found]);
    }
    for (const name of required.filter((one) => !route.params.includes(one))) {
      const { path, body } = encodeToolInput(route, without(sound, name));
      const found = refusedAt(await at.send(path, route.method, body), name);
      if (found !== "refused") wrong.push([tool.name, `without ${name}`, found]);
    }
  }
  expect(wrong).toStrictEqual([]);
  await at.isWell();
});

const dates: readonly (readonly [string, boolean])[] = [
  ["0000-01-01T00:00:00Z", true],
  ["1969-12-31T23:59:59.999Z", true],
  ["9999-12-31T23:59:59.999Z", true],
  ["2026-11-16T11:00:00.123456789Z", true],
  ["2026-02-30T00:00:00Z", false],
  ["2026-13-01T00:00:00Z", false],
  ["2026-11-16T24:00:00Z", false],
  ["2026-11-16T11:00:00+01:00", false],
  ["2026-11-16", false],
  ["+275760-09-13T00:00:00.001Z", false],
  ["-000001-01-01T00:00:00Z", false],
  ["1763294400000", false],
  ["now", false],
];

test("a date that is none, or that no market can be at, is refused or answered", async () => {
  const at = await badInputHouse();
  const seen: string[] = [];
  for (const tool of at.tools) {
    const { properties, inQuery } = doorOf(at, tool);
    for (const [name, shape] of Object.entries(properties)) {
      if ((shape as { format?: string }).format !== "date-time") continue;
      seen.push(`${tool.name} ${name}`);
      for (const [date, isDate] of dates) {
        const said = await sendWith(at, tool, name, inQuery ? date : JSON.stringify(date));
        const found = said.body.ok ? "answered" : refusedAt(said, name);
        expect([tool.name, name, date, found]).toStrictEqual([
          tool.name,
          name,
          date,
          isDate && said.body.ok ? "answered" : "refused",
        ]);
      }
    }
  }
  expect(seen).toStrictEqual([
    "execution.place expiresAt",
    "intents.create expiresAt",
    "market.candles from",
    "market.candles to",
    "markets.search closesBefore",
    "world.delta since",
  ]);
  await at.isWell();
});

test("a cursor that is forged, of another question or of another tool is refused", async () => {
  const at = await badInputHouse();
  const page = async (path: string) => {
    const { body } = await at.send(path, "GET");
    return (body as { data?: { next?: string } }).data?.next ?? "";
  };
  const order = { ticker: at.ticker, action: "buy", side: "yes", quantity: 1 };
  for (const name of ["one", "two"]) {
    await at.send("/api/paper/orders", "POST", JSON.stringify(order));
    await at.send("/api/watchlists", "POST", JSON.stringify({ name, ticker: at.ticker }));
  }
  const search = await page("/api/public/markets?limit=1");
  const trades = await page("/api/portfolio/trades?ledger=paper&limit=1");
  const orders = await page("/api/paper/orders?limit=1");
  const lists = await page("/api/watchlists?limit=1");
  for (const cursor of [search, trades, orders, lists]) expect(cursor).not.toBe("");
  const forged = ["0", "__proto__", "%00", `${search}=`, search.slice(0, -2), flipped(search)];
  const tried: readonly (readonly [string, readonly string[]])[] = [
    ["/api/public/markets?limit=1", [...forged, trades, orders, lists]],
    ["/api/public/markets?query=will&limit=1", [search]],
    ["/api/public/markets?category=economics&limit=1", [search]],
    ["/api/paper/orders?limit=1", [...forged, trades, search, lists]],
    ["/api/portfolio/trades?ledger=paper&limit=1", [...forged, orders, search, lists]],
  ];
  const wrong: unknown[] = [];
  for (const [path, cursors] of tried)
    for (const cursor of cursors) {
      const found = refusedAt(await at.send(`${path}&after=${cursor}`, "GET"), "after");
      if (found !== "refused") wrong.push([path, cursor.slice(0, 40), found]);
    }
  expect(wrong).toStrictEqual([]);
  expect((await at.send(`/api/public/markets?limit=1&after=${search}`, "GET")).status).toBe(200);
  await at.isWell();
});

function flipped(cursor: string): string {
  const middle = Math.floor(cursor.length / 2);
  return `${cursor.slice(0, middle)}${cursor[middle] === "A" ? "B" : "A"}${cursor.slice(middle + 1)}`;
}

type Bounds = Shape & {
  readonly const?: unknown;
  readonly oneOf?: readonly Bounds[];
  readonly anyOf?: readonly Bounds[];
};

/** The members below a shape that could be of any size, as JSON pointers. */
function boundlessIn(shape: Bounds, path: string): string[] {
  const { type, minimum, maximum, maxLength, pattern, properties = {}, items, oneOf, anyOf } = shape;
  const isNumber = type === "integer" || type === "number";
  const isText = type === "string" && shape.enum === undefined && shape.const === undefined;
  const isBoundless =
    (isNumber && (minimum === undefined || maximum === undefined)) ||
    (isText && maxLength === undefined && pattern === undefined) ||
    (type === "array" && shape.maxItems === undefined);
  return [
    ...(isBoundless ? [path] : []),
    ...(type === "number" ? [`${path} is a fraction`] : []),
    ...Object.entries(properties).flatMap(([name, one]) => boundlessIn(one, `${path}/${name}`)),
    ...(items === undefined ? [] : boundlessIn(items, `${path}/0`)),
    ...[...(oneOf ?? []), ...(anyOf ?? [])].flatMap((one) => boundlessIn(one, path)),
  ];
}

test("no member of any tool can be of any size, and all numbers are whole, but for a likeness", async () => {
  const { tools } = await badInputHouse();
  expect(tools.flatMap(({ name, input }) => boundlessIn(input, name))).toStrictEqual([
    "crossvenue.pairs/minSimilarity is a fraction",
  ]);
});
