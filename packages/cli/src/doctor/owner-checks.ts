import { join } from "node:path";
import { parseJsonStrict } from "@spfunctions/contracts";
import { type Installation, installationAccount, type Store } from "@spfunctions/kernel";
import { type Check, fail, ok } from "./check.ts";

export type OwnerTerms = {
  readonly configFolder: string;
  /** Of whoever looks; nothing where its secret cannot be read, which is said elsewhere. */
  readonly installation: Installation | "none" | undefined;
};

/** Whose a store is: whether a start of this person can go on with it, and where its first keys lie. */
export async function ownerChecks(
  store: Store,
  where: string,
  { installation, configFolder }: OwnerTerms,
): Promise<Check[]> {
  const kept = async (id: string) =>
    (await store.document({ kind: id, accountId: installationAccount, id }))?.body;
  const owner = await kept("installation");
  const platform = await kept("platform");
  const name = platform === undefined ? undefined : (parseJsonStrict(platform) as { name?: unknown }).name;
  const own = installation === "none" ? undefined : installation?.id;
  const isAnothers = owner !== undefined && installation !== undefined && owner !== own;
  return [
    ...(isAnothers ? [anothers(where, own !== undefined, configFolder)] : []),
    ...(typeof name === "string" ? [firstKeys(where, join(configFolder, "keys", name))] : []),
  ];
}

/** A start would refuse it, and where there is no secret yet, make one first that does not help. */
function anothers(where: string, hasSecret: boolean, configFolder: string): Check {
  const file = join(configFolder, "installation.key");
  return fail(
    { check: "owner", where },
    hasSecret
      ? "it belongs to an installation with another secret"
      : "it belongs to an installation whose secret is not here",
    `open it with that one, in SF_INSTALLATION_KEY or as ${file}, or use another data folder`,
  );
}

function firstKeys(where: string, folder: string): Check {
  return ok({ check: "first keys", where: folder }, `the operator and starter key of ${where}`);
}
