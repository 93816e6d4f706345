// A fixture is a sealed trace in a file. It is there whole or not at all, whoever writes it at the same time.
import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { HostConfigurationNeededError, JournalCorruptError } from "@spfunctions/contracts";
import { readTrace, type Trace } from "@spfunctions/kernel";

export type FixtureText = {
  /** The trace, as it replays; none where nothing was called. */
  readonly traces: readonly string[];
  readonly trace?: Trace;
};

/** The whole file where nothing was called: there is no trace of nothing, and an empty file could be a lost one. */
const nothingCalled = '{"calls":0,"v":1}\n';

/** What a file's fixture has, or nothing where there is none. What is not as it was written is refused (B22). */
export async function readFixture(file: string): Promise<FixtureText | undefined> {
  const found = await textOf(file);
  if (found === undefined) return undefined;
  // What a version control system does to the ends of lines: no line of a trace contains one.
  const text = found.replaceAll("\r\n", "\n");
  if (text === nothingCalled) return { traces: [] };
  const trace = await readTrace(text);
  const problem = problemOf(trace);
  if (problem === undefined) return { traces: [text], trace };
  const { seq, reason, message } = problem;
  throw new JournalCorruptError(
    `the fixture ${shownFile(file)} cannot be trusted: record ${seq} ${message}; restore it, or record it anew with SF_RECORD=all`,
    { details: { seq, reason, file: shownFile(file) } },
  );
}

/** Finds out before anything is called whether a fixture could be written. */
export async function requireWritable(file: string): Promise<void> {
  await inFolderOf(file, async (draft) => await (await open(draft, "wx")).close());
}

/** Puts a fixture where it belongs: whoever reads it meanwhile gets the one before, or this one. */
export async function writeFixture(file: string, trace: string): Promise<void> {
  await inFolderOf(file, async (draft) => {
    const handle = await open(draft, "wx");
    try {
      await handle.writeFile(trace === "" ? nothingCalled : trace);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  });
}

/** A file as messages name it: from where the tests were started, where it lies below. */
export function shownFile(file: string): string {
  const path = relative(process.cwd(), file);
  return path === "" || path.startsWith("..") ? file : path;
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw unusable(`the fixture ${shownFile(file)} cannot be read (${code}); look at what lies there`, cause);
  }
}

/** A fixture is written with its seal: without one its end is gone. */
function problemOf({ verification }: Trace): { seq: number; reason: string; message: string } | undefined {
  if (verification.status === "broken") return verification.broken;
  if (verification.status === "ok") return undefined;
  return { seq: verification.count + 1, reason: "missing", message: "and the seal are missing" };
}

async function inFolderOf(file: string, act: (draft: string) => Promise<void>): Promise<void> {
  const folder = dirname(file);
  const draft = join(folder, `.${randomUUID()}.draft`);
  try {
    await mkdir(folder, { recursive: true });
    await act(draft);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const what = `the fixture ${shownFile(file)} cannot be written (${code})`;
    throw unusable(`${what}; name a file in a folder that can be written to`, cause);
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

function unusable(message: string, cause: unknown): HostConfigurationNeededError {
  return new HostConfigurationNeededError(message, { details: { reason: "fixture_unusable" }, cause });
}
