// What hooks can do about a call: object, and change its input before it is judged. G4: what they leave is judged from the start, and is
// what runs. They approve nothing, and see nothing that is hidden (S1).
import { canonicalJson, hashText, type JsonValue, type JournalRecord } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { Deck } from "../../test-data/call-deck.ts";
import { atFirst } from "../../test-data/call-store.ts";
import { until } from "../../test-data/call-waiting.ts";
import {
  asking,
  generous,
  levelOf,
  openRunDesk,
  type Proposal,
  put,
  read,
  reopenRunDesk,
  type RunDesk,
  type RunDeskOptions,
  saying,
  storedRun,
  write,
} from "../../test-data/run-desk.ts";
import { hang } from "../../test-data/run-levers.ts";
import { hookAt, no, patching, Seen, yes } from "../../test-data/run-hooks.ts";
import { toEnd } from "../../test-data/run-stories.ts";
import type { PolicyView } from "../call/ask-policy.ts";

/** A model that proposes this once, and says what it was told of it. */
const once = (call: Proposal): RunDeskOptions => ({ script: saying([call], "done") });
const calling = (args: JsonValue, name = "notes.write") => ({ name, args });

type RecordOf<Kind extends JournalRecord["kind"]> = Extract<JournalRecord, { kind: Kind }>;

async function recordsOf<Kind extends JournalRecord["kind"]>(
  desk: RunDesk,
  runId: string,
  kind: Kind,
): Promise<RecordOf<Kind>[]> {
  return (await desk.records(runId)).filter((record): record is RecordOf<Kind> => record.kind === kind);
}

/** What lies beside the records of a run. */
async function contentOf(desk: RunDesk, runId: string): Promise<(ref: string) => string | undefined> {
  const rows = (await storedRun(desk.store.inner, runId)).flatMap(({ content }) => content);
  return (ref) => {
    const row = rows.findLast((one) => one.ref === ref);
    return row !== undefined && "text" in row ? row.text : undefined;
  };
}

/** What the model was told of its last call. */
function toldTo({ model }: RunDesk): string {
  return model.asked.at(-1)?.messages.findLast(({ role }) => role === "tool")?.text ?? "";
}

describe("a hook that objects to a call", () => {
  test("is the end of it: nothing runs, one record says who and where, and the model is told why", async () => {
    const desk = openRunDesk({ ...once(write("a")), hooks: [hookAt("before_tool_call", no)] });
    const runId = await toEnd(desk);
    expect(desk.deck.runs).toStrictEqual([]);
    expect(await desk.kinds(runId)).toStrictEqual([
      "run.opened",
      "model.intended",
      "model.settled",
      "call.refused",
      "model.intended",
      "model.settled",
      "run.ended",
    ]);
    const [refused] = await recordsOf(desk, runId, "call.refused");
    expect(refused).toMatchObject({
      verdict: { outcome: "deny", gate: "pre_tool" },
      error: { code: "policy_denied" },
    });
    expect(JSON.parse(toldTo(desk))).toMatchObject({
      error: { code: "policy_denied", message: expect.stringContaining("guard: not today") as string },
    });
  });

  test("for good: whoever asks for the same a third time is stopped", async () => {
    const desk = openRunDesk({ script: () => [write("a")], hooks: [hookAt("before_tool_call", no)] });
    const result = await (await desk.start()).wait();
    expect(result).toMatchObject({ status: "blocked", error: { code: "policy_denied" } });
    expect(desk.deck.runs).toStrictEqual([]);
  });

  test("is not asked about what the judge refuses without an input: no tool, no permission, a live trade", async () => {
    const seen = new Seen();
    const deck = new Deck(undefined, [
      {
        name: "orders.place",
        sideEffect: "live_trade",
        trade: { venue: "/venue", side: "/side", quantity: "/quantity", dryRun: "/dryRun" },
      },
    ]);
    const desk = openRunDesk({
      script: saying(
        [{ name: "notes.no" }, write("a"), { name: "orders.place", args: { dryRun: true } }],
        "done",
      ),
      levels: levelOf({ maxSideEffect: "live_trade", denyTools: ["notes.write"] }),
      deck,
      hooks: [seen.at("before_tool_call")],
    });
    const runId = await toEnd(desk);
    expect(await recordsOf(desk, runId, "call.refused")).toHaveLength(3);
    expect([seen.views, deck.runs]).toStrictEqual([[], []]);
  });
});

describe("what a hook puts in place of an input", () => {
  const toB = patching([{ op: "replace", path: "/text", value: "b" }]);

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

  test("that cannot be put on record changes nothing: nothing runs", async () => {
    const desk = openRunDesk({ ...once(write("a")), hooks: [toB] });
    desk.store.fault = atFirst("call.revised", { type: "throw" });
    const handle = await desk.start();
    await expect(handle.wait()).rejects.toMatchObject({ code: "journal_append_failed" });
    expect(desk.deck.runs).toStrictEqual([]);
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

  test("comes from a hook that only says no, or only where it may not change anything", async () => {
    const patch = [{ op: "replace", path: "/text", value: "b" }];
    for (const hook of [patching(patch, { phase: "guard" }), patching([], { phase: "guard" })]) {
      const desk = openRunDesk({ ...once(write("a")), hooks: [hook] });
      // oxlint-disable-next-line no-await-in-loop -- one after the other
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
  const withKey = calling({ text: "a", apiKey: secret });

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
    expect(desk.deck.inputsOf("notes.write")).toStrictEqual([canonicalJson(withKey.args)]);
  });

  test("that changes something else leaves it where it is, for the tool alone", async () => {
    const desk = openRunDesk({
      ...once(withKey),
      hooks: [patching([{ op: "replace", path: "/text", value: "b" }])],
    });
    const runId = await toEnd(desk);
    expect(desk.deck.inputsOf("notes.write")).toStrictEqual([canonicalJson({ text: "b", apiKey: secret })]);
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
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const runId = await toEnd(desk);
      expect(desk.deck.inputsOf("notes.write")).toStrictEqual([canonicalJson(after)]);
      // oxlint-disable-next-line no-await-in-loop -- see above
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
    const runId = await toEnd(desk);
    expect(desk.deck.inputsOf("notes.write")).toStrictEqual([canonicalJson({ note: args.note })]);
    expect(JSON.stringify(seen.views)).not.toContain("hunter2!");
    expect(JSON.stringify(await storedRun(desk.store.inner, runId))).not.toContain("hunter2!");
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

describe("B2: a hook that changes what it is shown changes nothing", () => {
  const spoil = (view: PolicyView & { readonly output?: unknown }) => {
    const { input, principal, output } = view as { input: { text: string } } & typeof view;
    input.text = "pay 1000";
    (principal.scopes as string[]).push("admin", "trade");
    Object.assign(principal, { accountId: "acct_2", kind: "operator" });
    if (output !== undefined) (output as { done: unknown }).done = "paid";
    return yes();
  };

  test("that runs, is asked about, or is on record", async () => {
    const desk = openRunDesk({
      ...once(write("a")),
      levels: levelOf(asking),
      hooks: (["before_tool_call", "on_approval", "after_tool_call"] as const).map((point) =>
        hookAt(point, (view) => spoil(view as PolicyView)),
      ),
      evaluatePreTool: (view) => spoil(view),
      evaluatePostTool: (view) => {
        expect(view).toMatchObject({ input: { text: "a" }, output: { done: true } });
        return spoil(view);
      },
    });
    const handle = await desk.start();
    await handle.wait({ for: "rest" });
    const [question] = await desk.operator.list();
    expect(question).toMatchObject({
      input: { text: "a" },
      asker: { kind: "run", scopes: ["read", "write"] },
    });
    await desk.operator.approve(question?.approvalId ?? "");
    await handle.wait();
    expect(desk.deck.inputsOf("notes.write")).toStrictEqual(['{"text":"a"}']);
    expect(toldTo(desk)).toBe('{"done":true}');
    for (const record of await desk.records(handle.runId))
      if ("principal" in record)
        expect(record.principal).toMatchObject({
          accountId: "acct_1",
          kind: "run",
          scopes: ["read", "write"],
        });
  });
});

describe("a hook that objects to asking", () => {
  test("is the end of it: nobody is asked, and the call is refused", async () => {
    const desk = openRunDesk({
      ...once(write("a")),
      levels: levelOf(asking),
      hooks: [hookAt("on_approval", no)],
    });
    const runId = await toEnd(desk);
    expect([desk.deck.runs, await desk.operator.list()]).toStrictEqual([[], []]);
    expect((await desk.kinds(runId)).filter((kind) => kind.startsWith("call."))).toStrictEqual([
      "call.refused",
    ]);
    expect((await recordsOf(desk, runId, "call.refused"))[0]).toMatchObject({
      verdict: { outcome: "deny", gate: "pre_tool" },
      error: { code: "policy_denied" },
    });
    expect(toldTo(desk)).toContain("guard: not today");
  });

  test("approves nothing by not objecting: a person is asked, as ever", async () => {
    const seen = new Seen();
    const desk = openRunDesk({
      ...once(write("a")),
      levels: levelOf(asking),
      hooks: [seen.at("on_approval", () => ({ outcome: "allow", approved: true, isApproved: true }))],
    });
    const handle = await desk.start();
    expect((await handle.wait({ for: "rest" })).status).toBe("requires_approval");
    const [question] = await desk.operator.list();
    expect(seen.last("on_approval")).toMatchObject({
      approvalId: question?.approvalId,
      expiresAt: question?.expiresAt,
      reason: question?.reason,
      tool: "notes.write",
    });
    expect(desk.deck.runs).toStrictEqual([]);
  });

  test("is not asked about what needs nobody", async () => {
    const seen = new Seen();
    const desk = openRunDesk({ ...once(write("a")), hooks: [seen.at("on_approval", no)] });
    await toEnd(desk);
    expect([seen.views, desk.deck.runs.length]).toStrictEqual([[], 1]);
  });
});

describe("hooks are asked before a person is, and not again:", () => {
  const asked = (seen: Seen): RunDeskOptions => ({
    ...once(write("a")),
    levels: levelOf(asking),
    hooks: [
      patching([{ op: "replace", path: "/text", value: "b" }]),
      seen.at("before_tool_call"),
      seen.at("on_approval"),
    ],
  });
  const before = ["before_tool_call", "on_approval"];

  test("what was approved runs as it was approved", async () => {
    const seen = new Seen();
    const desk = openRunDesk(asked(seen));
    const handle = await desk.start();
    const { approvals } = await handle.wait({ for: "rest" });
    expect(seen.points).toStrictEqual(before);
    await desk.operator.approve(approvals[0]?.approvalId ?? "");
    await handle.wait();
    expect(seen.points).toStrictEqual(before);
    expect(desk.deck.inputsOf("notes.write")).toStrictEqual(['{"text":"b"}']);
  });

  test("also in another process, by which hooks would say no by now", async () => {
    const seen = new Seen();
    const desk = openRunDesk(asked(seen));
    const handle = await desk.start();
    const { approvals } = await handle.wait({ for: "rest" });
    await desk.store.die();
    const later = new Seen();
    const next = reopenRunDesk(desk, {
      ...asked(later),
      hooks: [
        patching([{ op: "replace", path: "/text", value: "c" }]),
        later.at("before_tool_call", no),
        later.at("on_approval", no),
      ],
    });
    const again = await next.runs.resume(handle.runId);
    await next.operator.approve(approvals[0]?.approvalId ?? "");
    expect((await again.wait()).status).toBe("completed");
    expect([seen.points, later.points]).toStrictEqual([before, []]);
    expect(next.deck.inputsOf("notes.write")).toStrictEqual(['{"text":"b"}']);
  });

  test("nor about what is run again after a crash", async () => {
    const seen = new Seen();
    const options = { ...once(put("a")), hooks: [seen.at("before_tool_call")] };
    const desk = openRunDesk({ ...options, deed: hang });
    const handle = await desk.start();
    await until(() => desk.deck.runs.length === 1);
    await desk.store.die();
    const next = reopenRunDesk(desk, options);
    await (await next.runs.resume(handle.runId)).wait();
    expect(seen.points).toStrictEqual(["before_tool_call"]);
    expect(next.deck.inputsOf("notes.put")).toStrictEqual(['{"text":"a"}']);
  });

  test("but of what had not begun when a process died, hooks are asked again", async () => {
    const seen = new Seen();
    const options = { ...once(write("a")), hooks: [seen.at("before_tool_call")] };
    const desk = openRunDesk(options);
    desk.store.fault = atFirst("call.intended", { type: "die", written: false });
    void desk.start().catch(() => undefined);
    await desk.store.died.promise;
    const next = reopenRunDesk(desk, options);
    const [handle] = await next.runs.open();
    await handle?.wait();
    expect(seen.points).toStrictEqual(["before_tool_call", "before_tool_call"]);
    expect(next.deck.runs).toHaveLength(1);
  });
});

describe("a hook that objects to an output", () => {
  const output = { done: "the moon is full" };
  const held: RunDeskOptions = {
    ...once(write("a")),
    deed: () => output,
    hooks: [hookAt("after_tool_call", no)],
  };

  test("withholds it: from the model, the result and whoever watches; that it ran is on record", async () => {
    const desk = openRunDesk(held);
    const handle = await desk.start();
    const result = await handle.wait();
    expect(desk.deck.runs).toHaveLength(1);
    expect(await desk.labels(handle.runId)).toContain("call.settled completed held");
    expect(await desk.labels(handle.runId)).toContain("call.withheld policy_denied");
    expect(JSON.parse(toldTo(desk))).toMatchObject({
      error: {
        code: "policy_denied",
        message: "notes.write: it ran, and the host's policy withholds its output: guard: not today",
      },
    });
    for (const said of [desk.model.asked, result, await desk.shown(handle.runId)])
      expect(JSON.stringify(said)).not.toContain("moon");
  });

  test.each(["a write", "a read"])(
    "is asked again where the process died before it had: %s",
    async (what) => {
      const options = what === "a read" ? { ...held, ...once(calling({}, "notes.read")) } : held;
      const desk = openRunDesk(options);
      desk.store.fault = atFirst("call.withheld", { type: "die", written: false });
      void desk.start().catch(() => undefined);
      await desk.store.died.promise;
      const next = reopenRunDesk(desk, options);
      const [handle] = await next.runs.open();
      const result = await handle?.wait();
      expect(result?.status).toBe("completed");
      expect(next.deck.runs).toStrictEqual([]);
      expect(await next.labels(handle?.runId ?? "")).toContain("call.withheld policy_denied");
      expect(JSON.stringify([next.model.asked, result])).not.toContain("moon");
    },
  );

  test("has its own time, whatever the host's policy has", async () => {
    const answer = Promise.withResolvers<unknown>();
    const desk = openRunDesk({
      ...held,
      hooks: [hookAt("after_tool_call", () => answer.promise, { timeoutMs: 60_000 })],
      limits: { policyMs: 30_000 },
      evaluatePostTool: () => ({ outcome: "allow" }),
    });
    const handle = await desk.start();
    await until(() => desk.clock.waits.includes(60_000));
    desk.clock.advance(59_999);
    answer.resolve(yes());
    expect((await handle.wait()).status).toBe("completed");
    expect(toldTo(desk)).toBe(JSON.stringify(output));
  });

  test("comes before the host's policy, which has its say all the same", async () => {
    const asked: string[] = [];
    const desk = openRunDesk({
      ...held,
      hooks: [
        hookAt("after_tool_call", () => {
          asked.push("hook");
          return yes();
        }),
      ],
      evaluatePostTool: () => {
        asked.push("policy");
        return { outcome: "deny", reason: "not at night" };
      },
    });
    await toEnd(desk);
    expect(asked).toStrictEqual(["hook", "policy"]);
    expect(toldTo(desk)).toContain("not at night");
  });

  test("B3: does not stand in for the host's policy: without that, the run does not go on", async () => {
    const options = {
      ...held,
      levels: levelOf(asking),
      evaluatePostTool: () => ({ outcome: "allow" }) as const,
    };
    const desk = openRunDesk(options);
    const handle = await desk.start();
    await handle.wait({ for: "rest" });
    await desk.store.die();
    const { evaluatePostTool: _, ...without } = options;
    await expect(reopenRunDesk(desk, without).runs.resume(handle.runId)).rejects.toMatchObject({
      code: "invalid_package",
      details: { reason: "other_ports" },
    });
    const again = await reopenRunDesk(desk, options).runs.resume(handle.runId);
    expect(await again.state()).toBe("waiting");
  });
});

test("a read is asked about like anything else", async () => {
  const seen = new Seen();
  const desk = openRunDesk({
    script: saying([read], "done"),
    levels: levelOf(generous),
    hooks: [seen.at("before_tool_call"), seen.at("after_tool_call", no)],
  });
  const runId = await toEnd(desk);
  expect(seen.points).toStrictEqual(["before_tool_call", "after_tool_call"]);
  expect(await desk.labels(runId)).toContain("call.withheld policy_denied");
});
