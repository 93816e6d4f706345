import { type Command, Option } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { addKeysOptions, type KeysRevokeOptions, whereKeysAre } from "../keys/keys-options.ts";

export function addKeysRevoke(keys: Command, context: CommandContext): void {
  addKeysOptions(
    keys
      .command("revoke")
      .description("end a key at once, with every secret and token of it")
      .argument("<keyId>", "as listed, key_…")
      .addOption(
        new Option(
          "--decided <what>",
          "what becomes of what the key, and the keys that come from it, have made, granted and approved: list shows it, end ends it, too; at a terminal you are asked unless you give it",
        ).choices(["list", "end"]),
      )
      .option("--yes", "without asking; needed where nobody sits at a terminal"),
  )
    .addHelpText(
      "after",
      `
Examples:
  $ sf keys revoke key_0198f3c2-7a51-7c3e-9b1d-4f6a2e8c0d57
  $ sf keys revoke key_0198f3c2-7a51-7c3e-9b1d-4f6a2e8c0d57 --yes
  $ sf keys revoke key_0198f3c2-7a51-7c3e-9b1d-4f6a2e8c0d57 --yes --decided end

${whereKeysAre}
It cannot be undone. Revoking a key that is revoked changes nothing but, with --decided end, what it left: keys that it made or rotated, what it
granted, and what it approved that no call has used. Of a key that leaked, that is what somebody else may have decided.
Exit codes: 0 revoked, 1 failed or not confirmed, 2 bad usage, 3 refused, 4 a person must approve it, 6 what is kept is damaged,
130 cancelled by Ctrl-C.`,
    )
    .action(async (keyId: string, options: KeysRevokeOptions) => {
      const { revokeKey } = await import("../keys/revoke-command.ts");
      await revokeKey(keyId, options, context);
    });
}
