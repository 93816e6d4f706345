// R2: a replay that was recorded has the same calls with the same outcomes as what it was replayed from. Ids, times, callers and
// seals are its own; contracts, policies and verdicts may be of today, and are told apart.
import { type JsonValue, toJsonPointer } from "@spfunctions/contracts";
import { readPayload } from "../journal/read-payload.ts";
import { requireWhole } from "../journal/verify-stream.ts";
import { alignSequences } from "./align-sequences.ts";
import {
  type CallInTrace,
  type DiffedCall,
  diffedCalls,
  isSameCall,
  isSamePayload,
  type Payload,
  toolAndInput,
} from "./diffed-call.ts";
import { jsonDifferences } from "./json-differences.ts";
import type { Trace } from "./read-trace.ts";

/** A member of a call that is another in the other trace, by JSON pointer; a side that has none has no value. */
export type FieldDifference = {
  readonly path: string;
  readonly a?: JsonValue;
  readonly b?: JsonValue;
  /** On which sides it was erased, so that nobody can tell. */
  readonly erased?: readonly ("a" | "b")[];
};

/** `moved`: the same call stands elsewhere in the order. */
export type CallDifference =
  | {
      readonly type: "changed" | "moved";
      readonly a: CallInTrace;
      readonly b: CallInTrace;
      readonly fields: readonly FieldDifference[];
      /** How many more places differ than are listed. */
      readonly moreFields?: number;
    }
  | { readonly type: "only_a"; readonly a: CallInTrace }
  | { readonly type: "only_b"; readonly b: CallInTrace };

/** A call that was made under another contract, policy or verdict. */
export type LawDifference = {
  readonly a: CallInTrace;
  readonly b: CallInTrace;
  readonly fields: readonly FieldDifference[];
};

/** What two traces do not have in common; plain JSON. */
export type TraceDiff = {
  /** The same calls in the same order, by tool, input, status, output and error code. */
  readonly equal: boolean;
  readonly calls: { readonly a: number; readonly b: number };
  readonly differences: readonly CallDifference[];
  /** Beside that, of calls that belong together: they do not make traces different. */
  readonly law: readonly LawDifference[];
};

/** Most places of one call that are listed. */
const mostFields = 50;

/** Holds two traces against each other. One that is not what was written is refused. */
export function diffTraces(a: Trace, b: Trace): TraceDiff {
  requireWhole(a.verification, "the first trace");
  requireWhole(b.verification, "the second trace");
  const [before, after] = [diffedCalls(a), diffedCalls(b)];
  const pairs = together(before, after);
  const differences = pairs.flatMap((pair) => differenceOf(pair) ?? []);
  const law = pairs.flatMap((pair) => lawDifference(pair) ?? []);
  const calls = { a: before.length, b: after.length };
  return { equal: differences.length === 0, calls, differences, law };
}

type Pair = { readonly a?: DiffedCall; readonly b?: DiffedCall; readonly isMoved?: true };

/** Every call once, with the one that it belongs to where there is one: also where that stands elsewhere in the order. */
function together(a: readonly DiffedCall[], b: readonly DiffedCall[]): Pair[] {
  const aligned = alignSequences(a, b, isSameCall, [toolAndInput, ({ at }) => at.tool]);
  const pairs = aligned.map((pair): Pair => ({ ...sideOf("a", a, pair.a), ...sideOf("b", b, pair.b) }));
  const alone = pairs.flatMap((pair) => (pair.a === undefined && pair.b !== undefined ? [pair.b] : []));
  const elsewhere = Map.groupBy(alone.toReversed(), toolAndInput);
  const moved = new Set<DiffedCall>();
  const all = pairs.map((pair): Pair => {
    const other = pair.a && pair.b === undefined ? elsewhere.get(toolAndInput(pair.a))?.pop() : undefined;
    if (other === undefined) return pair;
    moved.add(other);
    return { ...pair, b: other, isMoved: true };
  });
  return all.filter((pair) => pair.isMoved === true || pair.b === undefined || !moved.has(pair.b));
}

function sideOf(side: "a" | "b", list: readonly DiffedCall[], index: number | undefined): Pair {
  const call = index === undefined ? undefined : list[index];
  return call === undefined ? {} : { [side]: call };
}

function differenceOf({ a, b, isMoved }: Pair): CallDifference | undefined {
  if (a === undefined) return b && { type: "only_b", b: b.at };
  if (b === undefined) return { type: "only_a", a: a.at };
  if (isMoved !== true && isSameCall(a, b)) return undefined;
  const all = fieldsOf(a, b);
  const fields = all.slice(0, mostFields);
  return {
    type: isMoved === true ? "moved" : "changed",
    a: a.at,
    b: b.at,
    fields,
    ...(all.length > mostFields && { moreFields: all.length - mostFields }),
  };
}

function fieldsOf(a: DiffedCall, b: DiffedCall): FieldDifference[] {
  const isOtherError = a.error?.code !== b.error?.code;
  return [
    ...payloadFields("input", a.input, b.input),
    ...valueFields("/status", a.status, b.status),
    ...payloadFields("output", a.output, b.output),
    ...valueFields("/error/code", a.error?.code, b.error?.code),
    ...(isOtherError ? valueFields("/error/message", wordsOf(a), wordsOf(b)) : []),
  ];
}

function wordsOf({ error }: DiffedCall): string | undefined {
  return error?.message?.text;
}

function payloadFields(
  name: "input" | "output",
  a: Payload | undefined,
  b: Payload | undefined,
): FieldDifference[] {
  if (isSamePayload(a, b)) return [];
  const erased = [...(isErased(a) ? ["a" as const] : []), ...(isErased(b) ? ["b" as const] : [])];
  const fields: FieldDifference[] = [];
  for (const { path, ...values } of jsonDifferences(valueOf(a), valueOf(b)))
    fields.push({ path: toJsonPointer([name, ...path]), ...values, ...(erased.length > 0 && { erased }) });
  return fields.length > 0 ? fields : [{ path: `/${name}`, erased }];
}

function isErased(payload: Payload | undefined): boolean {
  return payload !== undefined && payload.text === undefined;
}

function valueOf(payload: Payload | undefined): JsonValue | undefined {
  return payload?.text === undefined ? undefined : readPayload(payload.text);
}

function valueFields(path: string, a: string | undefined, b: string | undefined): FieldDifference[] {
  if (a === b) return [];
  return [{ path, ...(a !== undefined && { a }), ...(b !== undefined && { b }) }];
}

/** By what they decided; how it was put into words is nobody's business here. */
function lawDifference({ a, b }: Pair): LawDifference | undefined {
  if (a === undefined || b === undefined) return undefined;
  const [one, other] = [a.state.opening, b.state.opening];
  const fields = [
    ...valueFields("/toolDigest", one.toolDigest, other.toolDigest),
    ...valueFields("/policyDigest", one.verdict.policyDigest, other.verdict.policyDigest),
    ...valueFields("/verdict/outcome", one.verdict.outcome, other.verdict.outcome),
    ...valueFields("/verdict/gate", one.verdict.gate, other.verdict.gate),
    ...valueFields("/verdict/code", one.verdict.code, other.verdict.code),
  ];
  return fields.length === 0 ? undefined : { a: a.at, b: b.at, fields };
}
