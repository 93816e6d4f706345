import type { Tool } from "@spfunctions/kernel";
import type { DecisionsHost } from "../keys/key-decisions.ts";
import type { KeyUsage } from "../keys/key-usage.ts";
import type { PageTokenHost } from "../tokens/browser-tokens.ts";
import { keyTools } from "./key-tools.ts";
import { type ManifestOf, manifestTools } from "./manifest-tools.ts";
import { type RuntimeHost, runtimeTools } from "./runtime-tools.ts";
import { tokenTools } from "./token-tools.ts";

/** The platform's own tools. */
export function platformPack(
  host: DecisionsHost & PageTokenHost & RuntimeHost,
  usage: KeyUsage,
  manifestOf: ManifestOf,
): readonly Tool[] {
  return [...manifestTools(manifestOf), ...keyTools(host, usage), ...tokenTools(host), ...runtimeTools(host)];
}
