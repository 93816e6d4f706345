// Before a call is judged, hooks may put something else in place of its input. G4: what they leave is judged from the start, and is what
// runs; both are on record. S1: they see and uncover nothing that is hidden.
import { canonicalJson, hashText, type JsonValue } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { Deck } from "../../test-data/call-deck.ts";
import { kindsIn } from "../../test-data/call-store.ts";
import { turn, until } from "../../test-data/call-waiting.ts";
import {
  asking,
  levelOf,
  openRunDesk,
  type RunDeskOptions,
  saying,
  storedRun,
  write,
} from "../../test-data/run-desk.ts";
import {
  calling,
  contentOf,
  hookAt,
  no,
  once,
  patching,
  recordsOf,
  Seen,
  toldTo,
  yes,
} from "../../test-data/run-hooks.ts";
import { toEnd } from "../../test-data/run-stories.ts";

describe("what a hook puts in place of an input", () => {
  const toB = patching([{ op: "replace", path: "/text", value: "b" }]);

  // proves PORT-21.11
  test("is what runs, and both are on record with whoever changed it", async () => {
    const desk = openRunDesk({ ...once(write("a")), hooks: [toB] });
    const runId = await toEnd(desk);
    expect(desk.deck.inputsOf("notes.write")).toStrictEqual(['{"text":"b"}']);
    const [revised] = await recordsOf(desk, runId, "call.revised");
    const [intended] = await recordsOf(desk, runId, "call.intended");
    expect(revised).toMatchObject({
      callId: intended?.callId,
      tool: "notes.write",
      by: [{ id: "changer", version: "1" }],
    });
    const textOf = await contentOf(desk, runId);
    const texts = [revised?.input, revised?.output, intended?.input].map((digest) =>
      textOf(digest?.ref ?? ""),
    );
    expect(texts).toStrictEqual(['{"text":"a"}', '{"text":"b"}', '{"text":"b"}']);
  });

  // proves PORT-21.11
  test("is what the host's policy, the person who is asked and the hooks after it see", async () => {
    const seen = new Seen();
    const judged: unknown[] = [];
    const desk = openRunDesk({
      ...once(write("a")),
      levels: levelOf(asking),
      hooks: [toB, seen.at("before_tool_call"), seen.at("on_approval"), seen.at("after_tool_call")],
      evaluatePreTool: ({ input, inputHash }) => {
        judged.push(input, inputHash);
        return { outcome: "allow" };
      },
    });
    const handle = await desk.start();
    await handle.wait({ for: "rest" });
    const [question] = await desk.operator.list();
    const hash = hashText('{"text":"b"}');
    expect([question?.input, question?.inputHash]).toStrictEqual([{ text: "b" }, hash]);
    await desk.operator.approve(question?.approvalId ?? "");
    await handle.wait();
    expect(judged).toStrictEqual([{ text: "b" }, hash, { text: "b" }, hash]);
    for (const { text } of seen.views)
      expect(JSON.parse(text)).toMatchObject({ input: { text: "b" }, inputHash: hash });
    expect(seen.points).toStrictEqual(["before_tool_call", "on_approval", "after_tool_call"]);
    expect(desk.deck.inputsOf("notes.write")).toStrictEqual(['{"text":"b"}']);
  });

  test("is what the next hook changes further; all of them are named", async () => {
    const desk = openRunDesk({
      ...once(write("a")),
      hooks: [
        hookAt(
          "before_tool_call",
          ({ input }) => ({
            outcome: "allow",
            patch: [{ op: "add", path: "/more", value: (input as { text: string }).text }],
          }),
          { id: "second", phase: "change", order: 1 },
        ),
        toB,
        patching([{ op: "test", path: "/text", value: "b" }], { id: "third", order: 2 }),
      ],
    });
    const runId = await toEnd(desk);
    expect(desk.deck.inputsOf("notes.write")).toStrictEqual(['{"more":"b","text":"b"}']);
    const revised = await recordsOf(desk, runId, "call.revised");
    // Who changes nothing is not named.
    expect(revised.map(({ by }) => by.map(({ id }) => id))).toStrictEqual([["changer", "second"]]);
  });

  test("is on record, too, where a later hook objects: then it is that which was refused", async () => {
    const desk = openRunDesk({ ...once(write("a")), hooks: [toB, hookAt("before_tool_call", no)] });
    const runId = await toEnd(desk);
    const [refused] = await recordsOf(desk, runId, "call.refused");
    const textOf = await contentOf(desk, runId);
    expect(textOf(refused?.input?.ref ?? "")).toBe('{"text":"b"}');
    expect((await desk.kinds(runId)).filter((kind) => kind.startsWith("call."))).toStrictEqual([
      "call.revised",
      "call.refused",
    ]);
  });

  test("is frozen: what its hook does to it later is too late", async () => {
    const value = { text: "b", list: [1] };
    const desk = openRunDesk({
      ...once(write("a")),
      hooks: [
        patching([{ op: "replace", path: "", value }]),
        hookAt("before_tool_call", () => {
          value.text = "pay 1000";
          value.list.length = 0;
          return yes();
        }),
      ],
    });
    await toEnd(desk);
    expect(desk.deck.inputsOf("notes.write")).toStrictEqual(['{"list":[1],"text":"b"}']);
  });

  test("has the contract's defaults", async () => {
    const desk = openRunDesk({
      ...once(calling({ text: "a", count: 5 }, "notes.strict")),
      hooks: [patching([{ op: "remove", path: "/count" }])],
      deed: () => ({ id: "1" }),
    });
    await toEnd(desk);
    expect(desk.deck.inputsOf("notes.strict")).toStrictEqual(['{"count":1,"text":"a"}']);
  });

  test("runs only once it is on record: nothing runs while the store does not take it, and never what the model said", async () => {
    const desk = openRunDesk({ ...once(write("a")), hooks: [toB] });
    let refusals = 0;
    desk.store.fault = (unit) => {
      if (!kindsIn(unit).includes("call.revised")) return undefined;
      refusals++;
      return { type: "throw" };
    };
    const handle = await desk.start();
    await until(() => refusals > 0);
    for (let second = 0; second < 5; second++) {
      desk.clock.advance(1000);
      await turn();
    }
    expect(desk.deck.runs).toStrictEqual([]);
    desk.store.fault = () => undefined;
    for (let second = 0; second < 5; second++) {
      desk.clock.advance(1000);
      await turn();
    }
    expect(await handle.wait()).toMatchObject({ status: "completed" });
    expect(desk.deck.inputsOf("notes.write")).toStrictEqual(['{"text":"b"}']);
  });
});

describe("G4: what a hook has made of an input is judged from the start, and refused", () => {
  const refusedWith = async (options: RunDeskOptions) => {
    const desk = openRunDesk(options);
    const runId = await toEnd(desk);
    expect(desk.deck.runs).toStrictEqual([]);
    const [refused] = await recordsOf(desk, runId, "call.refused");
    return { gate: refused?.verdict.gate, code: refused?.error.code, told: toldTo(desk) };
  };

  test("where it does not fit the schema", async () => {
    const refused = await refusedWith({
      ...once(calling({ text: "a" }, "notes.strict")),
      hooks: [patching([{ op: "add", path: "/extra", value: 1 }])],
    });
    expect(refused).toMatchObject({ gate: "input", code: "invalid_input" });
  });

  test("where a part of it is hidden: a person is asked, and is told the place, the kind and the length", async () => {
    const hiding = patching([{ op: "add", path: "/secret", value: { to: "mallory" } }]);
    const desk = openRunDesk({ ...once(write("a")), hooks: [hiding] });
    const handle = await desk.start();
    await handle.wait({ for: "rest" });
    const [question] = await desk.operator.list();
    expect(question?.hidden).toStrictEqual([{ pointer: "/secret/to", kind: "secret", length: 7 }]);
    expect(desk.deck.runs).toStrictEqual([]);
    await desk.operator.approve(question?.approvalId ?? "");
    await handle.wait();
    expect(desk.deck.inputsOf("notes.write")).toStrictEqual(['{"secret":{"to":"mallory"},"text":"a"}']);
  });

  test("where it needs what nobody has granted: by the place that the hook has put there", async () => {
    const deck = new Deck(undefined, [{ name: "web.get", capability: { kind: "net", url: "/url" } }]);
    const refused = await refusedWith({
      ...once(calling({ url: "https://good.example/" }, "web.get")),
      deck,
      hooks: [patching([{ op: "replace", path: "/url", value: "https://evil.example/" }])],
    });
    expect(refused).toMatchObject({ gate: "capability", code: "capability_denied" });
    expect(refused.told).toContain("net:evil.example");
  });

  test("where it holds what a record shows in place of a secret", async () => {
    const refused = await refusedWith({
      ...once(write("a")),
      hooks: [patching([{ op: "replace", path: "/text", value: "[redacted:password:0123456789ab]" }])],
    });
    expect(refused).toMatchObject({ gate: "input", code: "invalid_input" });
    expect(refused.told).toContain("redacted value");
  });

  test("where the host's policy objects to that", async () => {
    const refused = await refusedWith({
      ...once(write("a")),
      hooks: [patching([{ op: "replace", path: "/text", value: "b" }])],
      evaluatePreTool: ({ input }) =>
        (input as { text: string }).text === "b" ? { outcome: "deny" } : { outcome: "allow" },
    });
    expect(refused).toMatchObject({ gate: "pre_tool", code: "policy_denied" });
  });
});

// proves PORT-21.13
describe("a call is refused, by the hook's name, whose patch", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  const value = (one: unknown) => [{ op: "add", path: "/x", value: one }];

  test.each<[string, unknown, string]>([
    ["is no list", { op: "remove", path: "/text" }, "it is no list of changes"],
    ["is null", null, "it is no list of changes"],
    ["has a change that is none", [{ op: "drop" }], "change 1 is none that RFC 6902 has"],
    [
      "expects something else",
      [{ op: "test", path: "/text", value: "z" }],
      "/text is not what the patch expects",
    ],
    ["holds a function", value(() => 1), "it holds what is not JSON"],
    ["holds a symbol", value([Symbol("no")]), "it holds what is not JSON"],
    ["holds a circle", value(cyclic), "the input is not JSON"],
    ["holds a very large number", value(10n), "the input is not JSON"],
    ["holds what is no number", value(Number.NaN), "the input is not JSON"],
    ["cannot be read", [new Proxy({}, { get: hangUp })], "it holds what is not JSON"],
    ["makes it too deep", value(nested(2000)), "it holds what is not JSON"],
  ])("%s", async (_what, patch, why) => {
    const desk = openRunDesk({ ...once(write("a")), hooks: [patching(patch)] });
    const runId = await toEnd(desk);
    expect(toldTo(desk)).toContain(`changer: its patch cannot be applied: ${why}`);
    expect([desk.deck.runs, await recordsOf(desk, runId, "call.revised")]).toStrictEqual([[], []]);
  });

  // proves PORT-21.12
  test("comes from a hook that only says no, or only where it may not change anything", async () => {
    const patch = [{ op: "replace", path: "/text", value: "b" }];
    for (const hook of [patching(patch, { phase: "guard" }), patching([], { phase: "guard" })]) {
      const desk = openRunDesk({ ...once(write("a")), hooks: [hook] });
      await toEnd(desk);
      expect(toldTo(desk)).toContain("changer: only a hook of phase change may change an input");
      expect(desk.deck.runs).toStrictEqual([]);
    }
  });

  test("comes from one that only watches, and is not looked at", async () => {
    const desk = openRunDesk({
      ...once(write("a")),
      hooks: [patching([{ op: "replace", path: "/text", value: "b" }], { phase: "observe" })],
    });
    await toEnd(desk);
    expect(desk.deck.inputsOf("notes.write")).toStrictEqual(['{"text":"a"}']);
  });
});

function nested(depth: number): JsonValue {
  let value: JsonValue = 1;
  for (let left = depth; left > 0; left--) value = [value];
  return value;
}

function hangUp(): never {
  throw new Error("no");
}

const secret = `sk-proj-${"Ab1".repeat(14)}9`;

describe("S1: a hook", () => {
  const withKey = calling({ text: "a", apiKey: secret }, "notes.sign");

  test("is shown no secret, at whatever point", async () => {
    const seen = new Seen();
    const points = [
      "before_model",
      "after_model",
      "before_tool_call",
      "on_approval",
      "after_tool_call",
      "on_stop",
    ] as const;
    const desk = openRunDesk({
      script: saying([withKey], `the key is ${secret}`),
      levels: levelOf(asking),
      deed: () => ({ echo: secret, note: `key ${secret}` }),
      hooks: points.map((point) => seen.at(point)),
    });
    const handle = await desk.runs.start({ objective: `use ${secret}` });
    const { approvals } = await handle.wait({ for: "rest" });
    await desk.operator.approve(approvals[0]?.approvalId ?? "");
    await handle.wait();
    expect(new Set(seen.points)).toStrictEqual(new Set(points));
    for (const { point, text } of seen.views)
      expect([point, text.includes(secret)]).toStrictEqual([point, false]);
    expect(seen.last("before_tool_call").input).toMatchObject({
      apiKey: expect.stringMatching(/^\[redacted:/) as string,
    });
    expect(desk.deck.inputsOf("notes.sign")).toStrictEqual([canonicalJson(withKey.args)]);
  });

  test("that changes something else leaves it where it is, for the tool alone", async () => {
    const desk = openRunDesk({
      ...once(withKey),
      hooks: [patching([{ op: "replace", path: "/text", value: "b" }])],
    });
    const runId = await toEnd(desk);
    expect(desk.deck.inputsOf("notes.sign")).toStrictEqual([canonicalJson({ text: "b", apiKey: secret })]);
    expect(JSON.stringify(await storedRun(desk.store.inner, runId))).not.toContain(secret);
  });

  test.each(["copy", "move"])("cannot %s it to where it would be seen", async (op) => {
    const desk = openRunDesk({
      ...once(withKey),
      hooks: [patching([{ op, from: "/apiKey", path: "/text" }])],
    });
    await toEnd(desk);
    expect(desk.deck.runs).toStrictEqual([]);
    expect(toldTo(desk)).toContain("/apiKey holds what is hidden on record");
  });

  test("can replace it, and remove it", async () => {
    const other = `sk-proj-${"Zy2".repeat(14)}8`;
    for (const [patch, after] of [
      [
        { op: "replace", path: "/apiKey", value: other },
        { text: "a", apiKey: other },
      ],
      [{ op: "remove", path: "/apiKey" }, { text: "a" }],
    ] as const) {
      const desk = openRunDesk({ ...once(withKey), hooks: [patching([patch])] });
      const runId = await toEnd(desk);
      expect(desk.deck.inputsOf("notes.sign")).toStrictEqual([canonicalJson(after)]);
      const kept = JSON.stringify(await storedRun(desk.store.inner, runId));
      expect([kept.includes(secret), kept.includes(other)]).toStrictEqual([false, false]);
    }
  });

  test("does not uncover a secret elsewhere by removing what has given it away", async () => {
    const args = { password: "hunter2!", note: "it is hunter2! as ever" };
    const seen = new Seen();
    const desk = openRunDesk({
      ...once(calling(args)),
      deed: () => ({ said: "hunter2!" }),
      hooks: [
        patching([{ op: "remove", path: "/password" }]),
        seen.at("before_tool_call"),
        seen.at("after_tool_call"),
        seen.at("before_model"),
      ],
    });
    const handle = await desk.start();
    // What is hidden in the note is declared by nobody: a person is asked about it.
    const { approvals } = await handle.wait({ for: "rest" });
    expect(JSON.stringify(await desk.operator.list())).not.toContain("hunter2!");
    await desk.operator.approve(approvals[0]?.approvalId ?? "");
    await handle.wait();
    expect(desk.deck.inputsOf("notes.write")).toStrictEqual([canonicalJson({ note: args.note })]);
    expect(JSON.stringify(seen.views)).not.toContain("hunter2!");
    expect(JSON.stringify(await storedRun(desk.store.inner, handle.runId))).not.toContain("hunter2!");
  });

  test("does not uncover what is hidden only for what stands beside it", async () => {
    const desk = openRunDesk({
      ...once(calling({ field: { name: "password", value: "x7" } })),
      hooks: [patching([{ op: "remove", path: "/field/name" }])],
    });
    await toEnd(desk);
    expect(desk.deck.runs).toStrictEqual([]);
    expect(toldTo(desk)).toContain("what is hidden on record would not be any more");
  });
});
