// B15: a policy that throws has denied, whatever it throws, in a record that is one; and B24: the call it was asked about ends.
import { errorFor, heldSecrets } from "@spfunctions/contracts";
import { afterAll, describe, expect, test } from "vitest";
import { codeOf, type DeskOptions, keptText, openDesk, traceOf } from "../../test-data/call-desk.ts";
import { brokenPromises } from "../../test-data/call-events.ts";
import { settlement, unhandledDuring } from "../../test-data/call-waiting.ts";
import { openRunDesk, saying, write } from "../../test-data/run-desk.ts";
import { readTrace } from "../trace/read-trace.ts";
import type { PolicyView } from "./ask-policy.ts";

const secret = "a secret that this process holds";
heldSecrets.add(secret, "held");
afterAll(() => heldSecrets.remove(secret));

/** What a host's policy may throw. */
const thrown: readonly (readonly [string, () => unknown])[] = [
  ["an error", () => new Error("out of order")],
  ["undefined", () => undefined],
  ["our own error", () => errorFor("internal", "out of order")],
  ["our own error that is no whole text", () => errorFor("internal", "out of order \ud800")],
  ["our own error with very many words", () => errorFor("internal", "x".repeat(1_000_000))],
  ["our own error, changed afterwards", () => Object.assign(errorFor("internal", "x"), { message: secret })],
  ["a forgery of our error without words", () => forged({ code: "internal", message: 7 })],
  ["a forgery of our error that cannot be read", () => forged({}, "message")],
  ["a forgery of our error with a secret", () => forged({ message: `not with ${secret}` })],
  ["a proxy that refuses to be asked", () => new Proxy({}, { get: refuse, getPrototypeOf: refuse })],
  [
    "an error whose class cannot be read",
    () => Object.defineProperty(new Error("x"), "constructor", { get: refuse }),
  ],
];

/** What it may answer instead of an answer. */
const answered: readonly (readonly [string, () => unknown])[] = [
  ["a reason that is no whole text", () => ({ outcome: "deny", reason: "no \ud800" })],
  [
    "a reason cut in the middle of a character",
    () => ({ outcome: "ask", reason: `${"x".repeat(499)}\u{1f600}` }),
  ],
  [
    "an outcome that cannot be read",
    () => Object.defineProperty({}, "outcome", { get: refuse, enumerable: true }),
  ],
  ["an outcome that is another the second time", () => twoFaced()],
];

const moments: readonly (readonly [string, (policy: () => never) => DeskOptions])[] = [
  ["before", (policy) => ({ evaluatePreTool: policy })],
  ["after", (policy) => ({ evaluatePostTool: policy })],
];

test.each([
  [() => raise(new TypeError(`not with ${secret}`)), "the host's policy failed (TypeError)"],
  [() => true, 'it is { outcome, reason? }, of which outcome is "allow", "deny" or "ask"'],
])("of a policy that gives no answer it is told what it did (%o)", async (policy, words) => {
  const outcome = await openDesk({ evaluatePreTool: policy as () => never }).call({ tool: "notes.write" });
  expect(outcome).toMatchObject({ error: { message: expect.stringContaining(words) } });
  expect(JSON.stringify(outcome)).not.toContain(secret);
});

// proves PORT-18.4
describe.each(moments)("a policy that is asked %s", (when, options) => {
  const policies = [
    ...thrown.map(([name, make]) => [`throws ${name}`, () => raise(make())] as const),
    ...answered.map(([name, make]) => [`answers ${name}`, make] as const),
  ];
  test.each(policies)("and %s has not allowed", async (_, policy) => {
    const desk = openDesk(options(policy as () => never));
    const unhandled = await unhandledDuring(async () => {
      const told = await settlement(desk.call({ tool: "notes.write" }));
      expect(told.state).toBe("kept");
      expect((told as { value: object }).value).toHaveProperty("error.code");
    });
    expect(unhandled).toStrictEqual([]);
    expect(desk.deck.runs).toHaveLength(when === "before" ? 0 : 1);
    expect(brokenPromises(desk.events)).toStrictEqual([]);
    await desk.seat.close();
    const trace = await traceOf(desk.seat);
    expect((await readTrace(trace)).verification.status).toBe("ok");
    expect([trace.length < 50_000, (await keptText(desk.store.inner)).includes(secret)]).toStrictEqual([
      true,
      false,
    ]);
  });
});

// proves PORT-5.18
describe("a policy is shown the call and the route that it takes, before and after:", () => {
  const told: unknown[] = [];
  const allow = ({ callId, tool, origin, route }: PolicyView) => {
    told.push({ callId: typeof callId, tool, origin, route });
    return { outcome: "allow" } as const;
  };
  const policies = { evaluatePreTool: allow, evaluatePostTool: allow };

  // proves PORT-5.23, PORT-18.1, PORT-18.2, PORT-20.7, PORT-20.9, PORT-20.10
  test("in a seat, the one that a package would have", async () => {
    told.length = 0;
    const desk = openDesk({
      ...policies,
      levels: [{ level: "agent", policy: { maxSideEffect: "user_write" } }],
    });
    await desk.call({ tool: "notes.write" });
    const contract = desk.deck.tools.find((tool) => tool.contract.name === "notes.write")?.contract;
    const seen = {
      callId: "string",
      tool: "notes.write",
      origin: "direct",
      route: {
        capabilityId: "tool.notes.write",
        canonicalToolName: "notes.write",
        namespace: "notes",
        source: "pack:notes",
        destination: "process",
        executorRef: `notes@${contract?.digest}`,
        policyRefs: [desk.seat.policyDigest],
        sidecarRefs: [],
        effectClass: "user_write",
        riskClass: "state_mutation",
        privacy: "internal",
        retention: "durable",
      },
    };
    expect(told).toStrictEqual([seen, seen]);
  });

  test.each([
    ["deny", "policy_denied"],
    ["ask", "approval_required"],
  ] as const)("so that it can decide by a risk: %s gives %s", async (outcome, code) => {
    const evaluatePreTool = ({ route }: PolicyView) =>
      ({ outcome: route?.riskClass === "state_mutation" ? outcome : "allow" }) as const;
    const desk = openDesk({ evaluatePreTool });
    expect(codeOf(await desk.call({ tool: "notes.write" }))).toBe(code);
    expect(codeOf(await desk.call({ tool: "notes.read" }))).toBe("completed");
    expect(desk.deck.runs.map(({ tool }) => tool)).toStrictEqual(["notes.read"]);
  });

  // proves PORT-5.23, PORT-18.1
  test("in a run, the one that its package has", async () => {
    told.length = 0;
    const desk = openRunDesk({ ...policies, script: saying([write("a")], "done") });
    await (await desk.start()).wait();
    const route = desk.runs.package.toolRoutes.find((one) => one.canonicalToolName === "notes.write");
    const seen = { callId: "string", tool: "notes.write", origin: "model", route };
    expect(told).toStrictEqual([seen, seen]);
    expect(route).toBeDefined();
  });
});

// proves PORT-18.12
test("a policy's reason is told to whoever called, and no more of it than is kept", async () => {
  const desk = openDesk({ evaluatePreTool: () => ({ outcome: "deny", reason: "not on Sundays" }) });
  const outcome = await desk.call({ tool: "notes.write" });
  expect(codeOf(outcome)).toBe("policy_denied");
  expect(outcome.type === "refused" && outcome.error.message).toContain("not on Sundays");
});

function twoFaced(): object {
  let asked = 0;
  return Object.defineProperty({}, "outcome", {
    enumerable: true,
    get: () => (asked++ === 0 ? "deny" : "allow"),
  });
}

function forged(own: object, unreadable?: string): Error {
  const error = Object.assign(new Error("forged"), own);
  if (unreadable !== undefined) Object.defineProperty(error, unreadable, { get: refuse });
  return Object.defineProperty(error, Symbol.for("@spfunctions/error"), { value: true });
}

function refuse(): never {
  return raise(new Error("no"));
}

function raise(error: unknown): never {
  throw error;
}
