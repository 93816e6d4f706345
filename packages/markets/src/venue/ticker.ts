import { InvalidInputError, redactText } from "@spfunctions/contracts";
import { z } from "zod";

/** The name of a market at its venue, wherever somebody gives one. */
export const tickerSchema = z.string().min(1).max(200);

/** S1: what is kept and shown as it is must be no secret. */
export function requireNoSecret(text: string, path: string): void {
  if (redactText(text) === text) return;
  throw new InvalidInputError("it is kept or passed on as it is: do not put a secret into it", {
    details: { path, reason: "secret" },
  });
}
