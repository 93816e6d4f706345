import { defineTool, openGuestOperator, openInstallation, Runs } from "@spfunctions/kernel";
import { expect, test } from "vitest";
import { openSqliteStore } from "../src/store/index.ts";
import { dataFolder } from "./data-folder.ts";

const installation = openInstallation(new Uint8Array(32).fill(3));
const write = defineTool({
  name: "notes.write",
  description: "Writes a note.",
  input: { type: "object" },
  output: { type: "object" },
  permissions: ["notes"],
  sideEffect: "user_write",
  costEffect: "none",
  run: () => ({ written: true }),
});

test("a run in one process goes on by what an operator beside it has left in the inbox (J3)", async () => {
  const folder = dataFolder();
  const store = await openSqliteStore({ folder });
  const runs = new Runs({
    packs: [write],
    levels: [
      {
        level: "agent",
        policy: { maxSideEffect: "user_write", approvals: { requireForSideEffectAtOrAbove: "user_write" } },
      },
    ],
    principal: { accountId: "acct_1", keyId: "key_1", scopes: ["read", "write"], kind: "local" },
    agentId: "scribe",
    installation,
    store,
    model: {
      adapter: {
        name: "scripted",
        complete: async ({ messages }) => {
          const isFirst = messages.length === 1;
          const toolCalls = isFirst ? [{ id: "one", name: "notes.write", args: {} }] : [];
          const usage = { inputTokens: 1, outputTokens: 1 };
          return { text: "done", toolCalls, finish: isFirst ? "tool_calls" : "stop", usage };
        },
      },
    },
  });
  await runs.open();
  const handle = await runs.start({ objective: "write" });
  const { approvals } = await handle.wait({ for: "rest" });
  const guest = await openSqliteStore({ folder, role: "guest" });
  const operator = openGuestOperator({
    store: guest,
    installation,
    principal: { accountId: "acct_1", keyId: "boss", scopes: ["admin"], kind: "operator" },
    waitMs: 20_000,
  });
  const answered = await operator.approve(approvals[0]?.approvalId ?? "");
  expect(answered).toMatchObject({ decidedBy: { keyId: "boss" } });
  expect(await handle.wait()).toMatchObject({ status: "completed", output: "done" });
  await operator.close();
  await guest.close();
  await runs.close();
  await store.close();
});
