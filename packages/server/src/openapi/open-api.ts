// Printed from the manifest and nothing else: what is not in it is not promised, and the same manifest is always the
// same document.
import { type ContractManifest, isActive, type JsonObject, toolRouteOf } from "@spfunctions/contracts";
import { errorResponses } from "./error-responses.ts";
import { fixedRoutes } from "./fixed-routes.ts";
import { headerComponents, parameterComponents } from "./headers.ts";
import { platformTag } from "./plain-route.ts";
import { recordSchemas } from "./record-schemas.ts";
import { identityOf, namespaceOf, toolOperation } from "./tool-operation.ts";

/** The routes of a platform of this version with this manifest, as an OpenAPI 3.1 document. */
export function openApiOf(manifest: ContractManifest, { version }: { readonly version: string }): JsonObject {
  const { paths, schemas } = pathsOf(manifest);
  return {
    openapi: "3.1.0",
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    info: {
      title: "SimpleFunctions",
      version,
      description: "Governed execution for AI agents: every tool behind HTTP, every call with its receipt.",
    },
    // Wherever the document came from.
    // From where this document is, /api/openapi.json: also where the platform is below a path of another app.
    servers: [{ url: ".." }],
    tags: tagsOf(manifest),
    paths,
    components: {
      schemas: { ...recordSchemas(), ...schemas },
      responses: errorResponses(),
      headers: headerComponents(),
      parameters: parameterComponents(),
      securitySchemes: { bearer },
    },
    "x-sf-manifest-digest": manifest.digest,
  };
}

const bearer = {
  type: "http",
  scheme: "bearer",
  description: "An API key (sf_live_…) or a short-lived token. A key never belongs in a browser.",
};

type Operations = Record<string, JsonObject>;

function pathsOf({ tools }: ContractManifest) {
  const paths: Record<string, Operations> = {};
  const schemas: Record<string, JsonObject> = {};
  /** Templates that differ in the names of their parameters alone are one path, and have the names of the first. */
  const templates = new Map<string, string>();
  for (const [path, operations] of Object.entries(fixedRoutes())) {
    templates.set(shapeOf(path), path);
    paths[path] = { ...operations };
  }
  for (const tool of tools) {
    const route = toolRouteOf(tool);
    if (route === undefined || !isActive(tool)) continue;
    const shape = shapeOf(route.path);
    const path = templates.get(shape) ?? route.path;
    templates.set(shape, path);
    const operations = (paths[path] ??= {});
    const method = route.method.toLowerCase();
    const fixed = operations[method];
    if (fixed !== undefined) {
      // A document that is also a tool is answered as the document.
      operations[method] = { ...fixed, ...identityOf(tool) };
      continue;
    }
    const made = toolOperation(tool, route, paramsIn(path));
    operations[method] = made.operation;
    Object.assign(schemas, made.schemas);
  }
  return { paths, schemas };
}

function tagsOf({ tools }: ContractManifest): JsonObject[] {
  const routed = tools.filter((tool) => tool.http !== undefined && isActive(tool));
  const names = new Set([platformTag, ...routed.map(namespaceOf)]);
  return [...names].toSorted().map((name) => ({ name }));
}

function shapeOf(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, "{}");
}

function paramsIn(path: string): string[] {
  return Array.from(path.matchAll(/\{([^}]*)\}/g), ([, name = ""]) => name);
}
