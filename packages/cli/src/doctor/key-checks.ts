import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { SimpleFunctions } from "@spfunctions/sdk";
import { dirname, join, resolve } from "node:path";
import type { CliIo } from "../io/cli-io.ts";
import { readHeldKey } from "../keys/read-held-key.ts";
import { isOfThisMachine } from "../up/first-call.ts";
import type { LivingEndpoint } from "../up/living-endpoint.ts";
import { type Check, fail, failed, ok, warn } from "./check.ts";
import type { DoctorOptions } from "./doctor-options.ts";

export type NamedKey = {
  readonly called: string;
  readonly read: () => string | undefined;
  /** Whether it is the one that makes the others. */
  readonly isOperators?: boolean;
};

/** S1: the keys of a folder are for its own platform; any other is shown what was given for it, and nothing else. */
export function keysFor(
  { keyFile }: DoctorOptions,
  endpoint: LivingEndpoint | undefined,
  { env, cwd }: CliIo,
): NamedKey[] {
  if (keyFile !== undefined) return [{ called: keyFile, read: () => readHeldKey(resolve(cwd, keyFile)) }];
  const key = env.SF_API_KEY;
  if (key !== undefined && key !== "") return [{ called: "SF_API_KEY", read: () => key }];
  if (endpoint === undefined) return [];
  const folder = dirname(endpoint.starterKey);
  return ["starter", "operator"].map((role) => {
    const path = join(folder, `${role}.key`);
    return { called: path, read: () => readHeldKey(path), isOperators: role === "operator" };
  });
}

/** Asked for the events of a run that never was: only whoever has a good key is told so, and nothing is recorded. */
const noRun = "run_00000000";

export async function* keyChecks(
  baseUrl: string,
  keys: readonly NamedKey[],
  io: CliIo,
): AsyncGenerator<Check> {
  if (keys.length === 0)
    yield warn({ check: "key" }, "no key was tried", "give one in SF_API_KEY or --key-file, and ask again");
  for (const key of keys) {
    // oxlint-disable-next-line no-await-in-loop -- two at most
    yield await keyCheck(baseUrl, key, io);
  }
}

async function keyCheck(baseUrl: string, { called, read, isOperators }: NamedKey, io: CliIo): Promise<Check> {
  const about = { check: "key", where: called };
  try {
    const apiKey = read();
    if (apiKey === undefined)
      return fail(
        about,
        "is gone, or holds no key",
        `remove what is there, and the next start of sf up makes another${isOperators === true ? "" : "; or make one with sf keys create"}`,
      );
    return (await isAccepted(baseUrl, apiKey, io))
      ? ok(about, "is accepted")
      : fail(
          about,
          "is not accepted: it was revoked, has expired or is another platform's",
          isOperators === true
            ? "remove that file, and the next start of sf up makes another; without it sf keys needs another key with the scope admin (--key-file)"
            : "make another with sf keys create; the file of a first key can be removed, and the next start of sf up makes another",
        );
  } catch (error) {
    if (io.signal.aborted) throw error;
    return failed(about, error);
  }
}

/** Whether a platform takes a key. */
export async function isAccepted(baseUrl: string, apiKey: string, { signal }: CliIo): Promise<boolean> {
  const insecure = isOfThisMachine(baseUrl);
  const client = new SimpleFunctions({ baseUrl, apiKey, userAgent: "sf", retries: 0, insecure });
  try {
    await client
      .events({ runId: noRun, signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]) })
      .next();
    return true;
  } catch (error) {
    const code = isSimpleFunctionsError(error) ? error.code : undefined;
    // A token is known, and hears nothing.
    if (code === "not_found" || code === "forbidden") return true;
    if (code === "invalid_api_key") return false;
    throw error;
  }
}
