// Aim: hashInput costs at most 3 times JSON.stringify plus crypto.hash, which promise neither an order of keys nor a
// refusal of what JSON cannot say.
import { hash } from "node:crypto";
import { canonicalJson, hashInput } from "@spfunctions/contracts";
import type { Benchmark } from "./side-by-side.ts";

/** About 300 bytes, keys in the order a caller would write them. */
const input = {
  venue: "kalshi",
  ticker: "KXFEDDECISION-26SEP-H0",
  side: "yes",
  quantity: 25,
  limitPriceCents: 62,
  timeInForce: "good_til_cancelled",
  dryRun: true,
  filters: { minVolume: 12_500.5, tags: ["rates", "fomc"], includeClosed: false, after: null },
  client: { requestId: "0198f3c2-7a51-7c3e-9d0b-5b1f0a6c2e11", attempt: 1 },
};

export const benchmarks: readonly Benchmark[] = [
  {
    title: "hash of a 300-byte tool input",
    contenders: {
      "JSON.stringify + crypto.hash": () => hash("sha256", JSON.stringify(input), "hex"),
      hashInput: () => hashInput(input),
    },
  },
  {
    title: "text of a 300-byte tool input",
    contenders: {
      "JSON.stringify": () => JSON.stringify(input),
      canonicalJson: () => canonicalJson(input),
    },
  },
];
