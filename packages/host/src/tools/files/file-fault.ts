// What an operating system answers, in words. Its own message is dropped, because that names where the root lies.
import {
  type ErrorOptions,
  HostConfigurationNeededError,
  isSimpleFunctionsError,
  type SimpleFunctionsError,
  UpstreamError,
} from "@spfunctions/contracts";
import { denied, malformed, missing, shown } from "./refusals.ts";

type Say = (path: string) => SimpleFunctionsError;

const faults: ReadonlyMap<string, Say> = new Map<string, Say>([
  ["ENOENT", missing],
  ["ENOTDIR", (path) => malformed(path, "not_folder", "leads through something that is not a folder")],
  ["EISDIR", (path) => malformed(path, "is_folder", "is a folder, not a file")],
  ["ENOTEMPTY", (path) => malformed(path, "is_folder", "is a folder, not a file")],
  ["EEXIST", alreadyThere],
  ["ENAMETOOLONG", (path) => malformed(path, "name_too_long", "is longer than this file system takes")],
  ["EILSEQ", (path) => malformed(path, "bad_path", "is no name that this file system takes")],
  ["EINVAL", (path) => malformed(path, "bad_path", "is no name that this file system takes")],
  ["ELOOP", isLink],
  ["ENXIO", (path) => denied(path, "special_file", "is neither a file nor a folder")],
  ["EXDEV", (path) => denied(path, "other_mount", "lies on another file system than its folder")],
  ["EACCES", needs("not_permitted", "may not be used by this program; a person can change its permissions")],
  ["EPERM", needs("not_permitted", "may not be used by this program; a person can change its permissions")],
  ["EROFS", needs("read_only", "lies on a file system that is read-only; nothing was changed")],
  ["ENOSPC", fails("disk_full", "was not written, because the disk is full; make room first", true)],
  ["EDQUOT", fails("disk_full", "was not written, because the disk quota is used up; make room first", true)],
  ["EFBIG", fails("disk_full", "was not written, because it is larger than this program may write", true)],
  ["EMLINK", fails("os_limit", "was not written, because its folder is full", true)],
  ["EMFILE", fails("os_limit", "could not be opened, because this program has too many files open")],
  ["ENFILE", fails("os_limit", "could not be opened, because this machine has too many files open")],
  ["ENOMEM", fails("os_limit", "could not be opened, because memory is short")],
  ["EBUSY", fails("busy", "is in use")],
  ["EAGAIN", fails("busy", "is in use")],
  ["ETXTBSY", fails("busy", "is a program that is running")],
  ["EIO", fails("disk_error", "could not be read or written: the disk has an error")],
  ["ESTALE", fails("disk_error", "lies on a network drive that has lost it")],
]);

export function alreadyThere(path: string): SimpleFunctionsError {
  return malformed(path, "exists", "is already there; pass overwrite: true to replace it");
}

export function isLink(path: string): SimpleFunctionsError {
  return denied(path, "link", "is a link; links are not followed");
}

/** Does the work of a call; what an operating system says against it is said in words, about the path that was given. */
export async function inWords<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    throw (faults.get(code) ?? unheardOf(code))(path);
  }
}

/** What an operating system called its answer, if that is what was thrown. */
export function codeOf(error: unknown): string | undefined {
  if (isSimpleFunctionsError(error) || !(error instanceof Error) || !("syscall" in error)) return undefined;
  return String((error as NodeJS.ErrnoException).code);
}

function needs(reason: string, why: string): Say {
  return (path) => new HostConfigurationNeededError(`${shown(path)} ${why}`, at(reason));
}

function fails(reason: string, why: string, forPerson = false): Say {
  const retry = forPerson ? ({ retry: "after_user_action" } as const) : {};
  return (path) => new UpstreamError(`${shown(path)} ${why}`, { ...at(reason), ...retry });
}

function unheardOf(code: string): Say {
  return (path) =>
    new UpstreamError(`${shown(path)} could not be used: the operating system says ${code}`, {
      details: { path: "/path", reason: "os_error", errno: code },
    });
}

function at(reason: string): ErrorOptions {
  return { details: { path: "/path", reason } };
}
