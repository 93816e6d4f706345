import type { Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { addGrantsDeny } from "./grants-deny.ts";
import { addGrantsGrant } from "./grants-grant.ts";
import { addGrantsLs } from "./grants-ls.ts";
import { addGrantsRevoke } from "./grants-revoke.ts";

/** G3: where an operator says what may be reached, which is nowhere that a call can reach. */
export function addGrants(program: Command, context: CommandContext): void {
  const grants = program
    .command("grants")
    .description("what calls may reach on the network: what is asked for, granting it, ending it");
  addGrantsLs(grants, context);
  addGrantsGrant(grants, context);
  addGrantsDeny(grants, context);
  addGrantsRevoke(grants, context);
}
