import type { JsonValue } from "../json/json-value.ts";
import { setMember } from "../json/set-member.ts";
import { freeName } from "./free-name.ts";
import { heldSecrets, type SecretRegistry } from "./held-secrets.ts";
import { type KeyedHash, placeholderForNumber } from "./placeholder.ts";
import { redactFound, type RedactOptions, redactHeld } from "./redact-text.ts";

/** What a single text or number becomes. */
type Hide = {
  readonly text: (text: string) => string;
  readonly number: (number: number | bigint) => unknown;
};

/** Plain data without secrets that are held, whatever name they stand under. Where there is none it comes back as it is. */
export function hideHeld(value: JsonValue, options: RedactOptions): JsonValue {
  return hideIn(value, {
    text: (text) => redactHeld(text, options),
    number: (number) => (isHeldNumber(number, options) ? placeholderOf(number, options.keyedHash) : number),
  }) as JsonValue;
}

/**
 * The same for what was found elsewhere in a value that `redact` has copied: it holds plain data, Maps, Sets, Dates, Errors, URLs,
 * search parameters and Headers.
 */
export function hideFound(value: unknown, found: SecretRegistry, keyedHash: KeyedHash | undefined): unknown {
  return hideIn(value, {
    text: (text) => redactFound(text, found, keyedHash),
    number: (number) => (found.hasNumber(number) ? placeholderOf(number, keyedHash) : number),
  });
}

export function isHeldNumber(
  value: number | bigint,
  { secrets = heldSecrets, alsoSecrets }: RedactOptions,
): boolean {
  return secrets.hasNumber(value) || alsoSecrets?.hasNumber(value) === true;
}

function placeholderOf(number: number | bigint, keyedHash: KeyedHash | undefined): string {
  return placeholderForNumber("secret", number, keyedHash);
}

function hideIn(value: unknown, hide: Hide): unknown {
  if (typeof value === "string") return hide.text(value);
  if (typeof value === "number" || typeof value === "bigint") return hide.number(value);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) return hideInItems(value, hide);
  if (value instanceof Map) return new Map(hideInEntries(value, hide) as [unknown, unknown][]);
  if (value instanceof Set) return new Set(Array.from(value, (item) => hideIn(item, hide)));
  if (value instanceof Error) return hideInError(value, hide);
  if (value instanceof URL) return hideInAddress(value, hide);
  if (value instanceof URLSearchParams) return new URLSearchParams(hideInEntries(value, hide) as string[][]);
  if (value instanceof Headers) return new Headers(hideInEntries(value, hide) as [string, string][]);
  return hideInMembers(value, hide);
}

function hideInItems(items: readonly unknown[], hide: Hide): readonly unknown[] {
  const safe = items.map((item) => hideIn(item, hide));
  return safe.every((item, index) => item === items[index]) ? items : safe;
}

function hideInEntries(entries: Iterable<[unknown, unknown]>, hide: Hide): unknown[][] {
  return Array.from(entries, (entry) => entry.map((part) => hideIn(part, hide)));
}

function hideInMembers(value: object, hide: Hide): object {
  const copy = (Object.getPrototypeOf(value) === null ? Object.create(null) : {}) as Record<string, unknown>;
  const counts = new Map<string, number>();
  let differs = false;
  for (const [key, member] of Object.entries(value)) {
    const safe = hideIn(member, hide);
    const name = hide.text(key);
    differs ||= safe !== member || name !== key;
    const isTaken = (free: string) => Object.hasOwn(copy, free);
    setMember(copy, isTaken(name) ? freeName(name, isTaken, counts) : name, safe);
  }
  return differs ? copy : value;
}

/** The error is a copy of its own, so it is changed where it is. */
function hideInError(error: Error, hide: Hide): Error {
  for (const key of Object.getOwnPropertyNames(error)) {
    const own = Object.getOwnPropertyDescriptor(error, key);
    if (own === undefined) continue;
    const name = hide.text(key);
    if (name !== key) delete (error as unknown as Record<string, unknown>)[key];
    Object.defineProperty(error, name, { ...own, value: hideIn(own.value, hide) });
  }
  return error;
}

function hideInAddress(address: URL, hide: Hide): URL | string {
  try {
    return new URL(hide.text(address.href));
  } catch {
    return "[unreadable]";
  }
}
