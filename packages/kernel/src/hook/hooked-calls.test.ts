// What hooks say about calls, about asking a person, and about outputs: they object, and approve nothing. B2: what they do to what they are
// shown changes nothing.
import { describe, expect, test } from "vitest";
import { Deck } from "../../test-data/call-deck.ts";
import { atFirst } from "../../test-data/call-store.ts";
import { until } from "../../test-data/call-waiting.ts";
import {
  asking,
  levelOf,
  openRunDesk,
  put,
  read,
  reopenRunDesk,
  type RunDeskOptions,
  saying,
  write,
} from "../../test-data/run-desk.ts";
import {
  calling,
  hookAt,
  no,
  once,
  patching,
  recordsOf,
  Seen,
  toldTo,
  yes,
} from "../../test-data/run-hooks.ts";
import { hang } from "../../test-data/run-levers.ts";
import { toEnd } from "../../test-data/run-stories.ts";
import type { PolicyView } from "../call/ask-policy.ts";

// proves PORT-21.10
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
        hookAt(point, (view) => spoil(view)),
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
    const principals = (await desk.records(handle.runId)).flatMap((record) =>
      "principal" in record ? [record.principal] : [],
    );
    const own = {
      accountId: "acct_1",
      keyId: "key_1",
      scopes: ["read", "write"],
      kind: "run",
      runId: handle.runId,
    };
    expect(principals).toStrictEqual(principals.map(() => own));
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

  // proves PORT-21.12
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
    hooks: [seen.at("before_tool_call"), seen.at("after_tool_call", no)],
  });
  const runId = await toEnd(desk);
  expect(seen.points).toStrictEqual(["before_tool_call", "after_tool_call"]);
  expect(await desk.labels(runId)).toContain("call.withheld policy_denied");
});

// proves PORT-21.13
test("a hook is shown a long input and a long output whole", async () => {
  const seen = new Seen();
  const text = "x".repeat(5000);
  const desk = openRunDesk({
    ...once(write(text)),
    deed: () => ({ text }),
    hooks: [seen.at("before_tool_call"), seen.at("after_tool_call")],
  });
  await toEnd(desk);
  const times = seen.views.map((view) => view.text.split(text).length - 1);
  expect(times).toStrictEqual([1, 2]);
});
