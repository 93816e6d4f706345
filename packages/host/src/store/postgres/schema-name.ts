import { createHash } from "node:crypto";
import { HostConfigurationNeededError } from "@spfunctions/contracts";

/** Where in a database everything is. Channels are named like the schema. */
export type SchemaName = {
  readonly name: string;
  /** As SQL takes it. */
  readonly quoted: string;
  /** Sets the advisory locks of its sessions apart from those of other schemas. */
  readonly lockClass: number;
};

/** B22: a name goes into statements as it is, so only plain ones are taken. */
export function schemaName(name: string): SchemaName {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name) || name.startsWith("pg_"))
    throw new HostConfigurationNeededError(
      "the name of the schema is not one that can be used; give one of up to 63 small letters, digits and underscores, which begins with a letter and not with pg_",
      { details: { reason: "schema_name" } },
    );
  const lockClass = createHash("sha256").update(`simplefunctions ${name}`).digest().readInt32BE(0);
  return { name, quoted: `"${name}"`, lockClass };
}
