import type { CommandContext } from "../command-line/command-context.ts";
import { askOperator } from "./ask-operator.ts";
import type { KeysRevokeOptions } from "./keys-options.ts";
import { requireConfirmed } from "../io/require-confirmed.ts";
import { requireKeyId } from "./key-terms.ts";

export async function revokeKey(
  keyId: string,
  options: KeysRevokeOptions,
  context: CommandContext,
): Promise<void> {
  const { io, print } = context;
  requireKeyId(keyId);
  // Before the data folder is taken: others can use it while a person thinks.
  if (options.yes !== true)
    await requireConfirmed(
      `Revoke ${keyId}? Every secret and token of it ends at once, and that cannot be undone.`,
      context,
    );
  const { key } = await askOperator(options, context, {
    ask: async (client) => await client.keys.revoke(keyId, { signal: io.signal }),
    whenUnknown:
      "whether the key was revoked is not known: sf keys ls shows it, and revoking it again does no harm",
  });
  if (options.json === true) print.json({ ok: true, key }, 2);
  else print.out(`${key.keyId}  ${key.name}  is revoked since ${key.revokedAt ?? "now"}`);
}
