import type { DatabaseSync } from "node:sqlite";

/** The tables of one generation. A rebuild fills the next one while queries are answered from the current one. */
export function createTables(db: DatabaseSync, generation: number): void {
  db.exec(`
    CREATE TABLE accounts_${generation} (
      number INTEGER PRIMARY KEY, account BLOB NOT NULL UNIQUE, entries INTEGER NOT NULL, words INTEGER NOT NULL);
    CREATE TABLE entries_${generation} (
      number INTEGER PRIMARY KEY, account INTEGER NOT NULL, id BLOB NOT NULL, UNIQUE (account, id));
    CREATE VIRTUAL TABLE terms_${generation} USING fts5 (
      terms, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');
    CREATE VIRTUAL TABLE counts_${generation} USING fts5vocab (terms_${generation}, row);
  `);
}

/** Drops every generation but one; also what an interrupted rebuild left. */
export function dropTablesExcept(db: DatabaseSync, generation: number): void {
  const names = db.prepare("SELECT name FROM sqlite_schema WHERE name GLOB 'accounts_*'").all();
  const generations = names.map(({ name }) => Number(String(name).slice("accounts_".length)));
  for (const other of generations.filter((found) => found !== generation)) {
    for (const table of ["counts", "terms", "entries", "accounts"]) db.exec(`DROP TABLE ${table}_${other}`);
  }
}

/** What is done with the tables of one generation. */
export function prepareStatements(db: DatabaseSync, generation: number) {
  const prepare = (sql: string) => db.prepare(sql.replaceAll("@", `_${generation}`));
  return {
    account: prepare("SELECT number, entries, words FROM accounts@ WHERE account = ?"),
    addAccount: prepare("INSERT INTO accounts@ (account, entries, words) VALUES (?, 0, 0) RETURNING number"),
    count: prepare("UPDATE accounts@ SET entries = entries + ?, words = words + ? WHERE number = ?"),
    entry: prepare("SELECT number FROM entries@ WHERE account = ? AND id = ?"),
    lastEntry: prepare("SELECT max(number) AS number FROM entries@"),
    addEntry: prepare("INSERT INTO entries@ (number, account, id) VALUES (?, ?, ?)"),
    removeEntry: prepare("DELETE FROM entries@ WHERE number = ?"),
    firstIds: prepare(
      "SELECT number, entries@.id FROM json_each(?) JOIN entries@ ON number = value ORDER BY entries@.id LIMIT ?",
    ),
    addTerms: prepare("INSERT INTO terms@ (rowid, terms) VALUES (?, ?)"),
    removeTerms: prepare("DELETE FROM terms@ WHERE rowid = ?"),
    optimize: prepare("INSERT INTO terms@ (terms@) VALUES ('optimize')"),
    counts: prepare("SELECT term, doc FROM counts@ WHERE term >= ? AND term < ?"),
    // As one text: a row for each would cost more than all the rest.
    numbers: prepare("SELECT group_concat(rowid) AS numbers FROM terms@ WHERE terms@ MATCH ?"),
  };
}
