import { open, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { badUsage } from "../command-line/bad-usage.ts";

/** A file that a trace is going to be written to. */
export type TraceFile = {
  readonly write: (lines: AsyncIterable<string>) => Promise<void>;
  /** Removes it where nothing was written. */
  readonly leave: () => Promise<void>;
};

/** Makes the file before anything is called: what cannot be recorded is not begun. A trace is never overwritten. */
export async function createTraceFile(name: string, cwd: string): Promise<TraceFile> {
  const path = resolve(cwd, name);
  const file = await open(path, "wx", 0o600).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    throw badUsage(
      code === "EEXIST"
        ? `${name} is already there, and a trace is never overwritten; name another file`
        : `${name} cannot be made (${code}); name a file in a folder that can be written to`,
    );
  });
  let isWhole = false;
  return {
    async write(lines) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- line by line, in order
        for await (const line of lines) await file.write(`${line}\n`);
        await file.sync();
        isWhole = true;
      } catch (cause) {
        throw new HostConfigurationNeededError(
          `the call is over and journaled; its trace could not be written to ${name} (${(cause as Error).message})`,
          { details: { reason: "trace_not_written" }, cause },
        );
      }
    },
    async leave() {
      await file.close();
      if (!isWhole) await rm(path, { force: true });
    },
  };
}
