import { heldSecrets } from "@spfunctions/contracts";
import { expect, onTestFinished, test } from "vitest";
import { withoutHeldSecrets } from "./without-held-secrets.ts";

function hold(secret: string): void {
  heldSecrets.add(secret, "test");
  onTestFinished(() => heldSecrets.remove(secret));
}

test("S1: a secret that is held is not printed, in no encoding", () => {
  const secret = "s3cret/with+every%thing&more";
  hold(secret);
  const forms = [
    secret,
    encodeURIComponent(secret),
    Buffer.from(`x${secret}y`).toString("base64"),
    Buffer.from(secret).toString("hex"),
    secret.replaceAll("&", String.raw`\u0026`),
    secret.replaceAll("&", "&amp;"),
  ];
  for (const form of forms) {
    const shown = withoutHeldSecrets(`before ${form} after`);
    expect(shown).toMatch(/^before .*\[redacted:test\].* after$/);
    expect(shown).not.toContain("s3cret");
  }
});

test("a short one does not break what is printed: it may be a word of JSON itself", () => {
  hold("true");
  expect(withoutHeldSecrets('{"ok":true}')).toBe('{"ok":true}');
});
