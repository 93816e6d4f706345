import { withoutSecret } from "@spfunctions/contracts";
import { z } from "zod";

/** The name of a market at its venue, wherever somebody gives one. */
export const tickerSchema = z.string().min(1).max(200);

/** The same where it is kept as it is. */
export const keptTickerSchema = withoutSecret(tickerSchema, "ticker");
