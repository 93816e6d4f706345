import type { JsonValue } from "../json/json-value.ts";
import { setMember } from "../json/set-member.ts";
import { freeName } from "./free-name.ts";
import { heldSecrets } from "./held-secrets.ts";
import { placeholderForNumber } from "./placeholder.ts";
import { type RedactOptions, redactHeld } from "./redact-text.ts";

/** Plain data without secrets that are held, whatever name they stand under. Where there is none it comes back as it is. */
export function hideHeld(value: JsonValue, options: RedactOptions): JsonValue {
  if (typeof value === "string") return redactHeld(value, options);
  if (typeof value === "number") return hideNumber(value, options);
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value)
    ? hideInItems(value, options)
    : hideInMembers(value as Readonly<Record<string, JsonValue>>, options);
}

function hideNumber(value: number, options: RedactOptions): JsonValue {
  return isHeldNumber(value, options) ? placeholderForNumber("secret", value, options.keyedHash) : value;
}

export function isHeldNumber(
  value: number | bigint,
  { secrets = heldSecrets, alsoSecrets }: RedactOptions,
): boolean {
  return secrets.hasNumber(value) || alsoSecrets?.hasNumber(value) === true;
}

function hideInItems(items: readonly JsonValue[], options: RedactOptions): JsonValue {
  const safe = items.map((item) => hideHeld(item, options));
  return safe.every((item, index) => item === items[index]) ? items : safe;
}

function hideInMembers(value: Readonly<Record<string, JsonValue>>, options: RedactOptions): JsonValue {
  const copy: Record<string, JsonValue> = {};
  const counts = new Map<string, number>();
  let differs = false;
  for (const [key, member] of Object.entries(value)) {
    const safe = hideHeld(member, options);
    const name = redactHeld(key, options);
    differs ||= safe !== member || name !== key;
    const isTaken = (free: string) => Object.hasOwn(copy, free);
    setMember(copy, isTaken(name) ? freeName(name, isTaken, counts) : name, safe);
  }
  return differs ? copy : value;
}
