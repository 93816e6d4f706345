// A long-lived agent on disk: a turn waits for a person, its process ends, and another one goes on where it was.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Spectator } from "@spfunctions/agent/spectator";
import { loadInstallation } from "@spfunctions/host/installation";
import { scriptedModel } from "@spfunctions/host/models";
import { openSqliteStore } from "@spfunctions/host/store";
import { defineTool, openOperator } from "@spfunctions/kernel";
import { z } from "zod";

const booked: string[] = [];
const book = defineTool({
  name: "club.book",
  description: "Books a table.",
  input: z.strictObject({ day: z.string() }),
  output: z.strictObject({ tables: z.int() }),
  permissions: ["club:write"],
  sideEffect: "user_write",
  costEffect: "none",
  run: ({ day }) => ({ tables: booked.push(day) }),
});

// A script stands for its model; it knows by itself how far a turn has come.
const call = '[{"id":"t1","tool":"club.book","args":{"day":"Sunday"}}]';
const script = [
  { text: `I book it. <<<TOOL_CALLS_JSON>>>${call}<<<END_TOOL_CALLS_JSON>>>` },
  { text: "Your table is booked." },
];

const home = mkdtempSync(join(tmpdir(), "simplefunctions-example-"));

/** What a process opens when it begins: the store, and the secret that proves what lies there, which lies elsewhere. */
async function begin() {
  const store = await openSqliteStore({ folder: join(home, "data") });
  // Without configFolder it is the person's own; with SF_INSTALLATION_KEY in the environment, that.
  const { installation } = loadInstallation({ configFolder: join(home, "config") });
  const agent = new Spectator({
    model: scriptedModel(script),
    packs: [book],
    policy: { maxSideEffect: "user_write" },
    principal: { accountId: "club", keyId: "desk", scopes: ["read", "write"], kind: "local" },
    store,
    installation,
  });
  const operator = openOperator({
    store,
    installation,
    principal: { accountId: "club", keyId: "anna", scopes: ["admin"], kind: "operator" },
  });
  const end = async () => {
    await agent.close();
    await operator.close();
    await store.close();
  };
  return { session: await agent.open("monday"), operator, end };
}

// 1. A person must approve what changes something: the turn waits, and says what for. Then the process ends.
const first = await begin();
const asked = await first.session.turn("Book a table for Sunday.");
assert.equal(asked.status, "requires_approval");
console.log(asked.approvals); // [{ approvalId, status: "pending", expiresAt }]
const [question] = asked.approvals;
assert(question !== undefined);
await first.end();
assert.deepEqual(booked, []);

// 2. Another process has the same session, and the turn that waits in it. An operator answers by the id; the turn goes on.
const second = await begin();
const left = await second.session.left();
assert.equal(left?.runId, asked.runId);
await second.operator.approve(question.approvalId);
const done = await second.session.resume();
assert.deepEqual(
  [done.status, done.text, booked],
  ["completed", "I book it.\n\nYour table is booked.", ["Sunday"]],
);

// 3. What was said and done stands in its notes and its journal, for whoever opens it next.
const { recentMessages } = await second.session.checkpoint();
console.log(recentMessages.map(({ role, content }) => `${role}: ${content}`));
await second.end();
rmSync(home, { recursive: true });
