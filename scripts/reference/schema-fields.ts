import { isJsonObject, type JsonObject, type JsonValue, listIn, membersIn } from "@spfunctions/contracts";
import { code } from "../markdown.ts";
import { type NamePart, typeWords } from "./schema-type.ts";

/** One member of an object, by its whole path: `order.legs[].price`. */
export type Field = {
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly ifAbsent: JsonValue | undefined;
  readonly says: string | undefined;
};

const unnamed: NamePart = (ref) => {
  throw new Error(`no words for $ref ${ref}`);
};

/** Every member of an object, also of the objects in it. */
export function fieldsOf(schema: JsonObject, namePart: NamePart = unnamed, below = ""): Field[] {
  const required = new Set(listIn(schema, "required"));
  const own = membersIn(schema, "properties").flatMap(([key, member]) => {
    const path = `${below}${key}`;
    const field: Field = {
      path,
      type: typeWords(member, namePart),
      isRequired: required.has(key),
      ifAbsent: isJsonObject(member) ? member["default"] : undefined,
      says:
        isJsonObject(member) && typeof member["description"] === "string" ? member["description"] : undefined,
    };
    return [field, ...inside(member, namePart, path)];
  });
  const others = schema["additionalProperties"];
  return isJsonObject(others ?? null) ? [...own, ...inside(others ?? null, namePart, `${below}*`)] : own;
}

/** What is in the objects of a member: in a list, and in each of several that it can be. */
function inside(schema: JsonValue, namePart: NamePart, path: string): Field[] {
  if (!isJsonObject(schema)) return [];
  if (schema["type"] === "array") return inside(schema["items"] ?? {}, namePart, `${path}[]`);
  const choices = [...listIn(schema, "anyOf"), ...listIn(schema, "oneOf")].filter(isObject);
  if (choices.length === 1) return inside(choices[0] ?? null, namePart, path);
  if (choices.length > 1)
    return choices.flatMap((choice) => inside(choice, namePart, `${path}{${kindOf(choice)}}`));
  return isObject(schema) ? fieldsOf(schema, namePart, `${path}.`) : [];
}

function isObject(schema: JsonValue): schema is JsonObject {
  return isJsonObject(schema) && schema["type"] === "object";
}

/** What tells one of several objects from the others: a member that can be one word alone, or what each must have. */
function kindOf(schema: JsonObject): string {
  const words = membersIn(schema, "properties").map(([, member]) => isJsonObject(member) && member["const"]);
  const word = words.find((one) => typeof one === "string");
  return word === undefined
    ? listIn(schema, "required")
        .map((one) => JSON.stringify(one))
        .join(",")
    : word;
}

export function ifLeftOut({ isRequired, ifAbsent }: Field): string {
  if (ifAbsent !== undefined) return code(JSON.stringify(ifAbsent));
  return isRequired ? "**required**" : "";
}
