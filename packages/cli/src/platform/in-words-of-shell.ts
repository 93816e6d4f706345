import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { badUsage } from "../command-line/bad-usage.ts";

/** The library tells of its own options; whoever sits at a terminal has given others. */
export function inWordsOfShell<Made>(make: () => Made, words: (message: string) => string): Made {
  try {
    return make();
  } catch (error) {
    const said = isSimpleFunctionsError(error) ? words(error.message) : undefined;
    throw said === undefined || said === (error as Error).message ? error : badUsage(said);
  }
}
