// One life of the program that is killed: it opens the journal, settles what the last life left, and goes on with its calls.
// node worker.ts <data folder> <server> <operation…>; it says on stdout what it knows, and lives until it is killed
// or its stdin ends: how often it is killed does not depend on how fast it is.
import { finished } from "node:stream/promises";
import { defineTool, govern } from "@spfunctions/agent";
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { openSqliteStore } from "@spfunctions/host/store";

const [folder = "", server = "", ...operations] = process.argv.slice(2);
const concurrency = 4;

function counter(
  kind: string,
  idempotency: { type: "key"; keyRetentionMs: number } | { type: "natural" } | { type: "none" },
) {
  return defineTool({
    name: `counter.${kind}`,
    description: "Counts one operation at the counting server.",
    input: {
      type: "object",
      properties: { operation: { type: "string" } },
      required: ["operation"],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: { operation: { type: "string" }, applied: { type: "integer" } },
      additionalProperties: false,
    },
    permissions: ["counter:write"],
    sideEffect: "user_write",
    costEffect: "none",
    idempotency,
    async run(input, { idempotencyKey, signal }) {
      const { operation } = input as { operation: string };
      const response = await fetch(`${server}/${encodeURIComponent(operation)}`, {
        method: "POST",
        headers: { "idempotency-key": idempotencyKey },
        signal,
      });
      return await response.json();
    },
  });
}

const tools = [
  counter("keyed", { type: "key", keyRetentionMs: 86_400_000 }),
  counter("natural", { type: "natural" }),
  counter("plain", { type: "none" }),
];
const principal = {
  accountId: "prover",
  keyId: "local",
  scopes: ["read", "write"],
  kind: "local",
} as const;
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

const store = await openSqliteStore({ folder });
const governed = govern({ packs: [tools], policy: { maxSideEffect: "user_write" }, principal, store });
say({ recovered: await governed.recover() });

async function work(): Promise<void> {
  for (let operation = operations.shift(); operation !== undefined; operation = operations.shift()) {
    const tool = `counter.${operation.split("-")[0]}`;
    try {
      // oxlint-disable-next-line no-await-in-loop -- each worker does one thing at a time
      await governed.call(tool, { operation }, { idempotencyKey: operation });
      say({ operation, outcome: "completed" });
    } catch (error) {
      if (!isSimpleFunctionsError(error)) throw error;
      say({ operation, outcome: error.code });
    }
  }
}
await Promise.all(Array.from({ length: concurrency }, work));
say({ isIdle: true });
await finished(process.stdin.resume());
await governed.close();
await store.close();
