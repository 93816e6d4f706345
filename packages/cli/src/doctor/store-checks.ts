import { join } from "node:path";
import { type Installation, installationAccount, type Store, unknownEffects } from "@spfunctions/kernel";
import { parseJsonStrict } from "@spfunctions/contracts";
import type { SqliteStore } from "@spfunctions/host/store";
import { type Check, fail, ok, warn } from "./check.ts";
import { accountsIn } from "../trace/open-journals.ts";
import { lookAtJournal, type LookTerms } from "./look-at-journal.ts";

/** A few seconds of work; with progress, where it is more. */
const mostRecords = 10_000;

export type StoreTerms = Omit<LookTerms, "mostRecords"> & {
  readonly configFolder: string;
  readonly installation: Installation | undefined;
};

/** What is in a data folder: whose it is, whether its journal is whole, and what nobody knows the end of. */
export async function* storeChecks(
  store: SqliteStore,
  folder: string,
  terms: StoreTerms,
): AsyncGenerator<Check> {
  yield* await ownerChecks(store, folder, terms);
  yield await journalCheck(store, folder, terms);
  yield await effectsCheck(store, folder);
}

async function ownerChecks(
  store: Store,
  folder: string,
  { installation, configFolder }: StoreTerms,
): Promise<Check[]> {
  const checks: Check[] = [];
  const kept = async (id: string) =>
    (await store.document({ kind: id, accountId: installationAccount, id }))?.body;
  const owner = await kept("installation");
  if (owner !== undefined && installation !== undefined && owner !== installation.id)
    checks.push(
      fail(
        { check: "owner", where: folder },
        "it belongs to an installation with another secret",
        "open it with that one, in SF_INSTALLATION_KEY, or use another data folder",
      ),
    );
  const platform = await kept("platform");
  const name = platform === undefined ? undefined : (parseJsonStrict(platform) as { name?: unknown }).name;
  if (typeof name === "string")
    checks.push(
      ok(
        { check: "first keys", where: join(configFolder, "keys", name) },
        `the operator and starter key of ${folder}`,
      ),
    );
  return checks;
}

async function journalCheck(store: Store, folder: string, terms: StoreTerms): Promise<Check> {
  const { records, segments, accounts, isWhole, problems } = await lookAtJournal(store, {
    ...terms,
    mostRecords,
  });
  const about = { check: "journal", where: folder, facts: { records, segments, accounts, isWhole } };
  const [first, ...more] = problems;
  if (first !== undefined) {
    const rest = more.length === 0 ? "" : ` (and ${more.length} more)`;
    return fail(
      about,
      `${first}${rest}`,
      `keep it for an examination: sf trace verify --data ${folder} has the details; go on from a backup`,
    );
  }
  if (!isWhole)
    return ok(
      about,
      `nothing is wrong with the ${records} records that were looked at; sf trace verify --data ${folder} looks at all`,
    );
  return ok(
    about,
    records === 0 ? "has no records yet" : `nothing is wrong with any of its ${records} records`,
  );
}

async function effectsCheck(store: Store, folder: string): Promise<Check> {
  const accounts = await accountsIn(store);
  const found = await Promise.all(accounts.map((accountId) => unknownEffects(store, accountId)));
  const count = found.flat().length;
  const about = { check: "effects", where: folder, facts: { unknown: count } };
  if (count === 0) return ok(about, "none is waiting for a person");
  const whose = accounts.filter((_, at) => found[at]?.length !== 0);
  return warn(
    about,
    `of ${count} nobody knows what became (account ${whose.join(", ")})`,
    `sf effects ls --data ${folder} lists them`,
  );
}
