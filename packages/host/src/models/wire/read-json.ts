import { isSimpleFunctionsError, parseJsonStrict } from "@spfunctions/contracts";
import { UnheardError } from "./unheard-error.ts";

/**
 * What a provider has said, as a value. An object with the same key twice says two things, and none of them is taken. Numbers too
 * large to hold and halves of a character are common where nobody looks: they are left as they are written to whoever does.
 */
export function readJson(text: string, name: string): unknown {
  try {
    return parseJsonStrict(text, { maxBytes: Number.POSITIVE_INFINITY, keepsOdd: true });
  } catch (error) {
    const reason = isSimpleFunctionsError(error) ? error.details?.reason : undefined;
    throw new UnheardError(
      `${name} answered with ${faults[String(reason)] ?? "what is no JSON, or not all of it; check that its address is the provider's"}`,
    );
  }
}

const faults: Readonly<Record<string, string>> = {
  duplicate_key: "JSON that has a key twice",
  too_deep: "JSON nested too deeply to be read",
};

/** Own members alone; of what is no object there are none. */
export function membersOf(value: unknown): Record<string, unknown> {
  const own: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  return typeof value === "object" && value !== null ? Object.assign(own, value) : own;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOr<Other>(value: unknown, other: Other): string | Other {
  return typeof value === "string" ? value : other;
}

/** A count of tokens, if it is one. */
export function countIn(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}
