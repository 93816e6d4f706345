// What is seen without a key is made up, and says so: a function of the name and the minute, the same on every machine.
import { hashText } from "@spfunctions/contracts";
import type { TickEvent, WorldEvent } from "./watch-events.ts";

export const syntheticTickers = ["SYN-RATES", "SYN-CPI", "SYN-JOBS", "SYN-ENERGY", "SYN-ELECTION"] as const;
const venue = "synthetic";
const minuteMs = 60_000;

/** From 0 up to, not including, `below`. */
function draw(name: string, minute: number, below: number): number {
  return (
    Number.parseInt(hashText(`simplefunctions synthetic v1\n${name}\n${minute}`).slice(7, 15), 16) % below
  );
}

/** Goes its way in steps of a cent or two, hour by hour anew. */
function priceAt(ticker: string, minute: number): number {
  const hour = Math.floor(minute / 60);
  let price = 10 + draw(ticker, hour, 80);
  for (let at = hour * 60 + 1; at <= minute; at += 1) price += draw(`${ticker} step`, at, 5) - 2;
  return Math.min(97, Math.max(3, price));
}

export function syntheticTick(ticker: string, now: number): TickEvent {
  const minute = Math.floor(now / minuteMs);
  const lastCents = priceAt(ticker, minute);
  const half = 1 + draw(`${ticker} spread`, minute, 2);
  const at = new Date(minute * minuteMs).toISOString();
  const [bidCents, askCents] = [lastCents - half, lastCents + half];
  return { type: "tick", at, venue, ticker, bidCents, askCents, lastCents, synthetic: true };
}

export function syntheticWorld(now: number): WorldEvent {
  const minute = Math.floor(now / minuteMs);
  const movers = syntheticTickers.map((ticker) => {
    const priceCents = priceAt(ticker, minute);
    return { venue, ticker, priceCents, moveCents: priceCents - priceAt(ticker, minute - 60) };
  });
  const up = movers.filter(({ moveCents }) => moveCents > 0).length;
  const moving = movers.filter(({ moveCents }) => moveCents !== 0).length;
  const breadth = moving === 0 ? 50 : Math.round((100 * up) / moving);
  const mean = movers.reduce((sum, { moveCents }) => sum + moveCents, 0) / movers.length;
  return {
    type: "world",
    at: new Date(minute * minuteMs).toISOString(),
    synthetic: true,
    regime: regimeOf(mean),
    indices: {
      activity: draw("activity", minute, 101),
      breadth,
      disagreement: draw("disagreement", minute, 20),
    },
    movers: movers.toSorted((one, other) => Math.abs(other.moveCents) - Math.abs(one.moveCents)),
  };
}

function regimeOf(mean: number): WorldEvent["regime"] {
  const reason = `made up: the mean move of an hour is ${mean.toFixed(1)} cents`;
  if (Math.abs(mean) < 5) return { label: "calm", reason };
  return { label: mean > 0 ? "trending_up" : "trending_down", reason };
}
