import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { defineTool } from "@spfunctions/agent";
import { describe, expect, test } from "vitest";
import { toolsInModule } from "./tools-in-module.ts";

const tool = (name: string) =>
  defineTool({
    name,
    description: "A tool.",
    input: {},
    output: {},
    permissions: [],
    sideEffect: "none",
    costEffect: "none",
    run: () => null,
  });
const [a, b, c] = [tool("test.a"), tool("test.b"), tool("test.c")];

function refusalOf(module: Record<string, unknown>): string {
  try {
    toolsInModule(module, "./p.ts");
  } catch (error) {
    if (isSimpleFunctionsError(error)) return `${error.code} ${error.message}`;
    throw error;
  }
  return "nothing";
}

const expected =
  "invalid_package pack ./p.ts: expected a tool, a list of tools, or a list of those as its default, pack, packs or tools export; found ";

describe("the tools of a module", () => {
  test.each([
    ["a tool by default", { default: a }, [a]],
    ["a list by default", { default: [a, b] }, [a, b]],
    ["a list of lists and tools", { packs: [[a], b, [c]] }, [a, b, c]],
    ["a pack", { pack: [a] }, [a]],
    ["tools", { tools: [a], other: 1 }, [a]],
    ["a default that is something else", { default: () => null, tools: [b] }, [b]],
    ["several of these", { default: [a], tools: [b] }, [a]],
  ])("are found where it has %s", (_, module, tools) => {
    expect(toolsInModule(module, "./p.ts")).toStrictEqual(tools);
  });

  test.each([
    ["nothing", {}, "no exports"],
    ["something else", { default: () => null, x: 1, y: null }, "default (function), x (number), y (null)"],
    ["an empty list", { tools: [] }, "tools (empty list)"],
    ["a list with something else in it", { tools: [a, { name: "x" }] }, "tools (list with object at 1)"],
    ["lists of lists of lists", { tools: [[[a]]] }, "tools (list with list of tools at 0)"],
    ["a tool under another name", { readNote: a }, "readNote (tool)"],
    ["what looks half like one", { default: { contract: { name: "x" } } }, "default (object)"],
    [
      "very much",
      Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`x${n}`, n])),
      "x0 (number), x1 (number), x2 (number), x3 (number), x4 (number), x5 (number), x6 (number), x7 (number), x8 (number), x9 (number) and 2 more",
    ],
  ])("are not found where it has %s, and it is said what was", (_, module, found) => {
    expect(refusalOf(module)).toBe(expected + found);
  });

  test("are not looked for by the rules of a stranger's object", () => {
    const trap = {
      get contract() {
        throw new Error("boo");
      },
    };
    expect(refusalOf({ default: trap })).toBe(`${expected}something that throws when it is looked at`);
    expect(refusalOf(Object.create({ default: a }) as Record<string, unknown>)).toBe(`${expected}no exports`);
  });
});
