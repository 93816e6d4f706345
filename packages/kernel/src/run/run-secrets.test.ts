// S1, B34: a secret that a model, a tool, a person or a starter says is in no record, event, error or prompt.
import { ProviderFailedError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { collected, keptText } from "../../test-data/call-desk.ts";
import { until } from "../../test-data/call-waiting.ts";
import {
  asking,
  levelOf,
  openRunDesk,
  reopenRunDesk,
  type RunDesk,
  type RunDeskOptions,
  saying,
  inTurn,
} from "../../test-data/run-desk.ts";
import { hang } from "../../test-data/run-levers.ts";
import type { RunHandle } from "./run-handle.ts";

const secret = "sk-proj-9aZ8bY7cX6dW5eV4fU3gT2hS1iR0jQ9kP8lO7mN6";
const words = `the key is ${secret}, keep it`;
/** Declared by its tool, so that no person is asked about it. */
const declared = { name: "notes.sign", args: { apiKey: secret } };
const leaking = { name: "notes.write", args: { text: words, apiKey: secret } };

/** Everything that anybody could see of a run, besides the tool itself. */
async function seenOf(desk: RunDesk, handle: RunHandle): Promise<string> {
  const [result, events, records] = await Promise.all([
    handle.result(),
    collected(handle.stream({ signal: AbortSignal.timeout(50) })).catch(() => []),
    desk.store.inner.readStream({ stream: handle.runId, accountId: "acct_1", limit: 1000 }),
  ]);
  const documents = await Promise.all(
    ["run", "approval", "asked", "effect", "inbox", "grant"].map((kind) =>
      desk.store.inner.documents({ kind, accountId: "acct_1", limit: 1000 }),
    ),
  );
  const prompts = desk.model.asked.map(({ messages }) => messages);
  return JSON.stringify([result, events, records, documents, prompts, await keptText(desk.store.inner)]);
}

describe("a secret is kept nowhere:", () => {
  test.each<[string, RunDeskOptions, string]>([
    ["in what a model says last", { script: saying(words) }, "completed"],
    ["in what a model passes to a tool", { script: saying([declared], "done") }, "completed"],
    ["in the name of a tool", { script: saying([{ name: secret }], "done") }, "completed"],
    [
      "in what a tool gives back",
      { script: saying([{ name: "notes.read" }], "done"), deed: () => ({ words }) },
      "completed",
    ],
    [
      "in what a tool throws",
      {
        script: saying([{ name: "notes.write" }], "done"),
        deed: () => {
          throw new Error(words);
        },
      },
      "completed",
    ],
    [
      "in what an adapter throws",
      { script: inTurn(new Error(words)), runLimits: { modelAttempts: 1 } },
      "failed",
    ],
    [
      "in an adapter's error of ours",
      { script: inTurn(new ProviderFailedError(words, { retry: "never" })) },
      "failed",
    ],
    [
      "in what the host's policy says",
      {
        script: saying([{ name: "notes.write" }], "done"),
        evaluatePreTool: () => ({ outcome: "deny", reason: words }),
      },
      "completed",
    ],
    [
      "in a call that is refused again and again",
      { script: () => [leaking], levels: levelOf({ maxSideEffect: "none" }) },
      "blocked",
    ],
  ])("%s", async (_where, options, status) => {
    const desk = openRunDesk(options);
    const handle = await desk.start();
    expect((await handle.wait()).status).toBe(status);
    expect(await seenOf(desk, handle)).not.toContain(secret);
  });

  test("in what the run is to do: the model is not shown it either", async () => {
    const desk = openRunDesk();
    const handle = await desk.runs.start({ objective: { words, password: "hunter2-hunter2" } });
    await handle.wait();
    expect(await seenOf(desk, handle)).not.toMatch(/hunter2|sk-proj-9/);
    expect(JSON.stringify(desk.model.asked[0]?.messages)).toContain("[redacted:");
  });

  test("in an approver's note, and in how a person knows what became of an effect", async () => {
    const desk = openRunDesk({
      script: saying([{ name: "notes.write", args: {} }], "done"),
      levels: levelOf(asking),
    });
    const handle = await desk.start();
    const { approvals } = await handle.wait({ for: "rest" });
    await desk.operator.deny(approvals[0]?.approvalId ?? "", { note: words });
    await handle.wait();
    expect(await seenOf(desk, handle)).not.toContain(secret);
  });
});

test("the tool itself gets what the model said, also where somebody had to approve it", async () => {
  const desk = openRunDesk({ script: saying([leaking], "done"), levels: levelOf(asking) });
  const handle = await desk.start();
  const { approvals } = await handle.wait({ for: "rest" });
  await desk.operator.approve(approvals[0]?.approvalId ?? "");
  await handle.wait();
  expect(desk.deck.inputsOf("notes.write")).toStrictEqual([JSON.stringify({ apiKey: secret, text: words })]);
  expect(await seenOf(desk, handle)).not.toContain(secret);
});

describe("after a restart nobody has the secret any more:", () => {
  test("a call that waited is superseded, is told so to the model, and nothing runs with a placeholder", async () => {
    const options = { script: saying([leaking], "done"), levels: levelOf(asking) };
    const desk = openRunDesk(options);
    const handle = await desk.start();
    const { approvals } = await handle.wait({ for: "rest" });
    await desk.store.die();
    const next = reopenRunDesk(desk, options);
    await next.operator.approve(approvals[0]?.approvalId ?? "");
    const [again] = await next.runs.open();
    expect((await again?.wait())?.status).toBe("completed");
    expect(next.deck.runs).toStrictEqual([]);
    expect(await next.labels(handle.runId)).toContain("call.refused approval_required");
    expect(JSON.stringify(next.model.asked.at(-1)?.messages)).toContain("its input held a secret");
  });

  test.each(["notes.write", "notes.search", "notes.read"])(
    "a call that was proposed and had not begun is refused, whatever it would change: %s",
    async (name) => {
      const options = { script: saying([{ name: "notes.put" }, { ...leaking, name }], "done") };
      const desk = openRunDesk({ ...options, deed: hang });
      const handle = await desk.start();
      await until(() => desk.deck.runs.length === 1);
      await desk.store.die();
      const next = reopenRunDesk(desk, options);
      const again = await next.runs.resume(handle.runId);
      expect((await again.wait()).status).toBe("completed");
      expect(next.deck.inputsOf(name)).toStrictEqual([]);
      expect(await next.labels(handle.runId)).toContain("call.refused invalid_input");
      expect(JSON.stringify(next.model.asked.at(-1)?.messages)).toContain("propose it again");
    },
  );
});
