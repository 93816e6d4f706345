// The whole platform in one process: your tools behind keys, asked through its client, with no socket and no service.
import assert from "node:assert/strict";
import { newInstallationSecret, openInstallation, createMemoryStore, defineTool } from "@spfunctions/kernel";
import { connectEmbedded } from "@spfunctions/sdk";
import { openPlatform } from "@spfunctions/server";
import { z } from "zod";

const addNote = defineTool({
  name: "notes.add",
  description: "Keeps a note.",
  input: z.strictObject({ text: z.string() }),
  output: z.strictObject({ id: z.string() }),
  permissions: ["notes:write"],
  sideEffect: "user_write",
  costEffect: "none",
  http: { method: "POST", path: "/api/notes" },
  run: (_, { effectId }) => ({ id: effectId }),
});

const platform = await openPlatform({
  store: createMemoryStore(),
  installation: openInstallation(newInstallationSecret()),
  packs: [addNote],
});

// Two keys of one account: one may write, the other only read.
const writer = await platform.createKey("corner-shop", { name: "till", scopes: ["read", "write"] });
const reader = await platform.createKey("corner-shop", { name: "screen", scopes: ["read"] });

const till = connectEmbedded(platform, { apiKey: writer.secret });
const { data, receipt } = await till
  .call("notes.add", { text: "milk" }, { idempotencyKey: "note-1" })
  .withReceipt();
console.log("kept", data, "by", receipt?.principal.keyId, "under", receipt?.policyDigest);

// The same key and the same input: the same answer, and nothing runs.
const again = await till.call("notes.add", { text: "milk" }, { idempotencyKey: "note-1" }).withReceipt();
assert.deepEqual(again.data, data);
assert.equal(again.replayed, true);

// What a key may not do is refused by a gate, and the refusal says what would have allowed it.
const screen = connectEmbedded(platform, { apiKey: reader.secret });
await assert.rejects(async () => await screen.call("notes.add", { text: "eggs" }), { code: "policy_denied" });

// Without a key there is the manifest, and what is open to everybody.
const { tools } = await connectEmbedded(platform).manifest.list();
console.log("tools:", tools.map(({ name, sideEffect }) => `${name} (${sideEffect})`).join(", "));

await platform.close();
