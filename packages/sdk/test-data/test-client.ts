import type { Answering } from "../src/call/answering.ts";
import { connectEmbedded, type EmbeddedPlatform } from "../src/client/connect-embedded.ts";
import { SimpleFunctions } from "../src/client/simple-functions.ts";
import type { CallOptions } from "../src/options/call-options.ts";
import { type Internals, internals } from "../src/client/internals.ts";
import type { ClientOptions } from "../src/options/client-options.ts";
import { fixtureTable } from "./fixture-tools.ts";

/** Shaped like a key, and nobody's. */
export const testKey = `sf_live_${"Tz7kQ2wV9xL4mN8p".repeat(2)}`;

/** Shaped like a short-lived token, and signed by nobody. */
export const testToken = [
  '{"alg":"EdDSA","typ":"JWT"}',
  '{"sub":"acct_1","exp":1}',
  "no signature at all, but long enough to be one",
]
  .map((part) => btoa(part).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""))
  .join(".");

type TestAnswer = Answering<unknown> & AsyncIterable<unknown>;
type Method = (input?: unknown, options?: CallOptions) => TestAnswer;
type Resource<Name extends string> = { readonly [Key in Name]: Method };

/** A client with the fixture's methods instead of the generated ones. */
export type TestClient = Pick<
  SimpleFunctions,
  | "approvals"
  | "callByContract"
  | "credentialId"
  | "events"
  | "grants"
  | "hasApiKey"
  | "manifest"
  | "mayActFor"
  | "toJSON"
> & {
  readonly forRun: (runId: string) => TestClient;
  readonly call: (name: string, input?: unknown, options?: CallOptions) => TestAnswer;
  readonly world: Resource<"read">;
  readonly markets: Resource<"read">;
  readonly search: Resource<"run">;
  readonly ask: Resource<"model">;
  readonly profile: Resource<"read">;
  readonly notes: Resource<"write" | "list">;
};

export function testClient(options: ClientOptions = {}, inside: Internals = {}): TestClient {
  return new SimpleFunctions(withInternals(options, inside)) as unknown as TestClient;
}

export function embeddedClient(
  platform: EmbeddedPlatform,
  options: ClientOptions = {},
  inside: Internals = {},
): TestClient {
  return connectEmbedded(platform, withInternals(options, inside)) as unknown as TestClient;
}

function withInternals(options: ClientOptions, inside: Internals): ClientOptions {
  return { ...options, [internals]: { table: fixtureTable, ...inside } } as ClientOptions;
}
