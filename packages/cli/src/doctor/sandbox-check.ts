import { fileSandboxState, sandboxState } from "@spfunctions/host/tools";
import { type Check, failed, ok, warn } from "./check.ts";

/** Whether commands can run in their sandbox here: tried, not guessed. */
export async function sandboxCheck(): Promise<Check> {
  const found = await sandboxState({ again: true });
  const about = { check: "sandbox", facts: { state: found.state } };
  if (found.state === "full")
    return ok({ ...about, facts: { ...about.facts, version: found.version } }, `full, with ${found.version}`);
  return warn(about, `off, so that shell.exec is refused: ${found.reason}`, found.remedy);
}

/** Whether an agent's files can be shut into a folder without a gap between a look and the use: tried where this program lies, by looking. */
export async function filesCheck(): Promise<Check> {
  const check = "files";
  try {
    const state = await fileSandboxState({ root: import.meta.dirname });
    const about = { check, facts: { state } };
    if (state === "full") return ok(about, "full: a pack fs:<folder> follows no link out of its folder");
    return warn(
      about,
      "reduced: with a pack fs:<folder> a path could be swapped between a look at it and its use",
      "let nobody else write in such a folder, or run this program on Linux, where /proc can be read",
    );
  } catch (error) {
    return failed({ check }, error);
  }
}
