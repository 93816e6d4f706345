// Runs the package's promises where it is loaded, Node or browser, and says as plain data what came out.
import * as contracts from "../src/index.ts";
import { sha256Vectors } from "../test-data/fips180.ts";
import { accepted, refused } from "../test-data/json-grammar.ts";
import { documents, doubleFromHex, notNumbers, numbers } from "../test-data/rfc8785.ts";

const tool: contracts.ToolDefinition = {
  name: "world.read",
  compatName: "world_read",
  title: "Read the world",
  description: "The state of the world – as the markets see it.",
  status: "implemented",
  stability: "stable",
  authRequired: false,
  access: { anonymousAllowed: true },
  permissions: ["world:read"],
  sideEffect: "none",
  costEffect: "none",
  risk: [],
  idempotency: { type: "natural" },
  input: { type: "object", additionalProperties: false },
  output: { type: "object" },
  agent: { callable: true, defaultEnabled: true, name: "world.read" },
  traceEvents: [],
  replay: { replayable: true, match: "tool+inputHash" },
};

const secretive = {
  apiKey: "a1B2c3D4e5F6g7H8i9J0k1L2",
  headers: new Headers({ authorization: "Bearer a1B2c3D4e5F6g7H8i9J0k1L2" }),
  text: "nothing to hide",
  list: [{ name: "password", value: "hunter2" }],
};

const cycle: Record<string, unknown> = {};
cycle["self"] = cycle;
const notJson = [
  undefined,
  { f: () => 1 },
  [1n],
  new Map(),
  "\ud800",
  cycle,
  ...notNumbers.map(doubleFromHex),
];

export function probe() {
  const redacted = contracts.redact(secretive) as typeof secretive;
  return {
    documents: documents.map(({ input }) => contracts.canonicalJson(contracts.parseJsonStrict(input))),
    numbers: numbers.map(({ hex }) => contracts.canonicalJson(doubleFromHex(hex))),
    hashes: sha256Vectors.map(({ text }) => contracts.hashText(text)),
    grammar: accepted.map(([text]) => contracts.canonicalJson(contracts.parseJsonStrict(text))),
    refusedTexts: refused.map(([text]) => refusalOf(() => contracts.parseJsonStrict(text))),
    refusedValues: notJson.map((value) => refusalOf(() => contracts.canonicalJson(value))),
    manifest: contracts.buildManifest([tool]),
    refusedManifest: refusalOf(() => contracts.buildManifest([{ ...tool, authRequired: true }])),
    policy: contracts.parsePolicy({ allowTools: ["world.*"], maxSideEffect: "user_write" }),
    refusedPolicy: refusalOf(() => contracts.parsePolicy({ alowTools: ["world.*"] })),
    redacted: { ...redacted, headers: [...redacted.headers] },
  };
}

function refusalOf(run: () => unknown) {
  try {
    run();
    return "not refused";
  } catch (error) {
    if (!contracts.isSimpleFunctionsError(error)) throw error;
    const { name, code, message, retry, details } = error.toJSON();
    return { name, code, message, retry, details };
  }
}
