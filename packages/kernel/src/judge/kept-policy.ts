import {
  isKeptWord,
  parsePolicy,
  type ParsedPolicy,
  type PolicyLevel,
  type SecretRegistry,
  heldSecrets,
} from "@spfunctions/contracts";
import { timingSafeEqual } from "node:crypto";

/** A keyed hash in hex, under a key that only this installation holds. */
export type KeyHash = (text: string) => string;

/**
 * Policies as they are kept, digested and shown: the word that confirms an order is there as its keyed hash alone. One
 * that was kept before is taken as it is.
 */
export function keptLevels(
  levels: readonly PolicyLevel[],
  keyHash: KeyHash,
  held: SecretRegistry = heldSecrets,
): PolicyLevel[] {
  return levels.map(({ level, policy }) =>
    Object.freeze({ level, policy: kept(parsePolicy(policy), keyHash, held) }),
  );
}

function kept(policy: ParsedPolicy, keyHash: KeyHash, held: SecretRegistry): ParsedPolicy {
  const word = policy.trade?.confirmToken;
  if (policy.trade === undefined || word === undefined || isKeptWord(word)) return policy;
  held.add(word, "confirm");
  return Object.freeze({
    ...policy,
    trade: Object.freeze({ ...policy.trade, confirmToken: keptWordOf(word, keyHash) }),
  });
}

/** Under a name of its own: whoever chooses a word chooses nothing else that is hashed with this key, such as what an approval is proven by. */
const keptWordOf = (word: string, keyHash: KeyHash) =>
  `hmac-sha256:${keyHash(`simplefunctions confirm v1\n${word}`)}`;

/** Compares a given word with a kept one, in the same time whatever they are. */
export function confirmMatcher(keyHash: KeyHash): (given: string, kept: string) => boolean {
  return (given, keptWord) => {
    const a = Buffer.from(keptWordOf(given, keyHash));
    const b = Buffer.from(keptWord);
    return a.length === b.length && timingSafeEqual(a, b);
  };
}
