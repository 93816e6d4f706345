// One tool of each kind that a client treats differently.
import { buildManifest, type JsonObject, type ToolDefinition } from "@spfunctions/contracts";
import { keyedDefinition, toolDefinition } from "../../contracts/test-data/samples.ts";
import { factsOf, type ToolEntry } from "../src/tool/tool-facts.ts";

const object = (properties: JsonObject = {}, required: readonly string[] = []): JsonObject => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const text: JsonObject = { type: "string" };

function tool(
  name: string,
  method: NonNullable<ToolDefinition["http"]>["method"],
  path: string,
  changes: Partial<ToolDefinition> = {},
): ToolDefinition {
  const make = changes.access?.anonymousAllowed === true ? toolDefinition : keyedDefinition;
  return make({
    name,
    http: { method, path },
    sdk: { package: "@spfunctions/sdk", method: name },
    ...changes,
  });
}

const open = { access: { anonymousAllowed: true } };

export const fixtureTools: readonly ToolDefinition[] = [
  tool("manifest.list", "GET", "/api/contracts/tools", {
    ...open,
    input: object({ mode: { enum: ["implemented", "review"] } }),
  }),
  tool("manifest.get", "GET", "/api/contracts/tools/{name}", {
    ...open,
    input: object({ name: text }, ["name"]),
  }),
  tool("world.read", "GET", "/api/world", {
    ...open,
    input: object({ topic: text, depth: { type: "integer" } }),
  }),
  tool("markets.read", "GET", "/api/markets/{ticker}", {
    costEffect: "api_cost",
    input: object({ ticker: text }, ["ticker"]),
  }),
  tool("search.run", "POST", "/api/search", {
    costEffect: "search_cost",
    input: object({ query: text }, ["query"]),
  }),
  tool("ask.model", "POST", "/api/ask", {
    costEffect: "llm_cost",
    input: object({ question: text }, ["question"]),
  }),
  tool("profile.read", "GET", "/api/profile", { costEffect: "api_cost", risk: ["user_data"] }),
  tool("notes.write", "POST", "/api/notes", {
    sideEffect: "user_write",
    idempotency: { type: "none" },
    input: object({ text }, ["text"]),
  }),
  tool("notes.list", "GET", "/api/notes", {
    costEffect: "api_cost",
    input: object({ after: text, tag: text }),
    output: object({ items: { type: "array", items: object({ id: text }, ["id"]) }, next: text }, ["items"]),
  }),
];

/** What the platform has and the client was not built with. */
const laterTools: readonly ToolDefinition[] = [
  tool("weather.read", "GET", "/api/weather/{city}", {
    costEffect: "api_cost",
    input: object({ city: text, after: text }, ["city"]),
    output: object({ items: { type: "array", items: text }, next: text }, ["items"]),
  }),
  keyedDefinition({ name: "files.read" }),
];

export const fixtureManifest = buildManifest([...fixtureTools, ...laterTools]);

/** The table as it would be generated for the first of them. */
export const fixtureTable: readonly ToolEntry[] = fixtureManifest.tools.flatMap((contract) => {
  const facts = factsOf(contract);
  const isBuiltIn = fixtureTools.some(({ name }) => name === contract.name);
  return facts === undefined || !isBuiltIn ? [] : [{ method: contract.name, ...facts }];
});
