import { childPackage } from "./agent-sdk-core-subagent-package.ts";
import { toolPort } from "./agent-sdk-core-tool-port.ts";
import { agentRuntime } from "./agent-v1-runtime.ts";
import { apiKeyFirst } from "./api-key-first-governed-execution.ts";
import type { Source } from "./source-line.ts";
import { spectator } from "./spectator-contracts.ts";

/** The documents that this was built from. */
export const sources: readonly Source[] = [apiKeyFirst, agentRuntime, toolPort, childPackage, spectator];
