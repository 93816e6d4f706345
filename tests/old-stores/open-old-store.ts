// A copy of the data that an old version left, opened with the program as it is. Its clock goes on from when the data was made, so that
// questions and grants of then are still open.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { openPostgresStore, openSqliteStore } from "@spfunctions/host/store";
import { type Clock, type Store, systemClock } from "@spfunctions/kernel";
import type { TestPostgres } from "../../packages/host/test/start-postgres.ts";

const madeBy = "b64ee250";
const folder = join(import.meta.dirname, madeBy);

type Key = { readonly keyId: string; readonly secret: string };

/** What the old program noted of what it left. */
type OldFacts = {
  readonly madeAt: number;
  readonly endedAt: number;
  readonly used: string;
  readonly denied: string;
  readonly approved: string;
  readonly open: string;
  readonly session: string;
  readonly grant: string;
  readonly wish: string;
  readonly ended: readonly string[];
  readonly endedAs: readonly string[];
  readonly endedWithChild: string;
  readonly endedChild: string;
  readonly waiting: string;
  readonly waitingAfterChild: string;
  readonly waitingChild: string;
  readonly interrupted: Readonly<Record<string, string>>;
  readonly pastRun: string;
  readonly pastUnknown: readonly string[];
  readonly revision: number;
  readonly memory: string;
  readonly keys: Readonly<Record<"admin" | "agent" | "trader" | "ended" | "made" | "rotated", Key>>;
  readonly platformOpen: string;
  readonly platformApproved: string;
  readonly platformGrant: string;
  readonly draft: string;
  readonly armed: string;
  readonly ticker: string;
  readonly accounts: readonly string[];
};

const allFacts = JSON.parse(readFileSync(join(folder, "facts.json"), "utf8")) as Readonly<
  Record<"sqlite" | "postgres", OldFacts>
>;

export type OldStore = {
  readonly store: Store;
  readonly facts: OldFacts;
  readonly clock: Clock;
  /** Opens the same copy once more, after the store was closed. */
  readonly openAgain: () => Promise<Store>;
  readonly remove: () => Promise<void>;
};

function clockFrom(time: number): Clock {
  const ahead = time - systemClock.now();
  return { ...systemClock, now: () => systemClock.now() + ahead };
}

/** A folder with the files as a killed process left them. */
function copyOldFolder(): string {
  const copy = mkdtempSync(join(tmpdir(), "sf-old-"));
  const from = join(folder, "sqlite");
  for (const name of readdirSync(from))
    writeFileSync(join(copy, name.replace(/\.gz$/, "")), gunzipSync(readFileSync(join(from, name))), {
      mode: 0o600,
    });
  return copy;
}

export async function openOldSqlite(): Promise<OldStore> {
  const copy = copyOldFolder();
  const facts = allFacts.sqlite;
  const openAgain = async () => await openSqliteStore({ folder: copy });
  return {
    store: await openAgain(),
    facts,
    clock: clockFrom(facts.endedAt),
    openAgain,
    remove: async () => rmSync(copy, { recursive: true }),
  };
}

export async function openOldPostgres(postgres: TestPostgres): Promise<OldStore> {
  const { url, ask } = await postgres.newDatabase();
  // A dump sets what its own session needs, statement by statement.
  await ask(gunzipSync(readFileSync(join(folder, "postgres.sql.gz"))).toString("utf8"));
  const facts = allFacts.postgres;
  const openAgain = async () => await openPostgresStore({ url });
  return {
    store: await openAgain(),
    facts,
    clock: clockFrom(facts.endedAt),
    openAgain,
    remove: async () => undefined,
  };
}
