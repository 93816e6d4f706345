// What a run that a model drives acts with at the platform: lent by the key of whoever started it, for minutes, with less than the key
// has. The run never holds the key, and has nothing once the key has ended.
import {
  isSimpleFunctionsError,
  parseAtDoor,
  type RunCredential,
  runCredentialSchema,
  type RunId,
  type SimpleFunctionsError,
  UpstreamError,
} from "@spfunctions/contracts";
import { Credential, isToken } from "../identity/credential.ts";
import type { Limits } from "../options/limits.ts";
import { askPlatform } from "../wire/ask-platform.ts";
import type { Connection, Lender } from "../wire/connection.ts";
import { NotSent } from "../wire/not-sent.ts";

type Held = { readonly credential: Credential; readonly since: number; readonly lifetimeMs: number };

/** How old an answer may be by which a run goes on. */
const checkMs = 60_000;

export class LentCredential implements Lender {
  readonly #connection: Connection;
  readonly #limits: Limits;
  readonly #runId: RunId;
  #held: Held | undefined;
  #asking: Promise<Held> | undefined;

  constructor(connection: Connection, limits: Limits, runId: RunId) {
    this.#connection = connection;
    this.#limits = limits;
    this.#runId = runId;
  }

  async lent(instead?: Credential): Promise<Credential> {
    if (instead !== undefined && this.#held?.credential === instead) this.#held = undefined;
    const held = this.#held;
    // By how long it was to live, and not by when: the platform's clock may be another.
    if (held !== undefined && this.#ageOf(held) < (held.lifetimeMs * 2) / 3) return held.credential;
    try {
      return (await this.#renewed()).credential;
    } catch (error) {
      if (!isSimpleFunctionsError(error)) throw error;
      // It cannot be renewed now, and is good for a while yet.
      if (held !== undefined && !isRefusal(error) && this.#ageOf(held) < held.lifetimeMs)
        return held.credential;
      throw new NotSent(error);
    }
  }

  /** Whether the platform still lends. Where it cannot be asked nobody has said no: what is called there will fail by itself. */
  async isLent(): Promise<boolean> {
    if (this.#held !== undefined && this.#ageOf(this.#held) < checkMs) return true;
    try {
      await this.#renewed();
      return true;
    } catch (error) {
      if (isSimpleFunctionsError(error)) return !isRefusal(error);
      throw error;
    }
  }

  #ageOf({ since }: Held): number {
    return this.#limits.timing.elapsed() - since;
  }

  /** Everybody who needs one waits for the same request, and none can end it for the others. */
  async #renewed(): Promise<Held> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    this.#held = await this.#asking;
    return this.#held;
  }

  async #ask(): Promise<Held> {
    const since = this.#limits.timing.elapsed();
    const { data } = await askPlatform(
      this.#connection,
      this.#limits,
      {
        name: "runs.credential",
        path: `/api/runs/${this.#runId}/credential`,
        body: "{}",
        read: (given) => readCredential(given, this.#runId),
        isRepeatable: true,
      },
      {},
    );
    const lifetimeMs = Date.parse(data.expiresAt) - Date.parse(data.createdAt);
    return { credential: new Credential(data.token), since, lifetimeMs };
  }
}

function isRefusal({ code }: SimpleFunctionsError): boolean {
  return code === "invalid_api_key" || code === "missing_api_key" || code === "forbidden";
}

function readCredential(given: unknown, runId: RunId): RunCredential {
  const credential = parseAtDoor(runCredentialSchema, given, "credential", UpstreamError);
  if (credential.runId === runId && isToken(credential.token)) return credential;
  throw new UpstreamError("the platform has lent something else than what was asked for");
}
