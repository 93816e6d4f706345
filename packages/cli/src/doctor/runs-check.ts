import { documentsOf, runKind, type RunState, type Store } from "@spfunctions/kernel";
import { masterOf } from "../children/whose-run.ts";
import { hasEnded, runStates } from "../runs/run-states.ts";
import { membersOf } from "../trace/journaled-segments.ts";
import { accountsIn } from "../trace/open-journals.ts";
import { type Check, ok, warn } from "./check.ts";
import { howToList } from "./for-accounts.ts";

type Looked = { readonly where: string; readonly options: string; readonly isDriven?: boolean };

/** How many runs have no end yet, and how many of them need somebody: a person's answer or word, or a process that drives them. */
export async function runsCheck(store: Store, { where, options, isDriven }: Looked): Promise<Check> {
  const states: RunState[] = [];
  const left = new Set<string>();
  const whose = new Set<string>();
  /* oxlint-disable no-await-in-loop -- one after the other: there may be very many */
  for (const accountId of await accountsIn(store)) {
    const abandoned = new Set(await store.abandoned(accountId));
    for (const state of runStates.filter((one) => !hasEnded(one))) {
      for await (const { id, body } of documentsOf(store, runKind, accountId, state)) {
        const isChild = typeof membersOf(body)["parentRunId"] === "string";
        // It goes on, and rests, with the run that it is of.
        if (isChild && (await masterOf(store, accountId, id)) !== id) continue;
        states.push(state);
        whose.add(accountId);
        // Of a folder that nobody drives, every one.
        if (isDriven === false || abandoned.has(id)) left.add(id);
      }
    }
  }
  /* oxlint-enable no-await-in-loop */
  const count = (state: RunState) => states.filter((one) => one === state).length;
  const [waiting, recoveryNeeded, nobodys] = [count("waiting"), count("recovery_needed"), left.size];
  const facts = { underWay: states.length, waiting, recoveryNeeded, nobodys };
  const about = { check: "runs", where, facts };
  const parts = [
    [waiting, "at a question to a person"],
    [recoveryNeeded, "in need of a word on what became of an effect"],
    [nobodys, "driven by nobody"],
  ] as const;
  const needs = parts.filter(([number]) => number > 0).map(([number, text]) => `${number} ${text}`);
  if (states.length === 0) return ok(about, "none is under way");
  const what = `${states.length} under way`;
  if (needs.length === 0) return ok(about, what);
  const accounts = [...whose].toSorted();
  const told = `${what}: ${needs.join(", ")} (account ${accounts.join(", ")})`;
  return warn(about, told, howToList(`sf runs ls${options}`, accounts));
}
