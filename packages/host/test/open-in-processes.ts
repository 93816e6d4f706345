import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { inTurn } from "./in-turn.ts";
import type { SearchAsk } from "./search-process.ts";
import { withPackages } from "../../../tests/installed/start-installed.ts";

/** Has processes open each folder's search index at once, and returns what each of them found there, folder by folder. */
export async function openInProcesses(count: number, folders: readonly string[]): Promise<unknown[][]> {
  const children = Array.from({ length: count }, () =>
    fork(join(import.meta.dirname, "search-process.ts"), {
      execArgv: [...withPackages, "--disable-warning=ExperimentalWarning"],
    }),
  );
  const askAll = (askOf: (name: string) => SearchAsk) =>
    Promise.all(
      children.map(async (child, at) => {
        const said = once(child, "message");
        child.send(askOf(`${at}`));
        return (await said)[0] as readonly string[];
      }),
    );
  try {
    // A first answer, so that all of them are up before the race.
    await askAll(() => ({ find: true }));
    const rounds: unknown[][] = [];
    await inTurn(folders, async (folder) => {
      const faults = await askAll((name) => ({ open: folder, name }));
      const found = await askAll(() => ({ find: true }));
      rounds.push([...faults.flat(), ...found]);
    });
    return rounds;
  } finally {
    for (const child of children) child.kill();
  }
}
