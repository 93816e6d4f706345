import type { TestPostgres } from "./start-postgres.ts";

/** Every statement that a server has been sent which logs all of them (`log_statement`), one line each. */
export function statementsIn(postgres: TestPostgres): string[] {
  return postgres
    .log()
    .split("\n")
    .filter((line) => /LOG: {2}(statement|execute [^:]+): /.test(line));
}
