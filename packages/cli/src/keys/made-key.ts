import { heldSecrets, isApiKey, keyIdSchema, UpstreamError } from "@spfunctions/contracts";
import type { OutputOf } from "@spfunctions/sdk";
import type { CommandContext } from "../command-line/command-context.ts";

/** A key with the secret that was made for it. */
export type MadeKey = OutputOf<"keys.create">;
export type KeyView = MadeKey["key"];

/** The platform's answer, of which a file is going to be named and written. */
export function checked(made: MadeKey): MadeKey {
  const { key, secret } = made as Partial<MadeKey>;
  if (keyIdSchema.safeParse(key?.keyId).success && isApiKey(String(secret))) return made;
  throw new UpstreamError(
    "the platform's answer holds no key; check that it is a platform, and what sf keys ls says",
    { details: { reason: "no_key_in_answer" }, retry: "never" },
  );
}

export type ShownKey = {
  readonly made: MadeKey;
  readonly file: string;
  /** What happened, in words. */
  readonly lines: readonly string[];
};

/** S1: the secret is shown where that was asked for, and hidden from everything that is printed after. */
export function showKey(
  { made: { key, secret }, file, lines }: ShownKey,
  { json, show }: { readonly json?: true; readonly show?: true },
  { io, print }: CommandContext,
): void {
  if (show !== true) heldSecrets.add(secret, "api_key");
  else if (io.isTerminal.stdout)
    print.err({ text: "warning", style: "yellow" }, ": whoever sees this screen or its history has the key");
  if (json === true) print.json({ ok: true, key, file, ...(show && { secret }) }, 2);
  else {
    for (const line of lines) (show === true ? print.err : print.out)(line);
    if (show === true) print.out(secret);
  }
  heldSecrets.add(secret, "api_key");
}
