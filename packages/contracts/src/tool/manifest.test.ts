import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import {
  digestOf,
  fullDefinition,
  keyedDefinition,
  manifestSaying,
  plainDigest,
  toolDefinition,
} from "../../test-data/samples.ts";
import { refusalOf } from "../../test-data/refusal-of.ts";
import { InvalidManifestError } from "../error/error-classes.ts";
import { type ContractTool, isActive, type ToolDefinition } from "./contract-tool.ts";
import { buildManifest, joinContracts, parseManifest, toolDigest } from "./manifest.ts";

const deferred = keyedDefinition({
  name: "events.search",
  status: "deferred",
  agent: { callable: false, defaultEnabled: false, name: "events.search" },
});
const keyed = keyedDefinition({ name: "notes.write", sideEffect: "user_write", risk: ["user_data"] });
const definitions = [toolDefinition(), keyed, fullDefinition, deferred];

describe("contracts of manifests that were built before", () => {
  const { tools } = buildManifest(definitions, "review");

  test("are joined to the manifest of their definitions, cut where only what is active is asked for", () => {
    expect(joinContracts(tools, "review")).toStrictEqual(buildManifest(definitions, "review"));
    expect(joinContracts(tools.toReversed())).toStrictEqual(buildManifest(definitions));
  });

  test("that clash are refused as ever", () => {
    const [again] = buildManifest([{ ...keyed, description: "Another." }]).tools;
    const error = refusalOf(() => joinContracts([...tools, again as ContractTool]));
    expect(error.details).toMatchObject({ path: "/4", tool: "notes.write", reason: "not_unique" });
  });

  test("are those alone: what only looks like one is refused, whatever it says of itself", () => {
    const one = tools[0] as ContractTool;
    for (const like of [{ ...one }, structuredClone(one), Object.create(one) as ContractTool]) {
      const error = refusalOf(() => joinContracts([like]));
      expect([error.code, error.details?.reason]).toStrictEqual(["invalid_manifest", "not_built"]);
    }
  });

  test("are read once: a list that answers otherwise the next time joins nothing else", () => {
    const one = tools[0] as ContractTool;
    const forged = { ...one, sideEffect: "live_trade" } as ContractTool;
    const filtered = Object.assign([one], { filter: () => [forged], toSorted: () => [forged] });
    const answers = [one, one, forged];
    const turning = Object.defineProperty([one], 0, { get: () => answers.shift() ?? forged });
    const other = Object.assign([one], { [Symbol.iterator]: () => [forged].values() });
    for (const list of [filtered, turning]) expect(joinContracts(list, "review").tools).toStrictEqual([one]);
    expect(refusalOf(() => joinContracts(other)).details?.reason).toBe("not_built");
  });

  test.each([undefined, null, "tools", { length: 1 }])("are a list: %s is refused", (list) => {
    const error = refusalOf(() => joinContracts(list as never));
    expect([error.code, error.details?.reason]).toStrictEqual(["invalid_manifest", "schema_mismatch"]);
  });

  test.each([null, undefined, 7, "notes.write"])("are contracts: %s among them is refused", (member) => {
    const error = refusalOf(() => joinContracts([member as never]));
    expect([error.code, error.details?.reason]).toStrictEqual(["invalid_manifest", "not_built"]);
  });

  test("G1: are joined for what is known: another mode is refused", () => {
    for (const join of [joinContracts, buildManifest]) {
      const error = refusalOf(() => join([], "bogus" as never));
      expect([error.code, error.details?.reason]).toStrictEqual(["invalid_manifest", "schema_mismatch"]);
    }
  });

  test("cannot be changed", () => {
    expect(isFrozenThrough(tools)).toBe(true);
  });
});

function isFrozenThrough(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isFrozenThrough);
}

describe("the contract tests of the source's plan", () => {
  const manifest = buildManifest(definitions);
  const active = manifest.tools.filter(isActive);

  // proves KEY-7.2
  test("/api/contracts/tools returns schema version 0.3.0-draft", () => {
    expect({ ...manifest, digest: "", tools: manifest.tools.map((tool) => tool.name) }).toStrictEqual({
      schemaVersion: "0.3.0-draft",
      mode: "implemented",
      digest: "",
      tools: ["notes.write", "orders.place", "world.read"],
    });
    const error = refusalOf(() => parseManifest({ ...manifest, schemaVersion: "0.2.0-draft" }));
    expect(error.details?.path).toBe("/schemaVersion");
  });

  test("every active implemented tool has sideEffect", () => {
    expect(active.map((tool) => tool.sideEffect)).toStrictEqual(["user_write", "live_trade", "none"]);
  });

  test("every active implemented tool has costEffect", () => {
    expect(active.map((tool) => tool.costEffect)).toStrictEqual(["none", "venue_request_cost", "none"]);
  });

  test("every active implemented tool has access.anonymousAllowed", () => {
    expect(active.map((tool) => tool.access.anonymousAllowed)).toStrictEqual([false, false, true]);
  });

  // proves KEY-6.4, KEY-6.5, KEY-6.6, KEY-19.5
  test("anonymousAllowed=true implies authRequired=false, sideEffect=none, costEffect=none, and no user_data", () => {
    const wrong: Partial<ToolDefinition>[] = [
      { authRequired: true },
      { sideEffect: "user_write" },
      { costEffect: "api_cost" },
      { risk: ["user_data"] },
      { permissions: ["user_data"] },
    ];
    for (const changes of wrong) {
      expect(() => buildManifest([toolDefinition(changes)])).toThrow(/world\.read: anonymousAllowed/);
    }
  });

  // proves KEY-19.6
  test("user_data permission implies authRequired=true", () => {
    const definition = keyedDefinition({ permissions: ["user_data"], authRequired: false });
    expect(() => buildManifest([definition])).toThrow("user_data needs authRequired");
  });

  // proves KEY-10.28, KEY-19.7
  test("live_trade is active only behind explicit SDK/Agent policy guardrails", () => {
    const { trade: _, ...unguarded } = fullDefinition;
    expect(() => buildManifest([unguarded])).toThrow("live_trade needs trade");
    expect(buildManifest([fullDefinition]).tools).toHaveLength(1);
  });

  // proves KEY-19.8
  test("events.* is not active or callable", () => {
    for (const changes of [
      { status: "implemented" },
      { agent: { ...deferred.agent, callable: true } },
    ] as const) {
      expect(() => buildManifest([{ ...deferred, ...changes }], "review")).toThrow(
        /a reserved name is never/,
      );
    }
  });

  test.each(["get_world_state", "get_regime_history"])("%s is not canonical", (name) => {
    expect(() => buildManifest([toolDefinition({ name })])).toThrow("a retired name is never canonical");
  });
});

describe("building", () => {
  test("lists in review mode also what is not active", () => {
    const manifest = buildManifest(definitions, "review");
    expect(manifest.tools.map((tool) => [tool.name, tool.status])).toStrictEqual([
      ["events.search", "deferred"],
      ["notes.write", "implemented"],
      ["orders.place", "implemented"],
      ["world.read", "implemented"],
    ]);
    expect(manifest.digest).not.toBe(buildManifest(definitions).digest);
  });

  test("does not depend on the order of definitions", () => {
    const expected = buildManifest(definitions, "review");
    fc.assert(
      fc.property(fc.shuffledSubarray(definitions, { minLength: definitions.length }), (shuffled) => {
        expect(buildManifest(shuffled, "review")).toStrictEqual(expected);
      }),
    );
  });

  test("does not depend on the order of keys, nor on members that are undefined", () => {
    const reversed = Object.fromEntries(Object.entries(fullDefinition).toReversed());
    const padded = { ...toolDefinition(), http: undefined } as unknown as ToolDefinition;
    expect(buildManifest([reversed as ToolDefinition])).toStrictEqual(buildManifest([fullDefinition]));
    expect(buildManifest([padded])).toStrictEqual(buildManifest([toolDefinition()]));
  });

  test("of nothing is an empty manifest", () => {
    expect(buildManifest([])).toStrictEqual({
      schemaVersion: "0.3.0-draft",
      mode: "implemented",
      digest: "sha256:3315a5b40a0511ce87c3e5139368f14870401bae15fbaab0d7e47b2602ff38f6",
      tools: [],
    });
  });

  test("keeps nothing of what it was given and cannot be changed", () => {
    const given = structuredClone(definitions);
    const manifest = buildManifest(given, "review");
    const before = structuredClone(manifest);
    for (const definition of given) {
      Object.assign(definition.access, { anonymousAllowed: true });
      Object.assign(definition.input, { type: "string" });
      definition.risk.push("live_trade");
    }
    given.length = 0;
    expect(manifest).toStrictEqual(before);
    expect(thawed(manifest)).toStrictEqual([]);
  });
});

describe("identity", () => {
  test("of one literal definition is this digest", () => {
    expect(toolDigest(toolDefinition())).toBe(
      "sha256:a6425200b1f88bfada6e6ccb9950f14d960e879240144e8fa60ba603e3045ad7",
    );
    expect(toolDigest(fullDefinition)).toBe(
      "sha256:b5bc3f8adc233515c077dfb47c94933fc6c6932a8db8fc04367c618f1e55eb2d",
    );
  });

  test("of one literal manifest is this digest", () => {
    expect(buildManifest(definitions).digest).toBe(
      "sha256:72dd5b7fe9f38bfc4f6db725dee5894fad844987365863e1045399308fc03b56",
    );
    expect(buildManifest(definitions, "review").digest).toBe(
      "sha256:a1c9969d0cc73b1648c942a17740a7cd351f9914c4f17525cdaf9d39eb6c4abe",
    );
  });

  test("is what sorted keys, JSON.stringify and sha256 give", () => {
    expect(toolDigest(fullDefinition)).toBe(plainDigest(fullDefinition));
    const sorted = definitions.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    expect(buildManifest(definitions, "review")).toStrictEqual(manifestSaying(sorted));
  });

  test("changes with every field of a definition", () => {
    const digest = toolDigest(fullDefinition);
    const fields = Object.keys(fullDefinition);
    const changed = fields.map((field) => toolDigest({ ...fullDefinition, [field]: "something else" }));
    expect(new Set([digest, ...changed]).size).toBe(fields.length + 1);
  });
});

describe("loading", () => {
  const manifest = buildManifest(definitions, "review");

  test("takes what building made, as value and as text, and gives it back frozen", () => {
    for (const source of [manifest, structuredClone(manifest), JSON.stringify(manifest, null, 2)]) {
      const loaded = parseManifest(source);
      expect(loaded).toStrictEqual(manifest);
      expect(thawed(loaded)).toStrictEqual([]);
    }
  });

  test("keeps nothing of what it was given", () => {
    const given = structuredClone(manifest) as unknown as { tools: { risk: string[] }[] };
    const loaded = parseManifest(given);
    given.tools[0]?.risk.push("llm");
    given.tools.length = 1;
    expect(loaded).toStrictEqual(manifest);
  });

  const changedManifests: [what: string, problem: Problem, message: string, change: (wire: Wire) => void][] =
    [
      [
        "a tool changed after its digest was made",
        { path: "/tools/3", tool: "world.read", reason: "digest_mismatch" },
        "world.read: the digest does not match the definition",
        (wire) => (at(wire, 3).description = "Something else."),
      ],
      [
        "a schema changed deep inside a tool",
        { path: "/tools/3", tool: "world.read", reason: "digest_mismatch" },
        "world.read: the digest does not match the definition",
        (wire) => Object.assign(at(wire, 3).input as object, { additionalProperties: true }),
      ],
      [
        "another tool's digest",
        { path: "/tools/1", tool: "notes.write", reason: "digest_mismatch" },
        "notes.write: the digest does not match the definition",
        (wire) => (at(wire, 1).digest = at(wire, 3).digest),
      ],
      [
        "a tool left out",
        { path: "/digest", reason: "digest_mismatch" },
        "the digest does not match its tools",
        (wire) => wire.tools.splice(1, 1),
      ],
      [
        "tools in another order",
        { path: "/digest", reason: "digest_mismatch" },
        "the digest does not match its tools",
        (wire) => (wire.tools = wire.tools.toReversed()),
      ],
      [
        "another digest",
        { path: "/digest", reason: "digest_mismatch" },
        "the digest does not match its tools",
        (wire) => (wire.digest = digestOf("0")),
      ],
      [
        "a tool and its digest changed, but not the manifest's",
        { path: "/digest", reason: "digest_mismatch" },
        "the digest does not match its tools",
        (wire) => {
          const { digest: _, ...definition } = at(wire, 3);
          const changed = { ...definition, description: "Something else." };
          wire.tools[3] = { ...changed, digest: plainDigest(changed) };
        },
      ],
      [
        "the mode of a shorter list",
        { path: "/tools/0", tool: "events.search", reason: "not_active" },
        "events.search: status deferred is only for review",
        (wire) => (wire.mode = "implemented"),
      ],
    ];

  test.each(changedManifests)("refuses %s", (_, problem, message, change) => {
    const wire = structuredClone(manifest) as unknown as Wire;
    change(wire);
    for (const source of [wire, JSON.stringify(wire)]) {
      const error = refusalOf(() => parseManifest(source));
      expect(error).toBeInstanceOf(InvalidManifestError);
      expect(error.message).toBe(`invalid manifest: ${message}`);
      expect(error.details).toStrictEqual(problem);
    }
  });

  test("refuses an unknown key at every level, and says which was probably meant", () => {
    const wire = structuredClone(manifest) as unknown as Wire;
    Object.assign(wire, { schemaversion: "0.3.0-draft" });
    Object.assign(at(wire, 0), { sideEfect: "none" });
    Object.assign(at(wire, 1).agent as object, { defaultenabled: true });
    const error = refusalOf(() => parseManifest(wire));
    expect(error).toBeInstanceOf(InvalidManifestError);
    expect(error.message).toBe(
      'invalid manifest: /tools/0: unknown key "sideEfect"; did you mean "sideEffect"?; ' +
        '/tools/1/agent: unknown key "defaultenabled"; did you mean "defaultEnabled"?; ' +
        'unknown key "schemaversion"; did you mean "schemaVersion"?',
    );
  });
});

type Problem = { path: string; tool?: string; reason: string };
type Wire = { mode: string; digest: string; tools: Record<string, unknown>[] };

function at(wire: Wire, index: number): Record<string, unknown> {
  return wire.tools[index] ?? {};
}

/** JSON pointers to whatever could still be changed. */
function thawed(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, member]) => thawed(member, `${path}/${key}`));
  return Object.isFrozen(value) ? inner : [path, ...inner];
}
