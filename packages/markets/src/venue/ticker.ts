import { redactText } from "@spfunctions/contracts";
import { z } from "zod";

/** The name of a market at its venue, wherever somebody gives one. */
export const tickerSchema = z.string().min(1).max(200);

/** The same where it is kept as it is. */
export const keptTickerSchema = withoutSecret(tickerSchema);

/** S1: refuses a secret in a text that is kept or passed on as it is. The call is refused before anybody is asked about it. */
export function withoutSecret(schema: z.ZodString): z.ZodString {
  return schema.refine((text) => redactText(text) === text, {
    error: "is kept or passed on as it is: do not put a secret into it",
  });
}
