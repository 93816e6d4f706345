// G4: what is judged by code and shown to a person is the recorded form. These are the parts of a payload that it does not show.
import {
  canonicalJson,
  type ContractTool,
  type HiddenPart,
  type JsonValue,
  type KeyedHash,
  placeholderFactsIn,
  readJsonPointer,
  redact,
  splitJsonPointer,
  toJsonPointer,
  type Verdict,
} from "@spfunctions/contracts";
import type { IsDeclared } from "../tool/declared-places.ts";
import { inputMarksOf } from "../tool/tool-checks.ts";

export type HiddenParts = {
  readonly all: readonly HiddenPart[];
  /** Those that are neither declared by the tool's schema nor secrets that this process holds: nobody has said what they are. */
  readonly unexplained: readonly HiddenPart[];
};

export const nothingHidden: HiddenParts = { all: [], unexplained: [] };

type Forms = {
  readonly live: JsonValue;
  readonly safe: JsonValue;
  /** Where they differ, as JSON pointers. */
  readonly redacted: readonly string[];
};

/** Compares the two forms of a payload. Without `isDeclared` nothing is declared. */
export function hiddenPartsOf(
  { live, safe, redacted }: Forms,
  keyedHash: KeyedHash,
  isDeclared: IsDeclared = () => false,
): HiddenParts {
  if (redacted.length === 0) return nothingHidden;
  const held = redact(live, { keyedHash, onlyHeld: true });
  const textsAt = (pointer: string) => ({
    live: textOf(readJsonPointer(live, pointer)),
    safe: textOf(readJsonPointer(safe, pointer)),
    held: textOf(readJsonPointer(held, pointer)),
  });
  // A declaration explains its own place alone: otherwise a name could be hidden by writing it there as well.
  const ours = new Set<string>();
  for (const pointer of redacted) {
    const texts = textsAt(pointer);
    const known = isOnlyHeld(texts.held) ? texts.safe : texts.held;
    for (const { placeholder } of placeholderFactsIn(known)) ours.add(hashIn(placeholder));
  }
  const all: HiddenPart[] = [];
  const unexplained: HiddenPart[] = [];
  for (const pointer of redacted) {
    const texts = textsAt(pointer);
    const part = partAt(pointer, texts);
    all.push(part);
    const isHeld = placeholderFactsIn(texts.safe).every(({ placeholder }) => ours.has(hashIn(placeholder)));
    if (!isHeld && !isDeclared(live, pointer)) unexplained.push(part);
  }
  return { all, unexplained };
}

/** The same of a recorded form whose live one is gone: how much is hidden is not known any more. */
export function hiddenPartsIn(safe: JsonValue): readonly HiddenPart[] {
  const parts: HiddenPart[] = [];
  const look = (value: JsonValue, path: PropertyKey[]): void => {
    if (typeof value === "string") {
      const kind = kindsIn(value);
      if (kind !== "") parts.push({ pointer: toJsonPointer(path), kind });
    } else if (typeof value === "object" && value !== null) {
      const kind = Array.isArray(value) ? "" : kindsIn(Object.keys(value).join("\n"));
      if (kind !== "") parts.push({ pointer: toJsonPointer(path), kind });
      for (const [key, member] of Object.entries(value)) look(member, [...path, key]);
    }
  };
  look(safe, []);
  return parts;
}

/** The parts of a recorded form that its contract does not declare. Some may be secrets that the process held: a record does not say. */
export function undeclaredPartsIn(
  safe: JsonValue,
  contract: Pick<ContractTool, "input" | "trade">,
): readonly HiddenPart[] {
  // Which branch of its schema applied is not known any more.
  const isDeclared = declaredBy(inputMarksOf(contract).secretPaths);
  return hiddenPartsIn(safe).filter(({ pointer }) => !isDeclared(pointer));
}

function declaredBy(secretPaths: readonly string[]): (pointer: string) => boolean {
  const patterns = secretPaths.map(splitJsonPointer);
  return (pointer) => {
    const path = splitJsonPointer(pointer);
    return patterns.some((pattern) => isUnder(path, pattern));
  };
}

/** How the reason begins for which a call with hidden parts stops. */
export const hiddenReason = "nobody is shown";

/** Whether a recorded call was stopped for its hidden parts, and not for a policy that asks about every such call. */
export function wasStoppedAsHidden({ gate, reason }: Pick<Verdict, "gate" | "reason">): boolean {
  return gate === "approval" && reason.startsWith(hiddenReason);
}

/** Names each place, for people: of very many the first. */
export function describeHidden(parts: readonly HiddenPart[]): string {
  const shown = parts.slice(0, maxDescribed).map(({ pointer, kind, length }) => {
    const size = length === undefined ? "" : `, ${length} character${length === 1 ? "" : "s"}`;
    return `${pointer === "" ? "the whole input" : pointer} (${kind}${size})`;
  });
  const more = parts.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}

const maxDescribed = 8;

/** Whether a path lies under a pattern, of which `*` is any one segment and `**` any number of them. */
function isUnder(path: readonly string[], pattern: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return true;
  if (first === "**" && isUnder(path, rest)) return true;
  const [step, ...below] = path;
  if (step === undefined) return false;
  if (first === "**") return isUnder(below, pattern);
  return (first === "*" || first === step) && isUnder(below, rest);
}

type Texts = { readonly live: string; readonly safe: string };

function partAt(pointer: string, { live, safe }: Texts): HiddenPart {
  const placeholders = placeholderFactsIn(safe);
  const shown = safe.length - placeholders.reduce((sum, { placeholder }) => sum + placeholder.length, 0);
  return { pointer, kind: kindsIn(safe), length: Math.max(0, live.length - shown) };
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : value === undefined ? "" : canonicalJson(value);
}

function kindsIn(safe: string): string {
  return [...new Set(placeholderFactsIn(safe).map(({ kind }) => kind))].join(", ");
}

/** The same secret has the same hash whatever it was taken for. */
function hashIn(placeholder: string): string {
  return /:([0-9a-f]{12})\]$/.exec(placeholder)?.[1] ?? placeholder;
}

/** A held secret with no more beside it than the scheme that a header names. */
function isOnlyHeld(held: string): boolean {
  const placeholders = placeholderFactsIn(held);
  if (placeholders.length === 0) return false;
  const rest = placeholders.reduce((text, { placeholder }) => text.replace(placeholder, ""), held);
  return /^\s*(?:basic|bearer|token|apikey|key)?[\s:]*$/i.test(rest);
}
