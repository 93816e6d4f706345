// A person approves what an agent does: exactly that call, once; or, bounded, for a session.
import assert from "node:assert/strict";
import { defineTool, type EventStream, govern } from "@spfunctions/agent";
import { isSimpleFunctionsError, type ToolCallResult } from "@spfunctions/contracts";
import { createMemoryStore, openOperator } from "@spfunctions/kernel";
import { z } from "zod";

const sent: string[] = [];
const mail = defineTool({
  name: "mail.send",
  description: "Sends a letter.",
  input: z.strictObject({ to: z.string(), text: z.string() }),
  output: z.strictObject({ sent: z.int() }),
  permissions: ["mail:send"],
  sideEffect: "user_write",
  costEffect: "none",
  run: ({ to }) => ({ sent: sent.push(to) }),
});

const store = createMemoryStore();
const office = govern({
  packs: [mail],
  policy: { maxSideEffect: "user_write", approvals: { requireForSideEffectAtOrAbove: "user_write" } },
  principal: { accountId: "office", keyId: "agent", scopes: ["write"], kind: "local" },
  store,
  sessionId: "monday",
});
// Whoever puts the program together makes the operator, and gives it to nothing that the agent could reach.
const operator = openOperator({
  store,
  principal: { accountId: "office", keyId: "anna", scopes: ["admin"], kind: "operator" },
});

// 1. The call is refused with its question, and made again once a person has said yes.
const letter = { to: "bank", text: "please close the account" };
const asked: unknown = await office.call("mail.send", letter).catch((error: unknown) => error);
assert(isSimpleFunctionsError(asked) && asked.code === "approval_required");
const [question] = await operator.list();
assert(question !== undefined);
console.log(
  `${question.asker.keyId} wants ${question.tool} of`,
  question.input,
  `because ${question.reason}`,
);
await operator.approve(question.approvalId, { note: "go on" });
const { receipt } = await office.call("mail.send", letter);
assert.equal(receipt.approvalId, question.approvalId);
// It was for that one call: the same again, or another, is asked about anew.
await assert.rejects(() => office.call("mail.send", letter), { code: "approval_required" });
await assert.rejects(() => office.call("mail.send", { ...letter, to: "press" }), {
  code: "approval_required",
});

// 2. The call waits. What a person answers wakes it: here a no, and it says why.
const toEverybody = office.stream("mail.send", { to: "everybody", text: "hello" }, { asking: "wait" });
await assert.rejects(
  answering(toEverybody, (id) => operator.deny(id, { note: "not to everybody" })),
  (error: Error) => error.message.includes("not to everybody"),
);

// 3. A yes for the session: this tool, in this session, to the bank and to nobody else, twice, for ten minutes.
const terms = { fixed: ["/to"], maxUses: 2, forMs: 600_000 };
const toBank = office.stream("mail.send", { to: "bank", text: "one" }, { asking: "wait" });
await answering(toBank, (id) => operator.approveForSession(id, terms));
await office.call("mail.send", { to: "bank", text: "two" });
await assert.rejects(() => office.call("mail.send", { to: "bank", text: "three" }), {
  code: "approval_required",
});
assert.deepEqual(sent, ["bank", "bank", "bank"]);
console.log("sent", sent.length, "letters, each of them approved");
await office.close();
await operator.close();

/** Has a person answer what a call asks, and gives what it came to. */
async function answering(
  stream: EventStream<ToolCallResult>,
  answer: (approvalId: string) => Promise<unknown>,
): Promise<ToolCallResult> {
  for await (const event of stream) if (event.type === "approval.required") await answer(event.approvalId);
  return await stream.result;
}
