// B28: a parent that is swapped for a link between a check and its use. There is no between: nothing outside is seen or touched
// however often somebody tries.
import { linkSync, mkdirSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { canary, hiddenName, openFileDesk } from "../../../test/file-desk.ts";
import { startFileProgram } from "../../../test/start-file-program.ts";

const raceMs = 2_000;

test.skipIf(process.platform !== "linux")(
  "B28: a folder and a file in it are swapped for links to the outside all the time",
  async () => {
    const desk = openFileDesk({ isInMemory: true });
    mkdirSync(join(desk.root, "folder/inner"), { recursive: true });
    writeFileSync(join(desk.root, "folder/canary.txt"), "inside");
    await startFileProgram("swap-with-link.ts", [join(desk.root, "folder"), desk.outside, "canary.txt"]);
    const acts = [
      () => desk.read("folder/canary.txt"),
      () => desk.read("folder/inner/canary.txt"),
      () => desk.list("folder"),
      () => desk.list("folder/inner"),
      () => desk.write("folder/new.txt", "x"),
      () => desk.write("folder/canary.txt", "inside", { overwrite: true }),
      () => desk.write("folder/inner/canary.txt", "inside", { overwrite: true }),
      () => desk.write("folder/made/new.txt", "x", { overwrite: true }),
    ];
    const counts = new Map<string, number>();
    const race = async (act: () => Promise<object>) => {
      const until = performance.now() + raceMs;
      // Until both were met, or it was no race.
      while (performance.now() < until || !(counts.has("done") && counts.has("link"))) {
        const end = await act().catch((error: unknown) => error);
        const told = JSON.stringify(end);
        expect([canary, hiddenName].filter((word) => told.includes(word))).toStrictEqual([]);
        if (end instanceof Error && !isSimpleFunctionsError(end)) throw end;
        const word = isSimpleFunctionsError(end) ? `${end.details?.reason}` : "done";
        counts.set(word, (counts.get(word) ?? 0) + 1);
      }
    };
    await Promise.all(acts.map(race));
    desk.requireUntouched();
  },
);

test.skipIf(process.platform !== "linux")(
  "a file outside gets and loses a second name below the root all the time, and is never read by it",
  async () => {
    const desk = openFileDesk({ isInMemory: true });
    await startFileProgram("link-and-unlink.ts", [
      join(desk.outside, "canary.txt"),
      join(desk.root, "second"),
    ]);
    const counts = new Map<string, number>();
    const until = performance.now() + raceMs;
    while (performance.now() < until) {
      const told = await desk.read("second").then(
        ({ text }) => text,
        (error: unknown) => (isSimpleFunctionsError(error) ? `${error.details?.reason}` : String(error)),
      );
      counts.set(told, (counts.get(told) ?? 0) + 1);
    }
    // Which of these is met how often is the machine's matter.
    const refusals = new Set(["changed", "hard_link", "not_found"]);
    expect([...counts.keys()].filter((told) => !refusals.has(told))).toStrictEqual([]);
    expect(counts.size).toBeGreaterThan(0);
  },
);

test.each<NodeJS.Platform>(["linux", "darwin"])(
  "as on %s, a file that somebody is just making, and has two names for a moment, is read and replaced",
  async (platform) => {
    const desk = openFileDesk({ platform });
    const made = join(desk.root, "made");
    writeFileSync(made, "text");
    const whileMade = async <Value>(act: () => Promise<Value>): Promise<Value> => {
      linkSync(made, join(desk.root, "temporary"));
      const acted = act();
      acted.catch(() => undefined);
      await desk.list();
      unlinkSync(join(desk.root, "temporary"));
      return await acted;
    };
    expect(await whileMade(() => desk.read("made"))).toMatchObject({ text: "text" });
    await whileMade(() => desk.write("made", "other", { overwrite: true }));
    expect(desk.textIn("made")).toBe("other");
  },
);
