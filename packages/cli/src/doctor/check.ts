import type { JsonObject } from "@spfunctions/contracts";
import { errorOf } from "../io/report-error.ts";

/** One thing that was looked at: how it is, in one line, and where it is not as it should be, what to do. */
export type Check = {
  readonly check: string;
  readonly status: "ok" | "warn" | "fail";
  /** The file, folder or address it is about. */
  readonly where?: string;
  readonly what: string;
  readonly todo?: string;
  /** The same for programs. */
  readonly facts?: JsonObject;
};

type About = Pick<Check, "check" | "where" | "facts">;

export function ok(about: About, what: string): Check {
  return { ...about, status: "ok", what };
}

export function warn(about: About, what: string, todo: string): Check {
  return { ...about, status: "warn", what, todo };
}

export function fail(about: About, what: string, todo: string): Check {
  return { ...about, status: "fail", what, todo };
}

/** A fault as it is told everywhere: what was wrong, and behind it what to do. */
export function failed(
  about: About,
  thrown: unknown,
  otherwise = "look at what it says, and mend that",
): Check {
  const { message } = errorOf(thrown);
  const at = message.search(/[;.] /);
  if (at === -1) return fail(about, message, otherwise);
  return fail(about, message.slice(0, at), message.slice(at + 2));
}
