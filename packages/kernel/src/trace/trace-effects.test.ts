// A trace read as effects: what was asked, what was about to be done, and what came of it, from the records of calls that were made.
import {
  canonicalJson,
  type EffectResult,
  effectIntentSchema,
  effectResultSchema,
  hashText,
  toolCallRequestSchema,
  toolExecutionOutputSchema,
  toolExecutionRequestSchema,
} from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { operatorOf, pending, waiting, write } from "../../test-data/call-approvals.ts";
import { collected, type Desk, type DeskOptions, firstTrace, openDesk } from "../../test-data/call-desk.ts";
import { atFirst } from "../../test-data/call-store.ts";
import { atOnce, openRunDesk, saying, write as toWrite } from "../../test-data/run-desk.ts";
import { exportTrace } from "./export-trace.ts";
import { readTrace } from "./read-trace.ts";
import { traceEffects } from "./trace-effects.ts";

const effectsOf = async ({ store }: Desk) => traceEffects(await readTrace(await firstTrace(store.inner)));

/** The only effect of a call. */
async function effectOf(options: DeskOptions, call: Parameters<Desk["call"]>[0] = write) {
  const desk = openDesk(options);
  await desk.call(call).catch(() => undefined);
  const [effect, ...others] = await effectsOf(desk);
  if (effect === undefined || others.length > 0) throw new Error("one effect");
  return { desk, effect };
}

// proves PORT-8.1, PORT-8.2, PORT-8.3, PORT-8.4, PORT-8.6, PORT-8.7, PORT-8.10, PORT-12.2, PORT-12.3
// proves PORT-12.4, PORT-12.5, PORT-12.6, PORT-12.7, PORT-12.8, PORT-12.9, PORT-12.10, PORT-12.11
// proves PORT-12.14, PORT-12.16, PORT-12.17, PORT-20.6, PORT-20.8
test("what was asked for and what was about to be done is all in its record", async () => {
  const input = { text: "a" };
  const { desk, effect } = await effectOf({}, { tool: "notes.write", input, idempotencyKey: "k-1" });
  const [, opening] = await desk.records();
  if (opening?.kind !== "call.intended") throw new Error("an intent");
  const contract = desk.deck.tools.find((tool) => tool.contract.name === "notes.write")?.contract;
  const { callId, runId, effectId } = opening;
  expect(effect.request).toStrictEqual({
    callId,
    canonicalToolName: "notes.write",
    origin: "direct",
    requestedArgsRefs: [opening.input.ref],
    redactedArgsSummary: canonicalJson(input),
    idempotencyKey: "k-1",
  });
  expect(effect.intent).toStrictEqual({
    effectId,
    runId,
    callId,
    tool: "notes.write",
    toolDigest: contract?.digest,
    inputHash: hashText(canonicalJson(input)),
    sideEffect: "user_write",
    costEffect: "none",
    idempotency: { type: "none" },
    idempotencyKey: "k-1",
    policyDigest: desk.seat.policyDigest,
    packageFingerprint: desk.seat.packageFingerprint,
    contentRefs: [opening.input.ref],
    redactedSummary: canonicalJson(input),
    intendedAt: opening.ts,
  });
  expect(toolCallRequestSchema.parse(effect.request)).toStrictEqual(effect.request);
  expect(effectIntentSchema.parse(effect.intent)).toStrictEqual(effect.intent);
});

// proves PORT-8.7, PORT-8.9, PORT-9.7
test("whoever gave no key has asked with none, and the effect is attempted under its own", async () => {
  const { effect } = await effectOf({});
  expect(effect.request).not.toHaveProperty("idempotencyKey");
  expect(effect.intent.idempotencyKey).toBe(effect.intent.effectId);
});

describe("of a run's effect", () => {
  async function traced() {
    const desk = openRunDesk({ script: saying([toWrite("a")], "done"), strategy: atOnce(2) });
    const handle = await desk.start();
    await handle.wait();
    const { runId } = handle;
    const lines = await collected(exportTrace(desk.store.inner, "acct_1", runId));
    const trace = await readTrace(lines.map((line) => `${line}\n`).join(""));
    return { runId, trace, runtimePackage: desk.runs.package };
  }

  // proves PORT-8.3, PORT-8.11, PORT-9.1, PORT-9.2, PORT-9.3, PORT-9.4, PORT-9.5, PORT-9.6, PORT-9.7
  // proves PORT-12.12
  test("what a model proposes is asked for as a call of its run, under a name of ours and with no key", async () => {
    const { runId, trace, runtimePackage } = await traced();
    const [effect] = traceEffects(trace);
    expect(effect?.request).toStrictEqual({
      callId: expect.stringMatching(/^call_/),
      canonicalToolName: "notes.write",
      origin: "model",
      requestedArgsRefs: effect?.intent.contentRefs,
      redactedArgsSummary: '{"text":"a"}',
    });
    expect(effect?.intent).toMatchObject({ runId, packageFingerprint: runtimePackage.fingerprint });
  });

  // proves PORT-10.2, PORT-10.4, PORT-11.1, PORT-11.2, PORT-11.3, PORT-11.4, PORT-11.5
  test("the package that it ran under says by which route, and how, its executor was asked", async () => {
    const { trace, runtimePackage } = await traced();
    const [effect] = traceEffects(trace, runtimePackage);
    const route = runtimePackage.toolRoutes.find(
      ({ canonicalToolName }) => canonicalToolName === "notes.write",
    );
    expect(effect?.execution).toStrictEqual({
      resolvedCall: { request: effect?.request, route },
      effectIntent: effect?.intent,
      strategy: { type: "bounded_concurrent", maxInFlight: 2 },
    });
    expect(toolExecutionRequestSchema.parse(effect?.execution)).toStrictEqual(effect?.execution);
  });

  test("another package says nothing of it", async () => {
    const { trace } = await traced();
    const other = openRunDesk({ strategy: atOnce(3) }).runs.package;
    expect(traceEffects(trace, other)).toStrictEqual(traceEffects(trace));
  });
});

describe("what an execution comes to is an effect's result:", () => {
  const failing = () => {
    throw new Error("the venue is closed");
  };

  // proves PORT-13.8, PORT-13.16, PORT-15.1, PORT-15.2, PORT-15.5, PORT-15.6, PORT-15.7, PORT-15.11
  // proves PORT-15.12, PORT-15.13, PORT-16.6, PORT-16.7
  test("completed, with nothing but a summary and its content where the tool says no more", async () => {
    const { desk, effect } = await effectOf({ deed: () => ({ done: true }) });
    const [, , settled] = await desk.records();
    expect(effect.result).toStrictEqual({
      effectId: effect.intent.effectId,
      terminalStatus: "completed",
      contentRefs: settled?.kind === "call.settled" ? [settled.output?.ref] : [],
      redactedSummary: '{"done":true}',
    });
  });

  // proves PORT-13.9, PORT-15.7, PORT-15.8, PORT-15.14, PORT-15.15, PORT-16.5
  test("failed, with a summary and an error's code", async () => {
    const { desk, effect } = await effectOf({ deed: failing });
    const [, , settled] = await desk.records();
    expect(effect.result).toStrictEqual({
      effectId: effect.intent.effectId,
      terminalStatus: "failed",
      contentRefs: settled?.kind === "call.settled" ? [settled.error?.message.ref] : [],
      redactedSummary: expect.stringContaining("notes.write"),
      errorRef: "upstream_error",
    });
  });

  // proves PORT-13.5, PORT-15.5, PORT-15.6, PORT-15.15, PORT-16.3, PORT-16.4
  test("with what the other side calls it, and where to ask, as the tool has said", async () => {
    const { effect } = await effectOf({
      deed: (_input, { external }) => {
        external({ operationId: "order-77", reconciliationRef: "orders/77" });
        return failing();
      },
    });
    expect(effect.result).toMatchObject({
      terminalStatus: "failed",
      externalOperationId: "order-77",
      reconciliationRef: "orders/77",
    });
  });

  // proves PORT-12.2, PORT-15.10, PORT-16.1, PORT-16.2, PORT-16.3, PORT-16.4, PORT-16.5, PORT-16.6
  // proves PORT-16.7
  test("and is the execution's output under the effect's id, field for field", async () => {
    const { effect } = await effectOf({ deed: failing });
    const { effectId, ...output } = effect.result as EffectResult;
    expect(toolExecutionOutputSchema.parse(output)).toStrictEqual(output);
    expect(effectResultSchema.parse({ effectId, ...output })).toStrictEqual(effect.result);
    expect(effectId).toBe(effect.intent.effectId);
  });
});

// proves PORT-16.9
test("an effect whose end nobody saw has no result", async () => {
  const desk = openDesk();
  desk.store.fault = atFirst("call.settled", { type: "die", written: false });
  void desk.call(write).catch(() => undefined);
  await desk.store.died.promise;
  expect((await effectsOf(desk)).map(({ intent, result }) => [intent.tool, result])).toStrictEqual([
    ["notes.write", undefined],
  ]);
});

// proves PORT-12.13
test("an effect that a person has approved names the approval", async () => {
  const desk = openDesk(waiting);
  const operator = operatorOf(desk);
  const call = desk.call(write);
  const { approvalId } = await pending(operator);
  await operator.approve(approvalId);
  await call;
  const [effect] = await effectsOf(desk);
  expect(effect?.intent.approvalId).toBe(approvalId);
  await operator.close();
});

// proves PORT-8.6, PORT-12.15, PORT-15.4
test("S1: a summary is of the recorded form: no secret is in it", async () => {
  const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
  const { effect } = await effectOf(
    { deed: () => ({ token: secret }) },
    { tool: "notes.sign", input: { apiKey: secret } },
  );
  expect(JSON.stringify(effect)).not.toContain(secret);
  expect(effect.intent.redactedSummary).toContain("[redacted:");
  expect(effect.result?.redactedSummary).toContain("[redacted:");
});

test("a withheld output is in no summary", async () => {
  const { effect } = await effectOf({
    deed: () => ({ found: "what nobody may see" }),
    evaluatePostTool: () => ({ outcome: "deny", reason: "it is private" }),
  });
  expect(effect.result).toMatchObject({ terminalStatus: "completed", errorRef: "policy_denied" });
  expect(JSON.stringify(effect)).not.toContain("nobody may see");
});

// proves PORT-12.17
test("what was erased is said to be, and has no hash", async () => {
  const { desk } = await effectOf({});
  await desk.seat.close();
  const [, opening] = await desk.records();
  if (opening?.kind !== "call.intended") throw new Error("an intent");
  const next = openDesk({ life: 2, store: desk.store });
  await next.seat.erase(opening.callId);
  const [effect] = await effectsOf(next);
  expect(effect?.intent).not.toHaveProperty("inputHash");
  expect(effect?.intent.redactedSummary).toBe("(erased)");
  expect(effectIntentSchema.parse(effect?.intent)).toStrictEqual(effect?.intent);
});

// proves PORT-21.2
test("free reads and refusals are no effects", async () => {
  const desk = openDesk();
  await desk.call({ tool: "notes.read" });
  await desk.call({ tool: "notes.unheard" });
  await desk.call({ tool: "notes.search" });
  expect((await effectsOf(desk)).map(({ intent }) => intent.tool)).toStrictEqual(["notes.search"]);
});

// proves PORT-8.11, PORT-11.6, PORT-15.16
test("reading a trace as effects runs nothing, writes nothing and leaves the trace as it is", async () => {
  const { desk } = await effectOf({});
  const trace = await readTrace(await firstTrace(desk.store.inner));
  const [before, runs] = [structuredClone([...trace.calls, ...trace.content]), desk.deck.runs.length];
  const kept = await desk.records();
  expect(traceEffects(trace)).toStrictEqual(traceEffects(trace));
  expect([...trace.calls, ...trace.content]).toStrictEqual(before);
  expect([desk.deck.runs.length, await desk.records()]).toStrictEqual([runs, kept]);
});
