import type { CommandContext } from "../command-line/command-context.ts";
import { type Confirming, notConfirmed, openConfirming } from "../io/require-confirmed.ts";
import { askOperator } from "./ask-operator.ts";
import { requireKeyId } from "./key-terms.ts";
import type { KeysRevokeOptions } from "./keys-options.ts";
import { isNothing, printDecided, type Revoked } from "./print-decided.ts";

export async function revokeKey(
  keyId: string,
  options: KeysRevokeOptions,
  context: CommandContext,
): Promise<void> {
  requireKeyId(keyId);
  const confirming = options.yes === true ? undefined : openConfirming(context);
  try {
    await revoke(keyId, options, context, confirming);
  } finally {
    confirming?.close();
  }
}

async function revoke(
  keyId: string,
  options: KeysRevokeOptions,
  context: CommandContext,
  confirming: Confirming | undefined,
): Promise<void> {
  const { print } = context;
  // Before the data folder is taken: others can use it while a person thinks.
  const isSure = await confirming?.isYes(
    `Revoke ${keyId}? Every secret and token of it ends at once, and that cannot be undone.`,
  );
  if (isSure === false) throw notConfirmed();
  const first = await ask(keyId, options.decided ?? "list", options, context);
  const isOpen = options.decided === undefined && first.decided !== undefined && !isNothing(first.decided);
  if (options.json !== true) printRevoked(first, context);
  // The key has ended by now: what is decided about the rest leaves it so.
  const isToEnd = isOpen && (await confirming?.isYes("End all of that, too?")) === true;
  const revoked = isToEnd ? await ask(keyId, "end", options, context) : first;
  if (options.json === true) print.json({ ok: true, ...revoked }, 2);
  else if (isToEnd) print.out("all of that has ended");
  else if (isOpen) print.out(`to end all of that: sf keys revoke ${keyId} --yes --decided end`);
}

async function ask(
  keyId: string,
  decided: "list" | "end",
  options: KeysRevokeOptions,
  context: CommandContext,
): Promise<Revoked> {
  const { signal } = context.io;
  return await askOperator(options, context, {
    ask: async (client) => await client.keys.revoke({ keyId, decided }, { signal }),
    whenUnknown:
      "whether the key was revoked is not known: sf keys ls shows it, and revoking it again does no harm",
  });
}

function printRevoked({ key, decided }: Revoked, { print }: CommandContext): void {
  print.out(`${key.keyId}  ${key.name}  is revoked since ${key.revokedAt ?? "now"}`);
  if (decided !== undefined && !isNothing(decided)) printDecided(decided, print);
}
