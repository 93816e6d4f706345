import { compositeKey } from "./composite-key.ts";
import type { Claim, ClaimKey, ClaimWrite } from "../store.ts";
import type { FindConflict, Undo } from "./undo.ts";

/** The claims of a memory store. */
export class MemoryClaims {
  readonly #claims = new Map<string, Claim>();

  write(write: ClaimWrite, now: number, undo: Undo[]): FindConflict | undefined {
    const standing = this.get(write, now);
    const fits = write.type === "take" ? standing === undefined : standing?.digest === write.digest;
    if (!fits) return this.#conflict(write, now);
    const key = keyOf(write);
    const before = this.#claims.get(key);
    if (write.type === "release") this.#claims.delete(key);
    else this.#claims.set(key, kept(write));
    undo.push(() => {
      if (before === undefined) this.#claims.delete(key);
      else this.#claims.set(key, before);
    });
    return undefined;
  }

  get(key: ClaimKey, now: number): Claim | undefined {
    const claim = this.#claims.get(keyOf(key));
    return claim !== undefined && claim.expiresAt > now ? claim : undefined;
  }

  #conflict({ accountId, scope, key }: ClaimKey, now: number): FindConflict {
    return () => {
      const claim = this.get({ accountId, scope, key }, now);
      const at = { type: "conflict", on: "claim", key: { accountId, scope, key } } as const;
      return claim === undefined ? at : { ...at, claim };
    };
  }
}

function keyOf({ accountId, scope, key }: ClaimKey): string {
  return compositeKey(accountId, compositeKey(scope, key));
}

function kept({ accountId, scope, key, digest, expiresAt, ref }: Claim): Claim {
  return Object.freeze({ accountId, scope, key, digest, expiresAt, ref });
}
