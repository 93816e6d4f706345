// A recording is kept in memory while a test runs, and becomes a fixture only if it has ended well: a failed test leaves nothing.
import { InvalidInputError, JournalCorruptError } from "@spfunctions/contracts";
import { memoryTrace, readTrace, traceEntries } from "@spfunctions/kernel";
import { requireWritable, shownFile, writeFixture } from "./fixture-file.ts";
import type { FixtureWay } from "./fixture-way.ts";

/** Files that are being recorded in this process: of two recordings of one file, one would be lost without a word. */
const underWay = new Set<string>();

/** Records a fixture. That it cannot be written is told before anything is called. */
export async function openRecording(file: string): Promise<FixtureWay> {
  if (underWay.has(file)) {
    throw new InvalidInputError(
      `${shownFile(file)} is being recorded already, and two recordings cannot share a file; name another`,
      { details: { reason: "fixture_in_use" } },
    );
  }
  underWay.add(file);
  const release = () => void underWay.delete(file);
  try {
    await requireWritable(file);
  } catch (error) {
    release();
    throw error;
  }
  const trace = memoryTrace();
  return {
    trace,
    watch: (_, answer) => answer,
    unused: () => [],
    end: async () => {
      const text = await trace.text();
      if (text !== "") await requireReplayable(file, text);
      await writeFixture(file, text);
    },
    release,
  };
}

/** What could never be answered from it is told when it is recorded, and not only when it is replayed. */
async function requireReplayable(file: string, text: string): Promise<void> {
  const trace = await readTrace(text);
  if (trace.verification.status !== "ok") {
    throw new JournalCorruptError(`what was recorded for ${shownFile(file)} is not whole; record it again`, {
      details: { reason: trace.verification.status },
    });
  }
  const never = new Set(
    trace.header?.tools.filter(({ replay }) => !replay.replayable).map(({ name }) => name),
  );
  const called = traceEntries(trace).find(
    ({ tool, status }) => never.has(tool) && status !== "denied_before_execution",
  );
  if (called === undefined) return;
  throw new InvalidInputError(
    `${called.tool} says of itself that it is never replayed, so ${shownFile(file)} could not answer it and was not written; test without it`,
    { details: { tool: called.tool, reason: "not_replayable" } },
  );
}
