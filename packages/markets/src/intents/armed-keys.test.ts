import { describe, expect, test } from "vitest";
import { ArmedKeys, keysPerRound } from "./armed-keys.ts";

/** Keys of which some have ended, and every one that was asked about, in order. */
function someKeys(ended: readonly string[] = []) {
  const asked: string[] = [];
  const mayCall = (accountId: string, keyId: string, tool: string) => {
    asked.push(`${accountId} ${keyId} ${tool}`);
    return Promise.resolve(!ended.includes(keyId));
  };
  return { asked, keys: new ArmedKeys(mayCall) };
}

async function round(keys: ArmedKeys, names: readonly string[]): Promise<boolean[]> {
  keys.beginRound();
  const answers: boolean[] = [];
  for (const name of names) answers.push(await keys.hasEnded("ann", name));
  return answers;
}

describe("the keys that have armed something", () => {
  test("are each asked about once in a round, however much they have armed", async () => {
    const { asked, keys } = someKeys(["b"]);
    expect(await round(keys, ["a", "b", "a", "b"])).toStrictEqual([false, true, false, true]);
    expect(asked).toStrictEqual(["ann a execution.place", "ann b execution.place"]);
    expect(await round(keys, ["a"])).toStrictEqual([false]);
    expect(asked).toHaveLength(3);
  });

  test("I1: are another account's where the account is another", async () => {
    const { asked, keys } = someKeys();
    await round(keys, ["a"]);
    await keys.hasEnded("bob", "a");
    expect(asked).toStrictEqual(["ann a execution.place", "bob a execution.place"]);
  });

  test("are no more in a round than so many, and all are come to before any is asked about again", async () => {
    const names = Array.from({ length: 2 * keysPerRound + 7 }, (_, index) => `key-${index}`);
    const { asked, keys } = someKeys(names);
    const found: string[][] = [];
    for (let count = 0; count < 4; count++) {
      const ended = await round(keys, names);
      found.push(names.filter((_, index) => ended[index]));
    }
    const [first, second] = [names.slice(0, keysPerRound), names.slice(keysPerRound, 2 * keysPerRound)];
    expect(found).toStrictEqual([first, second, names.slice(2 * keysPerRound), first]);
    expect(asked).toHaveLength(names.length + keysPerRound);
  });

  test("are not known to have ended where nobody could be asked", async () => {
    expect(await round(new ArmedKeys(undefined), ["a"])).toStrictEqual([false]);
  });
});
