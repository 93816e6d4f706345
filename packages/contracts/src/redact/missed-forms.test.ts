// Forms of secrets that were missed once: each is hidden in every way in which it is written, also nested, in errors and in log lines.
import { describe, expect, test } from "vitest";
import { fiveForms, survives } from "../../test-data/redaction/five-forms.ts";
import { messages } from "../../test-data/redaction/tool-calls.ts";
import { missedForms, placedSecrets } from "../../test-data/redaction/forms.ts";
import { SecretRegistry } from "./held-secrets.ts";
import { createTextRedactor } from "./redact-stream.ts";
import { redactText } from "./redact-text.ts";
import { redact } from "./redact.ts";

const secrets = new SecretRegistry();
const seeds = [1, 2, 3, 4, 5, 6, 7, 8];
// Percent-encoded text is measured as a whole.
const forms = Object.keys(fiveForms).filter((form) => form !== "percent-encoded");

describe.each(missedForms.map(([kind]) => kind))("%s", (kind) => {
  const placed = placedSecrets(
    missedForms.filter((form) => form[0] === kind),
    seeds,
  );

  test.each(forms)("are hidden %s", (form) => {
    const missed = placed.filter(({ text, secret }) => survives(form, text, secret));
    expect(missed.map(({ text }) => text)).toStrictEqual([]);
  });

  test("are hidden when the text comes in pieces", () => {
    for (const { text } of placed) {
      for (const length of [1, 9, 50]) {
        const redactor = createTextRedactor({ secrets });
        let output = "";
        for (let at = 0; at < text.length; at += length) output += redactor.push(text.slice(at, at + length));
        expect(output + redactor.end()).toBe(redactText(text, { secrets }));
      }
    }
  });
});

test.each([
  "kind: ConfigMap\ndata:\n  uri: c29tZXRoaW5nIHRoYXQgaXMgbm8gc2VjcmV0\n",
  "data:\n  uri: c29tZXRoaW5nIHRoYXQgaXMgbm8gc2VjcmV0\nkind: ConfigMap\n",
  '{"data":{"uri":"c29tZXRoaW5nIHRoYXQ"},"kind":"ConfigMap"}',
  '{"data":{"name":"ada","city":"Oslo"},"status":"ok"}',
  "data:\n  name: ada\n---\nkind: Secret\n",
  "password - required",
  "- `token` - the one that was given to you",
  "api key - see the console",
  "bundle config path vendor/bundle",
  "bundle config set --local path vendor/bundle",
  'BUNDLE_PATH: "vendor/bundle"',
  "BUNDLE_MIRROR__ALL: https://mirror.example.com/",
  '<add key="PageSize" value="25" />',
  "<add value='short text' key='PasswordHint' />",
  "curl --user {user}:{password} https://api.example.com",
  "Using Key=primary",
  "discord channel 823456789012345678",
  "new PDO($dsn, $user, $password)",
  "The token eyJ is where a JSON Web Token begins.\nThe next line is prose.",
])("what looks like it and holds none stays: %s", (text) => {
  expect(redactText(text, { secrets })).toBe(text);
});

test.each(messages.filter((text) => !text.includes("«")))(
  "what speaks of secrets and holds none stays: %s",
  (text) => {
    expect(redactText(text, { secrets })).toBe(text);
  },
);

describe("percent-encoded three times and more", () => {
  test.each([3, 4, 5])("%i times", (times) => {
    let text = 'API_TOKEN = "Zk8Qv3LmX2pR9tWb5NyC7aHd"';
    for (let time = 0; time < times; time++) text = encodeURIComponent(text);
    expect(redactText(`https://example.com/?note=${text}&page=2`, { secrets })).not.toContain(
      "Zk8Qv3LmX2pR9tWb5NyC7aHd",
    );
  });
});

test("a list of arguments is read as the command line that it is", () => {
  const lists = [
    ["docker", "login", "-u", "bob", "-p", "Tr0ub4dor3x"],
    ["-u", "bob:Tr0ub4dor3x"],
    ["--password", "Tr0ub4dor3x"],
  ];
  for (const list of lists) expect(JSON.stringify(redact(list, { secrets }))).not.toContain("Tr0ub4dor3x");
  const plain = ["git", "commit", "-p", "-m", "reset the password", "--author", "Ada <ada@example.com>"];
  expect(redact(plain, { secrets })).toStrictEqual(plain);
});

test("columns of a table stay that only describe passwords, and values that are none", () => {
  const plain = "field,password\nkind,string\nrequired,true\n";
  expect(redactText(plain, { secrets })).toBe(plain);
});
