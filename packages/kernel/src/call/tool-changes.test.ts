// What a tool may change by its call is checked when it says so: what no store would take must not become a result that is owed for
// ever (J2), and nothing of somebody else's is changed (I1).
import { describe, expect, test } from "vitest";
import { codeOf, openDesk } from "../../test-data/call-desk.ts";
import { endsOf, noteIn, noteKey, noteOf, putNote } from "../../test-data/call-documents.ts";
import * as kinds from "../store/kernel-kinds.ts";
import { type DocumentKey, installationAccount } from "../store/store.ts";

const { kind, accountId, id } = noteKey;
const put = { type: "put", kind, accountId, id, expects: 0, status: "s", body: "{}" } as const;
const refuse = (): never => {
  throw new Error("unreadable");
};

const bad: readonly (readonly [string, unknown])[] = [
  ["no list", 5],
  ["no list at all", undefined],
  ["nothing", [null]],
  ["a text", ["put"]],
  ["no type", [{ ...put, type: undefined }]],
  ["another type", [{ ...put, type: "drop" }]],
  ["no kind", [{ ...put, kind: undefined }]],
  ["a number for an id", [{ ...put, id: 5 }]],
  ["half a character", [{ ...put, id: "\ud800" }]],
  ["half a character in its body", [{ ...put, body: "\ud800" }]],
  ["a body that is no text", [{ ...put, body: { a: 1 } }]],
  ["no status", [{ ...put, status: undefined }]],
  ["no revision", [{ ...put, expects: undefined }]],
  ["a revision that is no number", [{ ...put, expects: "0" }]],
  ["a revision below 0", [{ ...put, expects: -1 }]],
  ["a revision between two", [{ ...put, expects: 0.5 }]],
  ["no revision to remove", [{ type: "remove", ...noteKey }]],
  ["no body to keep", [{ type: "keep", ...noteKey, status: "s" }]],
  ["what cannot be read", [new Proxy({}, { ownKeys: refuse, get: refuse })]],
  ["a good one before a bad one", [put, null]],
];

describe("a tool that gives its call what is no change of a document has failed there and then:", () => {
  test.each(bad)("%s", async (_, documents) => {
    const desk = openDesk({
      deed: (_input, { commit }) => {
        commit(documents as never);
        return null;
      },
    });
    expect(["contract_violation", "upstream_error"]).toContain(
      codeOf(await desk.call({ tool: "notes.write" })),
    );
    expect(await noteIn(desk.store)).toBeUndefined();
    // Nothing is owed: whatever comes next goes on.
    desk.deck.deed = () => null;
    expect(codeOf(await desk.call({ tool: "notes.read" }))).toBe("completed");
  });
});

test("a list is taken whole or not at all, also by a tool that goes on", async () => {
  const desk = openDesk({
    deed: (_, { commit }) => {
      try {
        commit([put, null as never]);
      } catch {}
      return null;
    },
  });
  expect(codeOf(await desk.call({ tool: "notes.write" }))).toBe("completed");
  expect(await noteIn(desk.store)).toBeUndefined();
});

describe("I1: a tool changes nothing of", () => {
  test.each<readonly [string, Partial<DocumentKey>, string]>([
    ["another account", { accountId: "acct_2" }, "it is another account's"],
    ...Object.values(kinds)
      .filter((one) => typeof one === "string")
      .map(
        (one) =>
          [
            `a document of the kind ${one}`,
            { kind: one },
            `documents of the kind ${one} are the kernel's own`,
          ] as const,
      ),
    [
      "contracts that are kept",
      { kind: "contract", accountId: installationAccount },
      "documents of the kind contract are the kernel's own",
    ],
  ])("%s", async (_, changes, why) => {
    const desk = openDesk({
      deed: (_input, { commit }) => {
        commit([putNote(0), { ...put, ...changes }]);
        return null;
      },
    });
    expect(await desk.call({ tool: "notes.write" })).toMatchObject({
      type: "failed",
      error: { code: "contract_violation", message: `a tool cannot change document 1 of its list: ${why}` },
    });
    expect(await endsOf(desk)).toStrictEqual(["failed contract_violation"]);
    expect(await noteIn(desk.store)).toBeUndefined();
  });

  test("another account, whoever it says that it was called by", async () => {
    const desk = openDesk({
      deed: (_, context) => {
        (context.principal as { accountId: string }).accountId = "acct_2";
        context.commit([{ ...put, accountId: "acct_2" }]);
        return null;
      },
    });
    expect(codeOf(await desk.call({ tool: "notes.write" }))).not.toBe("completed");
    expect(await desk.store.document({ ...noteKey, accountId: "acct_2" })).toBeUndefined();
    desk.deck.deed = () => null;
    expect(codeOf(await desk.call({ tool: "notes.write" }))).toBe("completed");
    expect(await desk.records()).toHaveLength(5);
  });

  test("anybody, where it says itself that it changes nothing", async () => {
    for (const tool of ["notes.read", "notes.search"]) {
      const desk = openDesk({ deed: (_, { commit }) => commit([putNote(0)]) });
      expect(await desk.call({ tool })).toMatchObject({
        error: {
          code: "contract_violation",
          message: `${tool}: nothing is changed, because it says that it changes nothing`,
        },
      });
      expect(await noteIn(desk.store)).toBeUndefined();
    }
  });
});

test("a tool may change what is the installation's, as whoever finds an account by a key must", async () => {
  const lead = { ...put, kind: "lead", accountId: installationAccount, id: "a" };
  const desk = openDesk({ deed: (_, { commit }) => commit([lead, putNote(0)]) });
  expect(codeOf(await desk.call({ tool: "notes.write" }))).toBe("completed");
  expect(await desk.store.document(lead)).toMatchObject({ revision: 1, body: "{}" });
  expect(await noteIn(desk.store)).toStrictEqual(noteOf(1));
});
