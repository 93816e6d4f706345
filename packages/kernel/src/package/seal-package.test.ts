// A package that was kept: whatever was changed in it since is found, with its own words.
import { type ErrorCode, isJsonObject, type JsonValue, type RuntimePackage } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../contracts/test-data/refusal-of.ts";
import { packageWith, shareNote, showKey, writeNote } from "../../test-data/package-samples.ts";
import { contentOf, fingerprintPackage } from "./fingerprint-package.ts";
import { parseRuntimePackage } from "./seal-package.ts";

const built = packageWith();
const [firstRoute, ...otherRoutes] = built.toolRoutes;
const { contract } = writeNote;

/** The package with other parts, under the fingerprint that these have: nothing but the checks can refuse it. */
function forged(changes: Partial<Record<keyof RuntimePackage, unknown>>): unknown {
  const next = { ...built, ...changes } as RuntimePackage;
  return { ...next, fingerprint: fingerprintPackage(contentOf(next)) };
}

const capabilities = (name: string, changes: object) =>
  built.capabilities.map((one) => (one.capabilityId === `tool.${name}` ? { ...one, ...changes } : one));
const without = (name: string) => built.toolRoutes.filter((route) => route.canonicalToolName !== name);
const routeOf = (name: string) => built.toolRoutes.find((route) => route.canonicalToolName === name);
const shareRoute = { ...routeOf("notes.write"), capabilityId: "tool.notes.share" };

type Refusal = [
  what: string,
  changes: Partial<Record<keyof RuntimePackage, unknown>>,
  code: ErrorCode,
  reason: string,
  message: string,
];

const refusals: Refusal[] = [
  [
    "a capability twice",
    { capabilities: [...built.capabilities, ...built.capabilities.slice(0, 1)] },
    "contract_violation",
    "duplicate_name",
    "tool.keys.show is there twice; a canonical name stands for one tool",
  ],
  [
    "a route twice",
    { toolRoutes: [...built.toolRoutes, firstRoute] },
    "contract_violation",
    "duplicate_name",
    "two routes have the canonicalToolName keys.show; each route has its own",
  ],
  [
    "an executor twice",
    { toolRoutes: [firstRoute, { ...otherRoutes[0], executorRef: firstRoute?.executorRef }] },
    "contract_violation",
    "duplicate_executor",
    `two routes have the executorRef ${firstRoute?.executorRef}; each route has its own`,
  ],
  [
    "a route without an executor",
    { toolRoutes: [{ ...firstRoute, executorRef: "" }, ...otherRoutes] },
    "missing_field",
    "missing",
    "/toolRoutes/0/executorRef is missing or empty; a route names its executor",
  ],
  [
    "a route without policies",
    { toolRoutes: [{ ...firstRoute, policyRefs: [] }, ...otherRoutes] },
    "missing_field",
    "missing",
    "/toolRoutes/0/policyRefs is missing or empty; a route names the policies that govern it",
  ],
  [
    "a tool that is shown and has no executor",
    { toolRoutes: without("notes.write") },
    "invalid_package",
    "projected_without_executor",
    "notes.write is shown to a model and has no executor; add its route",
  ],
  [
    "a tool that has no executor",
    { toolRoutes: without("keys.show") },
    "invalid_package",
    "no_route",
    "keys.show is active and has no executor; add its route",
  ],
  [
    "a route of a tool that the package has not",
    { capabilities: built.capabilities.slice(1) },
    "host_configuration_needed",
    "not_executable",
    "the route of keys.show cannot be executed: the package has no tool.keys.show; add the tool or drop the route",
  ],
  [
    "a route to what is reserved",
    { toolRoutes: [...without("notes.write"), shareRoute] },
    "invalid_package",
    "reserved",
    "tool.notes.share is reserved for the notes team and has no route; activate it with a delta",
  ],
  [
    "a contract under another's id",
    { capabilities: capabilities("notes.write", { contract: shareNote.contract }) },
    "contract_violation",
    "id_mismatch",
    "tool.notes.write holds the contract of notes.share; its id is tool.notes.share",
  ],
  [
    "a tool that is not active",
    { capabilities: capabilities("notes.write", { contract: { ...contract, status: "deprecated" } }) },
    "invalid_package",
    "not_active",
    "notes.write is deprecated and cannot be run; leave it out",
  ],
  [
    "a contract that breaks its promises",
    {
      capabilities: capabilities("keys.show", {
        contract: { ...showKey.contract, agent: { ...showKey.contract.agent, callable: true } },
      }),
    },
    "invalid_package",
    "secret_callable",
    "keys.show: a tool of class secret is never agent.callable",
  ],
];

// proves PORT-3.3, PORT-3.4, PORT-3.5, PORT-3.6, PORT-3.11, PORT-3.13, PORT-6.1, PORT-6.2, PORT-6.5
describe("refused when it is read back, though its fingerprint fits, is", () => {
  test.each(refusals)("%s", (_, changes, code, reason, message) => {
    const error = refusalOf(() => parseRuntimePackage(forged(changes)));
    expect([error.code, error.details?.reason]).toStrictEqual([code, reason]);
    expect(error.message).toContain(message);
  });

  test("a contract that is not the one of its digest", () => {
    const changed = { contract: { ...contract, description: "Writes whatever it likes." } };
    const error = refusalOf(() =>
      parseRuntimePackage(forged({ capabilities: capabilities("notes.write", changed) })),
    );
    expect([error.code, error.details?.reason]).toStrictEqual(["invalid_package", "digest_mismatch"]);
    expect(error.message).toBe(
      "invalid runtime package: the digest of notes.write is not that of its contract",
    );
  });
});

// proves PORT-3.7, PORT-3.9, PORT-3.12, PORT-3.13, PORT-6.1, PORT-6.2, PORT-6.3, PORT-6.5
test("of several faults of its routes the first is told: what is missing, who stands twice, what cannot run, the executor, the policies", () => {
  const another = `sha256:${"0".repeat(64)}`;
  const route = { ...routeOf("notes.write"), executorRef: `notes@${another}`, policyRefs: [another] };
  const stranger = { ...route, capabilityId: "tool.notes.burn", canonicalToolName: "notes.burn" };
  const twin = { ...stranger, executorRef: `notes@sha256:${"1".repeat(64)}` };
  const others = without("notes.write");
  const told = [
    [...others, { ...twin, executorRef: "", policyRefs: [] }, stranger],
    [...others, { ...twin, policyRefs: [] }, stranger],
    [...others, twin, stranger],
    [...others, stranger],
    [...others, route],
    [...others, { ...routeOf("notes.write"), policyRefs: [another] }],
  ].map((toolRoutes) => refusalOf(() => parseRuntimePackage(forged({ toolRoutes }))).details);
  const at = `/toolRoutes/${others.length}`;
  expect(told.map((details) => `${details?.reason} ${details?.path}`)).toStrictEqual([
    `missing ${at}/executorRef`,
    `missing ${at}/policyRefs`,
    `duplicate_name /toolRoutes/${others.length + 1}/canonicalToolName`,
    `not_executable ${at}`,
    `route_mismatch ${at}/executorRef`,
    `route_mismatch ${at}/policyRefs`,
  ]);
});

describe("a fingerprint", () => {
  // proves CHILD-1.3, CHILD-11.4, CHILD-13.5
  test("of another package is refused", () => {
    const error = refusalOf(() => parseRuntimePackage({ ...built, agentId: "agent_2" }));
    expect([error.code, error.details?.reason]).toStrictEqual(["contract_violation", "fingerprint_mismatch"]);
  });

  test.each([undefined, "", null, `sha256:${"0".repeat(64)}`])(
    "that is none (%s) is refused",
    (fingerprint) => {
      expect(refusalOf(() => parseRuntimePackage({ ...built, fingerprint })).code).toBe("contract_violation");
    },
  );

  test("shows every change: no leaf of a package can be another and the package the same", () => {
    const copy = JSON.parse(JSON.stringify(built)) as JsonValue;
    const leaves = leavesOf(JSON.parse(JSON.stringify(contentOf(built))) as JsonValue);
    const codes = leaves.map((way) => refusalOf(() => parseRuntimePackage(changedAt(copy, way))).code);
    expect(leaves.length).toBeGreaterThan(200);
    expect(new Set(codes)).toStrictEqual(
      new Set(["contract_violation", "invalid_package", "host_configuration_needed"]),
    );
  });
});

function leavesOf(value: JsonValue, way: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [way];
  return Object.entries(value).flatMap(([key, member]: [string, JsonValue]) =>
    leavesOf(member, [...way, key]),
  );
}

/** The same with another value at the end of the way. */
function changedAt(value: JsonValue | undefined, [key, ...rest]: readonly string[]): JsonValue {
  if (key === undefined) return otherThan(value);
  const copy: Record<string, JsonValue> = { ...(value as Record<string, JsonValue>) };
  copy[key] = changedAt(copy[key], rest);
  return isJsonObject(value) ? copy : Object.values(copy);
}

function otherThan(value: JsonValue | undefined): JsonValue {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  return typeof value === "string" ? `${value}x` : "x";
}
