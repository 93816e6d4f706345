// I1: the account is part of every key, so no statement here can reach another account's claim.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Claim, ClaimKey, ClaimWrite } from "@spfunctions/kernel";
import { identifierText } from "../identifier-text.ts";
import type { FindConflict } from "./unit-steps.ts";

type Row = { readonly digest: string; readonly expires_at: number; readonly ref: string };

const oneKey = "account = ? AND scope = ? AND key = ?";
const standing = `${oneKey} AND expires_at > ?`;

export class ClaimsTable {
  readonly #take: StatementSync;
  readonly #update: StatementSync;
  readonly #release: StatementSync;
  readonly #get: StatementSync;

  constructor(database: DatabaseSync) {
    this.#take = database.prepare(`
      INSERT INTO claims (account, scope, key, digest, expires_at, ref) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (account, scope, key)
      DO UPDATE SET digest = excluded.digest, expires_at = excluded.expires_at, ref = excluded.ref
      WHERE claims.expires_at <= ?
    `);
    this.#update = database.prepare(
      `UPDATE claims SET expires_at = ?, ref = ? WHERE ${standing} AND digest = ?`,
    );
    this.#release = database.prepare(`DELETE FROM claims WHERE ${standing} AND digest = ?`);
    this.#get = database.prepare(`SELECT digest, expires_at, ref FROM claims WHERE ${standing}`);
  }

  write(write: ClaimWrite, now: number): FindConflict | undefined {
    if (this.#change(write, now)) return undefined;
    const { accountId, scope, key } = write;
    const at = { type: "conflict", on: "claim", key: { accountId, scope, key } } as const;
    return () => {
      const claim = this.get(at.key, now);
      return claim === undefined ? at : { ...at, claim };
    };
  }

  get({ accountId, scope, key }: ClaimKey, now: number): Claim | undefined {
    const row = this.#get.get(...keyValues({ accountId, scope, key }), now) as Row | undefined;
    return row && { accountId, scope, key, digest: row.digest, expiresAt: row.expires_at, ref: row.ref };
  }

  #change(write: ClaimWrite, now: number): boolean {
    const key = keyValues(write);
    if (write.type === "take")
      return this.#take.run(...key, write.digest, write.expiresAt, write.ref, now).changes === 1;
    if (write.type === "update")
      return this.#update.run(write.expiresAt, write.ref, ...key, now, write.digest).changes === 1;
    return this.#release.run(...key, now, write.digest).changes === 1;
  }
}

function keyValues({ accountId, scope, key }: ClaimKey): [account: string, scope: string, key: string] {
  return [identifierText(accountId), identifierText(scope), identifierText(key)];
}
