import {
  everySubschema,
  InvalidManifestError,
  isJsonObject,
  isSimpleFunctionsError,
  type JsonObject,
  type JsonValue,
  listIn,
  mapSubschemas,
  pathForMessage,
  snapshotJson,
} from "@spfunctions/contracts";
import { convertDraft07, NotConvertibleError } from "./convert-draft-07.ts";
import { differenceNextTime } from "./same-each-time.ts";
import { leaveOutUnsayable } from "./sayable-patterns.ts";
import { isStandardSchema, type StandardSchema, type ToolSchema } from "./standard-schema.ts";

/** What schemas of libraries have said of themselves. They do not change, and it takes them long. */
const said = { input: new WeakMap<object, JsonObject>(), output: new WeakMap<object, JsonObject>() };

/**
 * A tool's schema as the contract keeps it: JSON Schema 2020-12, plain data. One marked draft-07 is converted. A library's object that says nothing about
 * other keys drops them; here they are refused, because a call that loses part of its input is not the one that was judged.
 * One with defaults is asked twice, after a `pause` where a default may be the time.
 */
export function jsonSchemaOf(
  schema: ToolSchema,
  side: "input" | "output",
  tool: string,
  pause: () => void = () => undefined,
): JsonObject {
  if (!isStandardSchema(schema)) return converted(plain(schema, side, tool), side, tool);
  const before = said[side].get(schema);
  if (before !== undefined) return before;
  const say = () => plain(generated(schema, side, tool), side, tool);
  const whole = say();
  requireSame(differenceNextTime(whole, say, pause), side, tool);
  const { $schema: _, ...written } = whole;
  const kept = side === "input" ? closed(written, partsByName(written)) : written;
  said[side].set(schema, kept);
  return kept;
}

function requireSame(difference: readonly string[] | undefined, side: string, tool: string): void {
  if (difference === undefined) return;
  const place = pathForMessage(difference);
  const why = `${place} is not the same each time; give a fixed value, or leave it optional and fill it in in run`;
  throw refusal(tool, side, why, undefined, place);
}

function generated(schema: StandardSchema, side: "input" | "output", tool: string): unknown {
  const { vendor, jsonSchema } = schema["~standard"];
  if (typeof jsonSchema?.[side] !== "function") {
    throw refusal(
      tool,
      side,
      `the ${vendor} schema cannot say itself as JSON Schema; give JSON Schema instead`,
    );
  }
  const libraryOptions = vendor === "zod" ? { override: leaveOutUnsayable } : undefined;
  const options = { target: "draft-2020-12", libraryOptions } as const;
  try {
    // Both sides: what cannot be said of the other one changes values on the way, and then no contract could state it.
    jsonSchema[side === "input" ? "output" : "input"](options);
    return jsonSchema[side](options);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : "it threw";
    throw refusal(
      tool,
      side,
      `the ${vendor} schema has no JSON Schema (${why}); a tool's schema checks, it does not transform`,
      cause,
    );
  }
}

function plain(schema: unknown, side: string, tool: string): JsonObject {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    throw refusal(tool, side, "expected a Standard Schema (zod and others) or a JSON Schema object");
  }
  try {
    return snapshotJson(schema) as JsonObject;
  } catch (cause) {
    throw refusal(tool, side, isSimpleFunctionsError(cause) ? cause.message : "it is not JSON", cause);
  }
}

function converted(schema: JsonObject, side: string, tool: string): JsonObject {
  try {
    return convertDraft07(schema);
  } catch (cause) {
    if (!(cause instanceof NotConvertibleError)) throw cause;
    throw refusal(tool, side, cause.message, cause, cause.place);
  }
}

/** What says something about the same value as the schema it stands in. */
const inPlace = new Set(["allOf", "anyOf", "oneOf", "if", "then", "else", "not"]);

/**
 * An object that lists its properties and is silent about others gets `additionalProperties: false`. The parts of an allOf do
 * not: each would refuse what the others declare.
 */
function closed(schema: JsonObject, parts: ReadonlySet<string>, isPart = false): JsonObject {
  const copy = mapSubschemas(schema, (child, [keyword]) => {
    if (!isJsonObject(child)) return child;
    return closed(child, parts, keyword === "allOf" || (isPart && inPlace.has(keyword)));
  });
  const named = isJsonObject(copy["$defs"]) ? closedDefinitions(schema, copy, parts) : copy;
  const isSilent =
    Object.hasOwn(named, "properties") &&
    !["additionalProperties", "allOf", "$ref"].some((keyword) => Object.hasOwn(named, keyword));
  return isSilent && !isPart ? { ...named, additionalProperties: false } : named;
}

function closedDefinitions(schema: JsonObject, copy: JsonObject, parts: ReadonlySet<string>): JsonObject {
  const given = schema["$defs"] as JsonObject;
  const entries = Object.entries(copy["$defs"] as JsonObject).map(
    ([name, definition]): [string, JsonValue] => {
      const original = given[name];
      return [name, parts.has(name) && isJsonObject(original) ? closed(original, parts, true) : definition];
    },
  );
  return { ...copy, $defs: Object.fromEntries(entries) };
}

/** Definitions that say something about a value beside others: what an allOf leads to, and a reference beside properties. */
function partsByName(root: JsonObject): ReadonlySet<string> {
  const names = new Set<string>();
  const definitions = root["$defs"];
  const follow = (schema: JsonValue | undefined): void => {
    if (!isJsonObject(schema)) return;
    mapSubschemas(schema, (child, [keyword]) => {
      if (inPlace.has(keyword)) follow(child);
      return child;
    });
    const ref = schema["$ref"];
    const name = typeof ref === "string" ? /^#\/\$defs\/([^/]+)$/.exec(ref)?.[1] : undefined;
    if (name === undefined || names.has(name) || !isJsonObject(definitions)) return;
    names.add(name);
    follow(Object.hasOwn(definitions, name) ? definitions[name] : undefined);
  };
  everySubschema(root, (schema) => {
    const { $ref, properties } = schema;
    for (const part of listIn(schema, "allOf")) follow(part);
    if (properties !== undefined && $ref !== undefined) follow({ $ref });
  });
  return names;
}

function refusal(tool: string, side: string, why: string, cause?: unknown, place = ""): InvalidManifestError {
  return new InvalidManifestError(`invalid tool ${tool}: ${side}: ${why}`, {
    details: { tool, path: `/${side}${place}`, reason: "bad_schema" },
    cause,
  });
}
