// A hook sees what is on record, and changes what would run: with a patch it neither reads nor moves what it was not shown (S1).
import {
  canonicalJson,
  isJsonPointer,
  type JsonValue,
  readJsonPointer,
  splitJsonPointer,
} from "@spfunctions/contracts";
import type { PatchStep } from "./run-hook.ts";

type Box = { [key: string]: JsonValue } | JsonValue[];

/** What is live, and what of it is on record: every step is taken in both. */
export type Both = { readonly live: JsonValue; readonly recorded: JsonValue };

/** Why a patch changes nothing. */
export class UnfitPatch extends Error {}

const ops = new Set<unknown>(["add", "replace", "remove", "move", "copy", "test"]);

/** The values with a patch applied to them, whole or not at all. */
export function applyPatch(both: Both, given: unknown): Both {
  if (!Array.isArray(given)) throw new UnfitPatch("it is no list of changes");
  const patch = given.map(readStep);
  return patch.reduce(applyStep, { live: copy(both.live), recorded: copy(both.recorded) });
}

function readStep(given: unknown, index: number): PatchStep {
  const { op, path, from, value } = (given ?? {}) as Record<string, unknown>;
  const where = `change ${index + 1}`;
  if (!ops.has(op)) throw new UnfitPatch(`${where} is none that RFC 6902 has`);
  if (typeof path !== "string" || !isJsonPointer(path)) throw new UnfitPatch(`${where} has no path`);
  if (op === "remove") return { op, path };
  if (op === "move" || op === "copy") {
    if (typeof from !== "string" || !isJsonPointer(from)) throw new UnfitPatch(`${where} has no from`);
    if (op === "move" && `${path}/`.startsWith(`${from}/`) && path !== from)
      throw new UnfitPatch(`${where} moves a value into itself`);
    return { op, path, from };
  }
  if (value === undefined) throw new UnfitPatch(`${where} has no value`);
  return { op, path, value: copy(value as JsonValue) } as PatchStep;
}

function applyStep(both: Both, step: PatchStep): Both {
  switch (step.op) {
    case "add":
      return inBoth(both, (root) => add(root, step.path, step.value));
    case "remove":
      return inBoth(both, (root) => remove(root, step.path));
    case "replace":
      requireThere(both.recorded, step.path);
      return inBoth(both, (root) =>
        step.path === "" ? copy(step.value) : add(remove(root, step.path), step.path, step.value),
      );
    case "test":
      if (canonicalJson(shownAt(both, step.path)) !== canonicalJson(step.value))
        throw new UnfitPatch(`${step.path || "the input"} is not what the patch expects`);
      return both;
    case "copy": {
      const value = shownAt(both, step.from);
      return inBoth(both, (root) => add(root, step.path, value));
    }
    default: {
      const value = shownAt(both, step.from);
      if (step.from === step.path) return both;
      return inBoth(both, (root) => add(remove(root, step.from), step.path, value));
    }
  }
}

/** First in what was shown: what cannot be changed there is said by that alone, whatever is hidden. */
function inBoth(both: Both, change: (root: JsonValue) => JsonValue): Both {
  const recorded = change(both.recorded);
  return { live: change(both.live), recorded };
}

/** What stands at a place, where the hook was shown it as it is. */
function shownAt({ live, recorded }: Both, path: string): JsonValue {
  const shown = requireThere(recorded, path);
  const value = readJsonPointer(live, path);
  if (value !== undefined && canonicalJson(shown) === canonicalJson(value)) return value;
  throw new UnfitPatch(
    `${path || "the input"} holds what is hidden on record: it can be replaced or removed only`,
  );
}

function requireThere(root: JsonValue, path: string): JsonValue {
  const value = readJsonPointer(root, path);
  if (value === undefined) throw new UnfitPatch(`there is nothing at ${path}`);
  return value;
}

function add(root: JsonValue, path: string, value: JsonValue): JsonValue {
  if (path === "") return copy(value);
  const { box, key } = boxOf(root, path);
  if (Array.isArray(box))
    box.splice(key === "-" ? box.length : placeIn(box, key, box.length), 0, copy(value));
  // Any name is a member like any other, also one that objects inherit.
  else
    Object.defineProperty(box, key, {
      value: copy(value),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  return root;
}

function remove(root: JsonValue, path: string): JsonValue {
  requireThere(root, path);
  if (path === "") throw new UnfitPatch("the whole input cannot be removed");
  const { box, key } = boxOf(root, path);
  if (Array.isArray(box)) box.splice(placeIn(box, key, box.length - 1), 1);
  else delete box[key];
  return root;
}

function boxOf(root: JsonValue, path: string): { readonly box: Box; readonly key: string } {
  const parts = splitJsonPointer(path);
  const key = parts.pop() ?? "";
  const box = readJsonPointer(root, path.slice(0, path.lastIndexOf("/")));
  if (typeof box !== "object" || box === null)
    throw new UnfitPatch(`there is nothing that ${path} could stand in`);
  return { box: box as Box, key };
}

function placeIn(box: readonly JsonValue[], key: string, most: number): number {
  const at = /^(?:0|[1-9]\d{0,9})$/.test(key) ? Number(key) : -1;
  if (at >= 0 && at <= most && at <= box.length) return at;
  throw new UnfitPatch(`${key} is no place in that list`);
}

function copy<Value extends JsonValue>(value: Value): Value {
  return structuredClone(value);
}
