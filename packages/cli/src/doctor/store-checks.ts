import { type Store, unknownEffects } from "@spfunctions/kernel";
import { type Check, fail, ok, warn } from "./check.ts";
import { accountsIn } from "../trace/open-journals.ts";
import { approvalsCheck } from "./approvals-check.ts";
import { howToList } from "./for-accounts.ts";
import { leftCheck } from "./left-check.ts";
import { runsCheck } from "./runs-check.ts";
import { lookAtJournal, type LookTerms } from "./look-at-journal.ts";
import { ownerChecks, type OwnerTerms } from "./owner-checks.ts";

/**
 * Records of a journal that `sf doctor` looks at.
 * @limit cli.doctorRecords | `sf trace verify` looks at all | fixed: a few seconds of work
 */
const mostRecords = 10_000;

export type StoreTerms = Omit<LookTerms, "mostRecords"> & OwnerTerms;

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
  yield* await ownerChecks(store, checked.where, terms);
  yield await journalCheck(store, checked, terms);
  yield await effectsCheck(store, checked);
  yield await leftCheck(store, { ...checked, now: Date.now(), io: terms });
  yield await approvalsCheck(store, { ...checked, now: Date.now() });
  yield await runsCheck(store, checked);
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
  const verify = `sf trace verify${options}`;
  if (first !== undefined) {
    const rest = more.length === 0 ? "" : ` (and ${more.length} more)`;
    return fail(
      about,
      `${first}${rest}`,
      `keep it for an examination: ${verify} has the details; go on from a backup`,
    );
  }
  if (!isWhole)
    return ok(
      about,
      `nothing is wrong with the ${records} records that were looked at; ${verify} looks at all`,
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
    howToList(`sf effects ls${options}`, whose),
  );
}
