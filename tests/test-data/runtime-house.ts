// A runtime over a platform, with its runs in a database of its own: what its model was asked, what was sent, and what was written down.
import { SimpleFunctionsRuntime, type SimpleFunctionsRuntimeOptions } from "@spfunctions/agent/v1";
import { type JournalRecord, journalRecordSchema, parseJsonStrict } from "@spfunctions/contracts";
import { openSqliteStore } from "@spfunctions/host/store";
import {
  memoryTrace,
  newInstallationSecret,
  openInstallation,
  openOperator,
  type Operator,
  segmentsOf,
  type Store,
} from "@spfunctions/kernel";
import { onTestFinished } from "vitest";
import { type Counted, countedClient } from "../../packages/agent/test-data/platform-agent.ts";
import { bounds } from "../../packages/agent/test-data/runtime-desk.ts";
import { dataFolder } from "../../packages/host/test/data-folder.ts";
import { type Saying, saying, type Script, ScriptedModel } from "../../packages/kernel/test-data/run-desk.ts";
import type { TestPlatform, Way } from "../../packages/server/test-data/test-platform.ts";

const installation = openInstallation(newInstallationSecret());
/** Whom the runs of this side are of, whatever their platform calls its account. */
const accountId = "desk";

export type RuntimeOver = Counted & {
  readonly runtime: SimpleFunctionsRuntime;
  readonly model: ScriptedModel;
  readonly store: Store;
  readonly operator: Operator;
  readonly trace: ReturnType<typeof memoryTrace>;
  readonly records: (runId: string) => Promise<JournalRecord[]>;
  /** The names of the tools that the model was shown, turn by turn. */
  readonly shown: () => string[][];
};

export type RuntimeTerms = Omit<Partial<SimpleFunctionsRuntimeOptions>, "client" | "model"> & {
  readonly way?: Way;
  readonly apiKey?: string | undefined;
  readonly says?: readonly Saying[];
  readonly script?: Script;
};

/** A runtime over a platform's tools. Unless given, its policy is what every policy needs, and allows reads. */
export async function runtimeOver(
  house: TestPlatform,
  { way = "embedded", apiKey, says = ["done"], script = saying(...says), ...options }: RuntimeTerms,
): Promise<RuntimeOver> {
  const store = await openSqliteStore({ folder: dataFolder() });
  onTestFinished(() => store.close());
  const counted = countedClient(house, { way, apiKey });
  const model = new ScriptedModel(script);
  const trace = memoryTrace();
  const runtime = new SimpleFunctionsRuntime({
    client: counted.client,
    principal: { accountId, keyId: "agent", scopes: ["read", "write", "trade", "admin"], kind: "key" },
    policy: bounds,
    installation,
    store,
    model,
    ...(options.mode !== "replayOnly" && { trace }),
    ...options,
  });
  onTestFinished(() => runtime.close().catch(() => undefined));
  const operator = openOperator({
    store,
    installation,
    principal: { accountId, keyId: "boss", scopes: ["admin"], kind: "operator" },
  });
  onTestFinished(() => operator.close());
  return {
    ...counted,
    runtime,
    model,
    store,
    operator,
    trace,
    records: async (runId) =>
      (await store.readStream({ stream: runId, accountId, limit: 10_000 })).map(({ text }) =>
        journalRecordSchema.parse(parseJsonStrict(text)),
      ),
    shown: () => model.asked.map(({ tools }) => tools.map(({ name }) => name)),
  };
}

/** Which tools the platform's journal says were called there. */
export async function calledOn({ store }: TestPlatform): Promise<string[]> {
  const called: string[] = [];
  for await (const stream of segmentsOf(store, "acct_1")) {
    for (const { text } of await store.readStream({ stream, accountId: "acct_1", limit: 10_000 })) {
      const record = journalRecordSchema.parse(parseJsonStrict(text));
      if (record.kind === "call.intended" || record.kind === "call.read") called.push(record.tool);
    }
  }
  return called.filter((tool) => tool !== "keys.create");
}
