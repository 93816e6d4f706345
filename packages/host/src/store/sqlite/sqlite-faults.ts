import {
  HostConfigurationNeededError,
  isSimpleFunctionsError,
  JournalAppendFailedError,
  JournalCorruptError,
} from "@spfunctions/contracts";
import { hindranceIn, hindranceTo } from "./hindrance-to.ts";

/** SQLite's primary result codes that are told apart. */
export const resultCodes = { busy: 5, readOnly: 8, corrupt: 11, cannotOpen: 14, notADatabase: 26 } as const;

export function resultCodeOf(error: unknown): number | undefined {
  const code = error instanceof Error && "errcode" in error ? error.errcode : undefined;
  return typeof code === "number" ? code & 0xff : undefined;
}

/** What a commit or a lease throws when SQLite fails. Nothing was kept. */
export function writeFault(error: unknown, file: string): Error {
  return (
    knownFault(error, file) ??
    unboundFault(error, file) ??
    new JournalAppendFailedError(
      `nothing was written to ${file}: ${hindered(hindranceOf(error, file)) ?? reasonOf(error)}. Make sure that its disk has room and can be written, then try again`,
      { details: { reason: "not_written", resultCode: resultCodeOf(error) }, cause: error },
    )
  );
}

/** A value of no kind that a row has is no fault of the file's. */
function unboundFault(error: unknown, file: string): Error | undefined {
  if (!(error instanceof TypeError && "code" in error && error.code === "ERR_INVALID_ARG_TYPE"))
    return undefined;
  return new JournalAppendFailedError(
    `nothing was written to ${file}: ${reasonOf(error)}. Its disk is not to blame: something was given that is neither text nor number; look at what the program was put together of`,
    { details: { reason: "not_writable" }, cause: error },
  );
}

/** What opening or reading throws when SQLite or the file system fails. */
export function readFault(error: unknown, file: string): Error {
  return (
    knownFault(error, file) ??
    readOnlyFault(error, file) ??
    new HostConfigurationNeededError(
      `${file} cannot be used: ${reasonOf(error)}. Make sure that the folder is there, is yours and has room, and that no other program has locked the file`,
      {
        details: { reason: "not_readable", resultCode: resultCodeOf(error) },
        cause: error,
        // What is locked, or lacks memory or room, or whose disk does not answer, comes back without anybody changing anything here.
        ...(passingCodes.has(resultCodeOf(error)) ? { retry: "after_wait" as const } : {}),
      },
    )
  );
}

/** SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM, SQLITE_IOERR and SQLITE_FULL. */
const passingCodes: ReadonlySet<number | undefined> = new Set([5, 6, 7, 10, 13]);

export function corruptFault(file: string, why: string, cause?: unknown): JournalCorruptError {
  return new JournalCorruptError(
    `${file} is damaged: ${why}. Nothing more is read from it; keep it for an examination, and go on from a backup or with another folder`,
    { details: { reason: "damaged" }, cause },
  );
}

/** A new store is never empty: it has its name only once it is whole. */
export function emptyFault(file: string): JournalCorruptError {
  return new JournalCorruptError(
    `${file} is empty, as no store ever is: somebody has emptied it, or a disk has lost it. Go on from a backup; where nothing was ever kept here, remove the file and start again`,
    { details: { reason: "empty" } },
  );
}

/** What cannot be written cannot be driven. What SQLite says of it, it says of a missing file, too. */
function readOnlyFault(error: unknown, file: string): HostConfigurationNeededError | undefined {
  const code = hindranceOf(error, file);
  if (code === undefined) return undefined;
  const todo =
    code === "EROFS"
      ? "Mount it writable, or copy the folder to where it can be written"
      : "Make the folder and what is in it yours and writable, or name another folder";
  return new HostConfigurationNeededError(`${file} cannot be used: ${hindered(code)}. ${todo}`, {
    details: { reason: "read_only", hindrance: code },
    cause: error,
  });
}

/** Nothing is read without the log in which the last changes still are. */
export function unfoldedFault(file: string, hindrance: string | undefined): HostConfigurationNeededError {
  const why = hindered(hindrance) ?? "nothing can be made beside it";
  return new HostConfigurationNeededError(
    `${file} cannot be read where it lies: ${why}, and its log ${file}-wal must first be written into it. Copy the folder to where it can be written, and look at it there`,
    { details: { reason: "log_beside" } },
  );
}

/** Whether SQLite could not make what it needs beside a database, or write to it. */
export function isUnwritable(error: unknown): boolean {
  const code = resultCodeOf(error);
  return code === resultCodes.cannotOpen || code === resultCodes.readOnly;
}

function hindranceOf(error: unknown, file: string): string | undefined {
  return isUnwritable(error) ? hindranceTo(file) : hindranceIn(error);
}

function hindered(code: string | undefined): string | undefined {
  if (code === "EROFS") return "its file system is mounted read-only (EROFS)";
  return code === undefined ? undefined : `this user may not use it (${code})`;
}

function knownFault(error: unknown, file: string): Error | undefined {
  const code = resultCodeOf(error);
  if (code === resultCodes.corrupt || code === resultCodes.notADatabase)
    return corruptFault(file, reasonOf(error), error);
  if (!isSimpleFunctionsError(error)) return undefined;
  // The only input that is read here is what was kept.
  return error.code === "invalid_input" ? corruptFault(file, error.message, error) : error;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
