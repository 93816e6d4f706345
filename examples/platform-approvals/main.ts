// Approval at a platform: a key says what of its calls a person must approve, the agent waits, and whoever holds another key answers.
import assert from "node:assert/strict";
import { defineTool, SimpleFunctionsAgent } from "@spfunctions/agent";
import { createMemoryStore, newInstallationSecret, openInstallation } from "@spfunctions/kernel";
import { connectEmbedded } from "@spfunctions/sdk";
import { openPlatform } from "@spfunctions/server";
import { z } from "zod";

const mail = defineTool({
  name: "mail.send",
  description: "Sends a letter.",
  input: z.strictObject({ to: z.string(), text: z.string() }),
  output: z.strictObject({ sentTo: z.string() }),
  permissions: ["mail:send"],
  sideEffect: "user_write",
  costEffect: "none",
  http: { method: "POST", path: "/api/mail" },
  run: ({ to }) => ({ sentTo: to }),
});

const platform = await openPlatform({
  store: createMemoryStore(),
  installation: openInstallation(newInstallationSecret()),
  packs: [mail],
});
const key = await platform.createKey("office", {
  name: "agent",
  scopes: ["read", "write"],
  approvals: { requireForSideEffectAtOrAbove: "user_write" },
});
const admin = await platform.createKey("office", { name: "anna", scopes: ["admin"] });
const anna = connectEmbedded(platform, { apiKey: admin.secret });
const agent = new SimpleFunctionsAgent({
  client: connectEmbedded(platform, { apiKey: key.secret }),
  policy: { maxSideEffect: "user_write" },
  asking: "wait",
});

// The call is asked about, and goes on by itself when Anna has answered, from wherever she is.
const call = agent.stream("mail.send", { to: "tax office", text: "enclosed" });
for await (const event of call) {
  if (event.type !== "approval.required") continue;
  console.log("asked:", (await anna.approvals.get(event.approvalId)).input);
  await anna.approvals.answer(event.approvalId, { answer: "approved", note: "go on" });
}
assert.deepEqual((await call.result).output, { sentTo: "tax office" });

// The agent's own key answers nothing: who asks cannot be who approves.
const again = agent.stream("mail.send", { to: "press", text: "hello" });
const self = connectEmbedded(platform, { apiKey: key.secret });
for await (const event of again) {
  if (event.type !== "approval.required") continue;
  const own = self.approvals.answer(event.approvalId, { answer: "approved" });
  await assert.rejects(own, { code: "forbidden" });
  await anna.approvals.answer(event.approvalId, { answer: "denied", note: "not to the press" });
}
await assert.rejects(again.result, /not to the press/);
await agent.close();
await platform.close();
