import { InvalidInputError } from "@spfunctions/contracts";

const kinds = {
  approval: "an approval's id is a text that begins with appr_; those that wait are listed by list()",
  grant: "a grant's id is a text that begins with grant_; those that stand are listed by grants()",
  capability:
    "a capability is named by a text like net:example.com, and what was asked for by its id, which begins with cap_",
  run: "a run's id is a text that begins with run_; a run's result has it as runId",
} as const;

/** An id that was never there, or the whole thing instead of its id, is said to be that. */
export function requireId(given: unknown, kind: keyof typeof kinds): void {
  if (typeof given === "string") return;
  const was = given === undefined || given === null ? "this is nothing" : `this is of type ${typeof given}`;
  throw new InvalidInputError(`${kinds[kind]}; ${was}`, { details: { reason: "no_id" } });
}
