import { ContractViolationError } from "../error/error-classes.ts";

/** A class's place in its closed list. */
export function rankIn(classes: readonly string[], name: string): number {
  const rank = classes.indexOf(name);
  if (rank === -1) throw new ContractViolationError(`unknown effect class; there are ${classes.join(", ")}`);
  return rank;
}
