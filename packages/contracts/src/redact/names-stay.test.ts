// Names are no secrets: neither an identifier that begins like a token, nor the key of a JSON member behind a word like "password".
import { describe, expect, test } from "vitest";
import { sampleTemplate } from "../../test-data/redaction/generate.ts";
import { identifierNames } from "../../test-data/redaction/token-formats.ts";
import { words } from "../../test-data/redaction/words.ts";
import { SecretRegistry } from "./held-secrets.ts";
import { redact } from "./redact.ts";
import { redactText } from "./redact-text.ts";
import { tokenFormats } from "./token-formats.ts";

const secrets = new SecretRegistry();

const wordlike = tokenFormats.map(({ head }) => head).filter((head) => /^[a-z]{2,12}[_-]$/.test(head));
const plain = words.filter((word) => /^[a-z]{4,9}$/.test(word));
const word = (at: number) => plain[(at * 7919) % plain.length] ?? "word";

describe("identifiers that begin like a token stay", () => {
  const named = [
    "hf_required_field_of_the_request",
    "npm_package_name_and_its_version",
    "npm_package_config_registry_url",
  ];
  const made = wordlike.flatMap((head, index) =>
    [0, 1, 2].map((turn) => {
      const sign = head.slice(-1);
      const parts = Array.from({ length: 4 + turn }, (_, at) => word(index * 31 + turn * 7 + at));
      return `${head}${parts.join(sign)}`;
    }),
  );

  test.each([
    ["in text", (name: string) => `the field ${name} is set`],
    ["in code", (name: string) => `const x = ${name};`],
    ["as a key in JSON", (name: string) => `{"${name}":true,"other":1}`],
    ["as a value in JSON", (name: string) => `{"field":"${name}","other":1}`],
  ])("%s", (_, written) => {
    expect(wordlike.length).toBeGreaterThan(40);
    for (const name of [...named, ...made])
      expect(redactText(written(name), { secrets })).toBe(written(name));
  });

  test("and what they begin like is still hidden", () => {
    for (const token of [
      sampleTemplate("hf_{alpha:34}", 1),
      sampleTemplate("npm_{alnum:36}", 2),
      sampleTemplate("glpat-{b64url:20}", 3),
      sampleTemplate("sk_live_{alnum:24}", 4),
    ])
      expect(redactText(`it is ${token}`, { secrets })).toMatch(/^it is \[redacted:[a-z_]+\]$/);
  });
});

describe("a JSON text keeps its keys", () => {
  const spoken = [
    "generate_password",
    "reset_password",
    "get_token",
    "rotate_api_key",
    "createSecret",
    "list_credentials",
    "password",
    "Authorization",
  ];
  const definitions = [...spoken, ...identifierNames].map((name) => [
    {
      name,
      description: "Makes one for somebody.",
      inputSchema: { type: "object", required: [name], properties: {} },
    },
    { type: name, label: "What is shown", required: true, placeholder: "at least 12 characters" },
    { enum: [name, "other"], default: name, title: "Which of them" },
    { event: name, at: "2026-11-19T01:50:55Z", status: "done", user: "ada" },
    { tool: name, arguments: { length: 20, symbols: true }, reason: "asked for", id: "call_1" },
    [name, "description", { label: "x" }],
  ]);

  const keysOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(keysOf);
    if (typeof value !== "object" || value === null) return null;
    return Object.entries(value).map(([key, member]) => [key, keysOf(member)]);
  };

  test.each<[string, (value: unknown) => string, (text: string) => unknown]>([
    ["compact", (value) => JSON.stringify(value), (text) => JSON.parse(text)],
    ["indented", (value) => JSON.stringify(value, null, 2), (text) => JSON.parse(text)],
    [
      "as Python writes it",
      (value) =>
        JSON.stringify(value)
          .replaceAll(/(?<="):/g, ": ")
          .replaceAll(/,(?=")/g, ", "),
      (text) => JSON.parse(text),
    ],
    [
      "in JSON",
      (value) => JSON.stringify(JSON.stringify(value)),
      (text) => JSON.parse(JSON.parse(text) as string),
    ],
    [
      "in JSON inside JSON",
      (value) => JSON.stringify(JSON.stringify(JSON.stringify(value))),
      (text) => JSON.parse(JSON.parse(JSON.parse(text) as string) as string),
    ],
  ])("%s", (_, write, read) => {
    for (const value of definitions.flat())
      expect(keysOf(read(redactText(write(value), { secrets })))).toStrictEqual(keysOf(value));
  });

  test("and what tools say of themselves stays whole", () => {
    for (const [definition] of definitions.slice(0, spoken.length)) {
      const text = JSON.stringify(definition);
      expect(redactText(text, { secrets })).toBe(text);
      expect(redact({ tools: text }, { secrets })).toStrictEqual({ tools: text });
    }
  });

  test("while a value behind a name is hidden", () => {
    expect(redactText('["password", "hunter22x"]', { secrets })).toBe('["password", "[redacted:password]"]');
    expect(redactText('{"name":"password","value":"hunter22x","n":1}', { secrets })).toBe(
      '{"name":"password","value":"[redacted:password]","n":1}',
    );
  });
});
