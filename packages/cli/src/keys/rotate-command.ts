import { HostConfigurationNeededError } from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";
import { errorOf } from "../io/report-error.ts";
import { askOperator } from "./ask-operator.ts";
import type { KeysRotateOptions } from "./keys-options.ts";
import { requireKeyId } from "./key-terms.ts";
import { checked, type MadeKey, showKey } from "./made-key.ts";
import { type Reserved, reserveKeyFile } from "./reserve-key-file.ts";

export async function rotateKey(
  keyId: string,
  options: KeysRotateOptions,
  context: CommandContext,
): Promise<void> {
  const { io } = context;
  requireKeyId(keyId);
  const reserved = reserveKeyFile(options.output, io);
  try {
    const made = await askOperator(options, context, {
      ask: async (client) => checked(await client.keys.rotate(keyId, { signal: io.signal })),
      whenUnknown:
        "whether the key was rotated is not known; the secret you have stays good for 24 hours at least: rotate again",
    });
    const file = kept(made, reserved);
    const lines = [
      `${made.key.keyId}  ${made.key.name}  has a new secret`,
      `it is in ${file}, which you alone can read, and nowhere else`,
      "the secret before it stays good for 24 hours; put the new one in its place until then",
    ];
    showKey({ made, file, lines }, options, context);
  } finally {
    reserved.release();
  }
}

/** It is not revoked: whoever uses it has the secret before, which is good for another day. */
function kept({ key: { keyId }, secret }: MadeKey, reserved: Reserved): string {
  try {
    return reserved.keep(keyId, secret);
  } catch (cause) {
    throw new HostConfigurationNeededError(
      `the key ${keyId} was rotated, and its new secret could not be kept: ${errorOf(cause).message}; it is lost, and the one before stays good for 24 hours: rotate again, with another --output`,
      { details: { reason: "not_kept", keyId }, cause },
    );
  }
}
