import { describe, expect, test } from "vitest";
import { metForms } from "../../test-data/redaction/met-forms.ts";
import { survivingPart } from "../../test-data/redaction/surviving.ts";
import { SecretRegistry } from "./held-secrets.ts";
import { createTextRedactor } from "./redact-stream.ts";
import { redactText } from "./redact-text.ts";

const secrets = new SecretRegistry();

describe("a secret is hidden as it is met in", () => {
  test.each(metForms)("%s", (_, text, secret) => {
    expect(survivingPart(redactText(text, { secrets }), secret)).toBeNull();
  });

  test.each(metForms)("%s, character by character", (_, text, secret) => {
    const redactor = createTextRedactor({ secrets });
    const output =
      text
        .split("")
        .map((char) => redactor.push(char))
        .join("") + redactor.end();
    expect(survivingPart(output, secret)).toBeNull();
  });
});
