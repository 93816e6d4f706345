// What is said of a schema's fields stands beside them, in doc comments: here they are read where the schema is written.
import type { Expression, ObjectExpression } from "oxc-parser";
import { constantsOf, findConstant, keyOf, objectIn } from "./constants.ts";
import { docBefore, inOneLine, type ParsedSource, parsedSource } from "./parsed-source.ts";

/** What is said of each member, by its path; members of a member too, where they are written in place. */
export type MemberDocs = ReadonlyMap<string, string>;

/** Of a schema that is a constant of a module. */
export function docsOfSchema(
  file: string,
  name: string,
): { readonly doc: string; readonly members: MemberDocs } {
  const source = parsedSource(file);
  const found = constantsOf(source).find((one) => one.name === name);
  const object = found && objectIn(found.init);
  if (found === undefined || object === undefined) throw new Error(`${file} has no schema ${name}`);
  return { doc: inOneLine(found.doc), members: membersIn(source, object) };
}

/** Of each schema in a list of them, by the word that tells it from the others. */
export function docsOfVariants(file: string, discriminator: string): ReadonlyMap<string, VariantDocs> {
  const source = parsedSource(file);
  const found = new Map<string, VariantDocs>();
  const look = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) return value.forEach(look);
    const node = value as Expression;
    if (node.type === "CallExpression") {
      const object = objectIn(node);
      const word = object && wordIn(object, discriminator);
      if (object !== undefined && word !== undefined) {
        found.set(word, { doc: inOneLine(docBefore(source, node)), members: membersIn(source, object) });
        return;
      }
    }
    Object.values(value).forEach(look);
  };
  look(source.program.body);
  return found;
}
export type VariantDocs = { readonly doc: string; readonly members: MemberDocs };

function membersIn(source: ParsedSource, object: ObjectExpression): Map<string, string> {
  const docs = new Map<string, string>();
  for (const member of object.properties) {
    if (member.type === "SpreadElement") {
      for (const [path, doc] of spreadDocs(source, member.argument)) docs.set(path, doc);
      continue;
    }
    const key = keyOf(member);
    if (key === undefined) continue;
    const doc = docBefore(source, member);
    if (doc !== undefined) docs.set(key, inOneLine(doc));
    const inner = objectIn(member.value);
    if (inner === undefined) continue;
    for (const [path, said] of membersIn(source, inner)) docs.set(`${key}.${path}`, said);
  }
  return docs;
}

/** `...journaled`: what is said where that is written; of one member alone, what is said of the constant is about it. */
function spreadDocs(source: ParsedSource, argument: Expression): MemberDocs {
  const constant = argument.type === "Identifier" ? findConstant(source, argument.name) : undefined;
  const object = constant && objectIn(constant.init);
  if (constant === undefined || object === undefined) return new Map();
  const docs = membersIn(constant.source, object);
  const [only, ...others] = object.properties;
  const key = only?.type === "Property" && others.length === 0 ? keyOf(only) : undefined;
  if (key !== undefined && constant.doc !== undefined && !docs.has(key))
    docs.set(key, inOneLine(constant.doc));
  return docs;
}

/** `type: z.literal("run.started")` is about `run.started`. */
function wordIn(object: ObjectExpression, discriminator: string): string | undefined {
  for (const member of object.properties) {
    if (member.type !== "Property" || keyOf(member) !== discriminator) continue;
    const [word] = member.value.type === "CallExpression" ? member.value.arguments : [];
    return word?.type === "Literal" && typeof word.value === "string" ? word.value : undefined;
  }
  return undefined;
}
