// Schemas that are told apart by one word: events by their type, records by their kind.
import { isJsonObject, type JsonObject, listIn, membersIn } from "@spfunctions/contracts";
import { code, table } from "../markdown.ts";
import { linkToPart } from "./named-schemas.ts";
import { fieldsOf } from "./schema-fields.ts";
import type { VariantDocs } from "./source/documented-members.ts";

export type Variant = { readonly word: string; readonly schema: JsonObject; readonly docs: VariantDocs };

export function variantsIn(
  schema: JsonObject,
  discriminator: string,
  docs: ReadonlyMap<string, VariantDocs>,
): Variant[] {
  return listIn(schema, "oneOf").map((choice) => {
    if (!isJsonObject(choice)) throw new Error("a variant that is no object");
    const own = membersIn(choice, "properties").find(([key]) => key === discriminator)?.[1] ?? null;
    const word = isJsonObject(own) ? own["const"] : undefined;
    if (typeof word !== "string") throw new Error(`a variant without a ${discriminator}`);
    const said = docs.get(word);
    if (said === undefined || said.doc === "") throw new Error(`nothing is said of ${word}`);
    return { word, schema: choice, docs: said };
  });
}

/** Each under its word; `common` are members that all have, told above. */
export function variantSections(variants: readonly Variant[], common: readonly string[]): string[] {
  return variants.flatMap(({ word, schema, docs }) => [
    `### ${word}`,
    docs.doc,
    memberTable(schema, docs, (path) => !common.includes(path)),
  ]);
}

export function memberTable(
  schema: JsonObject,
  { members }: Pick<VariantDocs, "members">,
  isShown: (path: string) => boolean = () => true,
): string {
  const fields = fieldsOf(schema, linkToPart).filter(({ path }) => isShown(path));
  return table(
    ["field", "type", "", "meaning"],
    fields.map(({ path, type, isRequired, says }) => [
      code(path),
      type,
      isRequired ? "" : "can be absent",
      members.get(path.replaceAll("[]", "")) ?? says ?? "",
    ]),
  );
}
