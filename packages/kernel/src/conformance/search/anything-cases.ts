import assert from "node:assert/strict";
import { inTurn } from "../in-turn.ts";
import { account, idsFor, type SearchCase, sortedIdsFor } from "./search-case.ts";

/** Strings that an id or an account could be, each of them another one. */
const anything: readonly string[] = [
  "",
  " ",
  "a",
  "A",
  "a ",
  "a\u0000",
  "a\u0000b",
  "\u0000",
  "é",
  "e\u0301",
  "\ud800",
  "\udfff",
  "\ud801",
  "\ufffd",
  "😀",
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "null",
  "undefined",
  "0",
  "00",
  "1",
  "1.0",
  "%",
  "_",
  "*",
  "'",
  '"',
  "';--",
  "' OR '1'='1",
  "'; DROP TABLE entries_1; --",
  "acc\nwith\r\nlines",
  "../../etc/passwd",
  "x".repeat(5000),
];

export const searchAnythingCases: readonly SearchCase[] = [
  {
    name: "an id can be any string, and comes back as it was",
    run: async (index) => {
      await index.put(anything.map((id, i) => ({ accountId: account, id, text: `shared word${i}` })));
      assert.deepEqual(await idsFor(index, "shared"), anything.toSorted());
      await inTurn(anything.entries(), async ([i, id]) => {
        assert.deepEqual(await idsFor(index, `word${i}`), [id]);
        await index.put([{ accountId: account, id, text: `shared again${i}` }]);
        assert.deepEqual(await idsFor(index, `word${i} again${i}`), [id]);
        await index.remove(account, [id]);
        assert.deepEqual(await idsFor(index, `again${i}`), []);
        assert.equal((await idsFor(index, "shared")).length, anything.length - i - 1);
      });
    },
  },
  {
    name: "I1: an account can be any string, and none is another",
    run: async (index) => {
      await index.put(anything.map((accountId, i) => ({ accountId, id: `id_${i}`, text: "shared" })));
      await inTurn(anything.entries(), async ([i, accountId]) => {
        assert.deepEqual(await idsFor(index, "shared", accountId), [`id_${i}`], JSON.stringify(accountId));
      });
      await index.remove("a", ["id_2"]);
      assert.deepEqual(await idsFor(index, "shared", "a"), []);
      assert.deepEqual(await idsFor(index, "shared", "A"), ["id_3"]);
    },
  },
  {
    name: "SQL in ids, accounts and texts is text",
    run: async (index) => {
      const fragments = ["'); DELETE FROM entries_1; --", '"; DROP TABLE terms_1; --', "x' OR 'a'='a"];
      const entries = fragments.flatMap((accountId) =>
        fragments.map((id) => ({ accountId, id, text: `${id} rain` })),
      );
      await index.put(entries);
      await index.remove("' OR 1=1 --", fragments);
      await index.remove(fragments[0] ?? "", ["' OR 1=1 --", "%"]);
      await inTurn(fragments, async (accountId) => {
        assert.deepEqual(await sortedIdsFor(index, "rain", accountId), fragments.toSorted());
        assert.deepEqual(await sortedIdsFor(index, "delete", accountId), [fragments[0]]);
      });
    },
  },
];
