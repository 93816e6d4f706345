import type { Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { addKeysCreate } from "./keys-create.ts";
import { addKeysLs } from "./keys-ls.ts";
import { addKeysRevoke } from "./keys-revoke.ts";
import { addKeysRotate } from "./keys-rotate.ts";

/** Who may call a platform: its keys, made, listed, renewed and ended with a key that manages them. */
export function addKeys(program: Command, context: CommandContext): void {
  const keys = program.command("keys").description("the keys of a platform");
  addKeysCreate(keys, context);
  addKeysLs(keys, context);
  addKeysRotate(keys, context);
  addKeysRevoke(keys, context);
}
