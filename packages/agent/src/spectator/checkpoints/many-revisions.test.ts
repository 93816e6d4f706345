// A session may be long: what it costs to append does not grow with it, and to verify it does not fill the memory.
import { createMemoryStore, type DocumentQuery, type Store } from "@spfunctions/kernel";
import { expect, test } from "vitest";
import { grow, openDesk, turn, won } from "../../../test-data/spectator/revision-desk.ts";

/** A store that writes down what is asked of it, and how many rows it gave at once. */
function watched(): { readonly store: Store; readonly asked: string[]; most: () => number } {
  const inner = createMemoryStore();
  const asked: string[] = [];
  let most = 0;
  const store = new Proxy(inner, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key, target);
      if (typeof member !== "function") return member;
      return async (...given: unknown[]): Promise<unknown> => {
        asked.push(String(key));
        const found: unknown = await Reflect.apply(member, target, given);
        if (Array.isArray(found)) most = Math.max(most, found.length);
        return found;
      };
    },
  });
  return { store, asked, most: () => most };
}

test("after 10,000 revisions one more costs what the second did: one read, one commit; all of them verify, a page at a time", async () => {
  const { store, asked, most } = watched();
  const { checkpoints } = openDesk({ store });
  const second = await grow(checkpoints, "s1", 2);
  asked.length = 0;
  let last = won(await checkpoints.append("s1", second, second.current, turn(3)));
  const cost = [...asked];
  expect(cost).toStrictEqual(["document", "commit"]);
  last = await grow(checkpoints, "s1", 10_000);
  asked.length = 0;
  last = won(await checkpoints.append("s1", last, last.current, turn(4)));
  expect(asked).toStrictEqual(cost);
  asked.length = 0;
  expect((await checkpoints.latest("s1"))?.hash).toBe(last.hash);
  expect(asked).toStrictEqual(["document", "documentsById"]);
  asked.length = 0;
  expect((await checkpoints.list("s1", { limit: 5 })).map(({ revision }) => revision)).toHaveLength(5);
  expect(asked).toStrictEqual(["document", "documentsById"]);
  expect(await checkpoints.verify("s1")).toMatchObject({ isWhole: true, revisions: 10_001, problems: [] });
  expect(most()).toBeLessThanOrEqual(16);
});

test("a session beside very many others, of names like its own, is read by itself", async () => {
  const inner = createMemoryStore();
  const rows: DocumentQuery[] = [];
  const store = new Proxy(inner, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key, target);
      if (key !== "documents") return typeof member === "function" ? member.bind(target) : member;
      return async (query: DocumentQuery) => {
        rows.push(query);
        return target.documents(query);
      };
    },
  });
  const { checkpoints } = openDesk({ store });
  for (const name of ["s", "s-", "s.", "s0", "s00", "s:", "s@", "sA", "S"]) await grow(checkpoints, name, 20);
  rows.length = 0;
  expect(await checkpoints.verify("s")).toMatchObject({ isWhole: true, revisions: 20 });
  expect(rows.length).toBeLessThanOrEqual(3);
  expect(rows[0]).toMatchObject({ after: "s.\uFFFF" });
});
