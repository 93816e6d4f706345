// I1: the account is part of every key, so no statement here can reach another account's document.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type {
  DocumentKey,
  DocumentQuery,
  DocumentWrite,
  PackageRuns,
  StoredDocument,
} from "@spfunctions/kernel";
import { identifierIn, identifierText } from "../identifier-text.ts";
import { rowsFor } from "../row-limit.ts";
import type { FindConflict } from "./unit-steps.ts";

type Row = { readonly id: string; readonly status: string; readonly revision: number; readonly body: string };

const columns = "id, status, revision, body";
const oneKey = "account = ? AND kind = ? AND id = ?";
const page = "id > ? ORDER BY id LIMIT ?";
const unendedStates =
  "'starting', 'assembling', 'compacting', 'modelling', 'calling', 'waiting', 'recovery_needed'";
const pageFromStart = "id >= ? ORDER BY id LIMIT ?";

export class DocumentsTable {
  readonly #insert: StatementSync;
  readonly #update: StatementSync;
  readonly #remove: StatementSync;
  readonly #get: StatementSync;
  readonly #revision: StatementSync;
  readonly #accounts: StatementSync;
  readonly #accountsOf: StatementSync;
  readonly #database: DatabaseSync;
  readonly #pages = new Map<string, StatementSync>();
  #unended: StatementSync | undefined;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#insert = database.prepare(
      "INSERT INTO documents (account, kind, id, status, body, revision) VALUES (?, ?, ?, ?, ?, 1) ON CONFLICT (account, kind, id) DO NOTHING",
    );
    this.#update = database.prepare(
      `UPDATE documents SET status = ?, body = ?, revision = revision + 1 WHERE ${oneKey} AND revision = ?`,
    );
    this.#remove = database.prepare(`DELETE FROM documents WHERE ${oneKey} AND revision = ?`);
    this.#get = database.prepare(`SELECT ${columns} FROM documents WHERE ${oneKey}`);
    this.#revision = database.prepare(`SELECT revision FROM documents WHERE ${oneKey}`);
    this.#accountsOf = database.prepare(
      "SELECT DISTINCT account FROM documents WHERE kind = ? ORDER BY account",
    );
    this.#accounts = database.prepare(
      "SELECT DISTINCT account FROM documents WHERE kind = ? AND status = ? ORDER BY account",
    );
  }

  write(write: DocumentWrite): FindConflict | undefined {
    if (this.#change(write)) return undefined;
    const { kind, accountId, id } = write;
    const key = { kind, accountId, id };
    return () => ({ type: "conflict", on: "document", key, revision: this.get(key)?.revision ?? 0 });
  }

  get({ kind, accountId, id }: DocumentKey): StoredDocument | undefined {
    const row = this.#get.get(...keyValues({ kind, accountId, id })) as Row | undefined;
    return row && documentOf(kind, accountId, row);
  }

  query({ kind, accountId, status, after, limit }: DocumentQuery): StoredDocument[] {
    const statement = this.#page(status !== undefined, after !== undefined);
    const values = [identifierText(accountId), identifierText(kind)];
    if (status !== undefined) values.push(identifierText(status));
    const rows = statement.all(...values, identifierText(after ?? ""), rowsFor(limit));
    return rows.map((row) => documentOf(kind, accountId, row as Row));
  }

  /** Ids of runs of one package that have not ended, in order. */
  unendedRuns({ accountId, packageFingerprint }: PackageRuns, after = ""): string[] {
    this.#unended ??= this.#database.prepare(
      `SELECT id FROM documents WHERE account = ? AND kind = 'run' AND status IN (${unendedStates})
      AND instr(body, ?) > 0 AND id > ? ORDER BY id`,
    );
    const named = `"packageFingerprint":${JSON.stringify(packageFingerprint)}`;
    const rows = this.#unended.all(identifierText(accountId), named, identifierText(after));
    return rows.map((row) => identifierIn(String(row.id)));
  }

  /** 0 where there is no such document. */
  revisionOf(key: DocumentKey): number {
    return (this.#revision.get(...keyValues(key)) as Pick<Row, "revision"> | undefined)?.revision ?? 0;
  }

  accountsWith(kind: string, status?: string): string[] {
    const rows =
      status === undefined
        ? this.#accountsOf.all(identifierText(kind))
        : this.#accounts.all(identifierText(kind), identifierText(status));
    return rows.map((row) => identifierIn(String(row.account)));
  }

  #change(write: DocumentWrite): boolean {
    const key = keyValues(write);
    if (write.type === "remove" && write.expects === 0) return this.#get.get(...key) === undefined;
    if (write.type === "remove") return this.#remove.run(...key, write.expects).changes === 1;
    const status = identifierText(write.status);
    if (write.type === "put" && write.expects !== 0)
      return this.#update.run(status, write.body, ...key, write.expects).changes === 1;
    return this.#insert.run(...key, status, write.body).changes === 1 || write.type === "keep";
  }

  #page(byStatus: boolean, after: boolean): StatementSync {
    const where = `account = ? AND kind = ? ${byStatus ? "AND status = ? " : ""}AND ${after ? page : pageFromStart}`;
    const known = this.#pages.get(where);
    if (known !== undefined) return known;
    const made = this.#database.prepare(`SELECT ${columns} FROM documents WHERE ${where}`);
    this.#pages.set(where, made);
    return made;
  }
}

function keyValues({ kind, accountId, id }: DocumentKey): [account: string, kind: string, id: string] {
  return [identifierText(accountId), identifierText(kind), identifierText(id)];
}

function documentOf(kind: string, accountId: string, { id, status, revision, body }: Row): StoredDocument {
  return { kind, accountId, id: identifierIn(id), status: identifierIn(status), revision, body };
}
