import {
  canonicalJson,
  InvalidInputError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listIn,
  localTarget,
  membersIn,
  readCanonicalJson,
} from "@spfunctions/contracts";
import { maxPayloadChars } from "../journal/read-payload.ts";
import { linearPattern } from "./linear-pattern.ts";
import { besideNull, onlyBranches } from "./only-branch.ts";

/** Fills what a schema declares as defaults into an input, and gives back a new one where anything was missing. */
export type FillDefaults = (value: JsonValue) => JsonValue;

/** Whether the default of a member fits the member's own schema. One that does not is not filled in. */
export type FitsMember = (member: {
  readonly name: string;
  readonly schema: JsonValue;
  readonly value: JsonValue;
}) => boolean;

/**
 * The filler of a schema, or nothing where it declares no default that could be missing. Defaults stand at properties, also
 * nested, in items, behind references, and in the one branch of an anyOf or oneOf that a value can be meant for. Where it could be
 * more than one, and under if and not, none do.
 */
export function defaultsOf(
  schema: JsonObject,
  fitsMember: FitsMember = () => true,
): FillDefaults | undefined {
  const fillers = new Fillers(schema, fitsMember);
  return fillers.reachesDefault(schema) ? (value) => fillers.fillInput(schema, value) : undefined;
}

type Done = WeakMap<object, Map<JsonObject, JsonValue>>;

/** By which schemas a value is being filled, and those that have left it as it was, with it. */
type Here = Map<JsonObject, JsonValue | undefined>;

class Fillers {
  readonly #root: JsonObject;
  readonly #fitsMember: FitsMember;
  readonly #fitting = new Map<JsonObject, boolean>();
  /** The canonical text of each property's default with its own members' defaults. */
  readonly #defaults = new Map<JsonObject, string>();
  /** What holds the defaults that are being completed, outermost first, and what was found to call for itself. */
  readonly #completing: JsonObject[] = [];
  readonly #endless = new Set<JsonObject>();
  /** What parts of one input have become by which schemas: however many ways lead to the same place, the next finds it done. */
  #done: Done = new WeakMap();
  /** How much can still be put into what is being filled before it is too large to be kept. */
  #room = maxPayloadChars;

  constructor(root: JsonObject, fitsMember: FitsMember) {
    this.#root = root;
    this.#fitsMember = fitsMember;
  }

  reachesDefault(schema: JsonValue | undefined, seen = new Set<JsonObject>()): boolean {
    if (!isJsonObject(schema) || seen.has(schema)) return false;
    seen.add(schema);
    const children = [...membersIn(schema, "properties"), ...membersIn(schema, "patternProperties")];
    if (membersIn(schema, "properties").some(([, child]) => this.#ownerOfDefault(child) !== undefined))
      return true;
    const others = [schema["additionalProperties"], schema["items"], ...listIn(schema, "prefixItems")];
    const parts = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => listIn(schema, keyword));
    const inPlace = [this.#target(schema), ...parts];
    return [...children.map(([, child]) => child), ...others, ...inPlace].some((child) =>
      this.reachesDefault(child, seen),
    );
  }

  fillInput(schema: JsonObject, input: JsonValue): JsonValue {
    this.#done = new WeakMap();
    this.#room = maxPayloadChars;
    return this.#fill(schema, input);
  }

  #fill(schema: JsonValue | undefined, value: JsonValue): JsonValue {
    if (!isJsonObject(schema) || typeof value !== "object" || value === null) return value;
    const done = this.#done;
    const known: Map<JsonObject, JsonValue> = done.get(value) ?? new Map();
    const before = known.get(schema);
    if (before !== undefined) return before;
    const filled = this.#fillHere(schema, value, new Map());
    done.set(value, known.set(schema, filled));
    return filled;
  }

  #fillHere(schema: JsonValue | undefined, value: JsonValue, here: Here): JsonValue {
    if (!isJsonObject(schema)) return value;
    if (here.has(schema) && [undefined, value].includes(here.get(schema))) return value;
    here.set(schema, undefined);
    let filled = this.#fillHere(this.#target(schema), value, here);
    for (const part of listIn(schema, "allOf")) filled = this.#fillHere(part, filled, here);
    filled = Array.isArray(filled)
      ? this.#items(schema, filled)
      : this.#members(schema, filled as JsonObject);
    for (const branch of onlyBranches(this.#root, schema, filled))
      filled = this.#fillHere(branch, filled, here);
    if (filled === value) here.set(schema, value);
    else here.delete(schema);
    return filled;
  }

  #members(schema: JsonObject, value: JsonObject): JsonValue {
    const changes: [string, JsonValue][] = [];
    for (const [key, child] of membersIn(schema, "properties")) {
      if (Object.hasOwn(value, key)) continue;
      const text = this.#completeDefault(child);
      if (text !== null && this.#fits(key, child, text)) changes.push([key, this.#placed(text)]);
    }
    for (const [key, member] of Object.entries(value)) {
      const schemas = this.#schemasFor(schema, key);
      const filled = schemas.reduce<JsonValue>((before, child) => this.#fill(child, before), member);
      if (filled !== member) changes.push([key, filled]);
    }
    return changes.length === 0 ? value : Object.fromEntries([...Object.entries(value), ...changes]);
  }

  #fits(name: string, schema: JsonValue, text: string): boolean {
    if (!isJsonObject(schema)) return false;
    const known = this.#fitting.get(schema);
    if (known !== undefined) return known;
    const fits = this.#fitsMember({ name, schema, value: readCanonicalJson(text) });
    this.#fitting.set(schema, fits);
    return fits;
  }

  /** Refused before it is there: a few small defaults in each other, or in many places, make more than there is memory for. */
  #placed(text: string): JsonValue {
    this.#room -= text.length;
    if (this.#room >= 0) return readCanonicalJson(text);
    throw new InvalidInputError(`with its defaults it is larger than ${maxPayloadChars} characters`);
  }

  #schemasFor(schema: JsonObject, key: string): (JsonValue | undefined)[] {
    const properties = schema["properties"];
    const own = isJsonObject(properties) && Object.hasOwn(properties, key) ? [properties[key]] : [];
    const matching = membersIn(schema, "patternProperties").filter(([pattern]) =>
      linearPattern(pattern).test(key),
    );
    const named = [...own, ...matching.map(([, child]) => child)];
    return named.length > 0 ? named : [schema["additionalProperties"]];
  }

  #items(schema: JsonObject, items: readonly JsonValue[]): JsonValue {
    const first = listIn(schema, "prefixItems");
    const filled = items.map((item, index) =>
      this.#fill(index < first.length ? first[index] : schema["items"], item),
    );
    return filled.every((item, index) => item === items[index]) ? items : filled;
  }

  /** A default gets its own members' defaults too. One that would call for itself again has no end, and so is none. */
  #completeDefault(child: JsonValue): string | null {
    const owner = this.#ownerOfDefault(child);
    if (owner === undefined || !isJsonObject(child)) return null;
    const begun = this.#completing.indexOf(owner);
    if (begun !== -1) {
      for (const one of this.#completing.slice(begun)) this.#endless.add(one);
      // What was done with them is not what would be without.
      this.#done = new WeakMap();
    }
    if (this.#endless.has(owner)) return null;
    const known = this.#defaults.get(child);
    if (known !== undefined) return known;
    this.#completing.push(owner);
    const room = this.#room;
    this.#room = maxPayloadChars;
    let text: string;
    try {
      text = canonicalJson(this.#fill(child, readCanonicalJson(canonicalJson(owner["default"]))));
    } finally {
      this.#completing.pop();
      this.#room = room;
    }
    if (this.#endless.has(owner)) return null;
    this.#defaults.set(child, text);
    return text;
  }

  #ownerOfDefault(child: JsonValue | undefined, refs: readonly JsonValue[] = []): JsonObject | undefined {
    if (!isJsonObject(child) || refs.includes(child)) return undefined;
    return Object.hasOwn(child, "default")
      ? child
      : this.#ownerOfDefault(this.#target(child) ?? besideNull(child), [...refs, child]);
  }

  #target(schema: JsonObject): JsonValue | undefined {
    return localTarget(this.#root, schema["$ref"]);
  }
}
