// What is said where a file tool does not do something. Messages name a path as it was given: where the root lies is nothing that a
// model is told.
import { InvalidInputError, keyForMessage, NotFoundError, SandboxDeniedError } from "@spfunctions/contracts";

/** What the sandbox refuses, whoever asks. */
type DeniedReason =
  | "escape"
  | "link"
  | "hard_link"
  | "other_mount"
  | "special_file"
  /** What was checked is not what was opened. */
  | "changed";

/** What whoever asks can put right. */
type MalformedReason =
  | "bad_path"
  | "path_too_long"
  | "name_too_long"
  | "control_character"
  | "is_folder"
  | "not_folder"
  | "exists"
  | "unsupported"
  | "not_text"
  | "too_large";

export function denied(path: string, reason: DeniedReason, why: string): SandboxDeniedError {
  return new SandboxDeniedError(`${shown(path)} ${why}`, { details: { path: "/path", reason } });
}

export function malformed(path: string, reason: MalformedReason, why: string): InvalidInputError {
  return new InvalidInputError(`${shown(path)} ${why}`, { details: { path: "/path", reason } });
}

export function missing(path: string): NotFoundError {
  return new NotFoundError(`${shown(path)} does not exist`, {
    details: { path: "/path", reason: "not_found" },
  });
}

export function shown(path: string): string {
  return `"${keyForMessage(path)}"`;
}
