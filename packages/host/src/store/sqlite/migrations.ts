/**
 * How the database came to be, step by step: step n leads to version n. A step that has been released is never changed, and
 * the table `driver` keeps its shape for ever, because it is asked before a version is understood.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE driver (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    epoch INTEGER NOT NULL,
    holder TEXT,
    expires_at REAL NOT NULL
  ) STRICT;
  INSERT INTO driver (id, epoch, expires_at) VALUES (1, 0, 0);

  CREATE TABLE streams (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    account TEXT NOT NULL,
    genesis TEXT NOT NULL,
    epoch INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE records (
    id INTEGER PRIMARY KEY,
    stream INTEGER NOT NULL REFERENCES streams (id),
    seq INTEGER NOT NULL,
    hash TEXT NOT NULL,
    text TEXT NOT NULL,
    content TEXT,
    UNIQUE (stream, seq)
  ) STRICT;

  CREATE TABLE documents (
    account TEXT NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    status TEXT NOT NULL,
    revision INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (account, kind, id)
  ) STRICT;
  CREATE INDEX documents_by_status ON documents (kind, status, account, id);

  CREATE TABLE claims (
    account TEXT NOT NULL,
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    digest TEXT NOT NULL,
    expires_at REAL NOT NULL,
    ref TEXT NOT NULL,
    PRIMARY KEY (account, scope, key)
  ) STRICT, WITHOUT ROWID;
  `,
];
