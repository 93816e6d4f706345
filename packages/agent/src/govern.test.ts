// Functions under law, as a person embeds them: every call is judged, journaled and receipted, and what is refused is thrown.
import {
  type AgentEvent,
  agentEventSchema,
  type Receipt,
  SimpleFunctionsError,
} from "@spfunctions/contracts";
import {
  createMemoryStore,
  newInstallationSecret,
  openInstallation,
  openReplay,
  readTrace,
  traceEntries,
  verifyReceipt,
} from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { rejectionOf } from "../../contracts/test-data/refusal-of.ts";
import { defineTool, govern } from "./index.ts";

const principal = { accountId: "acct_1", keyId: "key_1", scopes: ["read", "write"], kind: "local" } as const;

function tool<const Name extends string>(name: Name, run: (input: unknown) => unknown = () => name) {
  return defineTool({
    name,
    description: "Says its own name.",
    input: {},
    output: {},
    permissions: [],
    sideEffect: "none",
    costEffect: "none",
    run,
  });
}

const add = defineTool({
  name: "sum.add",
  description: "Adds two numbers.",
  input: z.object({ a: z.number(), b: z.number().default(1) }),
  output: z.object({ sum: z.number() }),
  permissions: [],
  sideEffect: "none",
  costEffect: "none",
  run: ({ a, b }) => ({ sum: a + b }),
});

const keep = defineTool({
  name: "sum.keep",
  description: "Keeps a number.",
  input: z.object({ n: z.number() }),
  output: z.null(),
  permissions: [],
  sideEffect: "user_write",
  costEffect: "none",
  run: () => null,
});

const open = (options: Partial<Parameters<typeof govern>[0]> = {}) =>
  govern({ packs: [add, keep], policy: {}, principal, ...options });

describe("govern", () => {
  // proves KEY-13.20
  test("calls a function by its name, and answers with its output and its receipt", async () => {
    const governed = govern({ packs: [add, keep], policy: {}, principal });
    const { output, tool: name, receipt } = await governed.call("sum.add", { a: 2, b: 3 });
    expect([output, name, verifyReceipt(receipt).status]).toStrictEqual([
      { sum: 5 },
      "sum.add",
      "consistent",
    ]);
    expect((await governed.tools.sum.add({ a: 2 })).output).toStrictEqual({ sum: 3 });
  });

  test("throws what is refused, with its code and its verdict", async () => {
    const error = await rejectionOf(open().call("sum.keep", { n: 1 }));
    expect(error).toBeInstanceOf(SimpleFunctionsError);
    expect(error).toMatchObject({
      code: "policy_denied",
      details: { tool: "sum.keep", verdict: { outcome: "deny", gate: "max.sideEffect" } },
    });
  });

  test("throws what a schema's own check says, and writes no value that a check quotes", async () => {
    const payment = z.object({ amount: z.number(), pin: z.string() });
    const pay = defineTool({
      name: "pay.invoice",
      description: "Pays an invoice.",
      input: payment
        .refine(({ amount }) => amount <= 500, "a payment above 500 needs a purchase order")
        .refine(({ pin }) => pin.length > 4, { error: ({ input }) => `no pin: ${JSON.stringify(input)}` }),
      output: z.null(),
      permissions: [],
      sideEffect: "none",
      costEffect: "none",
      run: () => null,
    });
    const lines: string[] = [];
    const governed = open({ packs: [pay], trace: (line) => void lines.push(line) });
    const own = "does not pass the schema's own checks";
    const large = await rejectionOf(governed.call("pay.invoice", { amount: 501, pin: "48151" }));
    expect(large).toMatchObject({ code: "invalid_input" });
    expect(large.message).toContain(`${own}: a payment above 500 needs a purchase order`);
    const quoted = await rejectionOf(governed.call("pay.invoice", { amount: 5, pin: "kiwi" }));
    expect(quoted.message).toContain(`${own}; see`);
    expect(JSON.stringify(quoted.details?.["verdict"])).not.toContain("kiwi");
    const explained = governed.explain("pay.invoice", { amount: 501, pin: "48151" });
    expect(JSON.stringify(explained)).toContain("a payment above 500 needs a purchase order");
    await governed.close();
    expect(lines.join("\n")).not.toContain("no pin");
  });

  test("throws it with its receipt, as it says", async () => {
    const error = await rejectionOf(open().call("sum.keep", { n: 1 }));
    const receipt = error.details?.["receipt"] as Receipt | undefined;
    expect(verifyReceipt(receipt).status).toBe("consistent");
  });

  test("throws a receipt that was signed as it was signed", async () => {
    const installation = openInstallation(newInstallationSecret());
    const governed = open({ installation });
    const error = await rejectionOf(governed.call("sum.keep", { n: 1 }, { signReceipt: true }));
    const { publicKey } = installation.signer;
    expect(verifyReceipt(error.details?.["receipt"], { publicKeys: [publicKey] }).status).toBe("authentic");
  });

  test("explains without running, and describes a tool by its contract", () => {
    const governed = open();
    expect(governed.explain("sum.keep")).toMatchObject({ outcome: "deny", gate: "max.sideEffect" });
    expect(governed.explain("sum.add", { a: "x" })).toMatchObject({ outcome: "deny", gate: "input" });
    expect(governed.explain("sum.add", { a: 1 })).toMatchObject({ outcome: "allow" });
    expect(governed.describe("sum.add")).toStrictEqual(add.contract);
    expect(() => governed.describe("sum.ad")).toThrow(/did you mean sum\.add/);
    expect(() => governed.describe("__proto__")).toThrow(/no tool of this name/);
  });

  // proves KEY-13.11
  test("gives every line of a sealed trace when it is closed, once", async () => {
    const lines: string[] = [];
    const governed = open({ trace: (line) => void lines.push(line) });
    await governed.call("sum.add", { a: 1 });
    await governed.close();
    await governed.close();
    await governed[Symbol.asyncDispose]();
    const trace = await readTrace(lines.join("\n"));
    expect(trace.verification).toMatchObject({ status: "ok", count: 2 });
    expect(traceEntries(trace)).toMatchObject([
      { tool: "sum.add", input: { a: 1, b: 1 }, output: { sum: 2 } },
    ]);
  });

  test("closes without a call, and leaves nothing open behind", async () => {
    const store = createMemoryStore();
    const lines: string[] = [];
    await open({ store, trace: (line) => void lines.push(line) }).close();
    expect(
      await store.documents({ kind: "segment", accountId: "acct_1", status: "open", limit: 10 }),
    ).toStrictEqual([]);
    expect(lines.length === 0 || (await readTrace(lines.join("\n"))).verification.status === "ok").toBe(true);
  });

  test("is disposed of at the end of a block", async () => {
    const store = createMemoryStore();
    {
      await using governed = open({ store });
      await governed.call("sum.add", { a: 1 });
    }
    expect((await open({ store }).verify()).status).toBe("ok");
  });

  test("replays a trace, and nothing runs", async () => {
    const lines: string[] = [];
    let ran = 0;
    const counted = () => tool("sum.count", () => (ran += 1));
    const live = govern({
      packs: [counted()],
      policy: {},
      principal,
      trace: (line) => void lines.push(line),
    });
    const first = await live.call("sum.count");
    await live.close();
    const replay = await openReplay([lines.join("\n")]);
    const again = govern({ packs: [counted()], policy: {}, principal, replay });
    expect(await again.call("sum.count")).toStrictEqual({ ...first, replayed: true, matchedBy: "exact" });
    expect((await rejectionOf(again.call("sum.count"))).code).toBe("replay_miss");
    expect(ran).toBe(1);
  });

  test("freezes what it is given at once: changing it afterwards is too late", async () => {
    const governed = open();
    const input = { a: 1, b: 1 };
    const options = { idempotencyKey: "k" };
    const call = governed.call("sum.add", input, options);
    const stream = governed.stream("sum.add", input);
    input.a = 100;
    options.idempotencyKey = "";
    expect((await call).output).toStrictEqual({ sum: 2 });
    expect((await stream.result).output).toStrictEqual({ sum: 2 });
  });

  test("is frozen itself, and gives nothing away that could run a tool", () => {
    const governed = open();
    expect(Object.isFrozen(governed)).toBe(true);
    expect(Object.keys(governed).toSorted()).toStrictEqual([
      "askFor",
      "call",
      "check",
      "close",
      "describe",
      "erase",
      "explain",
      "manifest",
      "recover",
      "resolve",
      "resume",
      "stream",
      "tools",
      "unknown",
      "verify",
    ]);
  });

  test("signs receipts where there is an installation to do it with", async () => {
    const installation = openInstallation(newInstallationSecret());
    const governed = open({ installation });
    const { receipt } = await governed.call("sum.add", { a: 1 }, { signReceipt: true });
    expect(verifyReceipt(receipt, { publicKeys: [installation.signer.publicKey] }).status).toBe("authentic");
  });
});

describe("a tree of tools", () => {
  const names = ["a.b", "a.bc", "a.d", "e.f.g", "e.f.name", "e.f.length", "h.call", "h.to_string"] as const;
  const packs = names.map((name) => tool(name));
  const governed = govern({ packs, policy: {}, principal });

  test.each(names)("has a function for %s under the words of its name", async (name) => {
    let branch: unknown = governed.tools;
    for (const word of name.split(".")) branch = (branch as Record<string, unknown>)[word];
    expect(branch).toBeTypeOf("function");
    expect(await (branch as () => Promise<{ output: unknown }>)()).toMatchObject({ output: name });
  });

  test("has no property that is not a tool's", () => {
    const root = governed.tools as unknown as Record<string, unknown>;
    expect(Object.keys(root).toSorted()).toStrictEqual(["a", "e", "h"]);
    for (const word of ["constructor", "__proto__", "toString", "hasOwnProperty", "then", "valueOf"]) {
      expect(root[word]).toBeUndefined();
      expect((root["a"] as Record<string, unknown>)[word]).toBeUndefined();
      expect((root["h"] as Record<string, unknown>)[word]).toBeUndefined();
    }
  });

  test("has one thing at each place: a tool whose name begins another's is refused", () => {
    const both = [tool("a.b"), tool("a.b.c")];
    expect(() => govern({ packs: [both], policy: {}, principal })).toThrow(/namespace of another tool/);
  });

  test("cannot be given another function", () => {
    const root = governed.tools as unknown as { a: { b: unknown } };
    expect(() => Object.assign(root.a, { b: () => "mine" })).toThrow(TypeError);
    expect(() => Object.assign(root, { a: {} })).toThrow(TypeError);
  });
});

test("what happens in a call is seen as it happens, in events that are what they say", async () => {
  const seen: AgentEvent[] = [];
  const stream = open().stream("sum.add", { a: 1 });
  for await (const event of stream) seen.push(agentEventSchema.parse(event));
  expect(seen.map(({ type }) => type)).toStrictEqual([
    "run.started",
    "tool.resolved",
    "policy.checked",
    "tool.started",
    "tool.completed",
    "run.completed",
  ]);
  expect((await stream.result).output).toStrictEqual({ sum: 2 });
});
