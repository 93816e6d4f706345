import { resolve } from "node:path";
import type { Store, Tool } from "@spfunctions/kernel";

/** The packs that come with `sf`, by what they are called on its command line. */
export const ownPacks = "fs:<folder>, shell:<folder>, http";

/** The tools of a pack that comes with `sf`; nothing where the name is another's. */
export async function ownPack(
  name: string,
  cwd: string,
  store: () => Store | undefined,
): Promise<readonly Tool[] | undefined> {
  const [, kind, folder = ""] = /^(fs|shell):(.*)$/s.exec(name) ?? [];
  if (kind === undefined && name !== "http") return undefined;
  const { fsTools, httpTools, shellTools } = await import("@spfunctions/host/tools");
  if (kind === undefined) return httpTools({ store });
  // Nothing named is the folder that one stands in, as elsewhere.
  const root = resolve(cwd, folder === "" ? "." : folder);
  return kind === "fs" ? fsTools({ root }) : shellTools({ root });
}
