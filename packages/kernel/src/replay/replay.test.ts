// R1: replay never calls live; a miss is an error that names the tool and the hash. R2: the same results, byte for byte.
import { canonicalJson, hashInput, type JsonValue, redact, type TraceEntry } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asking, write as asksToWrite } from "../../test-data/call-approvals.ts";
import { Deck } from "../../test-data/call-deck.ts";
import {
  codeOf,
  type Desk,
  type DeskOptions,
  firstTrace,
  installation,
  openDesk,
  otherInstallation,
  outputOf,
  principalOf,
  reopenDesk,
  traceOf,
} from "../../test-data/call-desk.ts";
import { brokenPromises } from "../../test-data/call-events.ts";
import { fates, meet, openBook } from "../../test-data/call-journal.ts";
import { atFirst } from "../../test-data/call-store.ts";
import type { CallOutcome, CallRequest } from "../call/call-host.ts";
import { readTrace } from "../trace/read-trace.ts";
import { traceEntries } from "../trace/trace-entries.ts";
import { openReplay } from "./replay.ts";

/** The same tools, none of which may run. */
const inert = new Deck(() => {
  throw new Error("a replay has run a tool");
});

async function replayDesk(traces: readonly string[], options: DeskOptions = {}): Promise<Desk> {
  inert.runs.length = 0;
  return openDesk({ replay: await openReplay(traces), deck: inert, life: 5, ...options });
}

/** Makes calls, and gives their answers and the sealed trace. */
async function recorded(
  requests: readonly CallRequest[],
  options: DeskOptions = {},
): Promise<{ answers: CallOutcome[]; trace: string; desk: Desk }> {
  const desk = openDesk({ deed: act, ...options });
  const answers: CallOutcome[] = [];
  for (const request of requests) answers.push(await desk.call(request));
  await desk.seat.close();
  return { answers, trace: await traceOf(desk.seat), desk };
}

/** What the tools do: an answer that depends on how often they were asked, or a failure, as the input says. */
let asked = 0;
function act(input: JsonValue): JsonValue {
  const { fail, leak } = input as { fail?: string; leak?: string };
  asked += 1;
  if (fail !== undefined) throw new Error(fail);
  return { asked, ...(leak === undefined ? {} : { leak }) };
}

/** An answer as a record has it: everything but what only the first caller gets. */
function asRecorded(outcome: CallOutcome): unknown {
  if (outcome.type !== "completed") return [outcome.error.code, outcome.error.message];
  const { output, runId, callId, durationMs, receipt } = outcome.result;
  const { signature: _, ...plain } = receipt;
  return [redact(output, { keyedHash: installation.redaction }), runId, callId, durationMs, plain];
}

const secrets = [
  "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH",
  "ghp_0123456789abcdefghijklmnopqrstuvwxyz",
];
const anyRequest: fc.Arbitrary<CallRequest> = fc.record({
  tool: fc.constantFrom(
    "notes.read",
    "notes.write",
    "notes.sign",
    "notes.search",
    "notes.strict",
    "notes.unheard",
    "notes.put",
  ),
  input: fc.oneof(
    fc.record({ n: fc.nat(2) }),
    fc.record({ n: fc.nat(1), fail: fc.constantFrom("closed", `bad key ${secrets[0]}`) }),
    fc.record({ n: fc.nat(1), apiKey: fc.constantFrom(...secrets) }),
    fc.record({ leak: fc.constantFrom(...secrets) }),
    fc.record({ text: fc.constantFrom("a", "b") }),
  ),
});
const noInput = { tool: "notes.unheard", input: {} };

// proves PORT-13.13
describe("a trace replays to equal results with every executor replaced by one that throws:", () => {
  test("any calls, also refused, failed, equal ones and ones with secrets", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRequest, { minLength: 1, maxLength: 8 }), async (requests) => {
        const { answers, trace } = await recorded(requests);
        const desk = await replayDesk([trace]);
        const replayed: CallOutcome[] = [];
        for (const request of requests) replayed.push(await desk.call(request));
        const known = (all: readonly CallOutcome[]) =>
          all.map((one, at) => (requests[at]?.tool === noInput.tool ? codeOf(one) : asRecorded(one)));
        expect(known(replayed)).toStrictEqual(known(answers));
        const marks = replayed.flatMap((one) =>
          one.type === "completed" ? [[one.result.replayed, one.result.matchedBy, one.result.redacted]] : [],
        );
        expect(marks).toStrictEqual(marks.map(() => [true, "exact", []]));
        expect(inert.runs).toStrictEqual([]);
      }),
      { numRuns: 80 },
    );
  });

  test("calls that came again with their key", async () => {
    const request = { tool: "notes.write", input: { n: 1 }, idempotencyKey: "k" };
    const { answers, trace } = await recorded([request, request]);
    const desk = await replayDesk([trace]);
    const replayed = [await desk.call(request), await desk.call(request)];
    expect(replayed.map(asRecorded)).toStrictEqual(answers.map(asRecorded));
  });

  test("a key that was used for another input", async () => {
    const requests = [1, 2].map((n) => ({ tool: "notes.write", input: { n }, idempotencyKey: "k" }));
    const { answers, trace } = await recorded(requests);
    const desk = await replayDesk([trace]);
    const codes = [];
    for (const request of requests) codes.push(codeOf(await desk.call(request)));
    expect(codes).toStrictEqual(answers.map(codeOf));
  });

  test("outputs that were released, and ones that are withheld", async () => {
    const options: DeskOptions = {
      evaluatePostTool: ({ input }) => ({ outcome: (input as { n: number }).n === 1 ? "allow" : "deny" }),
    };
    const requests = [1, 2].map((n) => ({ tool: "notes.write", input: { n } }));
    const { answers, trace } = await recorded(requests, options);
    expect(answers.map(codeOf)).toStrictEqual(["completed", "policy_denied"]);
    const desk = await replayDesk([trace]);
    const replayed = [];
    for (const request of requests) replayed.push(asRecorded(await desk.call(request)));
    expect(replayed).toStrictEqual(answers.map(asRecorded));
  });

  const plain = fates.filter((fate) => fate !== "resolved" && fate !== "repeated");
  test.each([
    ["every fate a call can have", plain],
    ["an unknown effect that a person has resolved", ["resolved"] as const],
  ])("%s, recorded again, gives the same entries", async (_, met) => {
    const book = openBook();
    for (const [n, fate] of met.entries()) await meet(book, fate, n);
    await book.seat.close();
    const trace = await traceOf(book.seat);
    const entries = traceEntries(await readTrace(trace));
    const desk = await replayDesk([trace]);
    for (const { tool, input } of entries) {
      await desk.call({ tool, input: input ?? {} });
    }
    await desk.seat.close();
    const again = traceEntries(await readTrace(await traceOf(desk.seat)));
    expect(again.filter(isInTrace).map(alike)).toStrictEqual(entries.filter(isInTrace).map(alike));
    expect(inert.runs).toStrictEqual([]);
  });
});

function isInTrace({ tool }: TraceEntry): boolean {
  return !tool.startsWith("notes.unheard");
}

function read(input: JsonValue): CallRequest {
  return { tool: "notes.read", input };
}

/** An entry without its place and without what is decided anew. */
function alike(entry: TraceEntry): unknown {
  const { seq: _s, hash: _h, startedAt: _a, policyDigest: _p, packageFingerprint: _f, ...rest } = entry;
  return rest;
}

describe("an entry is found", () => {
  // proves KEY-13.12
  test("in the order of recording: the nth equal call gets the nth, and the next one is a miss", async () => {
    const { answers, trace } = await recorded([read({ n: 1 }), read({ n: 2 }), read({ n: 1 })]);
    const desk = await replayDesk([trace]);
    expect(outputOf(await desk.call(read({ n: 1 })))).toStrictEqual(outputOf(answers[0] as CallOutcome));
    expect(outputOf(await desk.call(read({ n: 1 })))).toStrictEqual(outputOf(answers[2] as CallOutcome));
    const miss = await desk.call(read({ n: 1 }));
    const inputHash = hashInput({ n: 1 });
    expect(miss).toMatchObject({
      type: "refused",
      error: { code: "replay_miss", details: { tool: "notes.read", inputHash } },
    });
    expect(miss.type === "refused" && miss.error.message).toMatch(
      new RegExp(`^notes\\.read: .*${inputHash}`),
    );
    expect(outputOf(await desk.call(read({ n: 2 })))).toStrictEqual(outputOf(answers[1] as CallOutcome));
    expect(inert.runs).toStrictEqual([]);
  });

  // proves KEY-16.31
  // proves RUN-14.1
  test("by tool and input: neither another tool nor another input will do", async () => {
    const { trace } = await recorded([read({ n: 1 })]);
    const desk = await replayDesk([trace]);
    expect(codeOf(await desk.call({ tool: "notes.search", input: { n: 1 } }))).toBe("replay_miss");
    expect(codeOf(await desk.call(read({ n: 1, m: 1 })))).toBe("replay_miss");
    expect(codeOf(await desk.call(read({ n: 1 })))).toBe("completed");
  });

  test("in several traces, one after the other", async () => {
    const first = await recorded([read({ n: 1 })]);
    const second = await recorded([read({ n: 1 })], { life: 2 });
    const desk = await replayDesk([first.trace, second.trace]);
    const outputs = [await desk.call(read({ n: 1 })), await desk.call(read({ n: 1 }))].map(outputOf);
    expect(outputs).toStrictEqual([...first.answers, ...second.answers].map(outputOf));
    await desk.seat.close();
    expect((await readTrace(await traceOf(desk.seat))).verification.status).toBe("ok");
  });

  test("once, though a trace is given twice: what is recorded then is still a journal", async () => {
    const { trace } = await recorded([read({ n: 1 })]);
    const desk = await replayDesk([trace, trace]);
    expect(codeOf(await desk.call(read({ n: 1 })))).toBe("completed");
    expect(codeOf(await desk.call(read({ n: 1 })))).toBe("replay_miss");
    await desk.seat.close();
    expect((await readTrace(await traceOf(desk.seat))).verification.status).toBe("ok");
  });

  test("also where the tool's contract is another today, and that is said", async () => {
    const { trace, answers } = await recorded([read({ n: 1 })]);
    const changed = new Deck(() => null);
    const tool = changed.tool({ name: "notes.read", description: "Reads notes otherwise." });
    const desk = await replayDesk([trace], { deck: changed, packs: [tool] });
    const outcome = await desk.call(read({ n: 1 }));
    const [original] = answers;
    expect(original?.type === "completed" && original.result.recordedToolDigest).toBe(undefined);
    expect(outcome).toMatchObject({
      result: {
        recordedToolDigest: original?.type === "completed" && original.result.receipt.toolDigest,
        replayed: true,
      },
    });
    expect(changed.runs).toStrictEqual([]);
  });

  // proves KEY-7.11
  test("never for a tool that is not to be replayed, whichever side says so", async () => {
    const { trace } = await recorded([{ tool: "notes.once" }, read({})]);
    expect(codeOf(await (await replayDesk([trace])).call({ tool: "notes.once" }))).toBe("replay_miss");
    const now = new Deck(() => null);
    const tools = [
      now.tool({ name: "notes.once" }),
      now.tool({ name: "notes.read", replay: { replayable: false } }),
    ];
    const desk = await replayDesk([trace], { deck: now, packs: [tools] });
    expect(codeOf(await desk.call({ tool: "notes.once" }))).toBe("replay_miss");
    expect(codeOf(await desk.call(read({})))).toBe("replay_miss");
  });

  test("not by an input that was erased; and an output that was is said to be", async () => {
    const desk = openDesk({ deed: act });
    const [first, second] = [await desk.call(read({ n: 1 })), await desk.call(read({ n: 2 }))];
    if (first.type !== "completed" || second.type !== "completed") throw new Error("it did not run");
    await desk.seat.erase(first.result.callId);
    await desk.seat.close();
    const replay = await replayDesk([await traceOf(desk.seat)]);
    expect(codeOf(await replay.call(read({ n: 1 })))).toBe("replay_miss");
    expect(codeOf(await replay.call(read({ n: 2 })))).toBe("completed");
  });
});

describe("under another installation", () => {
  const other = { installation: otherInstallation };

  test("an input with a secret is found by everything but the secret, and that is said", async () => {
    const request = { tool: "notes.sign", input: { n: 1, apiKey: secrets[0] } };
    const { trace } = await recorded([request]);
    const desk = await replayDesk([trace], other);
    expect(await desk.call(request)).toMatchObject({ result: { matchedBy: "redacted", replayed: true } });
    expect(codeOf(await desk.call(request))).toBe("replay_miss");
  });

  test("an input without one is found exactly, or not at all", async () => {
    const { trace } = await recorded([{ tool: "notes.write", input: { n: 1 } }]);
    const desk = await replayDesk([trace], other);
    expect(codeOf(await desk.call({ tool: "notes.write", input: { n: 2 } }))).toBe("replay_miss");
    expect(await desk.call({ tool: "notes.write", input: { n: 1 } })).toMatchObject({
      result: { matchedBy: "exact" },
    });
  });

  test("the rest of the input must be the same", async () => {
    const { trace } = await recorded([{ tool: "notes.sign", input: { n: 1, apiKey: secrets[0] } }]);
    const desk = await replayDesk([trace], other);
    const input = { n: 2, apiKey: secrets[0] };
    expect(codeOf(await desk.call({ tool: "notes.sign", input }))).toBe("replay_miss");
  });

  test("two secrets that differ are two calls, in their order", async () => {
    const requests = secrets.map((apiKey) => ({ tool: "notes.sign", input: { apiKey } }));
    const { trace, answers } = await recorded(requests);
    const desk = await replayDesk([trace], other);
    const outputs = [];
    for (const request of requests) outputs.push(outputOf(await desk.call(request)));
    expect(outputs).toStrictEqual(answers.map(outputOf));
  });

  test("the same secret under the same installation is found exactly, before any looser match", async () => {
    const requests = secrets.map((apiKey) => ({ tool: "notes.sign", input: { apiKey } }));
    const { trace, answers } = await recorded(requests);
    const desk = await replayDesk([trace]);
    const second = await desk.call(requests[1] as CallRequest);
    expect(second).toMatchObject({
      result: { matchedBy: "exact", output: outputOf(answers[1] as CallOutcome) },
    });
  });
});

describe("the law still holds in a replay:", () => {
  const laws: readonly (readonly [string, DeskOptions, string])[] = [
    [
      "3 agent.callable",
      { packs: [inert.tool({ name: "notes.write", sideEffect: "user_write", agent: { callable: false } })] },
      "tool_not_callable",
    ],
    [
      "2 tool.status",
      { packs: [inert.tool({ name: "notes.write", status: "deferred" })] },
      "tool_not_active",
    ],
    ["1 tool.exists", { packs: [inert.tool({ name: "notes.read" })] }, "unknown_tool"],
    ["6 deny", { levels: [{ level: "agent", policy: { denyTools: ["notes.write"] } }] }, "policy_denied"],
    ["7 allow", { levels: [{ level: "agent", policy: { allowTools: ["notes.read"] } }] }, "policy_denied"],
    ["8 max.sideEffect", { levels: [{ level: "agent", policy: {} }] }, "policy_denied"],
    ["8 the principal's scopes", { principal: principalOf("acct_1", { scopes: ["read"] }) }, "policy_denied"],
  ];
  test.each(laws)("gate %s", async (_, options, code) => {
    const request = { tool: "notes.write", input: { n: 1 } };
    const { trace } = await recorded([request]);
    const desk = await replayDesk([trace], options);
    expect(codeOf(await desk.call(request))).toBe(code);
  });

  test("who calls, approvals and the input's shape are not asked again", async () => {
    const request = { tool: "notes.read", input: { n: 1 } };
    const { trace } = await recorded([request]);
    const desk = await replayDesk([trace], {
      principal: principalOf("acct_1", { kind: "anonymous" }),
      levels: [{ level: "agent", policy: { approvals: { requireForSideEffectAtOrAbove: "none" } } }],
    });
    expect(codeOf(await desk.call(request))).toBe("completed");
  });

  test("a call that was asked about is refused with the approval that it was asked by", async () => {
    const { answers, trace } = await recorded([asksToWrite], asking);
    const desk = await replayDesk([trace], asking);
    const again = [await desk.call(asksToWrite)];
    const [then, now] = [answers, again].map(([one]) => (one?.type === "completed" ? undefined : one?.error));
    expect([then?.code, now?.code]).toStrictEqual(["approval_required", "approval_required"]);
    expect(now?.details).toStrictEqual(then?.details);
  });

  test("an input that cannot be read is refused, and cancelling cancels", async () => {
    const { trace } = await recorded([{ tool: "notes.read" }]);
    const desk = await replayDesk([trace]);
    expect(codeOf(await desk.call({ tool: "notes.read", input: () => {} }))).toBe("invalid_input");
    expect(codeOf(await desk.call({ tool: "notes.read", signal: AbortSignal.abort() }))).toBe("cancelled");
    expect(codeOf(await desk.call({ tool: "notes.read" }))).toBe("completed");
  });
});

/** The trace of a process that died before it could write this. */
async function cutAt(kind: string, options: DeskOptions = {}): Promise<string> {
  const desk = openDesk({ deed: act, ...options });
  desk.store.fault = atFirst(kind, { type: "die", written: false });
  void desk.call({ tool: "notes.put", input: { n: 1 } });
  await desk.store.died.promise;
  return await firstTrace(desk.store.inner);
}

describe("R1: a trace that ends in the middle of a call", () => {
  test("is replayed as a call whose end nobody saw, and leaves no intent without an end", async () => {
    const desk = await replayDesk([await cutAt("call.settled")]);
    const outcome = await desk.call({ tool: "notes.put", input: { n: 1 } });
    expect(codeOf(outcome)).toBe("recovery_needed");
    expect((await desk.records()).map(({ kind }) => kind)).toStrictEqual([
      "segment.opened",
      "call.intended",
      "call.settled",
    ]);
    expect(brokenPromises(desk.events)).toStrictEqual([]);
  });

  test("runs nothing, also when a living seat opens that store later", async () => {
    const desk = await replayDesk([await cutAt("call.settled")]);
    await desk.call({ tool: "notes.put", input: { n: 1 } });
    await desk.store.die();
    const next = reopenDesk(desk, { life: 6 });
    const report = await next.seat.open();
    expect(report).toMatchObject({ segments: 1, settled: [] });
    expect([next.deck.runs, inert.runs]).toStrictEqual([[], []]);
  });

  test("or before an output was released gives nothing out, and ends all the same", async () => {
    const held: DeskOptions = { evaluatePostTool: () => ({ outcome: "allow" }) };
    const desk = await replayDesk([await cutAt("call.released", held)]);
    const outcome = await desk.call({ tool: "notes.put", input: { n: 1 } });
    expect(codeOf(outcome)).toBe("recovery_needed");
    expect(JSON.stringify([outcome, desk.events]).includes("asked")).toBe(false);
    expect(brokenPromises(desk.events)).toStrictEqual([]);
  });
});

// proves PORT-13.13
test("R1: a replay recorded into a store is never taken for work to be done", async () => {
  const request = { tool: "notes.put", input: { n: 1 } };
  const { trace } = await recorded([request]);
  const desk = await replayDesk([trace]);
  await desk.call(request);
  const [, intent] = await desk.records();
  expect(intent).toMatchObject({ kind: "call.intended", replayed: true });
  await desk.store.die();
  const next = reopenDesk(desk, { life: 6 });
  await next.seat.open();
  expect(await next.seat.unknown()).toStrictEqual([]);
  expect(next.deck.runs).toStrictEqual([]);
});

test("R1: a seat that replays leaves alone what a crash has left in its store", async () => {
  const crashed = openDesk();
  crashed.store.fault = atFirst("call.settled", { type: "die", written: false });
  void crashed.call({ tool: "notes.put" });
  await crashed.store.died.promise;
  const { trace } = await recorded([{ tool: "notes.read" }], { life: 3 });
  const desk = reopenDesk(crashed, { replay: await openReplay([trace]), deck: inert });
  inert.runs.length = 0;
  expect(codeOf(await desk.call({ tool: "notes.read" }))).toBe("completed");
  expect(inert.runs).toStrictEqual([]);
});

test("a recorded failure is thrown again with its code and its words", async () => {
  const request = { tool: "notes.read", input: { fail: `bad key ${secrets[0]}` } };
  const { answers, trace } = await recorded([request]);
  const outcome = await (await replayDesk([trace])).call(request);
  expect(asRecorded(outcome)).toStrictEqual(asRecorded(answers[0] as CallOutcome));
  expect(codeOf(outcome)).toBe("upstream_error");
  expect(canonicalJson(asRecorded(outcome))).not.toContain(secrets[0]);
});
