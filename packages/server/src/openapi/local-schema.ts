// A tool's schema is a document of its own, and its references start there. In the OpenAPI document it is one part of
// many, so every reference is written anew from that document's root: as a plain pointer, which any reader can follow.
import {
  fragmentPointer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mapSubschemas,
  splitJsonPointer,
  toJsonPointer,
} from "@spfunctions/contracts";
import { withoutKeywords } from "./without-keywords.ts";

type Path = readonly string[];

/** The base of a schema that names none. */
const noBase = "https://schema.invalid/";

const resolved = ["$id", "$schema", "$anchor", "$dynamicAnchor", "$ref", "$dynamicRef"];

/** A schema as it has to be written where it is found as `home`, like `#/components/schemas/a`. */
export function localSchema(schema: JsonObject, home: string): JsonObject {
  const places = new Map<string, Path>();
  findPlaces(schema, noBase, [], places);
  const rewrite = (here: JsonValue, base: string): JsonValue => {
    if (!isJsonObject(here)) return here;
    const inner = baseOf(here, base);
    const path = pathOf(places, here["$ref"] ?? here["$dynamicRef"], inner);
    const rest = withoutKeywords(here, resolved);
    return {
      ...(path !== undefined && { $ref: refTo(home, path) }),
      ...mapSubschemas(rest, (child) => rewrite(child, inner)),
    };
  };
  return rewrite(schema, noBase) as JsonObject;
}

/** A reference to what stands on this path inside of `home`. */
export function refTo(home: string, path: Path): string {
  return home + encodeURI(toJsonPointer(path)).replaceAll("#", "%23").replaceAll("?", "%3F");
}

/** Where every id and anchor stands. */
function findPlaces(schema: JsonValue, base: string, path: Path, places: Map<string, Path>): void {
  if (!isJsonObject(schema)) return;
  const inner = baseOf(schema, base);
  if (path.length === 0 || inner !== base) places.set(inner, path);
  for (const anchor of [schema["$anchor"], schema["$dynamicAnchor"]]) {
    if (typeof anchor === "string") places.set(`${inner}#${anchor}`, path);
  }
  mapSubschemas(schema, (child, way) => {
    findPlaces(child, inner, [...path, ...way], places);
    return child;
  });
}

function baseOf({ $id }: JsonObject, base: string): string {
  return typeof $id === "string" ? absolute($id.replace(/#$/, ""), base) : base;
}

function absolute(uri: string, base: string): string {
  return uri === "" ? base : (URL.parse(uri, base)?.href ?? uri);
}

function pathOf(
  places: ReadonlyMap<string, Path>,
  ref: JsonValue | undefined,
  base: string,
): Path | undefined {
  if (typeof ref !== "string") return undefined;
  const [uri = "", fragment = ""] = ref.split("#");
  const document = absolute(uri, base);
  const pointer = fragmentPointer(fragment);
  if (pointer === undefined) return places.get(`${document}#${fragment}`);
  const start = places.get(document);
  return start === undefined ? undefined : [...start, ...splitJsonPointer(pointer)];
}
