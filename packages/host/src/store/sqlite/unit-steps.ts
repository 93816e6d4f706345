import type { Append, Conflict, SealedRecord, Unit } from "@spfunctions/kernel";
import { contentText } from "./content-text.ts";

/** Takes back what one step of a unit changed in memory. What it changed in the database is rolled back. */
export type Undo = () => void;

/** Tells the conflict as it stands once the unit has been rolled back. */
export type FindConflict = () => Conflict;

export type KeptRecord = Omit<SealedRecord, "content"> & { readonly content: string | null };
export type KeptAppend = Omit<Append, "records"> & { readonly records: readonly KeptRecord[] };
export type KeptUnit = Required<Omit<Unit, "appends">> & { readonly appends: readonly KeptAppend[] };

const none: readonly never[] = [];

/** A unit as it was when it was handed over: it is written later, and its caller may change it until then. */
export function keepUnit(unit: Unit): KeptUnit {
  const { durability, now, appends, documents, claims, erasures, wakes } = unit;
  return {
    durability,
    now,
    appends: appends?.map(keepAppend) ?? none,
    documents: documents?.map((write) => ({ ...write })) ?? none,
    claims: claims?.map((write) => ({ ...write })) ?? none,
    erasures: erasures?.map((erasure) => ({ ...erasure })) ?? none,
    wakes: wakes === undefined ? none : [...wakes],
  };
}

function keepAppend({ stream, epoch, records }: Append): KeptAppend {
  return { stream, epoch, records: records.map(keepRecord) };
}

function keepRecord({ seq, prev, hash, text, content }: SealedRecord): KeptRecord {
  return { seq, prev, hash, text, content: contentText(content) };
}

/** How many steps a unit takes; an append of nothing is one too. A single step cannot be left half done. */
export function countSteps({ appends, documents, claims, erasures }: KeptUnit): number {
  const others = documents.length + claims.length + erasures.length;
  return appends.reduce((count, { records }) => count + Math.max(records.length, 1), others);
}

export function takeBack(undo: readonly Undo[]): void {
  for (let at = undo.length - 1; at >= 0; at -= 1) undo[at]?.();
}
