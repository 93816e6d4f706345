import type { PostgresLook } from "./look-at-schema.ts";
import type { PostgresStoreOptions } from "./postgres-store.ts";

/** Looks whether a database can be reached, and what is in it. Nothing is made or changed. */
export async function lookAtPostgres(
  options: Pick<PostgresStoreOptions, "url" | "schema">,
): Promise<PostgresLook> {
  // The driver is loaded by whoever needs it.
  const { lookAtSchema } = await import("./look-at-schema.ts");
  return await lookAtSchema(options);
}
