import type { Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { addKeysOptions, type KeysRevokeOptions, whereKeysAre } from "../keys/keys-options.ts";

export function addKeysRevoke(keys: Command, context: CommandContext): void {
  addKeysOptions(
    keys
      .command("revoke")
      .description("end a key at once, with every secret and token of it")
      .argument("<keyId>", "as listed, key_…")
      .option("--yes", "without asking; needed where nobody sits at a terminal"),
  )
    .addHelpText(
      "after",
      `
Examples:
  $ sf keys revoke key_0198f3c2-7a51-7c3e-9b1d-4f6a2e8c0d57
  $ sf keys revoke key_0198f3c2-7a51-7c3e-9b1d-4f6a2e8c0d57 --yes

${whereKeysAre}
It cannot be undone. Revoking a key that is revoked changes nothing.
Exit codes: 0 revoked, 1 failed or not confirmed, 2 bad usage, 3 refused, 4 a person must approve it, 6 what is kept is damaged,
130 cancelled by Ctrl-C.`,
    )
    .action(async (keyId: string, options: KeysRevokeOptions) => {
      const { revokeKey } = await import("../keys/revoke-command.ts");
      await revokeKey(keyId, options, context);
    });
}
