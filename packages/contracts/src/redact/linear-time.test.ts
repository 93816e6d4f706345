// No text, however hostile, makes redaction slower than in proportion to its length: a search that looked at all pairs of
// places would need hours for a megabyte and run into the time limit. What it costs is measured in bench/redaction.ts.
import { expect, test } from "vitest";
import { hostilePatterns, hostileText } from "../../test-data/redaction/hostile-texts.ts";
import { SecretRegistry } from "./held-secrets.ts";
import { redactText } from "./redact-text.ts";

const megabyte = 1024 * 1024;
const secrets = new SecretRegistry();

test.each(Object.entries(hostilePatterns))("a megabyte of %s is finished", (_, pattern) => {
  expect(redactText(hostileText(pattern, megabyte), { secrets })).not.toBe("");
});
