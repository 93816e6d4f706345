import { defineTool, govern } from "@spfunctions/agent";
import { z } from "zod";

const add = defineTool({
  name: "notes.add",
  description: "Keeps a note.",
  input: z.strictObject({ text: z.string() }),
  output: z.strictObject({ id: z.string() }),
  permissions: ["notes:write"],
  sideEffect: "user_write",
  costEffect: "none",
  run: (_, { effectId }) => ({ id: effectId }),
});

const notes = govern({
  packs: [add],
  policy: { maxSideEffect: "user_write" },
  principal: { accountId: "me", keyId: "desk", scopes: ["read", "write"], kind: "local" },
});
const { output, receipt } = await notes.call("notes.add", { text: "milk" });
console.log(output.id, receipt.verdict.outcome, receipt.hash);
await notes.close();
