// G1: what a schema seems to say and the validator would not check is refused when the tool is defined.
import { keyForMessage, type JsonObject, readJsonPointer } from "@spfunctions/contracts";
import { decodeRef } from "./fill-defaults.ts";
import { everySubschema, isSchemaObject } from "./subschemas.ts";

/** Throws where a schema leans on what every object inherits, or on what only an asynchronous validator does. */
export function requireReliable(root: JsonObject): void {
  if (Object.hasOwn(root, "$async")) throw new Error("an async schema answers too late for a call");
  everySubschema(root, (schema) => {
    for (const key of Object.keys(schema)) {
      if (key in Object.prototype) throw new Error(`strict mode: unknown keyword: "${keyForMessage(key)}"`);
    }
    requireTarget(root, schema["$ref"]);
    for (const keyword of ["properties", "$defs", "definitions", "dependentSchemas"]) {
      const members = schema[keyword];
      // The validator would read the prototype instead.
      if (isSchemaObject(members) && Object.hasOwn(members, "__proto__")) {
        throw new Error(`${keyword} cannot have a member called __proto__`);
      }
    }
  });
}

/** By own properties alone. References to anchors and ids are the validator's to find. */
function requireTarget(root: JsonObject, ref: unknown): void {
  if (typeof ref !== "string") return;
  const [document = ""] = ref.split("#");
  const isInherited = document in Object.prototype;
  const isThere = !ref.startsWith("#/") || readJsonPointer(root, decodeRef(ref.slice(1))) !== undefined;
  if (isInherited || !isThere) throw new Error(`can't resolve reference ${keyForMessage(ref)}`);
}
