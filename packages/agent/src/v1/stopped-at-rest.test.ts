import type { ModelCompleteInput, ModelEvent } from "@spfunctions/kernel";
import { expect, onTestFinished, test } from "vitest";
import { saying, ScriptedModel } from "../../../kernel/test-data/run-desk.ts";
import { bounds, office } from "../../test-data/office.ts";
import { SimpleFunctionsRuntime } from "./index.ts";

const write = { name: "notes.write", args: { text: "b" } };

test("a run that rests hears that it is to stop: it ends as cancelled, whoever takes it on with a signal that says so", async () => {
  const { packs, principal, store, deeds } = office();
  const model = new ScriptedModel(saying([write], "done"));
  const policy = { ...bounds, maxSideEffect: "user_write" } as const;
  const runtime = new SimpleFunctionsRuntime({ packs, principal, store, model, policy });
  onTestFinished(() => runtime.close());
  const { runId, status } = await runtime.run({ objective: "write" });
  expect(status).toBe("requires_approval");
  const stopped = await runtime.resume(runId, { signal: AbortSignal.abort() });
  expect([stopped.status, deeds]).toStrictEqual(["cancelled", []]);
  const types: string[] = [];
  for await (const { type } of runtime.resumeStream(runId)) types.push(type);
  expect(types.at(-1)).toBe("runtime.cancelled");
});

/** One that is asked for pieces only where somebody watches. */
class StreamingModel extends ScriptedModel {
  streamed = 0;

  async *stream(input: ModelCompleteInput): AsyncGenerator<ModelEvent> {
    this.streamed += 1;
    yield { type: "done", result: await this.complete(input) };
  }
}

test("a stream that has ended where its run rests watches it no more", async () => {
  const { packs, principal, store, operator } = office();
  const model = new StreamingModel(saying([write], "done"));
  const policy = { ...bounds, maxSideEffect: "user_write" } as const;
  const runtime = new SimpleFunctionsRuntime({ packs, principal, store, model, policy });
  onTestFinished(() => runtime.close());
  const { runId, approvals } = await runtime.run({ objective: "write" });
  for await (const _ of runtime.resumeStream(runId));
  for await (const _ of runtime.resumeStream(runId));
  await operator.approve(approvals[0]?.approvalId ?? "");
  expect(await runtime.resume(runId)).toMatchObject({ status: "completed" });
  expect([model.asked.length, model.streamed]).toStrictEqual([2, 0]);
});
