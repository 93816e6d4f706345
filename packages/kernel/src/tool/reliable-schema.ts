// G1: what a schema seems to say and the validator would not check is refused when the tool is defined.
import {
  everySubschema,
  type JsonObject,
  type JsonValue,
  keyForMessage,
  localTarget,
  membersIn,
} from "@spfunctions/contracts";

/** Throws where a schema leans on what every object inherits, or on what only an asynchronous validator does. */
export function requireReliable(root: JsonObject): void {
  if (Object.hasOwn(root, "$async")) throw new Error("an async schema answers too late for a call");
  requireDialect(root);
  everySubschema(root, (schema) => {
    for (const key of Object.keys(schema)) {
      if (key in Object.prototype) throw new Error(`strict mode: unknown keyword: "${keyForMessage(key)}"`);
    }
    requireTarget(root, schema["$ref"]);
    for (const keyword of ["properties", "$defs", "definitions", "dependentSchemas"]) {
      // The validator would read the prototype instead.
      if (membersIn(schema, keyword).some(([name]) => name === "__proto__")) {
        throw new Error(`${keyword} cannot have a member called __proto__`);
      }
    }
  });
}

const olderDialect = /^https?:\/\/json-schema\.org\/(?:draft-\d+|draft\/2019-09)\//;

function requireDialect({ $schema, $id }: JsonObject): void {
  if (typeof $schema !== "string" || !olderDialect.test($schema)) return;
  // The validator takes a schema that describes itself.
  if (typeof $id === "string" && withoutHash($id) === withoutHash($schema)) return;
  throw new Error(
    `it is marked ${keyForMessage($schema)}; a contract holds 2020-12, and defineTool converts draft-07 alone`,
  );
}

const withoutHash = (id: string) => id.replace(/#$/, "");

/** By own properties alone. References to anchors and ids are the validator's to find. */
function requireTarget(root: JsonObject, ref: JsonValue | undefined): void {
  if (typeof ref !== "string") return;
  const [document = ""] = ref.split("#");
  const isInherited = document in Object.prototype;
  const isThere = !ref.startsWith("#/") || localTarget(root, ref) !== undefined;
  if (isInherited || !isThere) throw new Error(`can't resolve reference ${keyForMessage(ref)}`);
}
