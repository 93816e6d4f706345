// What two tools of one manifest cannot both be, in one being built and in one being loaded whose digests are all right.
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../test-data/refusal-of.ts";
import { keyedDefinition, manifestSaying } from "../../test-data/samples.ts";
import { InvalidManifestError } from "../error/error-classes.ts";
import type { ToolDefinition } from "./contract-tool.ts";
import { buildManifest, parseManifest } from "./manifest.ts";

describe("a way to reach a tool leads to one tool only", () => {
  const first = keyedDefinition({
    name: "a.first",
    http: { method: "GET", path: "/api/a/{id}" },
    sdk: { package: "@spfunctions/sdk", method: "a.first" },
  });

  const clashes: [way: string, tools: ToolDefinition[], tool: string, message: string][] = [
    [
      "name",
      [first, keyedDefinition({ name: "a.first", compatName: "other" })],
      "a.first",
      "two tools are called a.first: give it once, or rename one",
    ],
    [
      "compatName",
      [first, second({ compatName: "a_first" })],
      "b.second",
      "compatName a_first is taken by a.first",
    ],
    [
      "compatName made from another name",
      [keyedDefinition({ name: "a.b_c" }), keyedDefinition({ name: "a_b.c" })],
      "a_b.c",
      "compatName a_b_c is taken by a.b_c",
    ],
    [
      "route",
      [first, second({ http: { method: "GET", path: "/api/a/{id}" } })],
      "b.second",
      "route GET /api/a/{} is taken by a.first",
    ],
    [
      "route whose parameter is called otherwise",
      [first, second({ http: { method: "GET", path: "/api/a/{orderId}" } })],
      "b.second",
      "route GET /api/a/{} is taken by a.first",
    ],
    [
      "sdk method",
      [first, second({ sdk: { package: "@spfunctions/sdk", method: "a.first" } })],
      "b.second",
      "sdk method @spfunctions/sdk a.first is taken by a.first",
    ],
  ];

  test.each(clashes)("%s", (_, tools, tool, message) => {
    for (const mode of ["implemented", "review"] as const) {
      const problem = { tool, reason: "not_unique", message };
      expect(problemOf(() => buildManifest(tools, mode))).toStrictEqual({ ...problem, path: "/1" });
      const load = () => parseManifest(manifestSaying(tools, mode));
      expect(problemOf(load)).toStrictEqual({ ...problem, path: "/tools/1" });
    }
  });

  test("of two tools the later given is refused, whatever their names", () => {
    expect(problemOf(() => buildManifest([second({ compatName: "a_first" }), first]))).toStrictEqual({
      path: "/1",
      tool: "a.first",
      reason: "not_unique",
      message: "compatName a_first is taken by b.second",
    });
  });

  test("also when one of the two is not active", () => {
    const tools = [first, second({ compatName: "a_first", status: "deprecated" })];
    expect(problemOf(() => buildManifest(tools))).toMatchObject({ path: "/1", reason: "not_unique" });
  });

  test("another method, package or namespace is another way", () => {
    const others = second({
      http: { method: "POST", path: "/api/a/{id}" },
      sdk: { package: "@spfunctions/other", method: "a.first" },
    });
    expect(buildManifest([first, others]).tools.map((tool) => tool.name)).toStrictEqual([
      "a.first",
      "b.second",
    ]);
  });
});

describe("the name of a tool is not the namespace of another", () => {
  const namespaceProblem = {
    reason: "name_is_namespace",
    message: "its name is the namespace of another tool",
  };

  test.each([
    ["directly", ["a.b", "a.b.c"], 0],
    ["directly, given the other way round", ["a.b.c", "a.b"], 1],
    ["two levels up", ["z.z", "a.b.c.d", "a.b"], 2],
    ["one level up of three", ["a.b.c.d", "z.z", "a.b.c"], 2],
  ])("%s", (_, names, index) => {
    const tools = names.map((name) => keyedDefinition({ name }));
    const problem = { ...namespaceProblem, tool: names[index] };
    for (const mode of ["implemented", "review"] as const) {
      expect(problemOf(() => buildManifest(tools, mode))).toStrictEqual({ ...problem, path: `/${index}` });
      const load = () => parseManifest(manifestSaying(tools, mode));
      expect(problemOf(load)).toStrictEqual({ ...problem, path: `/tools/${index}` });
    }
  });

  test("also when one of the two is not active", () => {
    for (const status of ["deferred", "deprecated", "forbidden"] as const) {
      const shorter = [keyedDefinition({ name: "a.b", status }), keyedDefinition({ name: "a.b.c" })];
      const longer = [keyedDefinition({ name: "a.b" }), keyedDefinition({ name: "a.b.c", status })];
      for (const tools of [shorter, longer]) {
        const problem = { ...namespaceProblem, path: "/0", tool: "a.b" };
        expect(problemOf(() => buildManifest(tools))).toStrictEqual(problem);
      }
    }
  });

  test("by whole segments: names that only begin alike stand side by side", () => {
    const names = ["a.b", "a.b_c.d", "a.bc", "a.c.b", "ab.c.d", "b.a.b"];
    const tools = names.map((name, index) => keyedDefinition({ name, compatName: `t${index}` }));
    expect(buildManifest(tools).tools.map((tool) => tool.name)).toStrictEqual(names);
  });
});

/** What the refusal says: its details, and its message without the head that names the tool. */
function problemOf(act: () => unknown): object {
  const error = refusalOf(act);
  expect(error).toBeInstanceOf(InvalidManifestError);
  const head = `invalid manifest: ${error.details?.tool}: `;
  expect(error.message.slice(0, head.length)).toBe(head);
  return { ...error.details, message: error.message.slice(head.length) };
}

function second(changes: Partial<ToolDefinition>): ToolDefinition {
  return keyedDefinition({ name: "b.second", ...changes });
}
