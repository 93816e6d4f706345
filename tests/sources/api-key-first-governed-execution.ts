// KEY: what the source `api-key-first-governed-execution` asks.
import type { Source } from "./source-line.ts";

export const apiKeyFirst: Source = {
  name: "api-key-first-governed-execution",
  title: "Identity and governed execution",
  sections: [],
};
