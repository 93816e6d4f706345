import { cutText, redactText } from "@spfunctions/contracts";

/** What a port did not do, while everything else went on. */
export type MemoryTrouble = {
  readonly port: "search" | "embed";
  /** `resting`: it failed before, and is not asked for a while. `too_many`: there are more vectors than are searched. */
  readonly reason: "failed" | "late" | "malformed" | "resting" | "too_many";
  readonly message: string;
};

/** S1: a port's own words may have anything in them. */
export function troubleOf(
  port: MemoryTrouble["port"],
  reason: MemoryTrouble["reason"],
  what: unknown,
): MemoryTrouble {
  return { port, reason, message: cutText(redactText(cutText(messageIn(what), 2000)), 300) };
}

function messageIn(what: unknown): string {
  try {
    const message: unknown = what instanceof Error ? what.message : what;
    return typeof message === "string" ? message : "it failed, and says nothing that can be read";
  } catch {
    return "it failed, and says nothing that can be read";
  }
}
