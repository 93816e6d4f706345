// What a person's editor knows: names, inputs and outputs of exactly the tools that are there. Checked by `npm run check:types`.
import type { Tool } from "@spfunctions/kernel";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import {
  type CallResult,
  defineTool,
  govern,
  type ToolInput,
  type ToolNames,
  type ToolOutput,
} from "./index.ts";

const principal = { accountId: "acct_1", keyId: "key_1", scopes: ["read"], kind: "local" } as const;
const shared = {
  description: "For its types.",
  permissions: [],
  sideEffect: "none",
  costEffect: "none",
} as const;

const ab = defineTool({
  ...shared,
  name: "a.b",
  input: z.object({ text: z.string(), count: z.number().default(1) }),
  output: z.object({ id: z.string() }),
  run: ({ text, count }) => {
    expectTypeOf(count).toEqualTypeOf<number>();
    return { id: text.repeat(count) };
  },
});
const acd = defineTool({
  ...shared,
  name: "a.c.d",
  input: z.object({ n: z.number() }),
  output: z.array(z.number()),
  run: ({ n }) => [n],
});
const de = defineTool({
  ...shared,
  name: "d.e",
  input: { type: "object" },
  output: {},
  run: () => null,
});

const packs = [[ab, acd], de] as const;
const governed = govern({ packs, policy: {}, principal });
type Packs = typeof packs;

describe("the types of a governed pack", () => {
  test("know the names, in packs and alone", () => {
    expectTypeOf<ToolNames<Packs>>().toEqualTypeOf<"a.b" | "a.c.d" | "d.e">();
  });

  test("know what goes in, with defaults left out, and what comes out", () => {
    expectTypeOf<ToolInput<Packs, "a.b">>().toEqualTypeOf<{ text: string; count?: number | undefined }>();
    expectTypeOf<ToolOutput<Packs, "a.b">>().toEqualTypeOf<{ id: string }>();
    expectTypeOf<ToolOutput<Packs, "a.c.d">>().toEqualTypeOf<number[]>();
    expectTypeOf<ToolInput<Packs, "d.e">>().toBeUnknown();
  });

  test("know the answer of a call by its name", async () => {
    const call = governed.call("a.b", { text: "x" });
    expectTypeOf(call).resolves.toEqualTypeOf<CallResult<{ id: string }>>();
    expect((await call).output.id).toBe("x");
    expectTypeOf(governed.call("a.c.d", { n: 1 })).resolves.toEqualTypeOf<CallResult<number[]>>();
    const dynamic: string = "d.e";
    expectTypeOf(governed.call(dynamic, {})).resolves.toEqualTypeOf<CallResult<unknown>>();
  });

  test("know the answer of a stream by its name", async () => {
    const stream = governed.stream("a.b", { text: "x" });
    expectTypeOf(stream.result).resolves.toEqualTypeOf<CallResult<{ id: string }>>();
    expect((await stream.result).output.id).toBe("x");
  });

  test("know the tree: two words, and three", async () => {
    expectTypeOf(governed.tools.a.b).toBeCallableWith({ text: "x" });
    expectTypeOf(governed.tools.a.c.d).toBeCallableWith({ n: 1 });
    expectTypeOf(governed.tools.d.e).toBeCallableWith({});
    expectTypeOf(governed.tools.a.b({ text: "x" })).resolves.toEqualTypeOf<CallResult<{ id: string }>>();
    expectTypeOf(governed.tools.a.c.d({ n: 1 })).resolves.toEqualTypeOf<CallResult<number[]>>();
    expect((await governed.tools.a.b({ text: "x", count: 2 })).output).toStrictEqual({ id: "xx" });
    expect((await governed.tools.a.c.d({ n: 3 })).output).toStrictEqual([3]);
  });

  test("refuse what no tool takes", () => {
    expect(misuses).toBeTypeOf("function");
  });

  test("know a tool by its contract's name, and nothing that could run", () => {
    expectTypeOf(ab).toExtend<Tool<"a.b">>();
    expectTypeOf(ab.contract.name).toEqualTypeOf<"a.b">();
    expectTypeOf(ab).not.toHaveProperty("run");
  });
});

/** Never called: each line must not compile. */
function misuses(): void {
  // @ts-expect-error -- the text is missing
  void governed.tools.a.b({ count: 1 });
  // @ts-expect-error -- there is no such word
  void governed.tools.a.x;
  // @ts-expect-error -- a number is no text
  void governed.tools.a.b({ text: 1 });
  // @ts-expect-error -- d is no tool itself
  void governed.tools.d({});
  // @ts-expect-error -- a tool is what defineTool made
  govern({ packs: [{ run: () => 1 }], policy: {}, principal });
  // @ts-expect-error -- a principal has scopes
  govern({ packs: [], policy: {}, principal: { accountId: "a", keyId: "k", kind: "local" } });
}
