import { type ContractTool, policyDigest, riskClassSchema, risks, sideEffects } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import { tools } from "../../test-data/judge-arbitraries.ts";
import { levelsOf } from "../../test-data/judge-samples.ts";
import { allTools, packageWith, placeOrder, writeNote } from "../../test-data/package-samples.ts";
import { toolWith } from "../../test-data/tool-samples.ts";
import { registerPacks } from "../tool/registry.ts";
import { deriveRoutes } from "./derive-routes.ts";
import { parseRuntimePackage } from "./seal-package.ts";

const levels = levelsOf({ maxSideEffect: "user_write" }, { denyTools: ["keys.*"] });
const routeOf = (contract: ContractTool) =>
  deriveRoutes({
    capabilities: [{ type: "active", capabilityId: `tool.${contract.name}`, kind: "tool", contract }],
    policies: levels,
    sidecars: [],
  })[0];

describe("a route", () => {
  // proves PORT-3.2, PORT-5.2, PORT-5.4, PORT-5.11, PORT-5.12
  test("is read from its contract, whole", () => {
    const [first, second] = levels;
    if (first === undefined || second === undefined) throw new Error("two levels");
    expect(
      packageWith().toolRoutes.find(({ canonicalToolName }) => canonicalToolName === "notes.write"),
    ).toStrictEqual({
      capabilityId: "tool.notes.write",
      canonicalToolName: "notes.write",
      namespace: "notes",
      source: "pack:notes",
      destination: "process",
      executorRef: `notes@${writeNote.contract.digest}`,
      policyRefs: [policyDigest(levels), policyDigest([first]), policyDigest([second])].toSorted(),
      sidecarRefs: ["style/4", "words/2"],
      effectClass: "user_write",
      riskClass: "state_mutation",
      privacy: "internal",
      retention: "durable",
    });
  });

  // proves PORT-1.16, PORT-5.11
  test("under one level names one policy: the list is that level", () => {
    const { toolRoutes, policies } = packageWith({ levels: levelsOf({}) });
    expect(toolRoutes[0]?.policyRefs).toStrictEqual([policyDigest(policies)]);
  });

  // proves PORT-5.3
  test("of a tool deep in a namespace has all of it", () => {
    const route = routeOf(toolWith({ name: "a.b.c" }).contract);
    expect([route?.namespace, route?.source]).toStrictEqual(["a.b", "pack:a.b"]);
  });

  // proves PORT-5.14, PORT-5.15
  test("has the effect class that its contract has, for every class at every cost", () => {
    expect(tools.map(({ contract }) => routeOf(contract)?.effectClass)).toStrictEqual(
      tools.map(({ contract }) => contract.sideEffect),
    );
    expect(new Set(tools.map(({ contract }) => contract.sideEffect))).toStrictEqual(new Set(sideEffects));
  });

  // proves PORT-5.16, PORT-5.17
  test("has the highest of its risks, or none", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...risks]), (risk) => {
        const order: readonly string[] = riskClassSchema.options;
        const highest = Math.max(0, ...risk.map((one) => order.indexOf(one)));
        expect(routeOf({ ...writeNote.contract, risk })?.riskClass).toBe(order[highest]);
      }),
    );
  });
});

// proves PORT-5.6, PORT-5.19, PORT-5.20, PORT-5.21, PORT-5.22, PORT-20.9, PORT-20.10
describe("privacy, retention and destination are those that the contract gives a reason for:", () => {
  const open = { access: { anonymousAllowed: true }, authRequired: false };
  test.each<[string, Parameters<typeof toolWith>[0], string]>([
    ["what anybody may read", open, "public run_scoped process"],
    ["what needs a key", {}, "internal run_scoped process"],
    ["what tells about people", { risk: ["user_data"] }, "private session_scoped process"],
    ["what needs their permission", { permissions: ["user_data"] }, "private session_scoped process"],
    ["what tells about the account", { risk: ["account_context"] }, "private session_scoped process"],
    ["what changes something", { sideEffect: "user_write" }, "internal durable process"],
    ["what trades on paper", { sideEffect: "paper_trade" }, "private durable process"],
    ["what gives a secret", { sideEffect: "secret" }, "secret ephemeral process"],
    ["what reads a secret", { risk: ["secret"] }, "secret ephemeral process"],
    [
      "what the platform runs",
      { http: { method: "GET", path: "/api/notes" } },
      "internal run_scoped platform",
    ],
    ["what goes out", { capability: { kind: "net", url: "/url" } }, "internal run_scoped net"],
  ])("%s", (_, spec, classes) => {
    const route = routeOf(toolWith(spec).contract);
    expect(`${route?.privacy} ${route?.retention} ${route?.destination}`).toBe(classes);
  });

  test("a live trade is the account's own, and kept for good", () => {
    const { privacy, retention } = routeOf(placeOrder.contract) ?? {};
    expect([privacy, retention]).toStrictEqual(["private", "durable"]);
  });
});

// proves PORT-3.2, PORT-3.7, PORT-3.9, PORT-3.10, PORT-5.15
describe("a route cannot say another effect than its contract", () => {
  const built = packageWith();
  const index = built.toolRoutes.findIndex(({ canonicalToolName }) => canonicalToolName === "notes.write");
  const withRoute = (changes: object) => ({
    ...built,
    toolRoutes: built.toolRoutes.map((route, at) => (at === index ? { ...route, ...changes } : route)),
  });

  test.each(sideEffects.filter((effect) => effect !== "user_write"))("not even %s", (effectClass) => {
    const error = refusalOf(() => parseRuntimePackage(withRoute({ effectClass })));
    expect(error.code).toBe("contract_violation");
    expect(error.message).toBe(
      "invalid runtime package: the route of notes.write has another effectClass than its contract and package give; " +
        "routes are derived, not written",
    );
    expect(error.details).toStrictEqual({
      path: `/toolRoutes/${index}/effectClass`,
      tool: "notes.write",
      reason: "route_mismatch",
    });
  });

  test.each([
    ["riskClass", "none"],
    ["privacy", "public"],
    ["retention", "ephemeral"],
    ["destination", "net"],
    ["namespace", "letters"],
    ["source", "pack:letters"],
    ["canonicalToolName", "notes.scribble"],
    ["executorRef", `notes@sha256:${"0".repeat(64)}`],
    ["policyRefs", [`sha256:${"0".repeat(64)}`]],
    ["sidecarRefs", []],
  ])("nor another %s", (field, other) => {
    const error = refusalOf(() => parseRuntimePackage(withRoute({ [field]: other })));
    expect([error.code, error.details?.reason, error.details?.path]).toStrictEqual([
      "contract_violation",
      "route_mismatch",
      `/toolRoutes/${index}/${field}`,
    ]);
  });

  // proves PORT-3.10
  test("and there is no field that is not compared", () => {
    const compared = ["riskClass", "privacy", "retention", "destination", "namespace", "source"];
    const refs = [
      "canonicalToolName",
      "executorRef",
      "policyRefs",
      "sidecarRefs",
      "effectClass",
      "capabilityId",
    ];
    expect(Object.keys(built.toolRoutes[index] ?? {}).toSorted()).toStrictEqual(
      [...compared, ...refs].toSorted(),
    );
  });

  // proves PORT-5.8, PORT-13.1
  test("an executor's ref follows the contract: a changed contract is another executor", () => {
    const changed = toolWith({ name: "notes.write", description: "Another.", sideEffect: "user_write" });
    const others = allTools.filter((tool) => tool !== writeNote);
    const next = packageWith({ packs: registerPacks([...others, changed]) });
    expect(next.toolRoutes[index]?.executorRef).toBe(`notes@${changed.contract.digest}`);
    expect(next.fingerprint).not.toBe(built.fingerprint);
  });
});
