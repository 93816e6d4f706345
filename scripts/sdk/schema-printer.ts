// JSON Schema 2020-12 as TypeScript. A type may say less than its schema (a length, a pattern, a condition), never other things.
import {
  fragmentPointer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listIn,
  membersIn,
  readJsonPointer,
} from "@spfunctions/contracts";
import { printDoc, printKey, printLiteral } from "./print-literal.ts";

/** `input`: what a caller gives, where a default may be left out. `output`: what comes back. */
export type Side = "input" | "output";

/** Prints the schemas of one side of one tool: the types it declares, the root first. */
export class SchemaPrinter {
  readonly #root: JsonObject;
  readonly #rootName: string;
  readonly #side: Side;
  /** Type names by the place in the document that they stand for; a place is named when something points at it. */
  readonly #names = new Map<string, string>();
  readonly #declarations: string[] = [];

  constructor(root: JsonObject, rootName: string, side: Side) {
    this.#root = root;
    this.#rootName = rootName;
    this.#side = side;
  }

  declarations(): string {
    this.#names.set("", this.#rootName);
    const root = this.#declare(this.#rootName, this.#root);
    return [root, ...this.#declarations].join("\n");
  }

  #declare(name: string, schema: JsonValue): string {
    const doc = isJsonObject(schema) ? printDoc(schema["description"]) : "";
    return `${doc}type ${name} = ${this.print(schema)};\n`;
  }

  /** The type of a schema: everything that it says at once is an intersection. */
  print(schema: JsonValue): string {
    if (schema === false) return "never";
    if (!isJsonObject(schema)) return "unknown";
    const parts = [
      this.#ref(schema["$ref"]),
      this.#own(schema),
      ...listIn(schema, "allOf").map((part) => this.print(part)),
      this.#union(listIn(schema, "anyOf")),
      this.#union(listIn(schema, "oneOf")),
    ].flatMap((part) => (part === undefined || part === "unknown" ? [] : [part]));
    const distinct = [...new Set(parts)];
    const type =
      distinct.length === 0 ? "unknown" : distinct.map(distinct.length > 1 ? inBrackets : same).join(" & ");
    return schema["nullable"] === true && type !== "unknown" ? `${type} | null` : type;
  }

  #union(schemas: readonly JsonValue[]): string | undefined {
    const parts = [...new Set(schemas.map((part) => this.print(part)))];
    if (parts.length === 0 || parts.includes("unknown")) return undefined;
    const possible = parts.filter((part) => part !== "never");
    return possible.length === 0 ? "never" : possible.join(" | ");
  }

  /** What the schema says without pointing elsewhere. */
  #own(schema: JsonObject): string | undefined {
    if (schema["const"] !== undefined) return printLiteral(schema["const"]);
    if (Array.isArray(schema["enum"])) {
      return schema["enum"].length === 0
        ? "never"
        : schema["enum"].map((value) => printLiteral(value)).join(" | ");
    }
    const types = Array.isArray(schema["type"]) ? schema["type"] : [schema["type"] ?? impliedType(schema)];
    const printed = types.map((type) => this.#ofType(type, schema));
    return printed.includes(undefined) ? undefined : printed.join(" | ");
  }

  #ofType(type: JsonValue | undefined, schema: JsonObject): string | undefined {
    switch (type) {
      case "string":
      case "boolean":
      case "number":
      case "null":
        return type;
      case "integer":
        return "number";
      case "array":
        return this.#array(schema);
      case "object":
        return this.#object(schema);
      default:
        return undefined;
    }
  }

  #array(schema: JsonObject): string {
    const first = listIn(schema, "prefixItems");
    const items = schema["items"] ?? true;
    if (first.length === 0)
      return items === false ? "readonly []" : `readonly ${inBrackets(this.print(items))}[]`;
    const least = typeof schema["minItems"] === "number" ? schema["minItems"] : 0;
    const places = first.map((item, at) =>
      at < least ? this.print(item) : `${inBrackets(this.print(item))}?`,
    );
    const rest =
      items === false || schema["maxItems"] === first.length ? [] : [`...${inBrackets(this.print(items))}[]`];
    return `readonly [${[...places, ...rest].join(", ")}]`;
  }

  #object(schema: JsonObject): string {
    const properties = membersIn(schema, "properties");
    const required = new Set(listIn(schema, "required"));
    const members = properties.map(([key, member]) => this.#member(key, member, required.has(key)));
    const index = this.#index(schema, properties, required);
    if (members.length === 0 && index === undefined) {
      return schema["additionalProperties"] === false
        ? "{ readonly [key: string]: never }"
        : "{ readonly [key: string]: unknown }";
    }
    return `{\n${[...members, ...(index === undefined ? [] : [index])].join("\n")}\n}`;
  }

  #member(key: string, schema: JsonValue, isRequired: boolean): string {
    const hasDefault = isJsonObject(schema) && schema["default"] !== undefined;
    const isOptional = !isRequired || (this.#side === "input" && hasDefault);
    // A caller may hand on what it does not have; an answer never holds `undefined`.
    const type =
      isOptional && this.#side === "input" ? withUndefined(this.print(schema)) : this.print(schema);
    const doc = isJsonObject(schema) ? printDoc(schema["description"]) : "";
    return `${doc}readonly ${printKey(key)}${isOptional ? "?" : ""}: ${type};`;
  }

  /** What members beside the named ones may be. Where the schema leaves that open, a named one is all there is to type. */
  #index(
    schema: JsonObject,
    properties: readonly (readonly [string, JsonValue])[],
    required: ReadonlySet<JsonValue>,
  ): string | undefined {
    const patterns = membersIn(schema, "patternProperties").map(([, member]) => member);
    const { additionalProperties: additional, propertyNames } = schema;
    const others = [...patterns, ...(additional === undefined || additional === false ? [] : [additional])];
    if (others.length === 0) return undefined;
    const names =
      isJsonObject(propertyNames) && Array.isArray(propertyNames["enum"]) ? propertyNames["enum"] : [];
    if (names.length > 0 && properties.length === 0) {
      const type = others.map((other) => this.print(other)).join(" | ");
      return names
        .filter((name) => typeof name === "string")
        .map((name) => `readonly ${printKey(name)}${required.has(name) ? "" : "?"}: ${type};`)
        .join("\n");
    }
    const types = [...others, ...properties.map(([, member]) => member)].map((member) => this.print(member));
    const isPartial = properties.some(([key]) => !required.has(key));
    const all = types.includes("unknown") ? ["unknown"] : [...types, ...(isPartial ? ["undefined"] : [])];
    return `readonly [key: string]: ${[...new Set(all)].join(" | ")};`;
  }

  #ref(ref: JsonValue | undefined): string | undefined {
    if (typeof ref !== "string") return undefined;
    const pointer = ref.startsWith("#") ? fragmentPointer(ref.slice(1)) : undefined;
    if (pointer === undefined) throw new Error(`${this.#rootName}: cannot follow $ref ${ref}`);
    const known = this.#names.get(pointer);
    if (known !== undefined) return known;
    const target = readJsonPointer(this.#root, pointer);
    if (target === undefined) throw new Error(`${this.#rootName}: $ref ${ref} leads nowhere`);
    const name = this.#newName(pointer);
    this.#names.set(pointer, name);
    // Named before it is printed: it may point at itself.
    const at = this.#declarations.push("") - 1;
    this.#declarations[at] = this.#declare(name, target);
    return name;
  }

  #newName(pointer: string): string {
    const own = pascalCase(pointer.slice(pointer.lastIndexOf("/") + 1)) || "Part";
    const taken = new Set(this.#names.values());
    const wanted = this.#rootName + own;
    for (let count = 1; ; count++) {
      const name = count === 1 ? wanted : `${wanted}${count}`;
      if (!taken.has(name)) return name;
    }
  }
}

/** `keys.create` and `__schema0` become `KeysCreate` and `Schema0`. */
export function pascalCase(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
}

function impliedType(schema: JsonObject): string | undefined {
  if (isJsonObject(schema["properties"])) return "object";
  return schema["prefixItems"] === undefined && schema["items"] === undefined ? undefined : "array";
}

function withUndefined(type: string): string {
  return type === "unknown" ? type : `${type} | undefined`;
}

/** Everything but one plain word stands in brackets; the formatter takes away the ones that are not needed. */
function inBrackets(type: string): string {
  return /^\w+$/.test(type) ? type : `(${type})`;
}

function same(type: string): string {
  return type;
}
