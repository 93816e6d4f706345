// Wherever a trace is kept while calls are made, in the end it is byte for byte what an export of the sealed journal gives, and at no
// moment is it anything that could not have been written.
import { openFileTrace } from "@spfunctions/host/store";
import {
  createMemoryStore,
  exportTrace,
  memoryTrace,
  readTrace,
  segmentsOf,
  type Store,
  openStoreTrace,
  type TraceStore,
} from "@spfunctions/kernel";
import * as fc from "fast-check";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { turn } from "../../../kernel/test-data/call-waiting.ts";
import { defineTool, govern } from "../index.ts";

const principal = { accountId: "acct_1", keyId: "key_1", scopes: ["read", "write"], kind: "local" } as const;
const mark = "nobody-may-see-this";

type Input = {
  readonly says: "allow" | "deny";
  readonly fails: boolean;
  readonly turns: number;
  readonly later: number;
};

async function pass(turns: number): Promise<void> {
  for (let passed = 0; passed < turns; passed++) await turn();
}

const tools = (
  [
    ["desk.read", "none", "none"],
    ["desk.look", "none", "none"],
    ["desk.search", "none", "search_cost"],
    ["desk.write", "user_write", "none"],
    ["desk.start", "runtime", "none"],
  ] as const
).map(([name, sideEffect, costEffect]) =>
  defineTool({
    name,
    description: "Does what its input says.",
    input: {},
    output: {},
    permissions: [],
    sideEffect,
    costEffect,
    run: async (input: unknown) => {
      const { fails, turns, says } = input as Input;
      await pass(turns);
      if (fails) throw new Error("as it was told");
      return says === "deny" ? mark : { done: name };
    },
  }),
);

const anyCall = fc.record({
  tool: fc.constantFrom("desk.read", "desk.look", "desk.search", "desk.write", "desk.start", "no.such_tool"),
  key: fc.option(fc.constantFrom("k1", "k2"), { nil: undefined, freq: 3 }),
  input: fc.record({
    says: fc.constantFrom<Input["says"]>("allow", "deny"),
    fails: fc.boolean(),
    turns: fc.nat(2),
    later: fc.nat(3),
  }),
});
type AnyCall = typeof anyCall extends fc.Arbitrary<infer Call> ? Call : never;
/** Calls of a group are made at once, groups one after the other. */
const anyFlow = fc.record({
  isHeld: fc.boolean(),
  /** Whether of each group the first answer is erased. */
  erases: fc.boolean(),
  groups: fc.array(fc.array(anyCall, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
});

/** All of them at once; after each thing that is written, each of them is looked at. */
function watched(kept: readonly TraceStore[], seen: string[]): TraceStore {
  const look = async () => {
    for (const one of kept) {
      const text = await one.text();
      // Before the first call has ended there is nothing.
      if (text === "") continue;
      const { verification } = await readTrace(text);
      seen.push(text.includes(mark) ? "a withheld output" : verification.status);
    }
  };
  const all = async (act: (one: TraceStore) => Promise<void>) => {
    for (const one of kept) await act(one);
    await look();
  };
  return {
    replace: (lines) => all((one) => one.replace(lines)),
    append: (lines) => all((one) => one.append(lines)),
    end: () => all((one) => one.end()),
    text: async () => "",
  };
}

async function exported(store: Store): Promise<string> {
  const lines: string[] = [];
  for await (const stream of segmentsOf(store, "acct_1"))
    for await (const line of exportTrace(store, "acct_1", stream)) lines.push(`${line}\n`);
  return lines.join("");
}

test("memory, file and store give the text of the journal's own export, whatever was called; and before, a whole one as far as it goes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sf-trace-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  let flows = 0;
  await fc.assert(
    fc.asyncProperty(anyFlow, async ({ isHeld, erases, groups }) => {
      flows += 1;
      const journal = createMemoryStore();
      const kept = [
        memoryTrace(),
        await openFileTrace(join(folder, `${flows}.jsonl`)),
        await openStoreTrace(createMemoryStore(), { accountId: "acct_1", id: "run" }),
        // Beside the journal that it is of.
        await openStoreTrace(journal, { accountId: "acct_1", id: "run" }),
      ];
      const seen: string[] = [];
      const governed = govern({
        packs: [tools],
        policy: { maxSideEffect: "user_write" },
        principal,
        store: journal,
        trace: watched(kept, seen),
        ...(isHeld && {
          evaluatePostTool: async ({ input }) => {
            const { says, later } = input as Input;
            await pass(later);
            return { outcome: says };
          },
        }),
      });
      const call = ({ tool, input, key }: AnyCall) =>
        governed
          .call(tool as string, input, key === undefined ? {} : { idempotencyKey: key })
          .catch(() => undefined);
      for (const group of groups) {
        const answers = await Promise.all(group.map(call));
        const [first] = answers.flatMap((answer) => answer ?? []);
        if (erases && first !== undefined) await governed.erase(first.callId);
      }
      await governed.close();
      const [whole, texts] = [await exported(journal), await Promise.all(kept.map((one) => one.text()))];
      expect(texts).toStrictEqual(kept.map(() => whole));
      expect((await readTrace(whole)).verification.status).toBe("ok");
      const expected = isHeld ? ["ok", "open"] : ["a withheld output", "ok", "open"];
      expect(expected).toEqual(expect.arrayContaining([...new Set(seen)]));
      expect(seen.slice(-kept.length)).not.toContain("open");
    }),
    { numRuns: 15 },
  );
});

describe("a trace that grows", () => {
  test("has each call when it is answered, and names a tool when it is first used", async () => {
    const trace = memoryTrace();
    const governed = govern({ packs: [tools], policy: {}, principal, trace });
    const grown: unknown[] = [];
    for (const tool of ["desk.read", "desk.read", "desk.look", "no.such_tool"]) {
      await governed.call(tool, { fails: false, turns: 0 }).catch(() => undefined);
      const { verification, header } = await readTrace(await trace.text());
      grown.push([verification.status, verification.count, header?.tools.map(({ name }) => name)]);
    }
    expect(grown).toStrictEqual([
      ["open", 2, ["desk.read"]],
      ["open", 3, ["desk.read"]],
      ["open", 4, expect.arrayContaining(["desk.read", "desk.look"])],
      ["open", 5, expect.arrayContaining(["desk.read", "desk.look"])],
    ]);
  });

  test("is given line by line to a function, when all of it is there", async () => {
    const lines: string[] = [];
    const journal = createMemoryStore();
    const trace = async (line: string) => {
      await turn();
      lines.push(line);
    };
    const governed = govern({ packs: [tools], policy: {}, principal, store: journal, trace });
    await governed.call("desk.read", { fails: false, turns: 0 });
    expect(lines).toStrictEqual([]);
    await governed.close();
    expect(lines.map((line) => `${line}\n`).join("")).toBe(await exported(journal));
  });
});
