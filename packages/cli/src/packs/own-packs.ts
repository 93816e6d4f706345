import { resolve } from "node:path";
import type { Tool } from "@spfunctions/kernel";
import type { LateStore } from "./late-store.ts";

/** The packs that come with `sf`, by what they are called on its command line. */
export const ownPacks = "fs:<folder>, shell:<folder>, http";

/** Which one is meant, and on which folder; nothing where the name is another's. */
export type OwnPack = { readonly kind: "http" } | { readonly kind: "fs" | "shell"; readonly root: string };

export function ownPackIn(name: string, cwd: string): OwnPack | undefined {
  if (name === "http") return { kind: "http" };
  const [, kind, folder = ""] = /^(fs|shell):(.*)$/s.exec(name) ?? [];
  if (kind !== "fs" && kind !== "shell") return undefined;
  // Nothing named is the folder that one stands in, as elsewhere.
  return { kind, root: resolve(cwd, folder === "" ? "." : folder) };
}

/** The tools of a pack that comes with `sf`; nothing where the name is another's. */
export async function ownPack(
  name: string,
  cwd: string,
  { now: store, installation }: LateStore,
): Promise<readonly Tool[] | undefined> {
  const own = ownPackIn(name, cwd);
  if (own === undefined) return undefined;
  const { fsTools, httpTools, shellTools } = await import("@spfunctions/host/tools");
  if (own.kind === "http") return httpTools({ store, installation });
  const { kind, root } = own;
  return kind === "fs" ? fsTools({ root }) : shellTools({ root });
}
