// A child goes on with its parent, and is nobody's to take on; one that was let go is a run of its own.
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { listedRun, type Store } from "@spfunctions/kernel";
import { membersOf } from "../trace/journaled-segments.ts";

/** Deeper no run stands. */
const deepest = 32;

/** The run that one goes on with: whoever takes that on takes it on. It is itself, unless it is somebody's child. */
export async function masterOf(store: Store, accountId: string, runId: string): Promise<string> {
  let master = runId;
  for (let left = deepest; left > 0; left -= 1) {
    // oxlint-disable-next-line no-await-in-loop -- from one to its parent
    const parent = await parentOf(store, accountId, master);
    // oxlint-disable-next-line no-await-in-loop -- see above
    if (parent === undefined || (await isLetGo(store, accountId, master))) return master;
    master = parent;
  }
  return master;
}

/** Whose child a run is, as it is listed; nothing where it is nobody's, or not there. */
export async function parentOf(store: Store, accountId: string, runId: string): Promise<string | undefined> {
  try {
    return (await listedRun(store, accountId, runId)).document.parentRunId;
  } catch (error) {
    if (isSimpleFunctionsError(error)) return undefined;
    throw error;
  }
}

const page = 200;

/** Whether a child was let go, and not taken back since: its own records say so. Nothing of them is verified here. */
export async function isLetGo(store: Store, accountId: string, runId: string): Promise<boolean> {
  let owner: unknown;
  for (let from = 1; ; ) {
    // oxlint-disable-next-line no-await-in-loop -- page by page
    const records = await store.readStream({ stream: runId, accountId, from, limit: page });
    for (const { text } of records) if (text.includes('"run.owned"')) owner = ownerIn(text) ?? owner;
    const last = records.at(-1);
    if (last === undefined || records.length < page) return owner === "host";
    from = last.seq + 1;
  }
}

function ownerIn(text: string): unknown {
  const { kind, owner } = membersOf(text);
  return kind === "run.owned" ? owner : undefined;
}
