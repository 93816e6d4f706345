import { isSimpleFunctionsError, type SimpleFunctionsError } from "@spfunctions/contracts";
import { isDriven } from "./open-store.ts";

/**
 * B25: one process drives a data folder. Where that can be had, something is done as its writer; beside another it is left in the
 * inbox of that one. `told` makes of an errand that was not taken what whoever waits is told, with who drives the folder.
 */
export async function hereOrBeside<Done>(
  asWriter: () => Promise<Done>,
  asGuest: () => Promise<Done>,
  told: (late: SimpleFunctionsError, driven: SimpleFunctionsError) => Error = (late) => late,
): Promise<Done> {
  try {
    return await asWriter();
  } catch (error) {
    if (!isDriven(error)) throw error;
  }
  try {
    return await asGuest();
  } catch (late) {
    if (!isNotTaken(late)) throw late;
    try {
      // It may have ended meanwhile.
      return await asWriter();
    } catch (error) {
      throw isDriven(error) ? told(late, error as SimpleFunctionsError) : error;
    }
  }
}

function isNotTaken(error: unknown): error is SimpleFunctionsError {
  return isSimpleFunctionsError(error) && error.details?.reason === "not_taken";
}
