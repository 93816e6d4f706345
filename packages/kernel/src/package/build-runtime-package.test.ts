import {
  buildManifest,
  type ErrorCode,
  InvalidPackageError,
  runtimePackageSchema,
} from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import { keyedDefinition, manifestSaying } from "../../../contracts/test-data/samples.ts";
import { levelsOf, openPolicy } from "../../test-data/judge-samples.ts";
import {
  allTools,
  digestOf,
  givenPackage,
  packageWith,
  readNote,
  writeNote,
} from "../../test-data/package-samples.ts";
import { reachableFrom } from "../../test-data/tool-samples.ts";
import { registerPacks } from "../tool/registry.ts";
import { buildRuntimePackage, type GivenPackage } from "./build-runtime-package.ts";
import { parseRuntimePackage } from "./seal-package.ts";

const namesOf = (changes: Partial<GivenPackage>) =>
  packageWith(changes).toolRoutes.map(({ canonicalToolName }) => canonicalToolName);

describe("a package is built", () => {
  // proves CHILD-1.5, CHILD-1.6, CHILD-1.8, CHILD-1.9, CHILD-14.4
  // proves PORT-17.6
  test("as plain data: of little, this and no more", () => {
    const levels = levelsOf({});
    const { createdAt } = givenPackage();
    const { toolRoutes, fingerprint, ...rest } = buildRuntimePackage({
      agentId: "agent_2",
      packs: [readNote],
      levels,
      createdAt,
    });
    expect(rest).toStrictEqual({
      v: 1,
      agentId: "agent_2",
      capabilities: [
        { type: "active", capabilityId: "tool.notes.read", kind: "tool", contract: readNote.contract },
      ],
      policies: levels,
      hooks: [],
      sidecars: [],
      strategy: { type: "sequential" },
      volatile: { createdAt, labels: {} },
    });
    expect(toolRoutes.map(({ capabilityId }) => capabilityId)).toStrictEqual(["tool.notes.read"]);
    expect(fingerprint).toMatch(/^sha256:runtime-package-canonical-v1:[0-9a-f]{64}$/);
  });

  // proves CHILD-1.3, CHILD-1.11
  test("frozen to the last leaf, with nothing in it that could run", () => {
    for (const part of reachableFrom(packageWith())) {
      expect(Object.isFrozen(part)).toBe(true);
      expect(typeof part).toBe("object");
    }
  });

  // proves CHILD-14.26
  // proves PORT-5.24
  test("so that it fits its schema, and is read back as it was", () => {
    const built = packageWith();
    expect(runtimePackageSchema.parse(built)).toStrictEqual(built);
    expect(parseRuntimePackage(JSON.parse(JSON.stringify(built)))).toStrictEqual(built);
  });

  test("of packs, a registry or a manifest alike", () => {
    const registry = registerPacks([allTools]);
    const expected = packageWith({ packs: registry });
    expect(packageWith({ packs: [allTools] })).toStrictEqual(expected);
    expect(packageWith({ packs: registry.manifest })).toStrictEqual(expected);
    const active = buildManifest(
      allTools.map(({ contract }) => {
        const { digest: _, ...definition } = contract;
        return definition;
      }),
      "implemented",
    );
    expect(packageWith({ packs: active })).toStrictEqual(expected);
  });

  test("of active tools, or of those that are named", () => {
    const all = ["keys.show", "notes.read", "notes.write", "orders.place", "research.delegate"];
    expect(namesOf({})).toStrictEqual(all);
    const chosen: Partial<GivenPackage> = { sidecars: [], hooks: [], agentTools: [] };
    expect(namesOf({ ...chosen, tools: ["notes.write", "notes.read"] })).toStrictEqual([
      "notes.read",
      "notes.write",
    ]);
    expect(namesOf({ ...chosen, tools: [] })).toStrictEqual([]);
  });

  test("and says which tools start another agent", () => {
    const kinds = packageWith().capabilities.map(({ capabilityId, kind }) => `${capabilityId} ${kind}`);
    expect(kinds.filter((kind) => kind.endsWith("agent_as_tool"))).toStrictEqual([
      "tool.research.delegate agent_as_tool",
    ]);
  });

  test("with hooks in the order in which they are asked: by point, phase, order and id", () => {
    const hook = { version: "1" };
    const { hooks } = packageWith({
      hooks: [
        { ...hook, id: "z", point: "on_stop" },
        { ...hook, id: "b", point: "before_tool_call", order: 1 },
        { ...hook, id: "a", point: "before_tool_call", order: 1 },
        { ...hook, id: "c", point: "before_tool_call", order: -1 },
        { ...hook, id: "d", point: "before_tool_call", phase: "observe", order: -9 },
        { ...hook, id: "e", point: "before_tool_call", phase: "change", order: 9 },
        { ...hook, id: "f", point: "before_model" },
      ],
    });
    expect(hooks.map(({ id }) => id).join("")).toBe("fecabdz");
  });

  test("from what is given at that moment: changing it later changes nothing", () => {
    const labels: Record<string, string> = { ticket: "OPS-7" };
    const built = packageWith({ labels });
    labels["ticket"] = "OPS-8";
    expect(built.volatile.labels).toStrictEqual({ ticket: "OPS-7" });
  });
});

type Refusal = [what: string, changes: object, code: ErrorCode, path: string, message: string];

const hook = { id: "limits", version: "2", point: "before_tool_call" };
const sidecar = { ref: "limits/1", kind: "hook_settings", digest: digestOf("1") };
const reserve = { capabilityId: "tool.notes.share", owner: "the notes team" };

const refusals: Refusal[] = [
  ["no agent", { agentId: "" }, "missing_field", "/agentId", "/agentId is missing or empty; say whose"],
  ["no agent at all", { agentId: undefined }, "missing_field", "/agentId", "/agentId is missing or empty"],
  ["no policy", { levels: [] }, "missing_field", "/policies", "without one nothing is allowed"],
  ["no model", { provider: { model: "" } }, "missing_field", "/provider/model", "say which model is asked"],
  [
    "a hook without an id",
    { hooks: [{ ...hook, id: "" }] },
    "missing_field",
    "/hooks/0/id",
    "by its id and version",
  ],
  [
    "a hook of no version",
    { hooks: [{ ...hook, version: "" }] },
    "missing_field",
    "/hooks/0/version",
    "by its id",
  ],
  [
    "a sidecar without a ref",
    { sidecars: [{ ...sidecar, ref: "" }] },
    "missing_field",
    "/sidecars/0/ref",
    "its ref",
  ],
  [
    "a sidecar of no kind",
    { sidecars: [{ ...sidecar, kind: "" }] },
    "missing_field",
    "/sidecars/0/kind",
    "what kind",
  ],
  [
    "an unknown hook point",
    { hooks: [{ ...hook, point: "beforeToolCall" }] },
    "invalid_package",
    "/hooks/0/point",
    "/hooks/0/point: unknown hook point; there are: before_model, after_model, before_tool_call",
  ],
  [
    "two hooks in one place, whatever their phase",
    { hooks: [hook, { ...hook, version: "3", phase: "observe" }] },
    "contract_violation",
    "/hooks/1",
    "the hook limits stands twice at before_tool_call with order 0; give each its own place",
  ],
  [
    "a hook with settings that are not there",
    { hooks: [{ ...hook, sidecarRef: "limits/9" }] },
    "contract_violation",
    "/hooks/0/sidecarRef",
    "the hook limits is configured by a sidecar that the package has not; add it",
  ],
  [
    "a sidecar twice",
    { sidecars: [sidecar, { ...sidecar, digest: digestOf("4") }] },
    "contract_violation",
    "/sidecars/1",
    "two sidecars have the same ref; each has its own",
  ],
  [
    "a sidecar of a stranger",
    { sidecars: [{ ...sidecar, capabilityIds: ["tool.notes.burn"] }] },
    "contract_violation",
    "/sidecars/0/capabilityIds",
    "a sidecar is for tool.notes.burn, which the package has not; add the tool or drop the sidecar",
  ],
  ...["bounded_concurrent", "ordered_batch"].map(
    (type): Refusal => [
      `${type} with none in flight`,
      { strategy: { type, maxInFlight: 0 } },
      "invalid_package",
      "/strategy/maxInFlight",
      "/strategy/maxInFlight: maxInFlight is at least 1",
    ],
  ),
  [
    "an unknown strategy",
    { strategy: { type: "fast" } },
    "invalid_package",
    "/strategy/type",
    "/strategy/type",
  ],
  [
    "an output contract that is no schema",
    { outputContract: { type: "essay" } },
    "invalid_package",
    "/outputContract",
    "outputContract is not a usable JSON Schema 2020-12",
  ],
  [
    "the same reserve twice",
    { reserved: [reserve, { ...reserve, owner: "somebody else" }] },
    "contract_violation",
    "/capabilities/6",
    "tool.notes.share is there twice; a canonical name stands for one tool",
  ],
  [
    "a reserve that would be shown",
    { reserved: [{ ...reserve, contract: writeNote.contract }] },
    "invalid_package",
    "/reserved/0",
    'unknown key "contract"',
  ],
  [
    "a reserved tool by name",
    { tools: ["notes.share"] },
    "invalid_package",
    "/tools/0",
    "notes.share is reserved for the notes team; it can be used once a delta has activated it",
  ],
  [
    "an unknown tool",
    { tools: ["notes.read", "notes.wirte"] },
    "invalid_package",
    "/tools/1",
    'there is no active tool "notes.wirte" to be had; did you mean notes.write?',
  ],
  [
    "a tool that is not active",
    { tools: ["notes.translate"] },
    "invalid_package",
    "/tools/0",
    'there is no active tool "notes.translate" to be had',
  ],
  [
    "an agent's tool that was not chosen",
    { tools: ["notes.read"], agentTools: ["research.delegate"] },
    "invalid_package",
    "/agentTools/0",
    'there is no active tool "research.delegate" to be had',
  ],
  [
    "a time that is none",
    { createdAt: "yesterday" },
    "invalid_package",
    "/volatile/createdAt",
    "expected an ISO",
  ],
  [
    "an unknown model setting",
    { provider: { model: "m", heat: 1 } },
    "invalid_package",
    "/provider",
    '"heat"',
  ],
];

// proves PORT-3.8, PORT-17.9
describe("refused, with its own code and words, is", () => {
  test.each(refusals)("%s", (_, changes, code, path, message) => {
    const error = refusalOf(() => packageWith(changes));
    expect([error.code, error.details?.path]).toStrictEqual([code, path]);
    expect(error.message).toMatch(/^invalid runtime package: /);
    expect(error.message).toContain(message);
  });

  test("a manifest in which a name stands for two tools", () => {
    const tool = keyedDefinition({ name: "world.read" });
    const packs = manifestSaying([tool, { ...tool, description: "Another." }]) as unknown;
    const error = refusalOf(() => packageWith({ packs: packs as GivenPackage["packs"] }));
    expect(error).toBeInstanceOf(InvalidPackageError);
    expect(error.message).toBe(
      "invalid runtime package: invalid manifest: world.read: two tools are called world.read: give it once, or rename one",
    );
    expect(error.details).toStrictEqual({ path: "/packs/tools/1", reason: "not_unique" });
  });

  test("what is no pack, registry or manifest", () => {
    for (const packs of [undefined, null, {}, "notes.read", [{ contract: readNote.contract }]]) {
      expect(refusalOf(() => packageWith({ packs: packs as GivenPackage["packs"] })).code).toBe(
        "invalid_package",
      );
    }
  });

  test("S1: a policy with the word that confirms an order, and the refusal does not say it", () => {
    const trade = { ...openPolicy.trade, confirmToken: "open sesame 42" };
    const error = refusalOf(() => packageWith({ levels: levelsOf({ ...openPolicy, trade }) }));
    expect(error).toBeInstanceOf(InvalidPackageError);
    expect(error.message).toContain("pass the levels through keptLevels");
    expect(JSON.stringify(error)).not.toContain("sesame");
  });

  test("a function, wherever it stands", () => {
    for (const changes of [
      { hooks: [{ ...hook, run: () => 1 }] },
      { labels: { now: () => 1 } },
      { outputContract: { default: () => 1 } },
      { reserved: [{ ...reserve, run: () => 1 }] },
    ]) {
      const error = refusalOf(() => packageWith(changes as never));
      expect([error.code, error.details?.reason]).toStrictEqual(["invalid_package", "not_json"]);
    }
  });
});
