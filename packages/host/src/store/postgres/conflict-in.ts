import type { Digest } from "@spfunctions/contracts";
import type { Conflict } from "@spfunctions/kernel";
import { identifierOf, textOf } from "./kept-text.ts";
import type { WordedUnit } from "./unit-words.ts";

/** What `commit_units` says of a conflict: the number of the unit, the place of the step in it, and what stands there. */
export type Told = readonly [unit: number, place: number, standing: unknown];

/** A number that is not finite comes as its name. */
type StandingClaim = {
  readonly digest: string;
  readonly expiresAt: number | string;
  readonly ref: string;
};

/** The conflict at a step of a unit. */
export function conflictIn({ words }: WordedUnit, place: number, standing: unknown): Conflict {
  const word = (after: number) => words[place + after] ?? "";
  const named = (after: number) => identifierOf(word(after));
  switch (words[place]) {
    case "append":
      return { type: "conflict", on: "epoch", stream: named(1) };
    case "record": {
      const stream = identifierOf(words[Number(word(1))] ?? "");
      const { seq, hash } = standing as { seq: number; hash: Digest };
      return { type: "conflict", on: "head", stream, head: { seq, hash } };
    }
    case "take":
    case "update":
    case "release": {
      const at = { type: "conflict", on: "claim" } as const;
      const key = { accountId: named(1), scope: named(2), key: named(3) };
      if (standing === null) return { ...at, key };
      const { digest, expiresAt, ref } = standing as StandingClaim;
      return {
        ...at,
        key,
        claim: { ...key, digest: textOf(digest), expiresAt: Number(expiresAt), ref: textOf(ref) },
      };
    }
    case "erase": {
      const erasure = { stream: named(1), accountId: named(2), seq: Number(word(3)), ref: named(4) };
      return { type: "conflict", on: "content", erasure };
    }
    default: {
      const key = { accountId: named(1), kind: named(2), id: named(3) };
      return { type: "conflict", on: "document", key, revision: Number(standing ?? 0) };
    }
  }
}
