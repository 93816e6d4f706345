// LIVE: what the source `spectator-contracts` asks.
import type { Source } from "./source-line.ts";

export const spectator: Source = {
  name: "spectator-contracts",
  title: "The long-lived agent",
  sections: [],
};
