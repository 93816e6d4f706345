// A tool is reached by the words of its name; nothing else that anybody may ask of an object calls anything.
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { namedCalls } from "./named-calls.ts";

type Any = ((...given: readonly unknown[]) => unknown) & { readonly [word: string]: Any };

function watched(): { readonly tools: Any; readonly called: unknown[][] } {
  const called: unknown[][] = [];
  const tools = namedCalls((...given) => void called.push(given)) as Any;
  return { tools, called };
}

test("a tool is called by the words of its name, with its input and its options", () => {
  const { tools, called } = watched();
  tools["world"]?.["read"]?.({ a: 1 }, { timeoutMs: 5 });
  const { b } = tools["a"] as unknown as { b: { call: () => void } };
  b.call();
  expect(called).toStrictEqual([
    ["world.read", { a: 1 }, { timeoutMs: 5 }],
    ["a.b.call", undefined, undefined],
  ]);
});

describe("nothing is called by", () => {
  test.each<[string, (tools: Any) => unknown]>([
    ["writing it as JSON", (tools) => JSON.stringify({ tools, world: tools["world"] })],
    ["printing it", (tools) => inspect({ tools }, { showProxy: true, depth: 5 })],
    ["awaiting it", (tools) => Promise.resolve(tools["world"])],
    ["comparing it", (tools) => expect({ tools }).toStrictEqual({ tools })],
    ["listing what it has", (tools) => [Object.keys(tools), Object.entries(tools)]],
    ["copying it", (tools) => Object.assign({}, tools)],
  ])("%s", async (_, act) => {
    const { tools, called } = watched();
    await act(tools);
    expect(called).toStrictEqual([]);
  });

  test("making a text of it, which it refuses", () => {
    const { tools, called } = watched();
    expect(() => String(tools["world"])).toThrow(TypeError);
    expect(called).toStrictEqual([]);
  });

  test.each([
    "then",
    "constructor",
    "prototype",
    "__proto__",
    "toJSON",
    "toString",
    "valueOf",
    "$$typeof",
    "",
    "a.b",
  ])("%j, which is no word of a tool's name", (word) => {
    const { tools } = watched();
    expect([tools[word], tools["world"]?.[word]]).toStrictEqual([undefined, undefined]);
  });
});

test("nobody can put a function of their own there, or take one away", () => {
  const { tools, called } = watched();
  expect(() => Object.assign(tools, { world: () => "mine" })).toThrow(TypeError);
  expect(() => Object.defineProperty(tools, "world", { value: 1 })).toThrow(TypeError);
  expect(Reflect.deleteProperty(tools, "world")).toBe(false);
  expect(Reflect.setPrototypeOf(tools, {})).toBe(false);
  tools["world"]?.["read"]?.();
  expect(called).toStrictEqual([["world.read", undefined, undefined]]);
});
