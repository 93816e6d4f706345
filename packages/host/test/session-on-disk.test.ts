// A session over runs on a real database: what was said before a process ended comes first in the next one.
import {
  defineTool,
  type ModelAdapter,
  type ModelCompleteInput,
  newInstallationSecret,
  openInstallation,
  Runs,
  type RunsOptions,
} from "@spfunctions/kernel";
import { expect, test } from "vitest";
import { z } from "zod";
import { openSqliteStore } from "../src/store/index.ts";
import { dataFolder } from "./data-folder.ts";

const tool = defineTool({
  name: "mail.list",
  description: "What is in the inbox.",
  input: z.strictObject({}),
  output: z.strictObject({ letters: z.array(z.string()) }),
  permissions: ["mail:read"],
  sideEffect: "none",
  costEffect: "none",
  run: () => ({ letters: ["an invoice"] }),
});

/** Looks into the inbox once, and says what it was last asked. */
function scripted(): ModelAdapter & { readonly asked: ModelCompleteInput["messages"][] } {
  const asked: ModelCompleteInput["messages"][] = [];
  const usage = { inputTokens: 10, outputTokens: 2 };
  return {
    name: "scripted",
    offline: true,
    asked,
    complete: async ({ messages }) => {
      asked.push(messages);
      if (messages.some(({ role }) => role === "tool"))
        return {
          text: `heard: ${messages.findLast(({ role }) => role === "user")?.text ?? ""}`,
          toolCalls: [],
          finish: "stop",
          usage,
        };
      return { toolCalls: [{ id: "c1", name: "mail.list", args: {} }], finish: "tool_calls", usage };
    },
  };
}

// proves RUN-10.26
test("over three processes, and two that would go on at once", async () => {
  const folder = dataFolder();
  const installation = openInstallation(newInstallationSecret());
  const options = {
    packs: [[tool]],
    levels: [
      { level: "agent", policy: { session: { persist: true, ttlMs: 60_000, maxHistoryTokens: 10_000 } } },
    ],
    principal: { accountId: "office", keyId: "anna", scopes: ["read"], kind: "key" },
    agentId: "secretary",
    installation,
  } as const satisfies Partial<RunsOptions>;
  const process = async (...objectives: string[]) => {
    const adapter = scripted();
    const store = await openSqliteStore({ folder });
    const runs = new Runs({ ...options, store, model: { adapter } });
    const started = await Promise.allSettled(
      objectives.map(async (objective) => await runs.start({ objective, sessionId: "letters" })),
    );
    const ended = await Promise.allSettled(
      started.map(async (one) => {
        if (one.status === "rejected") throw one.reason;
        return await one.value.wait();
      }),
    );
    const listed = (await runs.list()).length;
    await runs.close();
    await store.close();
    return { shown: adapter.asked.at(-1), ended, listed };
  };
  await process("what is there?");
  await process("and now?");
  const { shown, ended, listed } = await process("one", "two");
  expect(ended.map(({ status }) => status).toSorted()).toStrictEqual(["fulfilled", "rejected"]);
  expect(ended.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { code: "invalid_transition", details: { reason: "run_under_way" } },
  });
  expect(listed).toBe(3);
  expect(shown).toStrictEqual([
    { role: "user", text: "what is there?" },
    { role: "assistant", text: "", toolCalls: [{ id: "c1", name: "mail.list", args: {} }] },
    { role: "tool", toolCallId: "c1", text: '{"letters":["an invoice"]}' },
    { role: "assistant", text: "heard: what is there?" },
    { role: "user", text: "and now?" },
    { role: "assistant", text: "heard: and now?" },
    { role: "user", text: expect.stringMatching(/^one$|^two$/) },
  ]);
});
