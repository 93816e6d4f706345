// RUN: what the source `agent-v1-runtime` asks.
import type { Source } from "./source-line.ts";

export const agentRuntime: Source = {
  name: "agent-v1-runtime",
  title: "The model-backed runtime",
  sections: [],
};
