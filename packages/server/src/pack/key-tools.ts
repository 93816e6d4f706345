import { strictObject, timestampSchema } from "@spfunctions/contracts";
import { defineTool } from "@spfunctions/kernel";
import { z } from "zod";
import { newKey, secretIn } from "../keys/change-keys.ts";
import { decidedSchema } from "../keys/decided-schema.ts";
import { endKey } from "../keys/end-key.ts";
import type { DecisionsHost } from "../keys/key-decisions.ts";
import { keysPermission } from "../keys/key-policy.ts";
import { keyKind, keyTermsSchema, readKeyRecord } from "../keys/key-record.ts";
import type { KeyUsage } from "../keys/key-usage.ts";
import { replaceSecret } from "../keys/replace-secret.ts";
import { keyViewSchema, shownKeyIdSchema, viewOf } from "../keys/key-view.ts";
import { sdk } from "./sdk-method.ts";

const changedKeySchema = strictObject({
  key: keyViewSchema,
  secret: z.string().meta({ "x-sf-secret": true, description: "Shown once and kept nowhere." }),
});

const changing = {
  permissions: [keysPermission],
  sideEffect: "secret",
  costEffect: "none",
  risk: ["secret", "account_context", "state_mutation"],
  stability: "beta",
  replay: { replayable: false },
  // What it changes of keys is written with the record of its end: without that record no key has changed.
  reconcile: () => ({ status: "failed" }) as const,
} as const;

/** Terms with a secret in them are refused before a person is asked about the call. */
const newKeySchema = keyTermsSchema.partial().superRefine((terms, context) => {
  const secret = secretIn(terms);
  if (secret === undefined) return;
  context.addIssue({ code: "custom", path: secret.path.slice(1).split("/"), message: secret.message });
});

const one = strictObject({ keyId: shownKeyIdSchema });

export function keyTools(host: DecisionsHost, usage: KeyUsage) {
  return [
    defineTool({
      ...changing,
      name: "keys.create",
      title: "Make a key",
      description:
        "Makes a key for this account. Its secret is in this answer and nowhere else: keep it where only its user can read it.",
      input: newKeySchema,
      output: changedKeySchema,
      http: { method: "POST", path: "/api/keys" },
      sdk: sdk("keys.create"),
      run: async (input, { principal, commit }) => {
        const { documents, ...made } = await newKey(host, principal, input);
        commit(documents);
        return made;
      },
    }),
    defineTool({
      name: "keys.list",
      title: "List the keys",
      description: "The keys of this account, without their secrets.",
      permissions: [keysPermission],
      sideEffect: "none",
      costEffect: "api_cost",
      risk: ["account_context", "user_data"],
      stability: "beta",
      agent: { callable: false },
      input: strictObject({
        after: z.string().max(200).optional(),
        limit: z.int().min(1).max(100).optional(),
      }),
      output: strictObject({ items: z.array(keyViewSchema), next: z.string().optional() }),
      http: { method: "GET", path: "/api/keys" },
      sdk: sdk("keys.list"),
      run: async ({ after = "", limit = 50 }, { principal: { accountId } }) => {
        const found = await host.store.documents({ kind: keyKind, accountId, after, limit: limit + 1 });
        const page = found
          .slice(0, limit)
          .map((document) => readKeyRecord(document, host.installation.keyHash));
        const used = await usage.lastUsed(
          accountId,
          page.map(({ keyId }) => keyId),
        );
        const now = host.clock.now();
        const items = page.map((record) => viewOf(record, now, used.get(record.keyId)));
        const next = found.length > limit ? page.at(-1)?.keyId : undefined;
        return { items, ...(next !== undefined && { next }) };
      },
    }),
    defineTool({
      ...changing,
      name: "keys.rotate",
      title: "Give a key a new secret",
      description:
        "A new secret for a key, in this answer and nowhere else. The one before stays good for 24 hours; revoke the key to end it at once.",
      input: one,
      output: changedKeySchema,
      http: { method: "POST", path: "/api/keys/{keyId}/rotate" },
      sdk: sdk("keys.rotate"),
      run: async ({ keyId }, { principal, commit }) => {
        const { documents, ...made } = await replaceSecret(host, principal, keyId);
        commit(documents);
        return made;
      },
    }),
    defineTool({
      ...changing,
      name: "keys.revoke",
      title: "End a key",
      description:
        "Ends a key at once, with every secret and token of it. It cannot be undone. decided says what becomes of what this key, and the keys that come from it, have made, granted and approved: list shows it, end ends it, too.",
      input: strictObject({ keyId: shownKeyIdSchema, decided: z.enum(["list", "end"]).optional() }),
      output: strictObject({ key: keyViewSchema, decided: decidedSchema.optional() }),
      http: { method: "DELETE", path: "/api/keys/{keyId}" },
      sdk: sdk("keys.revoke"),
      run: async (input, { principal, commit }) => {
        const { documents, ...ended } = await endKey(host, principal, input);
        commit(documents);
        return ended;
      },
    }),
    defineTool({
      name: "keys.touch",
      title: "Note that a key is in use",
      description: "Writes down now that the calling key is in use, instead of with the next bookkeeping.",
      permissions: [],
      sideEffect: "auth_telemetry_write",
      costEffect: "none",
      idempotency: { type: "natural" },
      stability: "beta",
      agent: { callable: false },
      input: strictObject({}),
      output: strictObject({ keyId: shownKeyIdSchema, lastUsedAt: timestampSchema }),
      http: { method: "POST", path: "/api/keys/touch" },
      sdk: sdk("keys.touch"),
      run: async (_, { principal: { accountId, keyId } }) => ({
        keyId,
        lastUsedAt: await usage.touch(accountId, keyId),
      }),
    }),
  ];
}
