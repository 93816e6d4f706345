// A tool that is known by its contract: somebody else has defined it, in another process or another time.
import {
  buildKeptManifest,
  buildManifest,
  type ContractTool,
  type Idempotency,
  InvalidManifestError,
  LiveDisabledError,
} from "@spfunctions/contracts";
import { bindExecutor, type Executor } from "../call/executors.ts";
import type { Tool } from "./define-tool.ts";
import { prepareTool } from "./tool-checks.ts";

/** How calls of a tool get to where it runs. */
export type ToolWay = Pick<Executor, "run" | "answered" | "seesItThrough"> & {
  /** What repeating a call does on this way: whoever takes it may deduplicate where the tool itself would not. */
  readonly idempotency?: Idempotency;
  /** It runs in another place: what is given up here before it has answered is unknown, where it changes something. */
  readonly isElsewhere?: boolean;
};

/** Makes a tool of a contract. Without a way to it, it can be explained and replayed, and does not run. */
export function describedTool(contract: ContractTool, way?: ToolWay): Tool {
  const { digest, ...definition } = contract;
  // One that nobody can call was recorded.
  const [built] = (way === undefined ? buildKeptManifest : buildManifest)([definition], "review").tools;
  if (built === undefined || built.digest !== digest) {
    throw new InvalidManifestError(`the digest of ${contract.name} does not match its contract`, {
      details: { tool: contract.name, path: "/digest", reason: "digest_mismatch" },
    });
  }
  const tool: Tool = Object.freeze({ contract: built });
  prepareTool(tool, built, way === undefined);
  bindExecutor(tool, way ?? { run: () => cannotRun(contract) });
  return tool;
}

function cannotRun({ name }: ContractTool): never {
  throw new LiveDisabledError(`${name} is known by its contract alone and cannot run here`, {
    details: { tool: name },
  });
}
