import type { Script } from "./script.ts";

/** What a loop came to: the last word, and all that whoever asked for it gets. */
type Ended = { readonly answer: unknown; readonly result: unknown };

/** A loop that is set up. Only `run` is timed. */
export type Loop = { run(): Promise<Ended>; close?(): Promise<void> };

/** Sets up a loop for a script, with nothing left in it from the one before. */
export type Contender = (script: Script) => Loop | Promise<Loop>;
