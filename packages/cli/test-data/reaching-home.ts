// A home in which a tool goes where it is sent, as far as an operator lets it.
import { govern } from "@spfunctions/agent";
import type { CapabilityGrant } from "@spfunctions/contracts";
import { loadInstallation } from "@spfunctions/host/installation";
import { openSqliteStore } from "@spfunctions/host/store";
import type { AskForTerms } from "@spfunctions/kernel";
import { join } from "node:path";
import { expect } from "vitest";
import type { Home } from "./run-sf.ts";

export const webPack = join(import.meta.dirname, "web-pack.ts");
export const page = "https://example.com/page";
export const usual = "home/.local/share/simplefunctions";

export type Shown = CapabilityGrant & { readonly where: string };

/** A call that reaches a page. */
export function fetching(url = page, ...more: string[]): string[] {
  return ["call", "web.fetch", "--pack", webPack, "--input", JSON.stringify({ url }), ...more];
}

export async function grantsIn(home: Home, ...more: string[]): Promise<Shown[]> {
  const { code, out, err } = await home.run(["grants", "ls", "--json", ...more]);
  expect({ code, err }).toStrictEqual({ code: 0, err: "" });
  return (JSON.parse(out) as { grants: Shown[] }).grants;
}

/** What whoever calls in the usual folder asks an operator for, as an agent does in its own words. */
export async function askIn(home: Home, capability: string, terms: AskForTerms = {}): Promise<string> {
  const { installation } = loadInstallation({ env: home.env });
  const store = await openSqliteStore({ folder: home.path(usual) });
  const principal = { accountId: "local", keyId: "cli", scopes: ["read", "write"], kind: "local" } as const;
  const seat = govern({ packs: [], policy: {}, principal, store, installation });
  try {
    const asked = await seat.askFor(capability, terms);
    return asked.grant?.grantId ?? "";
  } finally {
    await seat.close();
    await store.close();
  }
}
