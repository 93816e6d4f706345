import { sandboxState } from "@spfunctions/host/tools";
import { type Check, ok, warn } from "./check.ts";

/** Whether commands can run in their sandbox here: tried, not guessed. */
export async function sandboxCheck(): Promise<Check> {
  const found = await sandboxState({ again: true });
  const about = { check: "sandbox", facts: { state: found.state } };
  if (found.state === "full")
    return ok({ ...about, facts: { ...about.facts, version: found.version } }, `full, with ${found.version}`);
  return warn(about, `off, so that shell.exec is refused: ${found.reason}`, found.remedy);
}
