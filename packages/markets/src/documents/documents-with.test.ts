import { createMemoryStore, type DocumentWrite } from "@spfunctions/kernel";
import { expect, test } from "vitest";
import { documentsWith, turnSize } from "./documents-with.ts";

const kind = "rule";

function puts(accountId: string, count: number, status = "active"): DocumentWrite[] {
  return Array.from({ length: count }, (_, index) => {
    const id = `${status}_${String(index).padStart(3, "0")}`;
    return { type: "put", kind, accountId, id, expects: 0, status, body: "{}" };
  });
}

test("every document of the kind and status comes once, and who has many waits for those who have few", async () => {
  const store = createMemoryStore();
  const documents = [
    ...puts("ann", 2 * turnSize + 5),
    ...puts("bob", 3),
    ...puts("cy", turnSize),
    ...puts("cy", 2, "ended"),
    ...puts("dan", 1, "ended"),
  ];
  await store.commit({ durability: "power", now: 0, documents });
  const turns: { accountId: string; ids: string[] }[] = [];
  for await (const { accountId, id } of documentsWith(store, kind, "active")) {
    const turn = turns.at(-1);
    if (turn?.accountId === accountId) turn.ids.push(id);
    else turns.push({ accountId, ids: [id] });
  }
  expect(turns.map(({ accountId, ids }) => [accountId, ids.length])).toStrictEqual([
    ["ann", turnSize],
    ["bob", 3],
    ["cy", turnSize],
    ["ann", turnSize + 5],
  ]);
  const idsOf = (whose: string) =>
    turns.filter(({ accountId }) => accountId === whose).flatMap(({ ids }) => ids);
  expect(idsOf("ann")).toStrictEqual(puts("ann", 2 * turnSize + 5).map(({ id }) => id));
  expect(idsOf("cy")).toStrictEqual(puts("cy", turnSize).map(({ id }) => id));
});
