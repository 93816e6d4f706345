// S1: the connection string is a secret as a whole. Only host, port and database of it are ever shown.
import { HostConfigurationNeededError, heldSecrets } from "@spfunctions/contracts";
import { Client, type ClientConfig } from "pg";

export type ConnectionSettings = {
  readonly config: ClientConfig;
  /** Which database on which server, for people. */
  readonly place: string;
};

/** What is shorter would be hidden wherever it is a word. */
const shortestHeld = 12;

/** The server gives up first, so that a statement nobody waits for any more does not come true later. */
const longerThanServerMs = 2_000;

/** How to reach a database by a connection string; the rest by what PostgreSQL's own programs take from the environment. */
export function connectionSettings(url: string, answerMs: number): ConnectionSettings {
  const config: ClientConfig = {
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    query_timeout: answerMs + longerThanServerMs,
    fallback_application_name: "simplefunctions",
    // Every value as the server wrote it, whatever another part of the program has taught the driver.
    types: { getTypeParser: () => (value: string) => value },
  };
  requirePlain(url);
  const { host, port, database, password } = parsed(config);
  if (typeof password === "string" && password.length >= shortestHeld) heldSecrets.add(password, "database");
  return { config, place: `the database ${database ?? "of the user"} at ${host}:${port}` };
}

/** A password with a bare / or # or ? in it would be taken for a part of what is shown. */
function requirePlain(url: string): void {
  const [, rest] = /^postgres(?:ql)?:\/\/[^/?#]*([^]*)$/.exec(url) ?? [];
  if (rest === undefined || /[@#]/.test(rest)) throw unreadable();
}

function parsed(config: ClientConfig): Client {
  try {
    return new Client(config);
  } catch {
    // Not even as a cause: its words may have the string in them.
    throw unreadable();
  }
}

function unreadable(): HostConfigurationNeededError {
  return new HostConfigurationNeededError(
    "the connection string of the database cannot be read; give postgres://user:password@host:port/database, with every character of the password that is no letter or digit written as %XX, and with certificate files that are there",
    { details: { reason: "connection_string" } },
  );
}
