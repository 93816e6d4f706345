// CHILD: what the source `agent-sdk-core-subagent-package` asks.
import type { Source } from "./source-line.ts";

export const childPackage: Source = {
  name: "agent-sdk-core-subagent-package",
  title: "Child packages",
  sections: [],
};
