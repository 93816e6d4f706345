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
    CREATE VIRTUAL TABLE postings_${generation} USING fts5vocab (terms_${generation}, instance);
  `);
}

/** Drops every generation but one; also what an interrupted rebuild left. */
export function dropTablesExcept(db: DatabaseSync, generation: number): void {
  const names = db.prepare("SELECT name FROM sqlite_schema WHERE name GLOB 'accounts_*'").all();
  const generations = names.map(({ name }) => Number(String(name).slice("accounts_".length)));
  for (const other of generations.filter((found) => found !== generation)) {
    for (const table of ["postings", "terms", "entries", "accounts"]) db.exec(`DROP TABLE ${table}_${other}`);
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
    id: prepare("SELECT id FROM entries@ WHERE number = ?"),
    addTerms: prepare("INSERT INTO terms@ (rowid, terms) VALUES (?, ?)"),
    removeTerms: prepare("DELETE FROM terms@ WHERE rowid = ?"),
    postings: prepare(
      "SELECT term, group_concat(doc) AS numbers FROM postings@ WHERE term >= ? AND term < ? GROUP BY term",
    ),
  };
}
