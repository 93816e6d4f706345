import type { BigIntStats } from "node:fs";
import type { FileHandle } from "node:fs/promises";

/** Whether a path could have been led elsewhere between a look at it and its use: in `full` never. */
export type SandboxState = "full" | "reduced";

/** The root, or something below it, held: what is asked of it and done in it is asked of and done in what was opened. */
export type Held = {
  /** How this process reaches it; nothing that a person would know it by. */
  readonly way: string;
  /** What it is. */
  readonly look: () => Promise<BigIntStats>;
  /** What is in this folder by this name, itself: a link is not followed. */
  readonly child: (name: string) => Promise<Opened>;
  /** Opens it for reading: a file's bytes, or a folder to be synced. */
  readonly open: () => Promise<FileHandle>;
  /** Which mount it lies on. */
  readonly mount: () => string;
  /** Throws where its name has come to mean something else; in `full` that changes nothing. */
  readonly confirm: () => Promise<void>;
  readonly close: () => void;
};

/** Something that was looked at. */
export type Opened = Held & { readonly stat: BigIntStats };
