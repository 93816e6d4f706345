// G1: an option that would be misread is refused where it is given, and not at the first call.
import { describe, expect, test } from "vitest";
import { createMemoryStore, openInstallation, openOperator } from "@spfunctions/kernel";
import { govern, type GovernOptions, SimpleFunctionsAgent } from "./index.ts";
import { Spectator } from "./spectator/index.ts";
import { useFixture } from "./testing/index.ts";
import { SimpleFunctionsRuntime } from "./v1/index.ts";

const principal = { accountId: "acct_1", keyId: "key_1", scopes: ["read"], kind: "local" } as const;
const given = { packs: [], policy: {}, principal };
const open = (more: object) => () => govern({ ...given, ...more } as unknown as GovernOptions<[]>);

describe("what governs is not ignored where it is misspelt:", () => {
  test.each<[string, object, string]>([
    [
      "a policy of one's own",
      { evaluatePretool: () => ({ type: "deny" }) },
      "unknown option evaluatePretool; did you mean evaluatePreTool?",
    ],
    ["a limit", { limits: { callMS: 5 } }, "unknown limit callMS; did you mean callMs?"],
    ["limits in no object", { limits: 5 }, "each limit stands in an object"],
  ])("%s", (_, more, message) => {
    expect(open(more)).toThrow(message);
  });
});

const doors: readonly (readonly [string, (parts: object) => unknown])[] = [
  ["govern", (parts) => open(parts)()],
  ["a runtime", (parts) => new SimpleFunctionsRuntime({ ...given, ...parts })],
  ["an agent", (parts) => new SimpleFunctionsAgent({ mode: "inspectOnly", ...parts } as never)],
  ["a long-lived agent", (parts) => new Spectator({ ...given, ...parts })],
  ["an operator", (parts) => openOperator({ principal, store: createMemoryStore(), ...parts })],
];

describe.each(doors)("%s refuses", (_, make) => {
  const installation = openInstallation(new Uint8Array(32).fill(7));
  test.each<[string, object, string]>([
    ["a store that nobody waited for", { store: Promise.resolve() }, "store is a promise: await it"],
    ["a folder instead of a store", { store: "/data" }, "store is no store; give store: "],
    [
      "what an installation is loaded in",
      { installation: { installation, source: "env", created: false } },
      "installation is no installation; give installation: loadInstallation(",
    ],
  ])("%s", (_what, parts, message) => {
    expect(() => make(parts)).toThrow(message);
  });
});

describe("what is not given at all is said:", () => {
  test("to govern", () => {
    expect(() => govern(undefined as never)).toThrow("each option stands in an object: { packs, policy, ");
    expect(open({ replay: Promise.resolve() })).toThrow("replay is a promise: await it");
  });

  test.each(doors.filter(([name]) => name !== "an agent" && name !== "a runtime"))(
    "to %s, who it is for",
    (_, make) => {
      const none = { principal: undefined, model: { name: "m", offline: true, complete: never } };
      const parts = _ === "a long-lived agent" ? none : { principal: undefined };
      expect(() => make(parts)).toThrow("principal is missing: give { accountId, keyId, scopes, kind }");
    },
  );

  test("to govern, by which law", () => {
    expect(open({ policy: undefined })).toThrow("policy is missing; the least is {}");
  });

  test("to a fixture, whose test is not given", async () => {
    await expect(useFixture(given as never, undefined as never)).rejects.toThrow(
      "useFixture takes the context that vitest or node:test gives to a test",
    );
    await expect(useFixture(undefined as never, given)).rejects.toThrow("useFixture takes the context");
  });

  test("to a fixture, whose options are not given", async (t) => {
    await expect(useFixture(t, undefined as never)).rejects.toThrow("useFixture(t, { … })");
  });
});

test("what is resumed is named by the id of a run", async () => {
  const message = "a run's id is a text that begins with run_; ";
  const policy = {
    budget: { maxSteps: 1, maxToolCalls: 1 },
    session: { persist: false, ttlMs: 1000, maxHistoryTokens: 1000 },
  };
  const model = { name: "m", offline: true, complete: never };
  const runtime = new SimpleFunctionsRuntime({ ...given, policy, model });
  await expect(runtime.resume(undefined as never)).rejects.toThrow(message);
  await expect(runtime.cancel({ runId: "run_00000001" } as never)).rejects.toThrow(message);
  await expect(open({})().resume(undefined as never)).rejects.toThrow(message);
  await runtime.close();
});

function never(): never {
  throw new Error("nobody asks it");
}
