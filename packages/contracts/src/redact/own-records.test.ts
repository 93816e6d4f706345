// A record is read by its hash: redaction must not touch one byte of what this system itself writes down.
import { describe, expect, test } from "vitest";
import * as samples from "../../test-data/samples.ts";
import { sampleTemplate } from "../../test-data/redaction/generate.ts";
import { redact } from "./redact.ts";
import { createTextRedactor } from "./redact-stream.ts";
import { redactText } from "./redact-text.ts";

/** Ids and digests as they are made, where the samples have short ones. */
const madeIds: Readonly<Record<string, string>> = {
  accountId: sampleTemplate("acct_{uuid}", 1),
  keyId: sampleTemplate("key_{uuid}", 2),
  runId: sampleTemplate("run_{uuid}", 3),
  callId: sampleTemplate("call_{crockford:26}", 4),
  stepId: sampleTemplate("step_{uuid}", 5),
  approvalId: sampleTemplate("appr_{alnum:32}", 6),
  grantId: sampleTemplate("grant_{uuid}", 7),
  effectId: sampleTemplate("eff_{lowernum:26}", 8),
  idempotencyKey: sampleTemplate("eff_{lowernum:26}", 8),
  ref: sampleTemplate("content_{uuid}", 9),
  sessionId: sampleTemplate("sess-{uuid}", 10),
  session_id: sampleTemplate("session-{lowernum:24}", 10),
  traceId: sampleTemplate("{hex:32}", 11),
  sig: sampleTemplate("{b64url:86}", 12),
  salt: sampleTemplate("{b64url:43}", 13),
  digest: sampleTemplate("sha256:{hex:64}", 14),
  hash: sampleTemplate("sha256:{hex:64}", 15),
  inputHash: sampleTemplate("sha256:{hex:64}", 16),
  policyDigest: sampleTemplate("sha256:{hex:64}", 17),
  packageFingerprint: sampleTemplate("sha256:runtime-package-canonical-v1:{hex:64}", 18),
  externalOperationId: sampleTemplate("{uuid}", 19),
};

/** The same record with ids as long and as random as real ones. */
function withMadeIds(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, member: unknown) =>
    typeof member === "string" ? (madeIds[key] ?? member) : member,
  );
}

const records = Object.entries(samples)
  .filter(([, sample]) => typeof sample === "object")
  .map(([name, sample]) => [name, sample as unknown] as const);

describe.each([
  ["as the samples have them", (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown],
  ["with ids as they are made", withMadeIds],
])("our own records come back unchanged, %s", (_, prepare) => {
  test("and these are all kinds", () => {
    expect(records.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        "receipt",
        "principal",
        "agentEvents",
        "traceEntry",
        "approval",
        "fullDefinition",
      ]),
    );
  });

  test.each(records)("%s as a value", (__, record) => {
    const value = prepare(record);
    expect(redact(value)).toStrictEqual(value);
  });

  test.each(records)("%s as text, whole and as a stream", (__, record) => {
    for (const text of [JSON.stringify(prepare(record)), JSON.stringify(prepare(record), null, 2)]) {
      expect(redactText(text)).toBe(text);
      const redactor = createTextRedactor();
      expect(redactor.push(text) + redactor.end()).toBe(text);
    }
  });
});

test("a manifest of many tools comes back unchanged", () => {
  const names = ["auth.token.refresh", "secrets.list", "keys.rotate", "session.cookie.read", "webhooks.sign"];
  const manifest = samples.manifestSaying(
    names.map((name) => ({
      ...samples.toolDefinition({
        name,
        title: `The ${name} tool`,
        description: "Reads a token and a secret.",
      }),
      input: {
        type: "object",
        properties: {
          apiKey: { type: "string", description: "An API key, as the venue gives it." },
          password: { type: "string", minLength: 8 },
          token: { type: "string", "x-sf-public": true },
        },
        required: ["apiKey", "password", "token"],
      },
    })),
  );
  expect(redact(manifest)).toStrictEqual(manifest);
  const text = JSON.stringify(manifest, null, 2);
  expect(redactText(text)).toBe(text);
});

test.each(["run", "call", "eff", "seg", "appr", "grant", "cap", "content", "key", "req"])(
  "whatever a %s id is made of, it is no secret",
  (prefix) => {
    const ids = Array.from({ length: 500 }, (_, seed) => sampleTemplate(`${prefix}_{uuid}`, seed));
    const said = ids.map((id) => ({ keyId: id, text: `the key ${id} was used` }));
    expect(redact(said)).toStrictEqual(said);
  },
);

test("a signature comes back unchanged, whatever its bytes happen to look like", () => {
  for (let at = 0; at < 3000; at++) {
    const sig = sampleTemplate("{b64url:86}", at);
    expect(redact({ signature: { keyId: "k", sig } })).toStrictEqual({ signature: { keyId: "k", sig } });
  }
});

test("what a person is told to find out, and with which key, can be read: also of a call of a run", () => {
  const uuid = sampleTemplate("{uuid}", 20);
  for (const id of [`eff_${uuid}`, `eff_${uuid}-1-1`, `call_${uuid}-12-3`, `run_${uuid}`]) {
    const told = `find out at the other side (key ${id}) whether it happened, then say so with resolve("${id}", …)`;
    expect(redactText(told)).toBe(told);
  }
});

describe("an id that somebody makes of a word and a UUID comes back unchanged", () => {
  test.each(["loan", "invoice-inv", "acme_booking", "loan-eff", "refund_eff"])("%s_…", (prefix) => {
    const ids = Array.from({ length: 500 }, (_, seed) => sampleTemplate(`${prefix}_{uuid}`, seed));
    expect(ids.filter((id) => redactText(id) !== id)).toStrictEqual([]);
    expect(ids.filter((id) => redactText(`${id}-2-1`) !== `${id}-2-1`)).toStrictEqual([]);
  });

  test.each(["acme_live", "loan_key", "sk", "waka"])("but not behind a word of keys: %s_…", (prefix) => {
    const key = `${prefix}_8e40425b-277b-4cbc-b03f-45f0b425f0bd`;
    expect(redactText(key)).toMatch(/^\[redacted:\w+\]$/);
  });
});
