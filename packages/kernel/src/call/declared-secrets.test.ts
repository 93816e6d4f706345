// S1: what a contract declares secret, and what stands under a password's name, is kept nowhere: also not where the tool that got it
// says it again.
import { canonicalJson, RecoveryNeededError, UpstreamError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { Deck } from "../../test-data/call-deck.ts";
import { callApproved } from "../../test-data/call-approvals.ts";
import { codeOf, type Desk, keptText, openDesk, storedIn, traceOf } from "../../test-data/call-desk.ts";
import { turn, until } from "../../test-data/call-waiting.ts";
import type { CallOutcome } from "./call-host.ts";
import type { ToolContext } from "./executors.ts";
import { effectKind } from "../store/kernel-kinds.ts";

/** Nothing about them looks like a secret but where they stand. */
const declared = "berta und karl";
const named = "rosen am zaun";
const number = 90210417;
const input = {
  type: "object",
  properties: { note: { type: "string" }, password: { type: "string" }, pin: { "x-sf-secret": true } },
};
const deck = new Deck(undefined, [
  { name: "bank.login", sideEffect: "user_write", input },
  {
    name: "bank.strict",
    sideEffect: "user_write",
    input,
    output: { type: "object", properties: { ok: true }, additionalProperties: false },
  },
]);

type Given = { readonly password: string; readonly pin: string | number };
type Echo = (given: Given, context: ToolContext) => unknown;

function deskOf(echo: Echo): Desk {
  deck.runs.length = 0;
  deck.deed = (given, context) => echo(given as Given, context);
  return openDesk({ deck });
}

/** Where any of the secrets is kept or was shown. The caller's own answer is live, and no such place. */
async function placesOf(desk: Desk, outcome: CallOutcome): Promise<string[]> {
  const { error, receipt } = outcome.type === "completed" ? { ...outcome.result, error: undefined } : outcome;
  const effects = { kind: effectKind, accountId: "acct_1", status: "unknown", after: "", limit: 9 };
  const places: Readonly<Record<string, string>> = {
    journal: await keptText(desk.store.inner),
    events: JSON.stringify(desk.events),
    receipt: JSON.stringify(receipt),
    trace: await traceOf(desk.seat),
    effects: JSON.stringify(await desk.store.inner.documents(effects)),
    error: error === undefined ? "" : `${error.message} ${String(error.stack)} ${JSON.stringify(error)}`,
    cause: error?.cause instanceof Error ? `${error.cause.message} ${String(error.cause.stack)}` : "",
  };
  const secrets = [declared, named, String(number), btoa(declared), encodeURIComponent(named)];
  return Object.entries(places).flatMap(([place, text]) =>
    secrets.filter((secret) => text.includes(secret)).map((secret) => `${place}: ${secret}`),
  );
}

const given = { password: named, pin: declared };
const request = { tool: "bank.login", input: given };

const echoes: readonly (readonly [string, Echo])[] = [
  ["its output", ({ pin, password }) => ({ said: `you said ${pin} and ${password}` })],
  ["an output that is nothing else", ({ pin }) => pin],
  ["a list", ({ pin, password }) => [[pin], { deep: [password] }]],
  ["a key of its output", ({ pin, password }) => ({ [pin]: 1, [`for ${password}`]: 2 })],
  ["a URL", ({ password }) => `https://bank.example/?q=${encodeURIComponent(password)}`],
  ["base64", ({ pin }) => ({ blob: btoa(String(pin)) })],
  ["JSON in a text", ({ pin, password }) => JSON.stringify({ pin, password })],
  ["what it throws", ({ pin, password }) => fail(new Error(`refused ${pin} / ${password}`))],
  ["a text that it throws", ({ pin }) => fail(`refused ${pin}`)],
  ["an object that it throws", ({ pin }) => fail({ message: pin, body: [pin] })],
  ["a cause", ({ pin }) => fail(new Error("refused", { cause: new Error(`it was ${pin}`) }))],
  ["a property of an error", ({ pin }) => fail(Object.assign(new Error("refused"), { body: { pin } }))],
  ["an error of ours", ({ pin }) => fail(new UpstreamError(`refused ${pin}`))],
  ["details of ours", ({ pin }) => fail(new UpstreamError("refused", { details: { body: pin } }))],
  ["a cause of ours", ({ pin }) => fail(new UpstreamError("refused", { cause: new Error(`${pin}`) }))],
  ["why it does not know", ({ pin }) => fail(new RecoveryNeededError(`the bank hung up on ${pin}`))],
  ["an operation's name", ({ pin }, { external }) => external({ operationId: `login-${pin}` })],
  ["where to ask later", ({ password }, { external }) => external({ reconciliationRef: `/q?${password}` })],
  [
    "the name of an operation of which nothing is known",
    ({ pin, password }, { external }) => {
      external({ operationId: `login-${pin}`, reconciliationRef: `/q?${password}` });
      return fail(new RecoveryNeededError("the bank hung up"));
    },
  ],
  ["what it says on the way", ({ pin, password }, { progress }) => progress(`trying ${pin}, ${password}`)],
];

describe.each([
  ["at once", (echo: Echo): Echo => echo],
  [
    "later",
    (echo: Echo): Echo =>
      async (one, context) =>
        [await turn(), echo(one, context)][1],
  ],
])("a secret that a tool says again %s is kept nowhere and shown to nobody in", (_when, when) => {
  test.each(echoes)("%s", async (_, echo) => {
    const desk = deskOf(when(echo));
    const outcome = await callApproved(desk, request);
    expect(await placesOf(desk, outcome)).toStrictEqual([]);
    await desk.seat.close();
    expect((await desk.seat.verify()).status).toBe("ok");
  });
});

describe("a secret is kept nowhere and shown to nobody where a tool says it again in an output that", () => {
  test.each<[string, string, Echo]>([
    ["does not fit its contract", "bank.strict", ({ pin }) => ({ ok: pin, more: 1 })],
    ["has a key that its contract does not know", "bank.strict", ({ pin }) => ({ [pin]: 1 })],
    ["is no JSON", "bank.login", ({ password }) => ({ [password]: Number.NaN })],
    ["is no JSON further down", "bank.login", ({ password }) => ({ list: [{ [password]: () => {} }] })],
  ])("%s", async (_, tool, echo) => {
    const desk = deskOf(echo);
    const outcome = await callApproved(desk, { ...request, tool });
    expect(codeOf(outcome)).toBe("invalid_output");
    expect(await placesOf(desk, outcome)).toStrictEqual([]);
  });
});

describe("a secret that is a number is hidden as a number and as its digits in", () => {
  test.each<[string, Echo]>([
    ["its output", ({ pin }) => ({ pin, list: [pin], text: `pin ${pin}`, key: { [pin]: 1 } })],
    ["an output that is nothing else", ({ pin }) => pin],
    ["what it throws", ({ pin }) => fail(new Error(`refused ${pin}`))],
    ["a property of an error", ({ pin }) => fail(Object.assign(new Error("refused"), { body: { pin } }))],
    ["an operation's name", ({ pin }, { external }) => external({ operationId: `login-${pin}` })],
    ["what it says on the way", ({ pin }, { progress }) => progress(`trying ${pin}`)],
  ])("%s", async (_, echo) => {
    const desk = deskOf(echo);
    const outcome = await callApproved(desk, { ...request, input: { pin: number } });
    expect(await placesOf(desk, outcome)).toStrictEqual([]);
  });

  test("digits that came as a text, given back as a number", async () => {
    const desk = deskOf(({ pin }) => ({ pin: Number(pin) }));
    const outcome = await callApproved(desk, { ...request, input: { pin: String(number) } });
    expect(await placesOf(desk, outcome)).toStrictEqual([]);
  });
});

describe("a secret is kept nowhere where it comes back after its call was over, in", () => {
  test.each<[string, (pin: unknown) => unknown, string]>([
    ["an output", (pin) => ({ said: pin, text: `it was ${String(pin)}` }), "completed"],
    ["an error", (pin) => fail(new Error(`refused ${String(pin)}`)), "failed"],
    ["an output that is no JSON", (pin) => ({ [String(pin)]: Number.NaN }), "completed"],
  ])("%s", async (_, act, status) => {
    const over = Promise.withResolvers<void>();
    const desk = deskOf(async ({ pin }) => {
      await over.promise;
      return act(pin);
    });
    const call = callApproved(desk, request);
    await until(() => deck.runs.length === 1);
    desk.clock.advance(60_000);
    const outcome = await call;
    const written = desk.store.units.length;
    over.resolve();
    await until(() => desk.store.units.length > written, "the note");
    const late = (await desk.records()).find(({ kind }) => kind === "call.late");
    expect(late).toMatchObject({ status });
    expect(await placesOf(desk, outcome)).toStrictEqual([]);
  });
});

describe("whoever called gets", () => {
  test("the output as the tool gave it, and told where the record differs", async () => {
    const desk = deskOf(({ pin }) => ({ "a/b": { said: pin }, fine: 7 }));
    const outcome = await callApproved(desk, request);
    expect(outcome).toMatchObject({
      result: { output: { "a/b": { said: declared }, fine: 7 }, redacted: ["/a~1b/said"] },
    });
  });

  test("the recorded form when they come again with the same key", async () => {
    const desk = deskOf(({ pin }) => ({ said: pin }));
    await callApproved(desk, { ...request, idempotencyKey: "k" });
    const again = await callApproved(desk, { ...request, idempotencyKey: "k" });
    expect(again).toMatchObject({ result: { output: { said: expect.stringMatching(/^\[redacted:/) } } });
    expect(await placesOf(desk, again)).toStrictEqual([]);
  });
});

describe("where nothing was hidden in the input, an ordinary output is kept as it is:", () => {
  const outputs: readonly unknown[] = [
    { said: `you said ${declared}`, n: number, list: [named, { pin: number }] },
    `${number}`,
    number,
    [1, 2.5, true, null, "", { "": {} }],
  ];
  test.each(outputs.map((output) => [canonicalJson(output), output]))("%s", async (text, output) => {
    const desk = deskOf(() => output);
    const outcome = await callApproved(desk, { ...request, input: { note: "nothing to hide" } });
    expect(outcome).toMatchObject({ result: { output, redacted: [] } });
    const rows = (await storedIn(desk.store.inner)).at(-1)?.content;
    expect(rows).toMatchObject([{ text }]);
  });
});

function fail(thrown: unknown): never {
  throw thrown;
}
