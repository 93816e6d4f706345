// What a model's provider encrypted or signed for itself comes back to it byte for byte, or the provider refuses the conversation.
import { describe, expect, test } from "vitest";
import { sampleTemplate } from "../../test-data/redaction/generate.ts";
import { SecretRegistry } from "./held-secrets.ts";
import { redact } from "./redact.ts";
import { redactText } from "./redact-text.ts";

const secrets = new SecretRegistry();
const seeds = Array.from({ length: 60 }, (_, index) => index);

/** As OpenAI and Google make them, and with beginnings of tokens in them. */
const states = seeds.flatMap((seed) => [
  sampleTemplate("gAAAAAB{b64url:700}==", seed),
  sampleTemplate("{b64:900}=", seed),
  sampleTemplate("{b64:118}==", seed),
  sampleTemplate("{b64url:300}sk-{alnum:40}_{b64url:200}-hf_{alnum:34}/", seed).slice(0, -1),
  sampleTemplate("{b64:200}/SCW{uppernum:17}+EAA{alnum:160}/{b64:99}", seed),
]);

const names = ["encrypted_content", "encryptedContent", "thoughtSignature", "thought_signature"];

describe.each(names)("%s survives", (name) => {
  test("in values, at any depth", () => {
    for (const state of states) {
      const value = {
        output: [{ type: "reasoning", id: "rs_1", summary: [], [name]: state }],
        parts: { [name]: state },
      };
      expect(redact(value, { secrets })).toStrictEqual(value);
    }
  });

  test("in JSON texts, also in JSON inside JSON", () => {
    for (const state of states) {
      const text = JSON.stringify({ type: "reasoning", [name]: state, summary: [] });
      expect(redactText(text, { secrets })).toBe(text);
      expect(redact({ body: text }, { secrets })).toStrictEqual({ body: text });
      const inner = JSON.stringify({ body: text });
      expect(redactText(inner, { secrets })).toBe(inner);
    }
  });

  test("except where it holds a secret of this process", () => {
    const own = new SecretRegistry();
    own.add("a-long-secret-of-this-process", "test");
    const [state = ""] = states;
    const inBytes = Buffer.concat([
      Buffer.from(state),
      Buffer.from("a-long-secret-of-this-process"),
      Buffer.from(state),
    ]);
    for (const written of [
      `${state}a-long-secret-of-this-process`,
      inBytes.toString("base64"),
      inBytes.toString("base64url"),
    ]) {
      expect(JSON.stringify(redact({ [name]: written }, { secrets: own }))).toContain("[redacted:test]");
      expect(redactText(JSON.stringify({ [name]: written }), { secrets: own })).toContain("[redacted:test]");
    }
  });

  test("but a token or a password under this name is hidden", () => {
    for (const token of [
      sampleTemplate("sk-ant-api03-{b64url:93}AA", 1),
      sampleTemplate("ghp_{alnum:36}", 2),
      sampleTemplate("github_pat_{alnum:22}_{alnum:59}", 3),
      "password=hunter22x",
    ])
      expect(JSON.stringify(redact({ [name]: token }, { secrets }))).toContain("[redacted:");
  });
});

test("the signature of what a model thought survives", () => {
  for (const seed of seeds) {
    const signature = sampleTemplate("Eq{b64:600}==", seed);
    const value = { type: "thinking", thinking: "I add them.", signature };
    expect(redact(value, { secrets })).toStrictEqual(value);
    const text = JSON.stringify(value);
    expect(redactText(text, { secrets })).toBe(text);
  }
});
