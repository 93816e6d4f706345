// Validators only check (B2): nothing here can change what it looks at, and what a library would change is refused. Only a clear
// yes is a yes (G1), and what is said about a no shows no value (S1).
import {
  everySubschema,
  hashInput,
  InvalidManifestError,
  type JsonObject,
  type JsonValue,
  pathForMessage,
  readJsonPointer,
  splitJsonPointer,
  toJsonPointer,
} from "@spfunctions/contracts";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { howChanged } from "./how-changed.ts";
import { issueWords } from "./issue-words.ts";
import { useLinearPatterns } from "./linear-library-patterns.ts";
import { linearPattern } from "./linear-pattern.ts";
import { NotLinearError, requireLinearPatterns } from "./patterns-in.ts";
import { useOwnKeywords } from "./own-keywords.ts";
import { isPlainSchema } from "./plain-schema.ts";
import { requireReliable } from "./reliable-schema.ts";
import { requireReliableUnevaluated } from "./reliable-unevaluated.ts";
import { copyJson, differenceIn } from "./json-copy.ts";
import { isStandardSchema, type StandardSchema, type ToolSchema } from "./standard-schema.ts";

/** What does not fit, without its value. */
export type SchemaProblem = { readonly path: string; readonly reason: string; readonly message: string };

/** Says what is wrong with a value, or nothing. */
export type SchemaCheck = (value: JsonValue) => SchemaProblem | undefined;

/** `ready`: whatever of it is still to be compiled is, or throws. */
export type CompiledCheck = SchemaCheck & { readonly ready: () => void };

type Where = {
  readonly tool: string;
  readonly side: string;
  /** Somebody else has defined it, in another time: a pattern of it that cannot be run takes no value. */
  readonly isRecorded?: boolean;
};

const addFormats = formats as unknown as (ajv: Ajv2020) => void;

/** Compiles a contract's schema, and the library's own checks where the tool was defined with one. */
export function compileCheck(contract: JsonObject, given: ToolSchema, where: Where): CompiledCheck {
  if (where.isRecorded !== true)
    orBad(where, () => {
      requireLinearPatterns(contract);
      requireReliableUnevaluated(contract);
    });
  if (isStandardSchema(given)) orBad(where, () => useLinearPatterns(given));
  const validator = compile(contract, isStandardSchema(given), where);
  const own = isStandardSchema(given) ? checkOf(given) : undefined;
  const isClosedLate = usesKeyword(contract, "unevaluatedProperties");
  const check: SchemaCheck = (value) => {
    const validate = validator();
    if (!isValid(validate, value)) return problemOf(contract, validate.errors?.[0]);
    if (isClosedLate) {
      const path = inheritedName(value);
      if (path !== undefined)
        return { path: pathForMessage(path), reason: "unevaluatedProperties", message: "is not declared" };
    }
    return own?.(value);
  };
  return Object.assign(check, { ready: () => void validator() });
}

type Validator = () => ValidateFunction;

/** By schema: compiling one costs more than anything else that defining a tool takes. */
const compiled = new Map<string, Validator>();
const mostCompiled = 1000;

/** Made of so many schemas at most. A validator of a thousand may be more than the stack has room for. */
const smallSize = 100;

/** What is plainly a schema, and small, is compiled for the first value; of any other it is known at once whether it can be. */
function compile(schema: JsonObject, isGenerated: boolean, where: Where): Validator {
  const name = `${isGenerated} ${hashInput(schema)}`;
  const known = compiled.get(name);
  if (known !== undefined) return known;
  orBad(where, () => requireReliable(schema));
  // References may go in a circle; of what a library calls a format nothing is unknown.
  const isLater =
    isPlainSchema(schema) &&
    sizeOf(schema) <= smallSize &&
    !usesKeyword(schema, "$ref") &&
    (isGenerated || !usesKeyword(schema, "format"));
  let made = isLater ? undefined : compileNew(schema, isGenerated, where);
  const validator = () => (made ??= compileNew(schema, isGenerated, where));
  const [oldest] = compiled.keys();
  if (compiled.size >= mostCompiled && oldest !== undefined) compiled.delete(oldest);
  compiled.set(name, validator);
  return validator;
}

function compileNew(schema: JsonObject, isGenerated: boolean, where: Where): ValidateFunction {
  return orBad(where, () => {
    const ajv = validatorFor(schema, isGenerated);
    addUnknownWords(ajv, schema, isGenerated);
    const validate = ajv.compile(schema);
    ajv.removeSchema(schema);
    return validate;
  });
}

function addUnknownWords(ajv: Ajv2020, schema: JsonObject, isGenerated: boolean): void {
  everySubschema(schema, (one) => {
    for (const key of Object.keys(one))
      if (key.startsWith("x-") && ajv.getKeyword(key) === false) ajv.addKeyword({ keyword: key });
    // What a library calls a format it checks itself.
    const { format } = one;
    if (isGenerated && typeof format === "string" && !Object.hasOwn(ajv.formats, format))
      ajv.addFormat(format, true);
  });
}

/** Whether a value fits a schema that stands in another; throws if that cannot be said. */
export type BranchCheck = (branch: JsonValue, value: JsonValue) => boolean;

/** Opens the check of the schemas that stand in this one. Each is compiled when it is first asked about. */
export function openBranchCheck(root: JsonObject, given: ToolSchema): BranchCheck {
  const isGenerated = isStandardSchema(given);
  const branches = new Map<JsonValue, ValidateFunction>();
  let opened: { readonly ajv: Ajv2020; readonly pointers: ReadonlyMap<JsonValue, string> } | undefined;
  return (branch, value) => {
    if (typeof branch === "boolean") return branch;
    opened ??= { ajv: openDocument(root, isGenerated), pointers: pointersIn(root) };
    const { ajv, pointers } = opened;
    const fragment = encodeURI(pointers.get(branch) ?? "").replaceAll("#", "%23");
    const validate = branches.get(branch) ?? ajv.compile({ $ref: `${documentName}#${fragment}` });
    branches.set(branch, validate);
    return isValid(validate, value);
  };
}

const documentName = "sf:document";

/** A validator that knows a schema by a name, so that what stands in it can be referred to. */
function openDocument(root: JsonObject, isGenerated: boolean): Ajv2020 {
  const ajv = newValidator(true, isGenerated);
  addUnknownWords(ajv, root, isGenerated);
  const { $id: _id, ...document } = root;
  ajv.addSchema({ ...document, $id: documentName });
  return ajv;
}

function pointersIn(root: JsonValue): ReadonlyMap<JsonValue, string> {
  const pointers = new Map<JsonValue, string>();
  const open: [JsonValue, readonly string[]][] = [[root, []]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, path] = next;
    if (typeof value !== "object" || value === null) continue;
    pointers.set(value, toJsonPointer(path));
    for (const [key, member] of Object.entries(value)) open.push([member, [...path, key]]);
  }
  return pointers;
}

function orBad<Value>({ tool, side }: Where, act: () => Value): Value {
  try {
    return act();
  } catch (cause) {
    if (cause instanceof NotLinearError)
      throw new InvalidManifestError(`invalid tool ${tool}: ${side}: ${cause.message}`, {
        details: { tool, path: `/${side}${cause.pointer}`, reason: "pattern_not_linear" },
        cause,
      });
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new InvalidManifestError(
      `invalid tool ${tool}: ${side}: not a usable JSON Schema 2020-12: ${why}`,
      { details: { tool, path: `/${side}`, reason: "bad_schema" }, cause },
    );
  }
}

/** Making one costs more than compiling a schema with it. What formats a library brings is no business of anybody else's. */
const validators = new Map<string, Ajv2020>();

/** One instance for all schemas without names; one of its own for a schema with one, so that two names never meet. */
function validatorFor(schema: JsonObject, isGenerated: boolean): Ajv2020 {
  const isPlain = isPlainSchema(schema);
  if (["$id", "$anchor", "$dynamicAnchor"].some((name) => usesKeyword(schema, name)))
    return newValidator(isPlain, isGenerated);
  const name = `${isGenerated} ${isPlain}`;
  const validator = validators.get(name) ?? newValidator(isPlain, isGenerated);
  validators.set(name, validator);
  return validator;
}

/** What a library calls so, it checks itself, and may take more: a link with an umlaut, a duration of 1.5 seconds. */
const wideFormats = {
  uri: (text: string) => URL.canParse(text),
  email: /^.+@.+$/su,
  duration: /^[-+]?P./,
} as const;

/** A pattern that cannot be run takes nothing: validating by it throws, which is no yes. */
const linearEngine = Object.assign(
  (source: string, flags: string) => ({
    test: (text: string) => linearPattern(source, flags).test(text),
    // The validator tells patterns apart by it.
    toString: () => String(new RegExp(source, flags)),
  }),
  { code: "linearPattern" },
);

/**
 * Characters of a text of the format `url`, whose pattern takes time that grows with the square of the text.
 * @limit tool.urlChars | `invalid_input` | fixed: use the format `uri` for longer ones
 */
const maxUrlChars = 2048;

function newValidator(isPlain: boolean, isGenerated: boolean): Ajv2020 {
  // `ownProperties`: what is inherited is not there.
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    ownProperties: true,
    validateSchema: !isPlain,
    code: { regExp: linearEngine },
    // What it has to say is in what it throws.
    logger: false,
  });
  addFormats(ajv);
  const { url } = ajv.formats;
  if (url instanceof RegExp)
    ajv.addFormat("url", (text: string) => text.length <= maxUrlChars && url.test(text));
  useOwnKeywords(ajv);
  if (isGenerated) for (const [name, format] of Object.entries(wideFormats)) ajv.addFormat(name, format);
  return ajv;
}

/** Comparing values, the validator calls members of theirs that are named like an object's own methods. */
function isValid(validate: ValidateFunction, value: JsonValue): boolean {
  try {
    // An asynchronous schema would answer with a promise, which is no yes.
    const answer: unknown = validate(value);
    return answer === true;
  } catch {
    validate.errors = null;
    return false;
  }
}

function usesKeyword(schema: JsonObject, keyword: string): boolean {
  let uses = false;
  everySubschema(schema, (one) => {
    uses ||= Object.hasOwn(one, keyword);
  });
  return uses;
}

function sizeOf(schema: JsonObject): number {
  let size = 0;
  everySubschema(schema, () => size++);
  return size;
}

/** The validator takes names that every object has for evaluated: there they are refused. */
function inheritedName(value: JsonValue): PropertyKey[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    if (!Array.isArray(value) && key in Object.prototype) return [key];
    const inner = inheritedName(member);
    if (inner !== undefined) return [key, ...inner];
  }
  return undefined;
}

function problemOf(contract: JsonObject, error: ErrorObject | undefined): SchemaProblem {
  const { instancePath = "", keyword = "schema", params = {} } = error ?? {};
  const message = (error && wanted(contract, error)) ?? error?.message ?? "does not fit";
  const { additionalProperty, unevaluatedProperty } = params as {
    additionalProperty?: unknown;
    unevaluatedProperty?: unknown;
  };
  const extra = additionalProperty ?? unevaluatedProperty;
  const segments = splitJsonPointer(instancePath);
  if (typeof extra !== "string") return { path: pathForMessage(segments), reason: keyword, message };
  return { path: pathForMessage([...segments, extra]), reason: keyword, message: "is not declared" };
}

const mostWords = 300;

/** What the validator says with two negations. */
const bounds: ReadonlyMap<string, { readonly most: string; readonly of: string }> = new Map([
  ["minLength", { most: "at least", of: "character" }],
  ["maxLength", { most: "at most", of: "character" }],
  ["minItems", { most: "at least", of: "item" }],
  ["maxItems", { most: "at most", of: "item" }],
]);

/** What would fit, where the validator has said less than the schema does. */
function wanted(contract: JsonObject, { keyword, schemaPath, params }: ErrorObject): string | undefined {
  const { allowedValues, allowedValue } = params as { allowedValues?: unknown; allowedValue?: unknown };
  const values = keyword === "const" ? [allowedValue] : allowedValues;
  if ((keyword === "enum" || keyword === "const") && Array.isArray(values)) {
    const all = values.map((one) => JSON.stringify(one)).join(", ");
    if (all.length <= mostWords) return values.length === 1 ? `must be ${all}` : `must be one of ${all}`;
  }
  const bound = bounds.get(keyword);
  const { limit } = params as { limit?: unknown };
  if (bound !== undefined && typeof limit === "number")
    return `must have ${bound.most} ${limit} ${bound.of}${limit === 1 ? "" : "s"}`;
  if (keyword !== "pattern" || !schemaPath.startsWith("#/")) return undefined;
  // What a library calls a format comes with a pattern that is for machines.
  const format = readJsonPointer(contract, schemaPath.slice(1).replace(/\/pattern$/, "/format"));
  return typeof format === "string" ? `must match format "${format}"` : undefined;
}

const unclear: SchemaProblem = {
  path: "",
  reason: "schema_mismatch",
  message: "does not pass the schema's own checks",
};

function checkOf(schema: StandardSchema): SchemaCheck {
  return (value) => {
    try {
      // A copy, because a library may work on what it is given.
      return problemIn(schema, schema["~standard"].validate(copyJson(value)), value);
    } catch {
      return unclear;
    }
  };
}

/** What a library answered; reading it is asking it again. */
function problemIn(schema: StandardSchema, result: unknown, value: JsonValue): SchemaProblem | undefined {
  if (typeof result !== "object" || result === null) return unclear;
  if ("then" in result) {
    Promise.resolve(result).catch(() => undefined);
    return {
      path: "",
      reason: "async_schema",
      message: "the schema checks asynchronously, which a tool's schema cannot",
    };
  }
  const { issues, value: answer } = result as { issues?: unknown; value?: unknown };
  if (issues !== undefined)
    return problemOfIssue(schema, Array.isArray(issues) ? issues[0] : undefined, value);
  const way = differenceIn(answer, value);
  if (way === undefined) return undefined;
  const how = howChanged(answer, value, way);
  return {
    path: pathForMessage(way),
    reason: "schema_changes_value",
    message: `would be ${how} by the schema, and a tool's schema only checks: give it as the schema would have it`,
  };
}

function problemOfIssue(schema: StandardSchema, issue: unknown, value: JsonValue): SchemaProblem {
  const words = issueWords(schema, issue, value);
  const message = words === undefined ? unclear.message : `${unclear.message}: ${words}`;
  return { ...unclear, path: pathOf(issue), message };
}

function pathOf(issue: unknown): string {
  const path: unknown = (issue as { path?: unknown } | null | undefined)?.path;
  const keys = (Array.isArray(path) ? path : []).map((part: unknown) =>
    typeof part === "object" && part !== null ? (part as { key?: unknown }).key : part,
  );
  return pathForMessage(keys.filter((key) => typeof key === "string" || typeof key === "number"));
}
