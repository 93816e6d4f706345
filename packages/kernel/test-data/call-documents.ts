// One document, tools that change it by their call, and what has become of both.
import type { ToolContext } from "../src/call/executors.ts";
import type { DocumentWrite, Store, StoredDocument } from "../src/store/store.ts";
import type { Deed } from "./call-deck.ts";
import type { Desk } from "./call-desk.ts";

export const noteKey = { kind: "note", accountId: "acct_1", id: "shelf" } as const;

export function putNote(expects: number, body = "by the tool"): DocumentWrite {
  return { type: "put", ...noteKey, expects, status: "kept", body };
}

export async function noteIn(store: Store): Promise<StoredDocument | undefined> {
  return await store.document(noteKey);
}

/** The document as it is when it was written so often, the last time with this body. */
export function noteOf(revision: number, body = "by the tool"): StoredDocument {
  return { ...noteKey, status: "kept", revision, body };
}

/** A function that changes the document by its call, and answers. */
export function changing(documents: readonly DocumentWrite[] = [putNote(0)], answer: unknown = null): Deed {
  return (_input, { commit }: ToolContext) => {
    commit(documents);
    return answer;
  };
}

/** Somebody else, who is first. */
export async function overtake(store: Store, expects = 0): Promise<void> {
  const documents = [putNote(expects, "by somebody else")];
  const { type } = await store.commit({ durability: "process", now: 0, documents });
  if (type !== "committed") throw new Error("nobody was overtaken");
}

/** How the calls ended, in order: the status of each, and the code of its error. */
export async function endsOf(desk: Desk): Promise<string[]> {
  return (await desk.records()).flatMap((record) =>
    record.kind === "call.settled"
      ? [[record.status, record.error?.code].filter((word) => word !== undefined).join(" ")]
      : [],
  );
}
