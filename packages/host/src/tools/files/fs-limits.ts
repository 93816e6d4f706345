import { InvalidInputError } from "@spfunctions/contracts";

/** How much one call of a file tool reads, lists and writes. */
export type FsLimits = {
  /** The most that `max_bytes` of fs.read_text may say. */
  readonly readBytes: number;
  /** The most that `max_entries` of fs.list_dir may say. */
  readonly listEntries: number;
  /** Names that fs.list_dir looks at before it gives up on a folder. */
  readonly scannedNames: number;
  /** Bytes of a text that fs.write_text writes. */
  readonly writeBytes: number;
};

/**
 * @limits fs | `limits: { … }` of `fsTools`
 */
const defaultLimits: FsLimits = {
  /** @at `invalid_input`; a longer file is cut where the call says, and `truncated` says so */
  readBytes: 1_048_576,
  /** @at `invalid_input`; a longer folder is cut where the call says, and `truncated` says so */
  listEntries: 2_000,
  /** @at the folder is cut, and `scannedEntries` says at what */
  scannedNames: 100_000,
  /** @at `invalid_input`; nothing is written */
  writeBytes: 1_048_576,
};

/**
 * What these limits may be set to. What is read and written is also recorded, as JSON of at most 16 MiB, where one byte can take six and a
 * name has 255.
 * @limit fs.most | `invalid_input`, reason `bad_limit` | fixed: what a record holds
 */
const most: FsLimits = {
  readBytes: 2_097_152,
  listEntries: 8_000,
  scannedNames: 10_000_000,
  writeBytes: 2_097_152,
};

export function readFsLimits(given: Partial<FsLimits> = {}): FsLimits {
  const limits = { ...defaultLimits, ...given };
  for (const [name, limit] of Object.entries(limits)) {
    const bound = Object.hasOwn(most, name) ? most[name as keyof FsLimits] : undefined;
    if (bound === undefined)
      throw refused(name, `there is no limit "${name}"; there are ${Object.keys(most).join(", ")}`);
    if (!Number.isSafeInteger(limit) || limit < 1 || limit > bound)
      throw refused(name, `limits.${name} is not a whole number from 1 to ${bound}`);
  }
  return limits;
}

function refused(name: string, message: string): InvalidInputError {
  return new InvalidInputError(message, { details: { path: `/limits/${name}`, reason: "bad_limit" } });
}
