import type { Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { addKeysOptions, type KeysRotateOptions, whereKeysAre } from "../keys/keys-options.ts";

export function addKeysRotate(keys: Command, context: CommandContext): void {
  addKeysOptions(
    keys
      .command("rotate")
      .description("give a key a new secret; the one before stays good for 24 hours")
      .argument("<keyId>", "as listed, key_…")
      .option("-o, --output <file>", "the new file for the new secret; else one in the configuration folder")
      .option("--show", "also print the new secret, once, alone on the standard output"),
  )
    .addHelpText(
      "after",
      `
Examples:
  $ sf keys rotate key_0198f3c2-7a51-7c3e-9b1d-4f6a2e8c0d57 --output feed-2.key

${whereKeysAre}
A file that is there is never overwritten. To end the secret before at once, revoke the key and make another.
Exit codes: 0 rotated and kept, 1 failed, 2 bad usage, 3 refused, 4 a person must approve it, 6 what is kept is damaged,
130 cancelled by Ctrl-C.`,
    )
    .action(async (keyId: string, options: KeysRotateOptions) => {
      const { rotateKey } = await import("../keys/rotate-command.ts");
      await rotateKey(keyId, options, context);
    });
}
