// Opens a store in a process of its own and does there what its parent asks for, message by message.
import { writeSync } from "node:fs";
import { hashText, isSimpleFunctionsError } from "@spfunctions/contracts";
import type { Store } from "@spfunctions/kernel";
import {
  openPostgresStore,
  openSqliteStore,
  type PostgresStoreOptions,
  type SqliteStoreOptions,
} from "@spfunctions/host/store";

export type StoreOptions = SqliteStoreOptions | PostgresStoreOptions;

export type Ask =
  | { readonly act: "open"; readonly options: StoreOptions }
  /** Gives up the superuser's rights, under which no file is protected. */
  | { readonly act: "becomeNobody" }
  | { readonly act: "storm"; readonly stream: string; readonly accountId: string }
  | { readonly act: keyof Store; readonly args: readonly unknown[] };

export type Answer =
  | { readonly value: unknown }
  | { readonly fault: { readonly code: string; readonly message: string; readonly details?: unknown } };

/** A request and its answer have the same number. */
export type Numbered<Message> = { readonly number: number; readonly message: Message };

let store: Store | undefined;

process.on("message", ({ number, message }: Numbered<Ask>) => {
  void answer(message).then((said) => process.send?.({ number, message: said }));
});
process.on("disconnect", () => process.exit());

async function answer(ask: Ask): Promise<Answer> {
  try {
    return { value: await act(ask) };
  } catch (error) {
    if (!isSimpleFunctionsError(error)) throw error;
    return { fault: { code: error.code, message: error.message, details: error.details } };
  }
}

async function act(ask: Ask): Promise<unknown> {
  if (ask.act === "open") {
    const { options } = ask;
    store = await ("url" in options ? openPostgresStore(options) : openSqliteStore(options));
    return process.pid;
  }
  if (ask.act === "becomeNobody") return process.getuid?.() === 0 ? process.seteuid?.(65_534) : undefined;
  if (store === undefined) throw new Error("nothing is open");
  if (ask.act === "storm") return storm(store, ask.stream, ask.accountId);
  const method = store[ask.act] as (...args: readonly unknown[]) => Promise<unknown>;
  return method.apply(store, [...("args" in ask ? ask.args : [])]);
}

/**
 * Commits without an end, up to 16 units at a time, each a record with content, a change of one document and a claim. The
 * number of every record that was answered is written to the standard output before anything else happens.
 */
async function storm(into: Store, stream: string, accountId: string): Promise<never> {
  const lease = await into.lease(stream, accountId, hashText("the beginning"));
  if (lease.type !== "leased") throw new Error("the stream is held");
  const document = { kind: "count", accountId, id: stream, status: "open" };
  let { head } = lease;
  for (;;) {
    const under = Array.from({ length: 1 + Math.floor(Math.random() * 16) }, async () => {
      const [before, seq] = [head.seq, head.seq + 1];
      const text = `record ${seq} ${"x".repeat(Math.floor(Math.random() * 3_000))}`;
      const record = { seq, prev: head.hash, hash: hashText(`${head.hash}\n${text}`), text };
      head = { seq, hash: record.hash };
      const content = [{ ref: `content_${seq}`, salt: "grain", text: `content ${seq}` }] as never;
      const result = await into.commit({
        durability: Math.random() < 0.2 ? "power" : "process",
        now: 1_000,
        appends: [{ stream, epoch: lease.epoch, records: [{ ...record, content }] }],
        documents: [{ ...document, type: "put", expects: before, body: `${seq}` }],
        claims: [
          { accountId, scope: stream, key: `${seq}`, digest: "d", expiresAt: 2_000, ref: text, type: "take" },
        ],
      });
      if (result.type !== "committed")
        throw new Error(`record ${seq} was not committed: ${JSON.stringify(result)}`);
      writeSync(1, `${seq}\n`);
    });
    // oxlint-disable-next-line no-await-in-loop
    await Promise.all(under);
  }
}
