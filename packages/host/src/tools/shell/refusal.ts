import { keyForMessage, SandboxDeniedError } from "@spfunctions/contracts";

export type Refused =
  | "not_one_command"
  | "not_literal"
  | "dangerous_text"
  | "too_long"
  | "command_not_allowed"
  | "command_not_here"
  | "argument_not_allowed"
  | "sandbox_off"
  | "sandbox_failed";

/** The error of a command that was not run. */
export function refusal(reason: Refused, why: string, cause?: unknown): SandboxDeniedError {
  return new SandboxDeniedError(`shell.exec: ${why}`, {
    details: { tool: "shell.exec", path: "/cmd", reason },
    ...(cause !== undefined && { cause }),
  });
}

/** A word as it may be shown: without secrets, not long, nothing in it that a terminal would act on. */
export function shown(word: string): string {
  return `"${keyForMessage(word)}"`;
}
