import { InvalidManifestError } from "../error/error-classes.ts";
import type { JsonObject } from "../json/json-value.ts";
import { pathForMessage } from "../json/path-for-message.ts";
import { declaredMembers } from "./declared-members.ts";
import { anyType, isPlain, itemTypesOf, memberTypesOf, noType, stringType, typesOf } from "./json-types.ts";
import { type MemberReader, memberReaderOf, type ReadText } from "./member-reader.ts";
import { type ToolRoute, travelsInQuery } from "./tool-route.ts";

/** How each input member is read that travels as text. */
export type MemberReaders = {
  readonly params: readonly (readonly [name: string, read: ReadText])[];
  /** Those of the query, by name. */
  readonly members: ReadonlyMap<string, MemberReader>;
  /** Any other of the query. */
  readonly others: MemberReader;
};

/** Throws `invalid_manifest` where a member could be read in two ways. */
export function memberReadersOf(route: ToolRoute, schema: JsonObject): MemberReaders {
  const { names, hiddenBy } = declaredMembers(schema);
  const params = route.params.map((name) => [name, paramReader(route, schema, name, names)] as const);
  const others = memberReaderOf(stringType, anyType) as MemberReader;
  if (!travelsInQuery(route)) return { params, members: new Map(), others };
  if (hiddenBy !== undefined) {
    fail(
      route,
      "/input",
      "hidden_members",
      `its input uses ${hiddenBy}, so its members cannot be told ahead; use POST`,
    );
  }
  const queried = [...names].filter((name) => !route.params.includes(name));
  const members = new Map(queried.map((name) => [name, queryReader(route, schema, name)] as const));
  // A schema that is open to anything takes what it does not declare as strings.
  const isOpen = memberTypesOf(schema, undefined, typesOf) === anyType;
  return { params, members, others: isOpen ? others : queryReader(route, schema, undefined) };
}

function paramReader(
  route: ToolRoute,
  schema: JsonObject,
  name: string,
  names: ReadonlySet<string>,
): ReadText {
  if (!names.has(name)) {
    fail(route, "/http/path", "undeclared_parameter", `its input does not declare the path's {${name}}`);
  }
  const types = memberTypesOf(schema, name, typesOf);
  const reader = types !== noType && isPlain(types) ? memberReaderOf(types, anyType) : "ambiguous";
  if (reader !== "ambiguous" && reader.type === "one") return reader.read;
  return fail(
    route,
    inputPath(name),
    "ambiguous_parameter",
    `the path's {${name}} is neither a string alone nor a number or boolean alone`,
  );
}

function queryReader(route: ToolRoute, schema: JsonObject, name: string | undefined): MemberReader {
  const reader = memberReaderOf(
    memberTypesOf(schema, name, typesOf),
    memberTypesOf(schema, name, itemTypesOf),
  );
  if (reader !== "ambiguous") return reader;
  const path = name === undefined ? "/input/additionalProperties" : inputPath(name);
  return fail(
    route,
    path,
    "ambiguous_parameter",
    `${path} may be a string and something else, which a query cannot tell apart; give it one type, or use POST`,
  );
}

function inputPath(name: string): string {
  return `/input/properties${pathForMessage([name])}`;
}

function fail({ tool }: ToolRoute, path: string, reason: string, what: string): never {
  throw new InvalidManifestError(`invalid manifest: ${tool}: ${what}`, { details: { path, tool, reason } });
}
