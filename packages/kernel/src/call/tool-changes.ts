// What a tool changes together with the record of its end. It is read when the tool gives it (G4), and what could not be written is
// refused there: a result that can never be written would be owed for ever (J2).
import { ContractViolationError, type Principal, RevisionConflictError } from "@spfunctions/contracts";
import { kernelKinds } from "../store/kernel-kinds.ts";
import { type DocumentKey, type DocumentWrite, installationAccount } from "../store/store.ts";
import type { Tool } from "../tool/define-tool.ts";
import type { Attempted } from "./conclude.ts";
import type { Changes } from "./write-ending.ts";

/** I1: documents of the caller's account, or of the installation; the kernel's own are nobody's to change. */
export function readChanges({ accountId }: Principal, documents: readonly DocumentWrite[]): DocumentWrite[] {
  return [...documents].map((given: DocumentWrite | null | undefined, at) => {
    const write = { ...given } as DocumentWrite;
    if (!isText(write.kind) || !isText(write.accountId) || !isText(write.id))
      throw bad(at, "kind, accountId and id are texts");
    if (write.accountId !== accountId && write.accountId !== installationAccount)
      throw bad(at, "it is another account's");
    if (kernelKinds.has(write.kind))
      throw bad(at, `documents of the kind ${write.kind} are the kernel's own`);
    return readWrite(write, at);
  });
}

function readWrite(write: DocumentWrite, at: number): DocumentWrite {
  const { kind, accountId, id } = write;
  const key: DocumentKey = { kind, accountId, id };
  switch (write.type) {
    case "put":
      return { type: "put", ...key, ...revisionIn(write, at), ...textIn(write, at) };
    case "keep":
      return { type: "keep", ...key, ...textIn(write, at) };
    case "remove":
      return { type: "remove", ...key, ...revisionIn(write, at) };
    default:
      throw bad(at, "type is put, keep or remove");
  }
}

function revisionIn({ expects }: { readonly expects: number }, at: number): { readonly expects: number } {
  if (Number.isSafeInteger(expects) && expects >= 0) return { expects };
  throw bad(at, "expects is the revision that must be there now, and 0 where none may be");
}

type Text = { readonly status: string; readonly body: string };

function textIn({ status, body }: Text, at: number): Text {
  if (isText(status) && isText(body)) return { status, body };
  throw bad(at, "status and body are texts");
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.isWellFormed();
}

function bad(at: number, why: string): ContractViolationError {
  return new ContractViolationError(`a tool cannot change document ${at} of its list: ${why}`);
}

/** What an attempt has changed, if anything; where somebody else was first, nothing of it is, and its call has failed by that. */
export function changesOf<Kind>(
  { contract: { name } }: Tool,
  { documents, ...ended }: Attempted,
  endingBy: (ended: Attempted) => Kind,
): Changes<Kind> | undefined {
  const otherwise = () => {
    const error = new RevisionConflictError(
      `${name}: what it was about to change was changed at the same time; nothing of it is written, try again`,
      { details: { tool: name } },
    );
    return endingBy({ ...ended, execution: { status: "failed", error } });
  };
  return documents && { documents, otherwise };
}
