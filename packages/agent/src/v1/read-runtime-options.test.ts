// What could not work or would be misread is refused before anything is asked of anybody.
import { memoryTrace, type ModelAdapter } from "@spfunctions/kernel";
import { connectEmbedded } from "@spfunctions/sdk";
import { describe, expect, onTestFinished, test } from "vitest";
import { refusalOf, rejectionOf } from "../../../contracts/test-data/refusal-of.ts";
import { Deck } from "../../../kernel/test-data/call-deck.ts";
import { principalOf } from "../../../kernel/test-data/call-desk.ts";
import { saying, ScriptedModel, write } from "../../../kernel/test-data/run-desk.ts";
import { bounds, runtimeDesk, writing } from "../../test-data/runtime-desk.ts";
import { SimpleFunctionsRuntime, type SimpleFunctionsRuntimeOptions } from "./index.ts";

const deck = new Deck();
const model = new ScriptedModel(saying());
const sound = { packs: [deck.tools], principal: principalOf(), policy: bounds, model } as const;
const replaying = { ...sound, mode: "replayOnly", replay: ["x"] } as const;

/** How a runtime of these options is refused. */
function refused(options: object): { code: string; message: string; details: unknown } {
  const { code, message, details } = refusalOf(
    () => new SimpleFunctionsRuntime(options as unknown as SimpleFunctionsRuntimeOptions),
  );
  return { code, message, details };
}

// proves RUN-5.2, RUN-5.3, RUN-5.6, RUN-8.1, RUN-9.3, RUN-9.6, RUN-9.7, RUN-14.7
describe("a runtime is refused with what was wrong and what to do:", () => {
  test.each<[string, object, string, string, RegExp]>([
    [
      "an option nearly named",
      { ...sound, polcy: {} },
      "invalid_input",
      "unknown_option",
      /polcy; did you mean policy\?/,
    ],
    [
      "an option of nobody",
      { ...sound, zzzzzzz: 1 },
      "invalid_input",
      "unknown_option",
      /known are client, packs, model/,
    ],
    [
      "no tools",
      { ...sound, packs: undefined },
      "host_configuration_needed",
      "no_tools",
      /client, packs, or both/,
    ],
    [
      "nobody who starts",
      { ...sound, principal: undefined },
      "host_configuration_needed",
      "no_principal",
      /principal: \{/,
    ],
    [
      "no policy",
      { ...sound, policy: undefined },
      "host_configuration_needed",
      "no_policy",
      /needs a policy/,
    ],
    ["no model", { ...sound, model: undefined }, "host_configuration_needed", "no_model", /needs a model/],
    [
      "what is no model",
      { ...sound, model: { name: "x" } },
      "host_configuration_needed",
      "no_model",
      /needs a model/,
    ],
    ["a mode of nobody", { ...sound, mode: "dryRun" }, "invalid_input", "bad_option", /live, replayOnly/],
    [
      "a selection of nobody",
      { ...sound, tools: { mode: "all" } },
      "invalid_input",
      "bad_option",
      /explicit, manifest-search, preload-only/,
    ],
    [
      "a member of a selection nearly named",
      { ...sound, tools: { mode: "explicit", preloads: [] } },
      "invalid_input",
      "unknown_option",
      /did you mean preload\?/,
    ],
    [
      "a preload that is no list",
      { ...sound, tools: { mode: "preload-only", preload: "a.b" } },
      "invalid_input",
      "bad_option",
      /list of canonical names/,
    ],
    [
      "a count that is none",
      { ...sound, tools: { mode: "manifest-search", maxCandidateTools: -1 } },
      "invalid_input",
      "bad_option",
      /whole number/,
    ],
    [
      "half a count",
      { ...sound, tools: { mode: "manifest-search", maxCandidateTools: 1.5 } },
      "invalid_input",
      "bad_option",
      /whole number/,
    ],
    [
      "a hook nearly named",
      { ...sound, hooks: { beforeToolCal: () => undefined } },
      "host_configuration_needed",
      "no_hook",
      /did you mean beforeToolCall\?/,
    ],
    [
      "two ways to keep a trace",
      { ...sound, trace: memoryTrace(), traces: () => memoryTrace() },
      "invalid_input",
      "bad_option",
      /trace, or traces/,
    ],
    [
      "a replay without traces",
      { ...replaying, replay: undefined },
      "host_configuration_needed",
      "missing_option",
      /something to replay/,
    ],
    [
      "a replay of nothing",
      { ...replaying, replay: [] },
      "host_configuration_needed",
      "missing_option",
      /something to replay/,
    ],
    [
      "a replay of what is no trace",
      { ...replaying, replay: [42] },
      "host_configuration_needed",
      "missing_option",
      /something to replay/,
    ],
    [
      "a replay with a model that reaches outside",
      { ...replaying, model: online() },
      "host_configuration_needed",
      "not_offline",
      /online would be asked over the network/,
    ],
    [
      "a replay with no model",
      { ...replaying, model: undefined },
      "host_configuration_needed",
      "no_model",
      /modelReplay: true, or one that is offline/,
    ],
    [
      "traces to replay, and live",
      { ...sound, replay: ["x"] },
      "invalid_input",
      "bad_option",
      /for mode replayOnly; say so/,
    ],
    [
      "a model to replay, and live",
      { ...sound, modelReplay: true },
      "invalid_input",
      "bad_option",
      /for mode replayOnly; say so/,
    ],
  ])("%s", (_what, options, code, reason, words) => {
    expect(refused(options)).toMatchObject({ code, details: { reason } });
    expect(refused(options).message).toMatch(words);
  });

  test("no options at all", () => {
    expect(refused(undefined as never)).toMatchObject({ code: "invalid_input" });
  });

  // proves KEY-6.18
  // proves RUN-5.4
  test("B26: a policy without bounds, by each bound that is missing", () => {
    const { budget, session } = bounds;
    expect(refused({ ...sound, policy: {} }).message).toContain(
      "needs budget.maxSteps, budget.maxToolCalls, session,",
    );
    expect(refused({ ...sound, policy: { budget: { maxSteps: 1 }, session } }).message).toContain(
      "needs budget.maxToolCalls,",
    );
    expect(refused({ ...sound, policy: { budget } })).toMatchObject({
      code: "host_configuration_needed",
      details: { reason: "no_bounds" },
    });
    expect(refused({ ...sound, policy: { ...bounds, maxSideEfect: "none" } }).message).toMatch(
      /maxSideEffect/,
    );
  });
});

test("names that no tool has are refused with the first run, and the next one tries again", async () => {
  for (const preload of ["notes_read", "notes.rea", "world.read"]) {
    const { runtime, model: asked } = runtimeDesk({ tools: { mode: "manifest-search", preload: [preload] } });
    const refusal = await rejectionOf(runtime.run({ objective: "look" }));
    expect(refusal).toMatchObject({ code: "unknown_tool" });
    expect(refusal.message).toContain(`preload: there is no tool ${preload}`);
    expect(asked.asked).toStrictEqual([]);
  }
});

// proves RUN-4.5, RUN-5.6, RUN-9.1, RUN-9.4, RUN-9.7, RUN-9.11
test.each([
  [undefined, 8],
  [{ mode: "manifest-search" }, 8],
  [{ mode: "manifest-search", maxCandidateTools: 3 }, 3],
  [{ mode: "manifest-search", preload: ["notes.read"], maxCandidateTools: 2 }, 3],
] as const)("of many tools that fit, a selection of %j shows the model %i", async (tools, count) => {
  const many = Array.from({ length: 20 }, (_, index) => ({ name: `birds.b${index}`, title: "Count birds" }));
  const desk = runtimeDesk({ deck: new Deck(undefined, many), ...(tools && { tools }) });
  await desk.runtime.run({ objective: "count birds" });
  const shown = desk.model.asked[0]?.tools.map(({ name }) => name) ?? [];
  expect(shown).toContain("tools.search");
  expect(shown).toHaveLength(count + 1);
});

// proves RUN-9.8
test("with explicit selection a run without tools is refused, and says how to give them", async () => {
  const { runtime } = runtimeDesk({ tools: { mode: "explicit" } });
  expect((await rejectionOf(runtime.run({ objective: "look" }))).message).toContain(
    "tools: [canonical names]",
  );
});

test("a platform that cannot be reached is asked again with the next run", async () => {
  let isUp = false;
  const apiKey = `sf_live_${"a".repeat(32)}`;
  const answer = {
    ok: true,
    data: { schemaVersion: "0.3.0-draft", mode: "implemented", digest: "x", tools: [] },
  };
  const fetch = async () => {
    if (!isUp) throw new Error("down");
    return Response.json(answer, { status: 500 });
  };
  const client = connectEmbedded({ fetch }, { apiKey, retries: 0 });
  const runtime = new SimpleFunctionsRuntime({ client, policy: bounds, model });
  onTestFinished(() => runtime.close());
  const first = await rejectionOf(runtime.run({ objective: "look" }));
  isUp = true;
  const second = await rejectionOf(runtime.run({ objective: "look" }));
  expect(first.message).not.toBe(second.message);
});

test("G3: what becomes of the options afterwards changes nothing", async () => {
  const policy = structuredClone({ ...writing, denyTools: ["notes.put"] }) as {
    denyTools: string[];
    maxSideEffect: string;
  };
  const tools = { mode: "preload-only" as const, preload: ["notes.write"] };
  const desk = runtimeDesk({ policy: policy as never, tools, says: [[write("a")], "done"] });
  policy.denyTools.push("notes.write");
  policy.maxSideEffect = "none";
  tools.preload.push("notes.put");
  expect(await desk.runtime.run({ objective: "write" })).toMatchObject({ status: "completed" });
  expect(desk.deck.runs).toHaveLength(1);
  expect(desk.model.asked[0]?.tools.map(({ name }) => name)).toStrictEqual(["notes.write"]);
});

function online(): ModelAdapter {
  return { name: "online", complete: () => Promise.reject(new Error("asked")) };
}
