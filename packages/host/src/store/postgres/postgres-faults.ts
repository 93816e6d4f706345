// S1: of what the driver throws only its words and its code go on: its objects know the password.
import {
  HostConfigurationNeededError,
  isSimpleFunctionsError,
  JournalAppendFailedError,
  JournalCorruptError,
} from "@spfunctions/contracts";

/** No connection was to be had, so nothing was sent. */
export class NotSent extends Error {}

/** The server's five characters for what went wrong, or nothing where it was not the server that said so. */
function sqlStateOf(error: unknown): string | undefined {
  if (error instanceof NotSent) return sqlStateOf(error.cause);
  // What Node says of a socket has a code too, and no severity.
  if (!(error instanceof Error) || !("severity" in error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/**
 * True where the server itself has refused and goes on: the transaction was rolled back. Otherwise the connection was lost,
 * and nobody here knows whether before or after the end of the transaction.
 */
export function isRefusal(error: unknown): boolean {
  const state = sqlStateOf(error);
  return !(error instanceof NotSent) && state !== undefined && !/^(08|57P)/.test(state);
}

/** Another try can come out otherwise: two waited for each other, and the server ended one of them. */
export function isPassing(error: unknown): boolean {
  return ["40001", "40P01"].includes(sqlStateOf(error) ?? "");
}

/** What a commit, a lease or a release throws when the server does not answer as it should. */
export function writeFault(error: unknown, place: string): Error {
  const known = knownFault(error, place);
  if (known !== undefined) return known;
  if (isRefusal(error) || error instanceof NotSent || error instanceof TypeError)
    return new JournalAppendFailedError(
      `nothing was written to ${place}: ${wordsOf(error)}. ${adviceFor(error)}`,
      told(error, "not_written"),
    );
  return new JournalAppendFailedError(
    `${place} gave no answer: ${wordsOf(error)}. Either all of it was written or nothing: read before you try again. ${adviceFor(error)}`,
    told(error, "no_answer"),
  );
}

/** What opening or reading throws. */
export function readFault(error: unknown, place: string): Error {
  return (
    knownFault(error, place) ??
    new HostConfigurationNeededError(`${place} cannot be used: ${wordsOf(error)}. ${adviceFor(error)}`, {
      ...told(error, "not_readable"),
      // A server that is away, or lacks something for a while, comes back without anybody changing anything here.
      ...(!isRefusal(error) || isOverload(error) ? { retry: "after_wait" as const } : {}),
    })
  );
}

/** The server has no connection, memory or disk left, was stopped in the middle, or waited too long for somebody else. */
function isOverload(error: unknown): boolean {
  return /^(40|53|57|58|55P03)/.test(sqlStateOf(error) ?? "");
}

function knownFault(error: unknown, place: string): Error | undefined {
  if (isSimpleFunctionsError(error)) return error;
  if (!/^XX00[12]$/.test(sqlStateOf(error) ?? "")) return undefined;
  return new JournalCorruptError(
    `${place} is damaged: ${wordsOf(error)}. Keep the server's files for an examination, and go on from a backup`,
    told(error, "damaged"),
  );
}

function told(error: unknown, reason: string) {
  const sqlState = sqlStateOf(error);
  return {
    details: { reason, ...(sqlState === undefined ? {} : { sqlState }) },
    cause: new Error(wordsOf(error)),
  };
}

function wordsOf(error: unknown): string {
  if (error instanceof NotSent) return wordsOf(error.cause);
  // Where several addresses were tried, Node's own words are none.
  if (error instanceof AggregateError) return wordsOf(error.errors[0]);
  return error instanceof Error && error.message !== "" ? error.message : "an unknown fault";
}

const advice: readonly (readonly [states: RegExp, what: string])[] = [
  [/^28/, "Check user and password in the connection string, and who may connect (pg_hba.conf)"],
  [/^3D/, "Check the name of the database in the connection string, or create the database"],
  [/^42501/, "Give the role the right to this schema, or name a schema that it owns"],
  [/^(42883|42P01|3F000)/, "The schema was removed, or a newer program has changed it: update this program"],
  [/^53100/, "Make room on the server's disk, then try again"],
  [/^53300/, "Allow more connections (max_connections), or give the stores smaller pools"],
  [/^53/, "Give the server more of what it lacks, then try again"],
  [/^25006/, "This server only reads: name the one that writes"],
  [/^54/, "An id or a key in it is longer than PostgreSQL can index: use shorter ones"],
];

function adviceFor(error: unknown): string {
  const state = sqlStateOf(error) ?? "";
  const found = advice.find(([states]) => states.test(state))?.[1];
  return found ?? "Make sure that the server runs and can be reached, then try again";
}
