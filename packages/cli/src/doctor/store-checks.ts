import { join } from "node:path";
import { type Installation, installationAccount, type Store, unknownEffects } from "@spfunctions/kernel";
import { parseJsonStrict } from "@spfunctions/contracts";
import { type Check, fail, ok, warn } from "./check.ts";
import { accountsIn } from "../trace/open-journals.ts";
import { approvalsCheck } from "./approvals-check.ts";
import { leftCheck } from "./left-check.ts";
import { runsCheck } from "./runs-check.ts";
import { lookAtJournal, type LookTerms } from "./look-at-journal.ts";

/**
 * Records of a journal that `sf doctor` looks at.
 * @limit cli.doctorRecords | `sf trace verify` looks at all | fixed: a few seconds of work
 */
const mostRecords = 10_000;

export type StoreTerms = Omit<LookTerms, "mostRecords"> & {
  readonly configFolder: string;
  readonly installation: Installation | undefined;
};

/** What a store is called, and what finds it for other commands. */
export type CheckedStore = {
  readonly where: string;
  readonly options: string;
  /** Whether a living process drives it; of a database, which many do, nothing. */
  readonly isDriven?: boolean;
};

/** What is in a store: whose it is, whether its journal is whole, what nobody knows the end of, what was asked, and which runs need somebody. */
export async function* storeChecks(
  store: Store,
  checked: CheckedStore,
  terms: StoreTerms,
): AsyncGenerator<Check> {
  yield* await ownerChecks(store, checked, terms);
  yield await journalCheck(store, checked, terms);
  yield await effectsCheck(store, checked);
  yield await leftCheck(store, { ...checked, now: Date.now(), io: terms });
  yield await approvalsCheck(store, { ...checked, now: Date.now() });
  yield await runsCheck(store, checked);
}

async function ownerChecks(
  store: Store,
  { where }: CheckedStore,
  { installation, configFolder }: StoreTerms,
): Promise<Check[]> {
  const checks: Check[] = [];
  const kept = async (id: string) =>
    (await store.document({ kind: id, accountId: installationAccount, id }))?.body;
  const owner = await kept("installation");
  if (owner !== undefined && installation !== undefined && owner !== installation.id)
    checks.push(
      fail(
        { check: "owner", where },
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
        `the operator and starter key of ${where}`,
      ),
    );
  return checks;
}

async function journalCheck(
  store: Store,
  { where, options }: CheckedStore,
  terms: StoreTerms,
): Promise<Check> {
  const { records, segments, accounts, isWhole, problems } = await lookAtJournal(store, {
    ...terms,
    mostRecords,
  });
  const about = { check: "journal", where, facts: { records, segments, accounts, isWhole } };
  const [first, ...more] = problems;
  if (first !== undefined) {
    const rest = more.length === 0 ? "" : ` (and ${more.length} more)`;
    return fail(
      about,
      `${first}${rest}`,
      `keep it for an examination: sf trace verify${options} has the details; go on from a backup`,
    );
  }
  if (!isWhole)
    return ok(
      about,
      `nothing is wrong with the ${records} records that were looked at; sf trace verify${options} looks at all`,
    );
  return ok(
    about,
    records === 0 ? "has no records yet" : `nothing is wrong with any of its ${records} records`,
  );
}

async function effectsCheck(store: Store, { where, options }: CheckedStore): Promise<Check> {
  const accounts = await accountsIn(store);
  const found = await Promise.all(accounts.map((accountId) => unknownEffects(store, accountId)));
  const count = found.flat().length;
  const about = { check: "effects", where, facts: { unknown: count } };
  if (count === 0) return ok(about, "none is waiting for a person");
  const whose = accounts.filter((_, at) => found[at]?.length !== 0);
  return warn(
    about,
    `of ${count} nobody knows what became (account ${whose.join(", ")})`,
    `sf effects ls${options} lists them`,
  );
}
