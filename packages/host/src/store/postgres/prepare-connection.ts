import type { ClientBase } from "pg";

/**
 * Makes a connection what it must be, whatever the database, the role or the connection string set: everything is named with
 * its schema, every statement sees what was committed before it, numbers come back exactly, and a missing value is no word.
 */
export async function prepareConnection(client: ClientBase, answerMs: number): Promise<void> {
  // What happens to it is told by whoever waits for an answer. Unheard, it would end the process.
  client.on("error", () => undefined);
  const settings = {
    search_path: "pg_catalog",
    default_transaction_isolation: "read committed",
    default_transaction_read_only: "off",
    extra_float_digits: "1",
    array_nulls: "on",
    transform_null_equals: "off",
    statement_timeout: `${answerMs}`,
  };
  const calls = Object.entries(settings).map(
    ([name, value]) => `pg_catalog.set_config('${name}', '${value}', false)`,
  );
  await client.query(`SELECT ${calls.join(", ")}`);
}
