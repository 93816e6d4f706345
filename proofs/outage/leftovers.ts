import type { TestDatabase } from "../../packages/host/test/start-postgres.ts";

const schema = "simplefunctions";
/** A package that no process has. */
const otherPackage = `sha256:${"0".repeat(64)}`;
/** Who held them is dead, and was forgotten long ago. */
const deadHolder = 2_000_000_000;

/** Puts runs into the store that are like this one, of another package, and were left by a process that is dead. */
export async function insertLeftovers({ ask }: TestDatabase, runId: string, count: number): Promise<void> {
  await ask(
    `INSERT INTO ${schema}.streams (name, account, genesis, epoch, holder)
    SELECT 'run_left_' || n, account, genesis, 1, $3 FROM ${schema}.streams, generate_series(1, $2::integer) n WHERE name = $1`,
    [runId, count, deadHolder],
  );
  await ask(
    `INSERT INTO ${schema}.documents (account, kind, id, status, revision, body)
    SELECT account, kind, 'run_left_' || n, status, 1,
      regexp_replace(body, '"packageFingerprint":"[^"]*"', '"packageFingerprint":"${otherPackage}"')
    FROM ${schema}.documents, generate_series(1, $2::integer) n WHERE id = $1 AND kind = 'run'`,
    [runId, count],
  );
  await ask("ANALYZE");
}

/** What they say of themselves is not so: a journal with them verifies as broken. */
export async function removeLeftovers({ ask }: TestDatabase): Promise<void> {
  await ask(`DELETE FROM ${schema}.documents WHERE id LIKE 'run_left_%'`);
  await ask(`DELETE FROM ${schema}.streams WHERE name LIKE 'run_left_%'`);
}
