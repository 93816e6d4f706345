import type { Store } from "@spfunctions/kernel";
import type { CliIo } from "../io/cli-io.ts";
import { accountsIn } from "../trace/open-journals.ts";
import { unendedInSegments } from "../trace/unended-calls.ts";
import { type Check, ok, warn } from "./check.ts";
import { howToList } from "./for-accounts.ts";

type Looked = {
  readonly where: string;
  readonly options: string;
  readonly isDriven?: boolean;
  readonly now: number;
  readonly io: Pick<CliIo, "signal">;
};

/**
 * Where another process may still be at it, a call has this long before it is told of.
 * @limit cli.doctorUnendedMs | it is told as under way | fixed: ten times what a call usually has
 */
const longMs = 600_000;

/** X1: what was begun and has no end, and that nobody is at any more. Of runs, the check on runs says who drives them. */
export async function leftCheck(store: Store, looked: Looked): Promise<Check> {
  const { where, options, isDriven, now, io } = looked;
  let [left, long, underWay] = [0, 0, 0];
  const whose = new Set<string>();
  /* oxlint-disable no-await-in-loop -- one after the other: there may be very many */
  for (const accountId of await accountsIn(store)) {
    const abandoned = new Set(await store.abandoned(accountId));
    for await (const { stream, ts } of unendedInSegments({ store, accountId, io })) {
      // Of a folder that nobody drives, every one.
      const isLeft = isDriven === false || abandoned.has(stream);
      const isLong = now - Date.parse(ts) >= longMs;
      if (isLeft) left += 1;
      else if (isLong) long += 1;
      else underWay += 1;
      if (isLeft || isLong) whose.add(accountId);
    }
  }
  /* oxlint-enable no-await-in-loop */
  const about = { check: "left effects", where, facts: { left, long, underWay } };
  const parts = [
    ...(left === 0 ? [] : [`${left} without an end, whose process is gone`]),
    ...(long === 0 ? [] : [`${long} without an end for more than ${longMs / 60_000} minutes`]),
  ];
  if (parts.length === 0)
    return ok(
      about,
      underWay === 0
        ? "every one that was begun has an end"
        : `${underWay} without an end so far: under way, unless a crash has left them`,
    );
  const accounts = [...whose].toSorted();
  return warn(
    about,
    `${parts.join(", ")} (account ${accounts.join(", ")})`,
    `${howToList(`sf effects ls${options}`, accounts)}; with --pack and --policy it is settled as far as can be`,
  );
}
