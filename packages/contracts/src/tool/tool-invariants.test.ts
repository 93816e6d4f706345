// Each promise is broken alone, in a contract being built and in a manifest being loaded whose digests are all right.
import { describe, expect, test } from "vitest";
import { fullDefinition, keyedDefinition, manifestSaying, toolDefinition } from "../../test-data/samples.ts";
import { refusalOf } from "../../test-data/refusal-of.ts";
import { InvalidManifestError } from "../error/error-classes.ts";
import type { SimpleFunctionsError } from "../error/simple-functions-error.ts";
import { sideEffects } from "../effect/side-effect.ts";
import type { ToolDefinition } from "./contract-tool.ts";
import { buildManifest, parseManifest } from "./manifest.ts";
import { brokenInvariant } from "./tool-invariants.ts";

const { trade: _trade, ...withoutTrade } = fullDefinition;
const hidden = (name: string) => ({ callable: false, defaultEnabled: false, name });
const reservedNames = [
  "events.search",
  "market.related",
  "auth.status",
  "investigations.create",
  "intents.propose",
  "webhooks.create",
];

const broken: [promise: string, reason: string, message: string, definition: ToolDefinition][] = [
  [
    "anonymousAllowed implies no auth",
    "anonymous_with_auth",
    "anonymousAllowed contradicts authRequired",
    toolDefinition({ authRequired: true }),
  ],
  [
    "anonymousAllowed implies no side effect",
    "anonymous_with_side_effect",
    "anonymousAllowed needs sideEffect none",
    toolDefinition({
      sideEffect: "user_write",
      agent: { callable: true, defaultEnabled: false, name: "world.read" },
    }),
  ],
  [
    "anonymousAllowed implies no cost",
    "anonymous_with_cost",
    "anonymousAllowed needs costEffect none",
    toolDefinition({ costEffect: "api_cost" }),
  ],
  [
    "anonymousAllowed implies no user_data as a risk",
    "anonymous_with_user_data",
    "anonymousAllowed cannot read user_data",
    toolDefinition({ risk: ["user_data"] }),
  ],
  [
    "anonymousAllowed implies no user_data as a permission",
    "anonymous_with_user_data",
    "anonymousAllowed cannot read user_data",
    toolDefinition({ permissions: ["user_data"] }),
  ],
  [
    "user_data as a risk implies authRequired",
    "user_data_without_auth",
    "user_data needs authRequired",
    keyedDefinition({ authRequired: false, risk: ["user_data"] }),
  ],
  [
    "user_data as a permission implies authRequired",
    "user_data_without_auth",
    "user_data needs authRequired",
    keyedDefinition({ authRequired: false, permissions: ["user_data"] }),
  ],
  [
    "agent.defaultEnabled implies side effect none",
    "default_with_side_effect",
    "agent.defaultEnabled needs sideEffect none",
    keyedDefinition({
      sideEffect: "auth_telemetry_write",
      agent: { callable: true, defaultEnabled: true, name: "orders.place" },
    }),
  ],
  [
    "agent.defaultEnabled implies agent.callable",
    "default_not_callable",
    "agent.defaultEnabled needs agent.callable",
    keyedDefinition({ agent: { callable: false, defaultEnabled: true, name: "orders.place" } }),
  ],
  [
    "a tool of class secret is not agent.callable",
    "secret_callable",
    "a tool of class secret is never agent.callable",
    keyedDefinition({ sideEffect: "secret" }),
  ],
  [
    "live_trade says where its guardrails find their facts",
    "live_trade_without_trade",
    "live_trade needs trade: the JSON pointers its guardrails are read from",
    withoutTrade,
  ],
  [
    "agent.name is the canonical name",
    "agent_name_differs",
    "agent.name is the canonical name",
    keyedDefinition({ agent: { callable: true, defaultEnabled: false, name: "orders.other" } }),
  ],
  ...reservedNames.map((name): (typeof broken)[number] => [
    `${name} is never active`,
    "reserved_name_active",
    "a reserved name is never active",
    keyedDefinition({ name, agent: hidden(name) }),
  ]),
  ...reservedNames.map((name): (typeof broken)[number] => [
    `${name} is never agent.callable`,
    "reserved_name_callable",
    "a reserved name is never agent.callable",
    keyedDefinition({ name, status: "deferred" }),
  ]),
];

describe.each(broken)("%s", (_promise, reason, message, definition) => {
  const sound = toolDefinition({ name: "zebras.read" });
  const problem = (path: string) => ({
    name: "InvalidManifestError",
    message: `invalid manifest: ${definition.name}: ${message}`,
    details: { path, tool: definition.name, reason },
  });

  // proves KEY-12.7, KEY-23.2
  // proves RUN-3.8
  test("when a manifest is built, whatever it lists; it is named where it was given", () => {
    for (const mode of ["implemented", "review"] as const) {
      // By name it would stand first.
      for (const [definitions, path] of [
        [[definition], "/0"],
        [[sound, definition], "/1"],
      ] as const) {
        const error = refusalOf(() => buildManifest(definitions, mode));
        expect(error).toBeInstanceOf(InvalidManifestError);
        expect(said(error)).toStrictEqual(problem(path));
      }
    }
  });

  test("when one is loaded, though its digests fit", () => {
    for (const [definitions, path] of [
      [[definition], "/tools/0"],
      [[sound, definition], "/tools/1"],
    ] as const) {
      const manifest = manifestSaying(definitions);
      for (const source of [manifest, JSON.stringify(manifest)]) {
        const error = refusalOf(() => parseManifest(source));
        expect(error).toBeInstanceOf(InvalidManifestError);
        expect(said(error)).toStrictEqual(problem(path));
      }
    }
  });
});

test("each reason is one snake_case word with one message, and stays", () => {
  const problems = broken.flatMap(([, , , definition]) => brokenInvariant(definition) ?? []);
  const messages = new Map(problems.map(({ reason, message }) => [reason, message]));
  expect(Object.fromEntries(messages)).toStrictEqual({
    anonymous_with_auth: "anonymousAllowed contradicts authRequired",
    anonymous_with_side_effect: "anonymousAllowed needs sideEffect none",
    anonymous_with_cost: "anonymousAllowed needs costEffect none",
    anonymous_with_user_data: "anonymousAllowed cannot read user_data",
    user_data_without_auth: "user_data needs authRequired",
    default_with_side_effect: "agent.defaultEnabled needs sideEffect none",
    default_not_callable: "agent.defaultEnabled needs agent.callable",
    secret_callable: "a tool of class secret is never agent.callable",
    live_trade_without_trade: "live_trade needs trade: the JSON pointers its guardrails are read from",
    agent_name_differs: "agent.name is the canonical name",
    reserved_name_active: "a reserved name is never active",
    reserved_name_callable: "a reserved name is never agent.callable",
  });
  expect([...messages.keys()].filter((reason) => !/^[a-z]+(?:_[a-z]+)*$/.test(reason))).toStrictEqual([]);
});

test("no promise is broken by a free read, a full trade, or any class of a keyed tool", () => {
  const sound = [toolDefinition(), fullDefinition].concat(
    sideEffects.map((sideEffect) =>
      keyedDefinition({
        sideEffect,
        ...(fullDefinition.trade === undefined ? {} : { trade: fullDefinition.trade }),
        agent: { callable: sideEffect !== "secret", defaultEnabled: false, name: "orders.place" },
      }),
    ),
  );
  expect(sound.map(brokenInvariant)).toStrictEqual(sound.map(() => undefined));
});

describe("a reserved name", () => {
  const listed = reservedNames.map((name) =>
    keyedDefinition({ name, status: "deferred", agent: hidden(name) }),
  );

  test("may be listed in review mode", () => {
    const names = buildManifest(listed, "review").tools.map((tool) => tool.name);
    expect(names).toStrictEqual(reservedNames.toSorted());
  });

  test("is left out of the implemented tools, and cannot be smuggled into them", () => {
    expect(buildManifest(listed).tools).toStrictEqual([]);
    const error = refusalOf(() => parseManifest(manifestSaying(listed.slice(0, 1), "implemented")));
    expect(said(error)).toStrictEqual({
      name: "InvalidManifestError",
      message: "invalid manifest: events.search: status deferred is only for review",
      details: { path: "/tools/0", tool: "events.search", reason: "not_active" },
    });
  });
});

describe("what every tool states", () => {
  const stated: [field: string, path: string, message: string, definition: object][] = [
    [
      "sideEffect",
      "/sideEffect",
      "expected a sideEffect: one of none, auth_telemetry_write, user_write, secret, runtime, paper_trade, live_trade",
      without("sideEffect"),
    ],
    [
      "costEffect",
      "/costEffect",
      "expected a costEffect: one of none, api_cost, search_cost, venue_request_cost, llm_cost",
      without("costEffect"),
    ],
    [
      "access.anonymousAllowed",
      "/access/anonymousAllowed",
      "a tool states access.anonymousAllowed: true or false",
      { ...toolDefinition(), access: {} },
    ],
  ];

  // proves KEY-7.3, KEY-7.4, KEY-7.5
  test.each(stated)(
    "every active implemented tool has %s, or is not built",
    (_, path, message, definition) => {
      const error = refusalOf(() => buildManifest([definition as ToolDefinition]));
      expect(error).toBeInstanceOf(InvalidManifestError);
      expect(error.message).toBe(`invalid tool contracts: /0${path}: ${message}`);
      expect(error.details?.path).toBe(`/0${path}`);
    },
  );

  // proves KEY-7.3, KEY-7.4, KEY-7.5
  test.each(stated)(
    "every active implemented tool has %s, or is not loaded",
    (_, path, message, definition) => {
      const error = refusalOf(() => parseManifest(manifestSaying([definition], "implemented")));
      expect(error).toBeInstanceOf(InvalidManifestError);
      expect(error.message).toBe(`invalid manifest: /tools/0${path}: ${message}`);
      expect(error.details?.path).toBe(`/tools/0${path}`);
    },
  );

  test("get_world_state and get_regime_history are never canonical", () => {
    for (const name of ["get_world_state", "get_regime_history"]) {
      const definition = toolDefinition({ name, compatName: "world_read" });
      const message = "a retired name is never canonical";
      const built = refusalOf(() => buildManifest([definition]));
      expect(built).toBeInstanceOf(InvalidManifestError);
      expect(built.message).toBe(`invalid tool contracts: /0/name: ${message}; /0/agent/name: ${message}`);
      const loaded = refusalOf(() => parseManifest(manifestSaying([definition], "implemented")));
      expect(loaded).toBeInstanceOf(InvalidManifestError);
      expect(loaded.message).toBe(
        `invalid manifest: /tools/0/name: ${message}; /tools/0/agent/name: ${message}`,
      );
    }
  });
});

function said({ name, message, details }: SimpleFunctionsError): object {
  return { name, message, details };
}

function without(field: keyof ToolDefinition): object {
  return Object.fromEntries(Object.entries(toolDefinition()).filter(([key]) => key !== field));
}
