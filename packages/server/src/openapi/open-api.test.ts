import {
  buildManifest,
  canonicalJson,
  compatNameOf,
  defaultIdempotency,
  errorCodes,
  type JsonObject,
  type JsonValue,
  readJsonPointer,
  type ToolDefinition,
  toJsonPointer,
} from "@spfunctions/contracts";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { approval, capabilityGrant } from "../../../contracts/test-data/samples.ts";
import { openApiOf } from "./open-api.ts";

type Terms = Partial<ToolDefinition> & Pick<ToolDefinition, "name">;

function tool({ name, sideEffect = "none", ...terms }: Terms): ToolDefinition {
  return {
    name,
    compatName: compatNameOf(name),
    title: `Title of ${name}`,
    description: `What ${name} does.`,
    status: "implemented",
    stability: "beta",
    authRequired: true,
    access: { anonymousAllowed: false },
    permissions: [],
    sideEffect,
    costEffect: "none",
    risk: [],
    idempotency: defaultIdempotency(sideEffect),
    input: { type: "object", properties: {}, additionalProperties: false },
    output: { type: "object" },
    agent: { callable: false, defaultEnabled: false, name },
    traceEvents: [],
    replay: { replayable: true, match: "tool+inputHash" },
    ...terms,
  };
}

const tree = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $ref: "#/$defs/node",
  $defs: {
    node: {
      type: "object",
      properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/node" } } },
      required: ["name"],
    },
  },
};
const noteId = { type: "string", pattern: "^note_[a-z]+$" };

/** Every way in which tools differ. */
const definitions = [
  tool({
    name: "notes.list",
    authRequired: false,
    access: { anonymousAllowed: true },
    input: {
      type: "object",
      properties: { after: { type: "string" }, tags: { type: "array", items: { $ref: "#/$defs/tag" } } },
      $defs: { tag: { type: "string", maxLength: 20 } },
    },
    http: { method: "GET", path: "/api/notes" },
  }),
  tool({
    name: "notes.write",
    sideEffect: "user_write",
    costEffect: "api_cost",
    permissions: ["notes:write"],
    risk: ["user_data", "state_mutation"],
    input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    output: { type: "object", properties: { id: noteId }, required: ["id"], additionalProperties: false },
    http: { method: "POST", path: "/api/notes" },
  }),
  tool({
    name: "notes.read",
    input: { type: "object", properties: { noteId }, required: ["noteId"] },
    output: tree,
    http: { method: "GET", path: "/api/notes/{noteId}" },
  }),
  tool({
    name: "notes.replace",
    sideEffect: "user_write",
    input: {
      type: "object",
      properties: { id: noteId, tree: { $ref: "#/$defs/tree" } },
      required: ["id", "tree"],
      $defs: { tree: { type: "object", properties: { below: { $ref: "#/$defs/tree" } } } },
    },
    http: { method: "PUT", path: "/api/notes/{id}" },
  }),
  tool({
    name: "notes.erase",
    sideEffect: "user_write",
    input: { type: "object", properties: { noteId, hard: { type: "boolean" } }, required: ["noteId"] },
    http: { method: "DELETE", path: "/api/notes/{noteId}" },
  }),
  tool({ name: "web.search", costEffect: "search_cost", http: { method: "PATCH", path: "/api/web" } }),
  tool({ name: "manifest.get", http: { method: "GET", path: "/api/contracts/tools/{tool}" } }),
  tool({ name: "files.read" }),
  tool({ name: "notes.later", status: "deferred", http: { method: "GET", path: "/api/later" } }),
];

const manifest = buildManifest(definitions);
const document = openApiOf(manifest, { version: "0.1.0" });
const paths = document["paths"] as Record<string, Record<string, Operation>>;

type Parameter = { name: string; in: string; required: boolean; $ref?: string };
type Operation = JsonObject & { parameters?: Parameter[]; operationId: string; responses: JsonObject };

/** Every value in a document, with the way to it. */
function everything(value: JsonValue, path: readonly string[] = []): [readonly string[], JsonValue][] {
  if (typeof value !== "object" || value === null) return [[path, value]];
  const inner = Object.entries(value).flatMap(([key, child]) => everything(child, [...path, key]));
  return [[path, value], ...inner];
}

const operations = Object.entries(paths).flatMap(([path, byMethod]) =>
  Object.entries(byMethod).map(([method, operation]) => ({ path, method, operation })),
);
const parametersOf = ({ parameters = [] }: Operation): Parameter[] =>
  parameters.map((one) =>
    one.$ref === undefined ? one : (readJsonPointer(document, one.$ref.slice(1)) as Parameter),
  );
const operationOf = (name: string): Operation => {
  const found = operations.find(({ operation }) => operation["x-sf-tool"] === name);
  return (found ?? expect.unreachable(`no operation for ${name}`)).operation;
};

const ajv = new Ajv2020({ strict: false });
(formats as unknown as (ajv: Ajv2020) => void)(ajv);
ajv.addSchema({ $id: "https://document.invalid/", ...document });

/** Compiles what a pointer leads to, as part of the whole document. */
function validatorAt(pointer: string) {
  return ajv.compile({ $ref: `https://document.invalid/#${encodeURI(pointer)}` });
}

/** For the answers of an operation that went well. */
function answerOf(path: string, method: string) {
  const way = ["responses", "200", "content", "application/json", "schema"];
  return validatorAt(toJsonPointer(["paths", path, method, ...way]));
}

const meta = { requestId: "req_1" };

describe("the document", () => {
  test("has exactly the fixed routes, and one operation for each active tool that has a route", () => {
    const listed = operations.map(
      ({ path, method, operation }) => `${method} ${path} ${operation.operationId}`,
    );
    expect(listed.toSorted()).toStrictEqual([
      "delete /api/notes/{noteId} notes_erase",
      "get /api/approvals listApprovals",
      "get /api/approvals/grants listGrants",
      "get /api/approvals/{approvalId} getApproval",
      "get /api/contracts/signing-key getSigningKey",
      "get /api/contracts/tools getManifest",
      "get /api/contracts/tools/{name} manifest_get",
      "get /api/events streamEvents",
      "get /api/grants listCapabilityGrants",
      "get /api/health getHealth",
      "get /api/notes notes_list",
      "get /api/notes/{noteId} notes_read",
      "get /api/openapi.json getOpenApi",
      "get /api/ready getReady",
      "get /api/runs/{runId}/events streamRunEvents",
      "patch /api/web web_search",
      "post /api/approvals/grants/{grantId}/revoke revokeGrant",
      "post /api/approvals/{approvalId}/answer answerApproval",
      "post /api/grants grantCapability",
      "post /api/grants/{grantId}/answer answerCapability",
      "post /api/notes notes_write",
      "post /api/runs/{runId}/credential lendToRun",
      "put /api/notes/{noteId} notes_replace",
    ]);
  });

  test("has no reference that leads nowhere", () => {
    const refs = everything(document).flatMap(([path, value]) =>
      path.at(-1) === "$ref" && typeof value === "string" ? [value] : [],
    );
    expect(refs.length).toBeGreaterThan(100);
    const lost = refs.filter(
      (ref) =>
        !ref.startsWith("#/") || readJsonPointer(document, decodeURIComponent(ref.slice(1))) === undefined,
    );
    expect(lost).toStrictEqual([]);
  });

  test("has no schema that a validator cannot compile", () => {
    const inOperations = everything(document).filter(([path]) => path.at(-1) === "schema");
    const components = Object.keys(readJsonPointer(document, "/components/schemas") as JsonObject);
    const pointers = [
      ...inOperations.map(([path]) => toJsonPointer(path)),
      ...components.map((name) => `/components/schemas/${name}`),
    ];
    expect(pointers.length).toBeGreaterThan(50);
    for (const pointer of pointers) validatorAt(pointer);
  });

  test("declares every parameter of a path, once, and no other", () => {
    for (const { path, operation } of operations) {
      const declared = parametersOf(operation).filter((one) => one.in === "path");
      const named = Array.from(path.matchAll(/\{([^}]*)\}/g), ([, name]) => name);
      expect(declared.map(({ name }) => name)).toStrictEqual(named);
      expect(declared.every(({ required }) => required)).toBe(true);
    }
  });

  test("names no operation and no parameter of one twice, and no path in two spellings", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { operation } of operations) {
      const names = parametersOf(operation).map((one) => `${one.in} ${one.name}`);
      expect(new Set(names).size).toBe(names.length);
    }
    const shapes = Object.keys(paths).map((path) => path.replaceAll(/\{[^}]*\}/g, "{}"));
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  test("names its components as OpenAPI allows", () => {
    for (const group of Object.values(document["components"] as Record<string, JsonObject>)) {
      for (const name of Object.keys(group)) expect(name).toMatch(/^[a-zA-Z0-9._-]+$/);
    }
  });

  test("uses each tag that it lists, and lists each that it uses", () => {
    const listed = (document["tags"] as { name: string }[]).map(({ name }) => name);
    const used = new Set(operations.flatMap(({ operation }) => operation["tags"] as string[]));
    expect(listed).toStrictEqual(["manifest", "notes", "platform", "web"]);
    expect([...used].toSorted()).toStrictEqual(listed);
  });

  test("is the same for the same tools, in whatever order they were given", () => {
    const again = openApiOf(buildManifest(definitions.toReversed()), { version: "0.1.0" });
    expect(JSON.stringify(again)).toBe(JSON.stringify(document));
    expect(canonicalJson(JSON.parse(JSON.stringify(document)))).toBe(canonicalJson(document));
  });

  test("says which platform and manifest it is of", () => {
    const {
      paths: _,
      components: __,
      tags: ___,
      ...head
    } = openApiOf(manifest, {
      version: "1.2.3",
    });
    expect(head).toStrictEqual({
      openapi: "3.1.0",
      jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
      info: { title: "SimpleFunctions", version: "1.2.3", description: expect.any(String) },
      servers: [{ url: ".." }],
      "x-sf-manifest-digest": manifest.digest,
    });
  });

  test("does not list in review what cannot be called", () => {
    const review = openApiOf(buildManifest(definitions, "review"), { version: "0.1.0" });
    expect(review["paths"]).toStrictEqual(document["paths"]);
  });
});

describe("a tool's operation", () => {
  test("says what its contract says", () => {
    const { parameters: _, requestBody: __, responses: ___, ...said } = operationOf("notes.write");
    expect(said).toStrictEqual({
      operationId: "notes_write",
      tags: ["notes"],
      summary: "Title of notes.write",
      description: "What notes.write does.",
      security: [{ bearer: [] }],
      "x-sf-tool": "notes.write",
      "x-sf-digest": manifest.tools.find(({ name }) => name === "notes.write")?.digest,
      "x-sf-side-effect": "user_write",
      "x-sf-cost-effect": "api_cost",
      "x-sf-permissions": ["notes:write"],
      "x-sf-risk": ["user_data", "state_mutation"],
    });
  });

  test("needs a key, unless the tool is for everybody", () => {
    const open = operations.filter(({ operation }) => (operation["security"] as JsonValue[]).length === 0);
    expect(open.map(({ operation }) => operation.operationId).toSorted()).toStrictEqual([
      "getHealth",
      "getManifest",
      "getOpenApi",
      "getReady",
      "getSigningKey",
      "manifest_get",
      "notes_list",
    ]);
  });

  test("takes an idempotency key where doing it twice changes or costs something", () => {
    const keyed = operations.filter(({ operation }) =>
      parametersOf(operation).some(({ name }) => name === "Idempotency-Key"),
    );
    expect(keyed.map(({ operation }) => operation.operationId).toSorted()).toStrictEqual([
      "notes_erase",
      "notes_replace",
      "notes_write",
      "web_search",
    ]);
  });

  test("has an answer for every status that an error can have", () => {
    const statuses = new Set(Object.values(errorCodes).map(({ status }) => String(status)));
    const said = Object.keys(operationOf("notes.read").responses);
    expect(said).toStrictEqual(["200", ...[...statuses, "421"].toSorted()]);
    const withBody = Object.keys(operationOf("notes.write").responses);
    expect(withBody.filter((status) => !said.includes(status))).toStrictEqual(["413", "415"]);
  });

  test("takes its path's parameter under the name that the path has here", () => {
    expect(parametersOf(operationOf("notes.replace"))[0]).toStrictEqual({
      name: "noteId",
      in: "path",
      required: true,
      schema: noteId,
    });
  });
});

describe("what the schemas say of real answers", () => {
  test("a tool's answer is its output in an envelope", () => {
    const isAnswer = answerOf("/api/notes", "post");
    expect(isAnswer({ ok: true, data: { id: "note_a" }, meta })).toBe(true);
    expect(isAnswer({ ok: true, data: { id: "other" }, meta })).toBe(false);
    expect(isAnswer({ ok: true, data: { id: "note_a" } })).toBe(false);
    expect(isAnswer({ ok: false, data: { id: "note_a" }, meta })).toBe(false);
    expect(isAnswer({ id: "note_a" })).toBe(false);
  });

  test("an output that contains itself is checked all the way down", () => {
    const isAnswer = answerOf("/api/notes/{noteId}", "get");
    const [right, wrong] = [{ name: "c" }, { name: 1 }].map((leaf) => ({
      ok: true,
      data: { name: "a", children: [{ name: "b", children: [leaf] }] },
      meta,
    }));
    expect(isAnswer(right)).toBe(true);
    expect(isAnswer(wrong)).toBe(false);
  });

  test("a body is checked down to parts that are described beside it", () => {
    const schema = ["requestBody", "content", "application/json", "schema"];
    const isBody = validatorAt(toJsonPointer(["paths", "/api/notes/{noteId}", "put", ...schema]));
    expect(isBody({ tree: { below: { below: {} } } })).toBe(true);
    expect(isBody({ tree: { below: { below: 1 } } })).toBe(false);
    expect(isBody({})).toBe(false);
  });

  test("an approval is answered whole, and answered with one of three words", () => {
    const isAnswer = answerOf("/api/approvals/{approvalId}", "get");
    expect(isAnswer({ ok: true, data: approval, meta })).toBe(true);
    expect(isAnswer({ ok: true, data: { ...approval, status: "open" }, meta })).toBe(false);
    const isPage = answerOf("/api/approvals", "get");
    expect(isPage({ ok: true, data: { items: [approval], next: "x" }, meta })).toBe(true);
    const schema = ["requestBody", "content", "application/json", "schema"];
    const isBody = validatorAt(
      toJsonPointer(["paths", "/api/approvals/{approvalId}/answer", "post", ...schema]),
    );
    expect(isBody({ answer: "approved", note: "yes" })).toBe(true);
    expect(isBody({ answer: "approved_for_session", fixed: ["/a"], maxUses: 1, forMs: 5 })).toBe(true);
    expect(isBody({ answer: "approve" })).toBe(false);
    expect(isBody({ answer: "approved", decidedBy: "boss" })).toBe(false);
    expect(isBody({ answer: "denied", maxUses: 1 })).toBe(false);
  });

  test("a capability is granted by its name, or answered with one of three words", () => {
    const isPage = answerOf("/api/grants", "get");
    expect(isPage({ ok: true, data: { items: [capabilityGrant], next: "x" }, meta })).toBe(true);
    expect(isPage({ ok: true, data: { items: [{ ...capabilityGrant, status: "open" }] }, meta })).toBe(false);
    expect(answerOf("/api/grants", "post")({ ok: true, data: capabilityGrant, meta })).toBe(true);
    const bodyOf = (path: string) =>
      validatorAt(
        toJsonPointer(["paths", path, "post", "requestBody", "content", "application/json", "schema"]),
      );
    const isGrant = bodyOf("/api/grants");
    expect(isGrant({ capability: "net", scope: "until", forMs: 5, keyId: "key_1", note: "x" })).toBe(true);
    expect(isGrant({ scope: "once" })).toBe(false);
    expect(isGrant({ capability: "net", accountId: "acct_2" })).toBe(false);
    const isAnswer = bodyOf("/api/grants/{grantId}/answer");
    expect(isAnswer({ answer: "granted", scope: "session", forMs: 5, note: "yes" })).toBe(true);
    expect(isAnswer({ answer: "granted", keyId: "key_1" })).toBe(false);
    expect(isAnswer({ answer: "denied", scope: "once" })).toBe(false);
    expect(isAnswer({ answer: "grant" })).toBe(false);
  });

  test("the manifest and a tool are answered bare", () => {
    expect(answerOf("/api/contracts/tools", "get")(manifest)).toBe(true);
    expect(answerOf("/api/contracts/tools/{name}", "get")(manifest.tools[0])).toBe(true);
    expect(answerOf("/api/contracts/tools", "get")({ ok: true, data: manifest, meta })).toBe(false);
  });

  test("an error is an envelope with one of the known codes", () => {
    const isError = validatorAt("/components/responses/Error404/content/application~1json/schema");
    const error = { code: "not_found", status: 404, message: "there is none" };
    expect(isError({ ok: false, error, meta })).toBe(true);
    expect(isError({ ok: false, error: { ...error, details: { path: "/a" } }, meta })).toBe(true);
    expect(isError({ ok: false, error: { ...error, details: "text" }, meta })).toBe(false);
    expect(isError({ ok: false, error: { ...error, code: "unheard_of" }, meta })).toBe(false);
    expect(isError({ ok: true, data: 1, meta })).toBe(false);
  });

  test("what many answers share is written once", () => {
    const text = JSON.stringify(document);
    expect(text.split('"outputHash"').length - 1).toBe(1);
    expect(text.split('"max.sideEffect"').length - 1).toBeLessThanOrEqual(2);
  });
});
