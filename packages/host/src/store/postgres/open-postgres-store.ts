import { refuseUnknown } from "@spfunctions/contracts";
import type { PostgresStore, PostgresStoreOptions } from "./postgres-store.ts";

/** Opens the store in a schema of a PostgreSQL database, version 12 or later. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  refuseUnknown(
    options,
    ["url", "schema", "leaseMs", "renewMs", "poolSize", "answerMs"],
    "option of a store",
  );
  // The driver is loaded by whoever needs it.
  const [{ openSchemaStore }, { migrations }] = await Promise.all([
    import("./open-schema-store.ts"),
    import("./migrations.ts"),
  ]);
  return openSchemaStore(options, migrations);
}
