import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { installationKind } from "../store/kernel-kinds.ts";
import { installationAccount, type Store } from "../store/store.ts";
import type { Installation } from "./installation.ts";

const key = { kind: installationKind, accountId: installationAccount, id: installationKind } as const;

/**
 * Ties a store to the secret it is used with, once; with any other secret it is refused from then on, because hashes would
 * no longer meet. Without an installation only a store that is tied to none is used.
 */
export async function bindInstallation(
  store: Store,
  installation: Installation | undefined,
  now: number,
): Promise<void> {
  if ((await requireInstallation(store, installation)) || installation === undefined) return;
  const write = { ...key, type: "put", expects: 0, status: "bound", body: installation.id } as const;
  const result = await store.commit({ durability: "power", now, documents: [write] });
  // Somebody else was first: then it must have been with the same secret.
  if (result.type === "conflict") await bindInstallation(store, installation, now);
}

/** Refuses a store that is tied to another secret. Gives back whether it is tied to this one. */
export async function requireInstallation(
  store: Store,
  installation: Pick<Installation, "id"> | undefined,
): Promise<boolean> {
  const bound = await store.document(key);
  if (bound === undefined) return false;
  if (bound.body === installation?.id) return true;
  throw new HostConfigurationNeededError(
    installation === undefined
      ? "this store belongs to an installation; open it with that installation's secret (SF_INSTALLATION_KEY, or its key file)"
      : "this store belongs to an installation with another secret; open it with that one, or use another data folder",
    { details: { reason: "other_installation" } },
  );
}
