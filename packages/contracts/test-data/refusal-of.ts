import { isSimpleFunctionsError, type SimpleFunctionsError } from "../src/error/simple-functions-error.ts";

/** The refusal that a call ends in. A fault of another kind is thrown on; no refusal is a fault. */
export function refusalOf(run: () => unknown): SimpleFunctionsError {
  try {
    run();
  } catch (error) {
    if (isSimpleFunctionsError(error)) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

/** The refusal that a promise ends in. Another fault is thrown on; no refusal is a fault. */
export async function rejectionOf(work: PromiseLike<unknown>): Promise<SimpleFunctionsError> {
  try {
    await work;
  } catch (error) {
    if (isSimpleFunctionsError(error)) return error;
    throw error;
  }
  throw new Error("it was not refused");
}
