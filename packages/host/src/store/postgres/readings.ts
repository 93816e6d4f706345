// I1: the account is in every statement that looks for something by its id.
import type { ContentRow, Digest } from "@spfunctions/contracts";
import type {
  Claim,
  ClaimKey,
  DocumentKey,
  DocumentQuery,
  PackageRuns,
  StoredDocument,
  StoredRecord,
  StreamRange,
  UndrivenRun,
  UndrivenRunsQuery,
  Watched,
} from "@spfunctions/kernel";
import type { Pool, QueryResultRow } from "pg";
import { rowsFor } from "../row-limit.ts";
import { Gathered } from "./gathered.ts";
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
  readonly #holder: number;
  /** The holders that are no more, of all that have a stream: each is asked about once, however many streams it has. */
  readonly #dead: string;
  readonly #streams: Gathered<StreamRange, readonly RecordRow[]>;
  readonly #documents: Gathered<DocumentKey, readonly DocumentRow[]>;

  /** `holder`: the number by which the store that reads holds streams. */
  constructor(pool: Pool, { quoted }: SchemaName, holder: number) {
    this.#pool = pool;
    this.#schema = quoted;
    this.#holder = holder;
    this.#dead = `WITH RECURSIVE holders AS (
        (SELECT holder FROM ${quoted}.streams WHERE holder IS NOT NULL ORDER BY holder LIMIT 1)
        UNION ALL
        SELECT (SELECT s.holder FROM ${quoted}.streams s WHERE s.holder > h.holder ORDER BY s.holder LIMIT 1)
        FROM holders h WHERE h.holder IS NOT NULL),
      dead AS MATERIALIZED (SELECT holder FROM holders WHERE holder IS NOT NULL AND NOT ${quoted}.is_alive(holder))`;
    this.#streams = new Gathered(
      (ranges) => this.#streamRows(ranges),
      ({ stream, accountId, from, limit }) => JSON.stringify([stream, accountId, from, limit]),
    );
    this.#documents = new Gathered(
      (keys) => this.#documentRows(keys),
      ({ kind, accountId, id }) => JSON.stringify([kind, accountId, id]),
    );
  }

  async stream(range: StreamRange): Promise<StoredRecord[]> {
    return (await this.#streams.ask(range)).map(recordOf);
  }

  async #streamRows(ranges: readonly StreamRange[]): Promise<readonly (readonly RecordRow[])[]> {
    const [only] = ranges;
    return only !== undefined && ranges.length === 1
      ? [await this.#oneStream(only)]
      : await this.#manyStreams(ranges);
  }

  async #oneStream({ stream, accountId, from = 1, limit }: StreamRange): Promise<readonly RecordRow[]> {
    return await this.#read<RecordRow>(
      "stream",
      `SELECT r.seq, r.hash, r.text, (
        SELECT json_agg(json_build_array(c.ref, c.salt, c.text) ORDER BY c.place) FROM ${this.#schema}.contents c
        WHERE c.stream = r.stream AND c.seq = r.seq) AS content
      FROM ${this.#schema}.streams s JOIN ${this.#schema}.records r ON r.stream = s.id
      WHERE s.name = $1 AND s.account = $2 AND r.seq >= $3 ORDER BY r.seq LIMIT $4`,
      [keptIdentifier(stream), keptIdentifier(accountId), rowsFor(Math.ceil(from)), rowsFor(limit)],
    );
  }

  async #manyStreams(ranges: readonly StreamRange[]): Promise<readonly (readonly RecordRow[])[]> {
    const rows = await this.#read<RecordRow & Placed>(
      "streams",
      `SELECT w.at, r.seq, r.hash, r.text, (
        SELECT json_agg(json_build_array(c.ref, c.salt, c.text) ORDER BY c.place) FROM ${this.#schema}.contents c
        WHERE c.stream = r.stream AND c.seq = r.seq) AS content
      FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) WITH ORDINALITY AS w (name, account, first, rows, at)
      JOIN ${this.#schema}.streams s ON s.name = w.name AND s.account = w.account
      CROSS JOIN LATERAL (
        SELECT n.* FROM ${this.#schema}.records n WHERE n.stream = s.id AND n.seq >= w.first ORDER BY n.seq LIMIT w.rows) r
      ORDER BY w.at, r.seq`,
      [
        ranges.map(({ stream }) => keptIdentifier(stream)),
        ranges.map(({ accountId }) => keptIdentifier(accountId)),
        ranges.map(({ from = 1 }) => rowsFor(Math.ceil(from))),
        ranges.map(({ limit }) => rowsFor(limit)),
      ],
    );
    return inPlaces(ranges.length, rows);
  }

  async document(key: DocumentKey): Promise<StoredDocument | undefined> {
    const [row] = await this.#documents.ask(key);
    return row && documentOf(key.kind, key.accountId, row);
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
    const rows = await Promise.all(ids.map((id) => this.#documents.ask({ kind, accountId, id })));
    return rows.flat().map((row) => documentOf(kind, accountId, row));
  }

  async #documentRows(keys: readonly DocumentKey[]): Promise<readonly (readonly DocumentRow[])[]> {
    const rows = await this.#read<DocumentRow & Placed>(
      "documents by id",
      `SELECT w.at, d.id, d.status, d.revision, d.body
      FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS w (account, kind, id, at)
      JOIN ${this.#schema}.documents d ON d.account = w.account AND d.kind = w.kind AND d.id = w.id`,
      [
        keys.map(({ accountId }) => keptIdentifier(accountId)),
        keys.map(({ kind }) => keptIdentifier(kind)),
        keys.map(({ id }) => keptIdentifier(id)),
      ],
    );
    return inPlaces(keys.length, rows);
  }

  async accountsWith(kind: string, status?: string): Promise<string[]> {
    const and = status === undefined ? "" : " AND status = $2";
    const rows = await this.#read<{ readonly account: string }>(
      `accounts${status === undefined ? "" : " by status"}`,
      `SELECT DISTINCT account FROM ${this.#schema}.documents WHERE kind = $1${and} ORDER BY account`,
      [keptIdentifier(kind), ...(status === undefined ? [] : [keptIdentifier(status)])],
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

  /**
   * The index has no more than the runs of these packages that have not ended, however many others there are. `unanswered`: those that
   * nobody writes even if the store that asks holds them.
   */
  async undrivenRuns(
    { of, after = "", limit }: UndrivenRunsQuery,
    unanswered: readonly string[],
  ): Promise<UndrivenRun[]> {
    const rows = await this.#read<{ readonly at: string; readonly id: string }>(
      "undriven runs",
      `WITH unended AS MATERIALIZED (
        SELECT w.at, d.id, s.holder
        FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS w (account, package, at)
        JOIN ${this.#schema}.documents d ON d.account = w.account AND d.package = w.package AND ${unendedRuns("d")}
        JOIN ${this.#schema}.streams s ON s.name = d.id AND s.account = d.account
        WHERE d.id > $3 AND (s.holder IS DISTINCT FROM $5::integer OR d.id = ANY($6::text[]))),
      living AS (
        SELECT h.holder FROM (SELECT DISTINCT holder FROM unended WHERE holder <> $5::integer) h
        WHERE ${this.#schema}.is_alive(h.holder))
      SELECT at, id FROM unended WHERE holder IS NULL OR holder NOT IN (SELECT holder FROM living) ORDER BY id LIMIT $4`,
      [
        of.map(({ accountId }) => keptIdentifier(accountId)),
        of.map(({ packageFingerprint }) => keptText(packageFingerprint)),
        keptIdentifier(after),
        rowsFor(limit),
        this.#holder,
        unanswered.map((stream) => keptIdentifier(stream)),
      ],
    );
    return rows.map(({ at, id }) => ({ ...(of[Number(at) - 1] as PackageRuns), id: identifierOf(id) }));
  }

  async abandoned(accountId: string): Promise<string[]> {
    const rows = await this.#read<{ readonly name: string }>(
      "abandoned",
      `${this.#dead}
      SELECT s.name FROM dead CROSS JOIN LATERAL (
        SELECT name FROM ${this.#schema}.streams WHERE holder = dead.holder AND account = $1 LIMIT 1000) s LIMIT 1000`,
      [keptIdentifier(accountId)],
    );
    return rows.map(({ name }) => identifierOf(name));
  }

  async abandonedWith(kind: string, status: string): Promise<DocumentKey[]> {
    const rows = await this.#read<{ readonly account: string; readonly id: string }>(
      "abandoned documents",
      `${this.#dead}
      SELECT s.account, s.id FROM dead CROSS JOIN LATERAL (
        SELECT d.account, d.id FROM ${this.#schema}.streams s
        JOIN ${this.#schema}.documents d ON d.account = s.account AND d.kind = $1 AND d.id = s.name
        WHERE s.holder = dead.holder AND d.status = $2 LIMIT 1000) s ORDER BY s.account, s.id LIMIT 1000`,
      [keptIdentifier(kind), keptIdentifier(status)],
    );
    return rows.map(({ account, id }) => ({ kind, accountId: identifierOf(account), id: identifierOf(id) }));
  }

  /** One statement for all of them: where each has come to, as far as that is not what is known. */
  async moved(known: readonly Watched[]): Promise<Watched[]> {
    if (known.length === 0) return [];
    const rows = await this.#read<{ readonly at: string; readonly number: string }>(
      "moved",
      `SELECT w.at, n.number FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
        WITH ORDINALITY AS w (kind, account, name, known, at)
      CROSS JOIN LATERAL (SELECT CASE WHEN w.kind IS NULL THEN coalesce((
          SELECT e.seq FROM ${this.#schema}.streams s CROSS JOIN LATERAL (
            SELECT r.seq FROM ${this.#schema}.records r WHERE r.stream = s.id ORDER BY r.seq DESC LIMIT 1) e
          WHERE s.name = w.name AND s.account = w.account), 0)
        ELSE coalesce((
          SELECT d.revision FROM ${this.#schema}.documents d
          WHERE d.account = w.account AND d.kind = w.kind AND d.id = w.name), 0) END AS number) n
      WHERE n.number <> w.known`,
      [
        known.map((one) => (one.type === "stream" ? null : keptIdentifier(one.kind))),
        known.map(({ accountId }) => keptIdentifier(accountId)),
        known.map((one) => keptIdentifier(one.type === "stream" ? one.stream : one.id)),
        known.map((one) => rowsFor(one.type === "stream" ? one.seq : one.revision)),
      ],
    );
    return rows.map(({ at, number }) => {
      const one = known[Number(at) - 1] as Watched;
      return one.type === "stream" ? { ...one, seq: Number(number) } : { ...one, revision: Number(number) };
    });
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

/** Each row says which question it answers, counted from 1. */
type Placed = { readonly at: string };

function inPlaces<Row extends Placed>(count: number, rows: readonly Row[]): readonly (readonly Row[])[] {
  const places: Row[][] = Array.from({ length: count }, () => []);
  for (const row of rows) places[Number(row.at) - 1]?.push(row);
  return places;
}

function recordOf({ seq, hash, text, content }: RecordRow): StoredRecord {
  return {
    seq: Number(seq),
    hash,
    text: textOf(text),
    content: content === null ? [] : (JSON.parse(content) as readonly KeptContent[]).map(contentRow),
  };
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
