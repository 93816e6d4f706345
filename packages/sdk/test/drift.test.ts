// One tool, one method, one route: what is generated is what the platform's contracts say today.
import { readFileSync } from "node:fs";
import { buildManifest, type ContractManifest, type ToolDefinition } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { generatedPath, generateSdk } from "../../../scripts/generate-sdk.ts";
import { platformManifest } from "../../../scripts/sdk/platform-manifest.ts";
import { sdkProblems } from "../../../scripts/sdk/sdk-methods.ts";
import { keyedDefinition } from "../../contracts/test-data/samples.ts";
import { toolTable } from "../src/generated/tool-table.ts";
import { SimpleFunctions } from "../src/index.ts";

const manifest = await platformManifest();

describe("the generated client and the platform's contracts", () => {
  // proves KEY-12.12
  // proves RUN-15.3
  test("are the same; if not, run npm run generate", () => {
    const { table, types } = generateSdk(manifest);
    expect(readFileSync(generatedPath("table"), "utf8")).toBe(table);
    expect(readFileSync(generatedPath("types"), "utf8")).toBe(types);
  });

  // proves KEY-11.4
  // proves RUN-4.1
  test("have a method for every tool with a route, and a tool for every method and route", () => {
    const tools = manifest.tools.filter(({ http }) => http !== undefined);
    const inContracts = tools.map(
      ({ name, http, sdk }) => `${name} ${sdk?.method} ${http?.method} ${http?.path}`,
    );
    const inTable = toolTable.map(
      ({ method, route: { tool, ...way } }) => `${tool} ${method} ${way.method} ${way.path}`,
    );
    expect(inTable.toSorted()).toStrictEqual(inContracts.toSorted());
    const methods = tools.map(({ sdk }) => String(sdk?.method));
    expect(methodsOf(new SimpleFunctions()).toSorted()).toStrictEqual(methods.toSorted());
    expect(tools.length).toBeGreaterThan(10);
  });
});

/** Every `resource.method` that a client really has. */
function methodsOf(sf: SimpleFunctions): string[] {
  return Object.entries(sf).flatMap(([resource, methods]) =>
    Object.keys(methods as object).map((method) => `${resource}.${method}`),
  );
}

const route = { method: "GET", path: "/api/a" } as const;
const sdk = (method: string) => ({ package: "@spfunctions/sdk", method });
const first = keyedDefinition({ name: "a.read", http: route, sdk: sdk("a.read") });

describe("drift is found:", () => {
  test.each<[string, ToolDefinition, string[]]>([
    [
      "a tool with a route and no method",
      keyedDefinition({ name: "b.read", http: { method: "GET", path: "/api/b" } }),
      ["b.read has a route and no sdk.method"],
    ],
    [
      "a method without a route",
      keyedDefinition({ name: "b.read", sdk: sdk("b.read") }),
      ["b.read has the method b.read and no route"],
    ],
    [
      "a method that is not resource.method",
      withMethod("read"),
      ["b.read: the method read is not written like keys.create"],
    ],
    [
      "one with three parts",
      withMethod("a.b.c"),
      ["b.read: the method a.b.c is not written like keys.create"],
    ],
    [
      "a method under a name that a client has",
      withMethod("events.read"),
      ["b.read: the method events.read uses a taken name"],
    ],
    [
      "a method that would make a promise of it",
      withMethod("b.then"),
      ["b.read: the method b.then uses a taken name"],
    ],
    [
      "two methods whose types would have one name",
      withMethod("aRe.ad"),
      ["b.read and a.read have one method: aRe.ad"],
    ],
  ])("%s", (_, second, problems) => {
    const drifted = buildManifest([first, second]);
    expect(sdkProblems(drifted)).toStrictEqual(problems);
    expect(() => generateSdk(drifted)).toThrow(problems[0]);
  });

  test("two tools with one method", () => {
    const [tool] = buildManifest([first]).tools;
    const twice = { ...manifest, tools: [tool, { ...tool, name: "b.read" }] } as ContractManifest;
    expect(sdkProblems(twice)).toStrictEqual(["b.read and a.read have one method: a.read"]);
  });

  test("and a local tool, or one of another package, is none", () => {
    const elsewhere = keyedDefinition({
      name: "c.read",
      http: { method: "GET", path: "/api/c" },
      sdk: { package: "other", method: "x" },
    });
    expect(sdkProblems(buildManifest([first, keyedDefinition({ name: "b.read" }), elsewhere]))).toStrictEqual(
      [],
    );
  });
});

function withMethod(method: string): ToolDefinition {
  return keyedDefinition({ name: "b.read", http: { method: "GET", path: "/api/b" }, sdk: sdk(method) });
}
