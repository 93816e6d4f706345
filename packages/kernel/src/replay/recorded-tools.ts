import { InvalidPackageError } from "@spfunctions/contracts";
import type { Pack } from "../tool/define-tool.ts";
import { describedTool } from "../tool/described-tool.ts";
import type { Replay } from "./replay.ts";

/** The tools that traces know, where no others are given: none of them runs. */
export function recordedTools(replay: Replay | undefined): readonly Pack[] {
  if (replay === undefined) throw new InvalidPackageError("packs is a list: packs: [tool, [tool, tool], …]");
  return replay.contracts.map((contract) => describedTool(contract));
}
