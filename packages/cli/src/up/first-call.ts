import { isSimpleFunctionsError, type Receipt, type SimpleFunctionsError } from "@spfunctions/contracts";
import { SimpleFunctions } from "@spfunctions/sdk";
import { networkInterfaces } from "node:os";

export type FirstCall = {
  readonly tool: string;
  readonly data?: unknown;
  /** Why there is no data. */
  readonly error?: SimpleFunctionsError;
  readonly receipt: Receipt | undefined;
};

/** One governed call through the front door, as any client would make it. That it is refused is an answer, too. */
export async function firstCall(baseUrl: string, apiKey: string): Promise<FirstCall> {
  const tool = "runtime.status";
  const insecure = isOfThisMachine(baseUrl);
  try {
    const client = new SimpleFunctions({ baseUrl, apiKey, insecure, userAgent: "sf", timeoutMs: 10_000 });
    const { data, receipt } = await client.runtime.status().withReceipt();
    return { tool, data, receipt };
  } catch (error) {
    if (!isSimpleFunctionsError(error)) throw error;
    return { tool, error, receipt: error.details?.receipt as Receipt | undefined };
  }
}

/** What is sent to an address of this machine does not leave it. */
export function isOfThisMachine(url: string): boolean {
  const host = URL.parse(url)?.hostname.replaceAll(/[[\]]/g, "");
  if (host === "localhost") return true;
  return Object.values(networkInterfaces()).some((found) => found?.some(({ address }) => address === host));
}
