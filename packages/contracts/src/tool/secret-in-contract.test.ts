// S1 where a tool is defined: a contract is shown as it is to whoever may see the tool, so that one with a secret does not exist.
import { onTestFinished, describe, expect, test } from "vitest";
import { ordinaryContracts } from "../../test-data/ordinary-contracts.ts";
import { refusalOf } from "../../test-data/refusal-of.ts";
import { toolDefinition } from "../../test-data/samples.ts";
import { InvalidManifestError } from "../error/error-classes.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { heldSecrets } from "../redact/held-secrets.ts";
import type { ToolDefinition } from "./contract-tool.ts";
import {
  buildKeptManifest,
  buildManifest,
  joinContracts,
  parseManifest,
  requireNoSecret,
} from "./manifest.ts";

const held = "plum9-Orchard-77-quay";
const token = `sf_live_${"k3Y".repeat(10)}ab`;

function hold(secret: string, kind = "held"): void {
  heldSecrets.add(secret, kind);
  onTestFinished(() => heldSecrets.remove(secret));
}

const member = (schema: JsonObject): Partial<ToolDefinition> => ({
  input: { type: "object", properties: { code: schema }, additionalProperties: false },
});

const places: [where: string, path: string, changes: (secret: string) => Partial<ToolDefinition>][] = [
  ["its title", "/title", (secret) => ({ title: `Reads ${secret}` })],
  ["its description", "/description", (secret) => ({ description: `Use ${secret} to read.` })],
  ["a default", "/input/properties/code/default", (secret) => member({ type: "string", default: secret })],
  ["a const", "/input/properties/code/const", (secret) => member({ const: secret })],
  ["an enum", "/input/properties/code/enum/1", (secret) => member({ enum: ["a", secret] })],
  [
    "a pattern",
    "/input/properties/code/pattern",
    (secret) => member({ type: "string", pattern: `^${secret}$` }),
  ],
  [
    "an example",
    "/input/properties/code/examples/0/0",
    (secret) => member({ type: "array", examples: [[secret]] }),
  ],
  [
    "a description of a member",
    "/input/properties/code/description",
    (secret) => member({ description: `like ${secret}` }),
  ],
  ["a keyword that nobody knows", "/input/properties/code/x-note", (secret) => member({ "x-note": secret })],
  ["its output", "/output/$defs/one/const", (secret) => ({ output: { $defs: { one: { const: secret } } } })],
  ["a permission", "/traceEvents/0", (secret) => ({ traceEvents: [secret] })],
];

describe("a contract with a secret is refused where it is defined", () => {
  test.each(places)("in %s", (_, path, changes) => {
    hold(held, "password");
    for (const [secret, kind] of [
      [held, "password"],
      [token, "simplefunctions_key"],
    ] as const) {
      const error = refusalOf(() => buildManifest([toolDefinition(changes(secret))]));
      expect(error).toBeInstanceOf(InvalidManifestError);
      expect(error.details).toStrictEqual({ path: `/0${path}`, tool: "world.read", reason: "secret", kind });
      expect(error.message).toContain(
        `world.read: ${path} holds what looks like a secret (${kind}); take it out`,
      );
      expect(JSON.stringify(error) + error.stack).not.toContain(secret);
    }
  });

  test("in the name of a member, which is not repeated either", () => {
    hold(held);
    const input = { type: "object", properties: { [held]: { type: "string" } } };
    const error = refusalOf(() => buildManifest([toolDefinition({ input })]));
    expect(error.details).toMatchObject({ path: "/0/input/properties/[redacted:held]", kind: "held" });
    expect(JSON.stringify(error) + error.stack).not.toContain(held);
  });

  test("also where it is encoded, or a number", () => {
    hold(held);
    hold("48151623");
    const given: JsonValue[] = [
      Buffer.from(held).toString("base64"),
      encodeURIComponent(` ${held}`),
      48_151_623,
    ];
    for (const value of given)
      expect(() => buildManifest([toolDefinition(member({ default: value }))])).toThrow(
        "/input/properties/code/default",
      );
  });

  test("where a default stands under a name that says it is a password", () => {
    const input = { type: "object", properties: { password: { type: "string", default: "hunter22x" } } };
    const error = refusalOf(() => buildManifest([toolDefinition({ input })]));
    expect(error.details).toMatchObject({ path: "/0/input/properties/password/default", kind: "password" });
  });
});

describe("what is read from elsewhere", () => {
  const changed = toolDefinition(member({ const: held }));

  test("a manifest with a secret of this process is refused, and with a token", () => {
    const manifest = structuredClone(buildManifest([changed]));
    expect(parseManifest(manifest)).toStrictEqual(manifest);
    hold(held);
    expect(refusalOf(() => parseManifest(manifest)).details).toMatchObject({
      path: "/tools/0/input/properties/code/const",
      reason: "secret",
    });
    const other = buildKeptManifest([toolDefinition(member({ const: token }))]);
    expect(() => parseManifest(JSON.stringify(other))).toThrow("(simplefunctions_key)");
  });

  test("a contract that was kept is read as it is, whatever is held since", () => {
    const manifest = buildKeptManifest([toolDefinition(member({ const: token }))]);
    expect(joinContracts(manifest.tools)).toStrictEqual(manifest);
    expect(() => requireNoSecret(manifest.tools)).not.toThrow();
  });
});

test("a secret that is held only later is found where contracts are put together, and where they are shown", () => {
  const { tools } = buildManifest([toolDefinition(member({ const: held }))]);
  requireNoSecret(tools);
  hold(held);
  expect(() => requireNoSecret(tools)).toThrow("/input/properties/code/const");
  expect(() => joinContracts(tools)).toThrow("/input/properties/code/const");
});

describe("ordinary contracts are made", () => {
  test.each(ordinaryContracts.map((definition) => [definition.name, definition] as const))(
    "%s",
    (_, definition) => {
      expect(buildManifest([definition]).tools).toHaveLength(1);
    },
  );

  test("also where the word that confirms an order is one that stands in them", () => {
    hold("order", "confirm");
    expect(buildManifest(ordinaryContracts).tools).toHaveLength(ordinaryContracts.length);
  });
});
