// Which branch of an anyOf or oneOf a value is meant for. Only what can never be undone rules a branch out: what kind of value it is,
// and a member that is there and is none that the branch allows. So no default that is filled in brings a branch back.
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listIn,
  localTarget,
  membersIn,
} from "@spfunctions/contracts";

const choices = ["anyOf", "oneOf"] as const;

/** Of each choice in a schema the one branch that is left, where all others are ruled out. */
export function onlyBranches(root: JsonObject, schema: JsonObject, value: JsonValue): readonly JsonValue[] {
  return choices.flatMap((keyword) => {
    const left = listIn(schema, keyword).filter((branch) => !isRuledOut(root, branch, value));
    return left.length === 1 ? left : [];
  });
}

/** What a schema says of values that are not null, where it allows that or null. */
export function besideNull(schema: JsonObject): JsonValue | undefined {
  for (const keyword of choices) {
    const left = listIn(schema, keyword).filter(
      (branch) => !isJsonObject(branch) || branch["type"] !== "null",
    );
    if (left.length === 1) return left[0];
  }
  return undefined;
}

function isRuledOut(root: JsonObject, branch: JsonValue, value: JsonValue): boolean {
  const out = new Set<JsonValue>();
  // Branches may name each other: what is found out about one may rule out another that was looked at before.
  for (let known = -1; known < out.size; ) {
    known = out.size;
    look(root, branch, value, out, new Set());
  }
  return out.has(branch);
}

/** Adds to what is `out`, each branch looked at once. */
function look(
  root: JsonObject,
  branch: JsonValue | undefined,
  value: JsonValue,
  out: Set<JsonValue>,
  seen: Set<JsonObject>,
): boolean {
  if (!isJsonObject(branch)) return false;
  if (out.has(branch) || seen.has(branch)) return out.has(branch);
  seen.add(branch);
  const isOut = saysNo(root, branch, value, (one) => look(root, one, value, out, seen));
  if (isOut) out.add(branch);
  return isOut;
}

function saysNo(
  root: JsonObject,
  branch: JsonObject,
  value: JsonValue,
  isOut: (one: JsonValue | undefined) => boolean,
): boolean {
  const { type } = branch;
  const kind = Array.isArray(value) ? "array" : "object";
  if (type !== undefined && ![type].flat().includes(kind)) return true;
  if (isOut(localTarget(root, branch["$ref"])) || listIn(branch, "allOf").some(isOut)) return true;
  if (choices.some((keyword) => listIn(branch, keyword).length > 0 && listIn(branch, keyword).every(isOut)))
    return true;
  return membersIn(branch, "properties").some(([key, member]) => {
    const given = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    return given !== undefined && (isOther(member, given) || isOther(localTarget(root, ref(member)), given));
  });
}

const ref = (schema: JsonValue) => (isJsonObject(schema) ? schema["$ref"] : undefined);

/** Texts, numbers and the like that are none of those that a schema lists. */
function isOther(schema: JsonValue | undefined, given: JsonValue): boolean {
  if (!isJsonObject(schema)) return false;
  const allowed = Object.hasOwn(schema, "const") ? [schema["const"]] : schema["enum"];
  if (!Array.isArray(allowed)) return false;
  return allowed.every((one) => (typeof one !== "object" || one === null) && one !== given);
}
