import { expect, test } from "vitest";
import { held } from "./held.ts";

async function opened(faults: readonly string[], fails = false) {
  const closed: string[] = [];
  const close = await held(async (undo, closeAll) => {
    for (const name of ["a", "b", "c"])
      undo.push(async () => {
        closed.push(name);
        if (faults.includes(name)) throw new Error(`${name} cannot be closed`);
      });
    if (fails) throw new Error("it cannot be opened");
    return closeAll;
  }).catch((error: Error) => error);
  return { closed, close };
}

test("everything is closed, the last first, also where one of them fails; the first fault is told", async () => {
  const { closed, close } = await opened(["c", "a"]);
  await expect((close as () => Promise<void>)()).rejects.toThrow("c cannot be closed");
  expect(closed).toStrictEqual(["c", "b", "a"]);
});

test("where opening fails, that is told, and what was opened is closed", async () => {
  const { closed, close } = await opened(["b"], true);
  expect([closed, (close as Error).message]).toStrictEqual([["c", "b", "a"], "it cannot be opened"]);
});
