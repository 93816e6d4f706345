// PORT: what the source `agent-sdk-core-tool-port` asks.
import type { Source } from "./source-line.ts";

export const toolPort: Source = {
  name: "agent-sdk-core-tool-port",
  title: "Tool ports: routing, policy, execution",
  sections: [],
};
