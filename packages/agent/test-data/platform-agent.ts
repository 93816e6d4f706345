// A platform with a tool of every class, an agent on it, and what the agent has sent.
import { type JournalRecord, journalRecordSchema, parseJsonStrict } from "@spfunctions/contracts";
import { segmentsOf, type Store } from "@spfunctions/kernel";
import { connectEmbedded, SimpleFunctions } from "@spfunctions/sdk";
import { onTestFinished } from "vitest";
import { type TestPlatform, testPlatform, type Way } from "../../server/test-data/test-platform.ts";
import type { AgentOptions } from "../src/platform/agent-options.ts";
import { SimpleFunctionsAgent } from "../src/platform/simple-functions-agent.ts";

/** Answers a request instead of the platform, or passes it on. */
export type Between = (request: Request, pass: () => Promise<Response>) => Promise<Response>;

export type ClientTerms = {
  readonly way?: Way;
  readonly apiKey?: string | undefined;
  readonly between?: Between;
  readonly retries?: number;
};

export type Counted = {
  readonly client: SimpleFunctions;
  /** `GET /api/agent/world`, one for each request, with its headers. */
  readonly sent: readonly { readonly what: string; readonly headers: Headers }[];
};

/** A client of a platform, of which every request is seen. */
export function countedClient(
  house: Pick<TestPlatform, "fetch" | "baseUrl">,
  { way = "embedded", apiKey, between = (_, pass) => pass(), retries = 0 }: ClientTerms = {},
): Counted {
  const sent: { what: string; headers: Headers }[] = [];
  const send = (request: Request) => {
    sent.push({ what: `${request.method} ${new URL(request.url).pathname}`, headers: request.headers });
    return between(request, () => house.fetch(request));
  };
  const client =
    way === "embedded"
      ? connectEmbedded({ fetch: send }, { apiKey, retries })
      : new SimpleFunctions({
          apiKey,
          retries,
          baseUrl: house.baseUrl,
          fetch: (url, init) => send(new Request(url, init)),
        });
  return { client, sent };
}

export type PlatformAgent = Counted & {
  readonly agent: SimpleFunctionsAgent;
  readonly house: TestPlatform;
  readonly key: string;
};

type Terms = ClientTerms & {
  readonly house?: TestPlatform;
  readonly platform?: Parameters<typeof testPlatform>[1];
  readonly scopes?: Parameters<TestPlatform["key"]>[1];
};

/** An agent with a key of the account `acct_1`, which is closed when its test has ended. */
export async function platformAgent(
  options: Omit<AgentOptions, "client"> = {},
  { platform, scopes, ...terms }: Terms = {},
): Promise<PlatformAgent> {
  const house = terms.house ?? (await testPlatform(terms.way, platform));
  const key = terms.apiKey ?? (await house.key("acct_1", scopes));
  const counted = countedClient(house, { ...terms, apiKey: key });
  const agent = new SimpleFunctionsAgent({ ...options, client: counted.client });
  onTestFinished(() => agent.close().catch(() => undefined));
  return { ...counted, agent, house, key };
}

/** Every record of an account, segment by segment. */
export async function recordsOf(store: Store, accountId: string): Promise<JournalRecord[]> {
  const records: JournalRecord[] = [];
  for await (const stream of segmentsOf(store, accountId)) {
    for (const { text } of await store.readStream({ stream, accountId, limit: 10_000 }))
      records.push(journalRecordSchema.parse(parseJsonStrict(text)));
  }
  return records;
}

/** The record of an account that is of this kind; there is one. */
export async function recordOf<const Kind extends JournalRecord["kind"]>(
  store: Store,
  accountId: string,
  kind: Kind,
): Promise<Extract<JournalRecord, { kind: Kind }>> {
  const found = (await recordsOf(store, accountId)).filter((one) => one.kind === kind);
  if (found.length !== 1) throw new Error(`${found.length} records of ${accountId} are ${kind}`);
  return found[0] as Extract<JournalRecord, { kind: Kind }>;
}
