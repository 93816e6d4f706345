// I1: the account is in every statement that looks for something by its id.
import type { ContentRow, Digest } from "@spfunctions/contracts";
import type {
  Claim,
  ClaimKey,
  DocumentKey,
  DocumentQuery,
  StoredDocument,
  StoredRecord,
  StreamRange,
  UndrivenRunsQuery,
} from "@spfunctions/kernel";
import type { Pool, QueryResultRow } from "pg";
import { rowsFor } from "../row-limit.ts";
import { identifierOf, keptIdentifier, keptText, textOf } from "./kept-text.ts";
import { unendedRuns } from "./migrations.ts";
import type { SchemaName } from "./schema-name.ts";

type KeptContent = readonly [ref: string, salt: string | null, text: string | null];
type RecordRow = {
  readonly seq: string;
  readonly hash: Digest;
  readonly text: string;
  readonly content: string | null;
};
type DocumentRow = {
  readonly id: string;
  readonly status: string;
  readonly revision: string;
  readonly body: string;
};
type ClaimRow = { readonly digest: string; readonly expires_at: string; readonly ref: string };

/** What is read from a schema. */
export class Readings {
  readonly #pool: Pool;
  readonly #schema: string;

  constructor(pool: Pool, { quoted }: SchemaName) {
    this.#pool = pool;
    this.#schema = quoted;
  }

  async stream({ stream, accountId, from = 1, limit }: StreamRange): Promise<StoredRecord[]> {
    const rows = await this.#read<RecordRow>(
      "stream",
      `SELECT r.seq, r.hash, r.text, (
        SELECT json_agg(json_build_array(c.ref, c.salt, c.text) ORDER BY c.place) FROM ${this.#schema}.contents c
        WHERE c.stream = r.stream AND c.seq = r.seq) AS content
      FROM ${this.#schema}.streams s JOIN ${this.#schema}.records r ON r.stream = s.id
      WHERE s.name = $1 AND s.account = $2 AND r.seq >= $3 ORDER BY r.seq LIMIT $4`,
      [keptIdentifier(stream), keptIdentifier(accountId), rowsFor(Math.ceil(from)), rowsFor(limit)],
    );
    return rows.map(({ seq, hash, text, content }) => ({
      seq: Number(seq),
      hash,
      text: textOf(text),
      content: content === null ? [] : (JSON.parse(content) as readonly KeptContent[]).map(contentRow),
    }));
  }

  async document({ kind, accountId, id }: DocumentKey): Promise<StoredDocument | undefined> {
    return (await this.documentsById(kind, accountId, [id]))[0];
  }

  async documents({ kind, accountId, status, after, limit }: DocumentQuery): Promise<StoredDocument[]> {
    const values: unknown[] = [keptIdentifier(accountId), keptIdentifier(kind), rowsFor(limit)];
    const and = (condition: string, value: string | undefined) =>
      value === undefined ? "" : ` AND ${condition} $${values.push(keptIdentifier(value))}`;
    const where = `account = $1 AND kind = $2${and("status =", status)}${and("id >", after)}`;
    const rows = await this.#read<DocumentRow>(
      `documents${status === undefined ? "" : " by status"}${after === undefined ? "" : " after"}`,
      `SELECT id, status, revision, body FROM ${this.#schema}.documents WHERE ${where} ORDER BY id LIMIT $3`,
      values,
    );
    return rows.map((row) => documentOf(kind, accountId, row));
  }

  async documentsById(kind: string, accountId: string, ids: readonly string[]): Promise<StoredDocument[]> {
    const rows = await this.#read<DocumentRow>(
      "documents by id",
      `SELECT id, status, revision, body FROM ${this.#schema}.documents
      WHERE account = $1 AND kind = $2 AND id = ANY ($3)`,
      [keptIdentifier(accountId), keptIdentifier(kind), ids.map(keptIdentifier)],
    );
    const found = new Map(rows.map((row) => [identifierOf(row.id), row]));
    return ids.flatMap((id) => {
      const row = found.get(id);
      return row === undefined ? [] : [documentOf(kind, accountId, row)];
    });
  }

  async accountsWith(kind: string, status: string): Promise<string[]> {
    const rows = await this.#read<{ readonly account: string }>(
      "accounts",
      `SELECT DISTINCT account FROM ${this.#schema}.documents WHERE kind = $1 AND status = $2 ORDER BY account`,
      [keptIdentifier(kind), keptIdentifier(status)],
    );
    return rows.map(({ account }) => identifierOf(account));
  }

  async claim({ accountId, scope, key }: ClaimKey, now: number): Promise<Claim | undefined> {
    const [row] = await this.#read<ClaimRow>(
      "claim",
      `SELECT digest, expires_at, ref FROM ${this.#schema}.claims
      WHERE account = $1 AND scope = $2 AND key = $3 AND expires_at > $4`,
      [keptIdentifier(accountId), keptIdentifier(scope), keptIdentifier(key), now],
    );
    if (row === undefined) return undefined;
    return {
      accountId,
      scope,
      key,
      digest: textOf(row.digest),
      expiresAt: Number(row.expires_at),
      ref: textOf(row.ref),
    };
  }

  /** The index has no more than the runs of this package that have not ended, however many others there are. */
  async undrivenRuns({
    accountId,
    packageFingerprint,
    after = "",
    limit,
  }: UndrivenRunsQuery): Promise<string[]> {
    const rows = await this.#read<{ readonly id: string }>(
      "undriven runs",
      `WITH unended AS MATERIALIZED (
        SELECT d.id, s.holder FROM ${this.#schema}.documents d
        JOIN ${this.#schema}.streams s ON s.name = d.id AND s.account = d.account
        WHERE d.account = $1 AND d.package = $2 AND d.id > $3 AND ${unendedRuns("d")}),
      living AS (
        SELECT h.holder FROM (SELECT DISTINCT holder FROM unended WHERE holder IS NOT NULL) h
        WHERE ${this.#schema}.is_alive(h.holder))
      SELECT id FROM unended WHERE holder IS NULL OR holder NOT IN (SELECT holder FROM living) ORDER BY id LIMIT $4`,
      [keptIdentifier(accountId), keptText(packageFingerprint), keptIdentifier(after), rowsFor(limit)],
    );
    return rows.map(({ id }) => identifierOf(id));
  }

  async abandoned(accountId: string): Promise<string[]> {
    const rows = await this.#read<{ readonly name: string }>(
      "abandoned",
      `WITH dead AS (
        SELECT h.holder FROM (SELECT DISTINCT holder FROM ${this.#schema}.streams WHERE holder IS NOT NULL) h
        WHERE NOT ${this.#schema}.is_alive(h.holder))
      SELECT name FROM ${this.#schema}.streams JOIN dead USING (holder) WHERE account = $1 LIMIT 1000`,
      [keptIdentifier(accountId)],
    );
    return rows.map(({ name }) => identifierOf(name));
  }

  /** A statement with a name is understood by the server once for each connection. */
  async #read<Row extends QueryResultRow>(
    name: string,
    text: string,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    return (await this.#pool.query<Row>({ name, text, values: [...values] })).rows;
  }
}

function contentRow([ref, salt, text]: KeptContent): ContentRow {
  const named = identifierOf(ref) as ContentRow["ref"];
  if (salt === null || text === null) return { ref: named, erased: true };
  return { ref: named, salt: textOf(salt), text: textOf(text) };
}

function documentOf(kind: string, accountId: string, row: DocumentRow): StoredDocument {
  const { id, status, revision, body } = row;
  return {
    kind,
    accountId,
    id: identifierOf(id),
    status: identifierOf(status),
    revision: Number(revision),
    body: textOf(body),
  };
}
