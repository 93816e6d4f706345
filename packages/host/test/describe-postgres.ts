import { afterAll, beforeAll, describe } from "vitest";
import { findPostgres, startPostgres, type TestPostgres } from "./start-postgres.ts";

/**
 * Tests with a PostgreSQL server of their own, started with these settings. Where none is installed they are skipped and the
 * reason is in their name; with `CI` set they fail instead.
 */
export function describePostgres(
  name: string,
  tests: (postgres: () => TestPostgres) => void,
  settings: Readonly<Record<string, string>> = {},
): void {
  const found = findPostgres();
  const isSkipped = "missing" in found && process.env.CI === undefined;
  if (isSkipped) console.warn(`skipped: ${name}: ${found.missing}`);
  describe.skipIf(isSkipped)(`${name}${isSkipped ? ` (${found.missing})` : ""}`, () => {
    let postgres: TestPostgres | undefined;
    beforeAll(async () => {
      postgres = await startPostgres(settings);
    });
    afterAll(() => postgres?.remove());
    tests(() => {
      if (postgres === undefined)
        throw new Error("the server is started before the tests, not while they are named");
      return postgres;
    });
  });
}
