// G4, B2: what was judged is what was hashed, what ran and what is kept, whoever tries to change it on the way.
import {
  canonicalJson,
  hashText,
  heldSecrets,
  type JsonValue,
  parseJsonStrict,
  redact,
} from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { callApproved } from "../../test-data/call-approvals.ts";
import { Deck } from "../../test-data/call-deck.ts";
import {
  codeOf,
  type Desk,
  installation,
  keptText,
  openDesk,
  outputOf,
  storedIn,
  traceOf,
} from "../../test-data/call-desk.ts";
import { settlement } from "../../test-data/call-waiting.ts";
import { tinySchema } from "../../test-data/tool-samples.ts";
import { readTrace } from "../trace/read-trace.ts";
import { traceEntries } from "../trace/trace-entries.ts";

/** A library's check that works on what it is given, and one that gives something else back. */
function spoiling(value: unknown) {
  const before: unknown = structuredClone(value);
  Object.assign(value as object, { text: "pay 1000" });
  return { value: before };
}
function replacing(value: unknown) {
  return { value: { ...(value as object), text: "pay 1000" } };
}

const honest = { text: "pay 1", list: [1, { deep: true }] };

/** Ways in which whoever calls could have two inputs: one to be judged, one to be run. */
const attackers: readonly (readonly [string, code: string, () => { input: unknown; strike: () => void }])[] =
  [
    [
      "it is changed right after the call",
      "completed",
      () => {
        const input = structuredClone(honest) as { text: string; list: unknown[] };
        return {
          input,
          strike: () => {
            input.text = "pay 1000";
            input.list.length = 0;
          },
        };
      },
    ],
    [
      "a getter answers differently the second time",
      "completed",
      () => {
        let asked = 0;
        const input = {
          get text() {
            return asked++ === 0 ? "pay 1" : "pay 1000";
          },
          list: honest.list,
        };
        return { input, strike: () => {} };
      },
    ],
    [
      "a proxy answers differently the second time",
      "completed",
      () => {
        const seen = new Set<PropertyKey>();
        const input = new Proxy(structuredClone(honest), {
          get: (target, key, receiver) => {
            const isFirst = !seen.has(key);
            seen.add(key);
            return isFirst ? Reflect.get(target, key, receiver) : "pay 1000";
          },
        });
        return { input, strike: () => {} };
      },
    ],
    [
      "it has a toJSON that says something else",
      "invalid_input",
      () => ({
        input: Object.assign(Object.create({ toJSON: () => ({ text: "pay 1000" }) }) as object, honest),
        strike: () => {},
      }),
    ],
  ];

describe("G4, B2: one input is judged, kept and run, though", () => {
  test.each(attackers)("%s", async (_, code, make) => {
    const desk = openDesk();
    const { input, strike } = make();
    const call = desk.call({ tool: "notes.write", input });
    strike();
    const outcome = await call;
    expect(codeOf(outcome)).toBe(code);
    expect(desk.deck.inputsOf("notes.write")).toStrictEqual(
      code === "completed" ? [canonicalJson(honest)] : [],
    );
    if (code === "completed") await expectOneInput(desk);
  });

  // proves PORT-18.5
  test("the host's own policy works on what it is shown", async () => {
    const desk = openDesk({
      evaluatePreTool: (view) => {
        (view.input as { text: string }).text = "pay 1000";
        expect(() => Object.assign(view, { tool: "notes.read", input: {} })).toThrow(TypeError);
        return { outcome: "allow" };
      },
    });
    await desk.call({ tool: "notes.write", input: honest });
    expect(desk.deck.inputsOf("notes.write")).toStrictEqual([canonicalJson(honest)]);
    await expectOneInput(desk);
  });

  test("a library's schema works on what it checks", async () => {
    const deck = new Deck();
    const tool = deck.tool({ name: "pay.out", sideEffect: "user_write", input: tinySchema({}, spoiling) });
    const desk = openDesk({ deck, packs: [tool] });
    expect(codeOf(await desk.call({ tool: "pay.out", input: honest }))).toBe("completed");
    expect(deck.inputsOf("pay.out")).toStrictEqual([canonicalJson(honest)]);
    await expectOneInput(desk);
  });

  test("a library's schema would change the value: then nothing runs", async () => {
    const deck = new Deck();
    const tool = deck.tool({ name: "pay.out", sideEffect: "user_write", input: tinySchema({}, replacing) });
    const desk = openDesk({ deck, packs: [tool] });
    expect(codeOf(await desk.call({ tool: "pay.out", input: honest }))).toBe("invalid_input");
    expect(deck.runs).toStrictEqual([]);
  });

  test("the tool works on what it was given", async () => {
    const desk = openDesk({
      deed: (input, context) => {
        Object.assign(input as object, { text: "pay 1000" });
        expect(() => Object.assign(context, { idempotencyKey: "another" })).toThrow(TypeError);
        expect(() => Object.assign(context.principal, { accountId: "acct_2" })).toThrow(TypeError);
        return null;
      },
    });
    expect(codeOf(await desk.call({ tool: "notes.write", input: honest }))).toBe("completed");
    await expectOneInput(desk);
  });
});

test("G4: the request is read once: what its owner does to it afterwards is too late", async () => {
  const desk = openDesk();
  const request = { tool: "notes.read", input: { text: "a" }, idempotencyKey: "one" };
  const call = desk.call(request);
  Object.assign(request, { tool: "notes.write", input: { text: "b" }, idempotencyKey: "x".repeat(300) });
  expect(codeOf(await call)).toBe("completed");
  expect(desk.deck.runs).toMatchObject([{ tool: "notes.read", text: '{"text":"a"}', idempotencyKey: "one" }]);
  expect((await desk.seat.verify()).status).toBe("open");
});

describe("an output is read once, too:", () => {
  test("what the tool does to it afterwards is too late", async () => {
    const output = { items: [1, 2], note: "first" };
    const desk = openDesk({ deed: () => output });
    const outcome = await desk.call({ tool: "notes.write", idempotencyKey: "k" });
    output.items.push(3);
    output.note = "second";
    expect(outputOf(outcome)).toStrictEqual({ items: [1, 2], note: "first" });
    expect(outputOf(await desk.call({ tool: "notes.write", idempotencyKey: "k" }))).toStrictEqual({
      items: [1, 2],
      note: "first",
    });
  });

  test("what its caller does to it changes no later answer", async () => {
    const desk = openDesk({ deed: () => ({ items: [1] }) });
    const first = outputOf(await desk.call({ tool: "notes.write", idempotencyKey: "k" }));
    (first as { items: number[] }).items.push(2);
    expect(outputOf(await desk.call({ tool: "notes.write", idempotencyKey: "k" }))).toStrictEqual({
      items: [1],
    });
  });

  // proves PORT-18.5
  test("a policy that works on an output changes nothing that is given", async () => {
    const desk = openDesk({
      deed: () => ({ balance: 1 }),
      evaluatePostTool: (view) => {
        Object.assign(view.output as object, { balance: 1000 });
        return { outcome: "allow" };
      },
    });
    expect(outputOf(await desk.call({ tool: "notes.write" }))).toStrictEqual({ balance: 1 });
  });
});

const anyInput: fc.Arbitrary<Record<string, JsonValue>> = fc.dictionary(
  fc.oneof(fc.constantFrom("__proto__", "constructor", "toJSON", "", "0", "\u{1f602}"), fc.string()),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>,
  { maxKeys: 5, noNullPrototype: true },
);

// proves PORT-13.3
test("nothing changes between what was hashed and what ran (G4)", async () => {
  const modes = fc.constantFrom("plain", "changed after", "getters", "policy", "tool");
  const tools = fc.constantFrom("notes.read", "notes.write", "notes.search");
  await fc.assert(
    fc.asyncProperty(anyInput, modes, tools, async (given, mode, tool) => {
      const expected = canonicalJson(given);
      // A call in which something is hidden waits for a person.
      fc.pre(canonicalJson(redact(given)) === canonicalJson(given));
      const desk = openDesk({
        deed: (input) => {
          if (mode === "tool") spoil(input);
          return null;
        },
        ...(mode === "policy" && {
          evaluatePreTool: (view) => {
            spoil(view.input);
            return { outcome: "allow" as const };
          },
        }),
      });
      const input = mode === "getters" ? twoFaced(given) : structuredClone(given);
      const call = desk.call({ tool, input });
      if (mode === "changed after") spoil(input as JsonValue);
      const outcome = await call;
      expect(codeOf(outcome)).toBe("completed");
      expect(desk.deck.inputsOf(tool)).toStrictEqual([expected]);
      await expectOneInput(desk);
    }),
    { numRuns: 150 },
  );
});

const secret = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH";

// proves PORT-13.11
test("S1: with a secret the tool gets it, the records have it nowhere, and every other byte is the same", async () => {
  const desk = openDesk({ deed: (input) => ({ echo: input }) });
  const input = { text: "a", apiKey: secret, deep: [{ note: `use ${secret} now` }] };
  const outcome = await callApproved(desk, { tool: "notes.write", input });
  expect(desk.deck.inputsOf("notes.write")).toStrictEqual([canonicalJson(input)]);
  expect(outcome).toMatchObject({
    result: { output: { echo: input }, redacted: ["/echo/apiKey", "/echo/deep/0/note"] },
  });
  const kept = await storedIn(desk.store.inner);
  expect(JSON.stringify(kept)).not.toContain(secret);
  const records = await desk.records();
  const at = records.findIndex(({ kind }) => kind === "call.intended");
  const [row] = kept[at]?.content ?? [];
  const recorded = parseJsonStrict((row as { text: string }).text) as { text: string; apiKey: string };
  expect(recorded).toStrictEqual({
    text: "a",
    apiKey: expect.stringMatching(/^\[redacted:[a-z_]+:[0-9a-f]{12}\]$/),
    deep: [{ note: expect.stringMatching(/^use \[redacted:[a-z_]+:[0-9a-f]{12}\] now$/) }],
  });
  expect(records[at]).toMatchObject({ inputRedacted: true });
});

test("S1: a secret in a policy's reason is kept nowhere, also where the reason is cut off in its middle", async () => {
  const held = "a secret that this process holds";
  heldSecrets.add(held, "held");
  try {
    const reason = `${"x".repeat(470)} ${held}`;
    const desk = openDesk({ evaluatePreTool: () => ({ outcome: "deny", reason }) });
    await desk.call({ tool: "notes.write" });
    expect((await keptText(desk.store.inner)).includes(held.slice(0, 10))).toBe(false);
  } finally {
    heldSecrets.remove(held);
  }
});

test("S1: a key that is a secret is kept nowhere", async () => {
  const desk = openDesk();
  await settlement(desk.call({ tool: "notes.write", idempotencyKey: secret }));
  expect((await keptText(desk.store.inner)).includes(secret)).toBe(false);
});

/** The one input of a call: what its function got is, but for secrets, what its record has. */
async function expectOneInput(desk: Desk): Promise<void> {
  const [ran] = desk.deck.runs;
  const stored = (await storedIn(desk.store.inner)).find(({ content }) => content.length > 0);
  const [row] = stored?.content ?? [];
  const live = parseJsonStrict(ran?.text ?? "");
  const recorded = canonicalJson(redact(live, { keyedHash: installation.redaction }));
  expect(row).toMatchObject({ text: recorded });
  const entries = traceEntries(await readTrace(await traceOf(desk.seat)));
  expect(entries).toMatchObject([{ inputHash: hashText(recorded) }]);
}

/** Ruins a value in place, as far as it lets itself be ruined. */
function spoil(value: JsonValue): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) value.length = 0;
  else {
    for (const key of Object.keys(value)) Reflect.deleteProperty(value, key);
    Object.assign(value, { spoilt: true });
  }
}

/** The same members, each true to itself only the first time it is asked. */
function twoFaced(value: Record<string, JsonValue>): object {
  const faces = {};
  for (const [key, member] of Object.entries(value)) {
    let asked = 0;
    Object.defineProperty(faces, key, {
      enumerable: true,
      get: () => (asked++ === 0 ? member : "another face"),
    });
  }
  return faces;
}
