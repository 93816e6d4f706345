// Runs in a page, over the browser's own fetch.
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { SimpleFunctions } from "../src/index.ts";

const codeOf = (error: unknown) => (isSimpleFunctionsError(error) ? error.code : String(error));

/** The code of the error that making a client ends in. */
export function make(apiKey: string | undefined, baseUrl: string): string {
  try {
    return `made, hasApiKey ${new SimpleFunctions({ apiKey, baseUrl }).hasApiKey()}`;
  } catch (error) {
    return codeOf(error);
  }
}

/** What a page can do with a token: call, list, follow. */
export async function use(apiKey: string, baseUrl: string) {
  const sf = new SimpleFunctions({ apiKey, baseUrl });
  const keys: unknown[] = [];
  for await (const key of sf.keys.list()) keys.push(key);
  const events: string[] = [];
  for await (const { event } of sf.events({ runId: "run_0190aaaa" })) events.push(event.type);
  const { requestId } = await sf.runtime.status().withReceipt();
  const refused = await sf.keys.revoke("key_1").then(() => "done", codeOf);
  return { keys, events, requestId, refused };
}
