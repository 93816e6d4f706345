import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  queryFormOf,
  type ToolRoute,
  travelsInQuery,
} from "@spfunctions/contracts";
import { type InputMember, inputMembers } from "./input-members.ts";
import { localSchema } from "./local-schema.ts";
import { schemasHome } from "./record-schemas.ts";
import { withoutMembers } from "./without-members.ts";

/** How the input of a tool is sent. */
export type SentInput = {
  readonly parameters: readonly JsonObject[];
  readonly requestBody?: JsonObject;
  /** Schemas that the document has to have for it, by name. */
  readonly schemas: Readonly<Record<string, JsonObject>>;
};

/**
 * An input as the wire carries it: some of it in the path, and the rest in the query or in the body. `names` are the
 * path's parameters as the document's template spells them.
 */
export function sentInput(
  route: ToolRoute,
  given: JsonObject,
  { component, names }: { readonly component: string; readonly names: readonly string[] },
): SentInput {
  const input = localSchema(given, `${schemasHome}/${component}`);
  const document = { components: { schemas: { [component]: input } } };
  const members = inputMembers(document, input);
  const inPath = route.params.map((param, index) => pathParameter(names[index] ?? param, members.get(param)));
  const rest = [...members].filter(([name]) => !route.params.includes(name));
  if (travelsInQuery(route)) {
    const inQuery = rest.map(([name, member]) => queryParameter(given, name, member));
    return { parameters: [...inPath, ...inQuery], schemas: { [component]: input } };
  }
  const body = route.params.length === 0 ? component : `${component}_body`;
  const schemas = {
    [component]: input,
    ...(body !== component && { [body]: withoutMembers(document, input, route.params) }),
  };
  const requestBody = {
    // Without a body the input is an empty object.
    required: rest.some(([, { isRequired }]) => isRequired),
    content: { "application/json": { schema: { $ref: `${schemasHome}/${body}` } } },
  };
  return { parameters: inPath, requestBody, schemas };
}

function pathParameter(name: string, member: InputMember | undefined): JsonObject {
  const schema = objectOf(member?.schema ?? { type: "string" });
  return { name, in: "path", required: true, ...describedBy(schema), schema };
}

function queryParameter(given: JsonObject, name: string, member: InputMember): JsonObject {
  const schema = objectOf(member.schema);
  const parameter = { name, in: "query", required: member.isRequired, ...describedBy(schema) };
  const form = queryFormOf(given, name);
  if (form === "json") return { ...parameter, content: { "application/json": { schema } } };
  return form === "list" ? { ...parameter, style: "form", explode: true, schema } : { ...parameter, schema };
}

function describedBy({ description }: JsonObject): JsonObject {
  return typeof description === "string" ? { description } : {};
}

/** `true` and `false` are schemas too, and not every reader of OpenAPI knows it. */
function objectOf(schema: JsonValue): JsonObject {
  if (isJsonObject(schema)) return schema;
  return schema === false ? { not: {} } : {};
}
