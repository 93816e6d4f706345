import { isJsonObject, type JsonObject, listIn } from "@spfunctions/contracts";
import { linkToPart, type PrintedSchema } from "./named-schemas.ts";
import { typeWords } from "./schema-type.ts";
import type { VariantDocs } from "./source/documented-members.ts";
import { docsOfNamed } from "./source/schema-docs.ts";
import { memberTable } from "./variants.ts";

/** The parts that have a name, each once. */
export function partsSection(printed: readonly PrintedSchema[]): string[] {
  const parts = new Map(printed.flatMap(({ parts: own }) => [...own]));
  const sorted = [...parts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.flatMap(([name, schema]) => {
    const docs = docsOfNamed(`${name}Schema`);
    return [`### ${name}`, docs.doc, ...partText(schema, docs)];
  });
}

function partText(schema: JsonObject, docs: VariantDocs): string[] {
  if (schema["type"] === "object") return [memberTable(schema, docs)];
  const choices = [...listIn(schema, "oneOf"), ...listIn(schema, "anyOf")].filter(isJsonObject);
  if (choices.length > 0 && choices.every(({ type }) => type === "object"))
    return choices.map((choice) => memberTable(choice, docs));
  return [typeWords(schema, linkToPart)];
}
