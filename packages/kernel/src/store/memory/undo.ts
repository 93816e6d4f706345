import type { Conflict } from "../store.ts";

/** Takes one step of a unit back. */
export type Undo = () => void;

/** Tells the conflict as it stands once the unit's other steps have been taken back. */
export type FindConflict = () => Conflict;

export function takeBack(undo: readonly Undo[]): void {
  for (let at = undo.length - 1; at >= 0; at -= 1) undo[at]?.();
}
