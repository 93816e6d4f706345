// What a tool of the markets cannot do here for want of configuration is said to whoever asks: it names nothing of this machine.
import { describe, expect, test } from "vitest";
import type { LogLine } from "../packages/server/src/log-line.ts";
import { ask } from "../packages/server/test-data/test-platform.ts";
import { type MarketsHouse, marketsHouse, soundInputs, trade } from "./test-data/markets-house.ts";

type Inputs = ReturnType<typeof soundInputs>;
type Asking = readonly [path: string, body: (inputs: Inputs) => object, said: object];

const trigger = { when: "ask_at_or_below", priceCents: 1 };
const lacking: Readonly<Record<string, Asking>> = {
  "execution.place at a venue without credentials": [
    "/api/execution/orders",
    (inputs) => ({ ...inputs["execution.place"], venue: "kalshi" }),
    {
      message: "no credentials are configured for trading at kalshi; nothing was sent: order at embedded",
      details: { venue: "kalshi", reason: "not_configured_here" },
    },
  ],
  "execution.place with a trigger, where nobody says later whether its key may still order": [
    "/api/execution/orders",
    (inputs) => ({ ...inputs["execution.place"], trigger, autoExecute: true }),
    {
      message: expect.stringContaining("open the markets with mayCall"),
      details: { reason: "not_configured_here" },
    },
  ],
  "brief.write without a model": [
    "/api/briefs",
    (inputs) => ({ ...inputs["brief.write"] }),
    {
      message: expect.stringContaining("no model is configured to write with"),
      details: { reason: "not_configured_here" },
    },
  ],
};

async function bareHouse(way: "socket" | "embedded"): Promise<MarketsHouse & { logged: LogLine[] }> {
  const logged: LogLine[] = [];
  const markets = { model: undefined, mayCall: undefined };
  return { ...(await marketsHouse(way, { markets, log: (line) => void logged.push(line) })), logged };
}

describe.each(["socket", "embedded"] as const)("markets without everything (%s)", (way) => {
  test.each(Object.entries(lacking))("%s says what is missing, and does nothing", async (_, asking) => {
    const [path, body, said] = asking;
    const house = await bareHouse(way);
    const terms = { ...trade, allowedVenues: ["embedded", "kalshi"] };
    const key = await house.key("acct_1", { scopes: ["read", "trade"], trade: terms });
    const { status, body: answered } = await ask(house, path, { key, body: body(soundInputs(house.ticker)) });
    expect([status, answered.ok ? answered.data : answered.error]).toStrictEqual([
      503,
      { code: "host_configuration_needed", status: 503, ...said },
    ]);
    expect(house.logged).toStrictEqual([]);
    expect(await house.markets.live.orders("acct_1", { limit: 9 })).toStrictEqual([]);
    expect(await house.store.accountsWith("intent", "armed")).toStrictEqual([]);
  });
});
