// `sf run` over the tools of a pack, with a model that follows a script.
import { runtimeEventSchema, runtimeRunResultSchema } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { runExamples } from "../../test-data/run-examples.ts";
import {
  adding,
  bounded,
  reading,
  runIdIn,
  running,
  saying,
  withPolicy,
  writing,
} from "../../test-data/run-scripts.ts";
import { Home, notesPack } from "../../test-data/run-sf.ts";

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly type: string });

describe("a run", () => {
  test("is told step by step, and its answer is alone on the standard output", async () => {
    const home = new Home();
    const { code, out, err } = await home.run(running(home, [reading, saying("there is\nmilk")]));
    expect({ code, out }).toStrictEqual({ code: 0, out: "there is\nmilk\n" });
    expect(err).toMatch(
      new RegExp(`^model   scripted; no network, no key, no cost
tools   4 of ${notesPack}
policy  none was given: it may read, and change nothing
bounds  as the policy does not say: budget.maxSteps is 20, budget.maxToolCalls is 40, session is \\S+
(run_\\S+) is under way
step 1
  │ I look.
so far 1 step, 10 tokens in, 5 tokens out
notes.read: allowed, and begun; side effect none, cost none
notes.read: completed in \\S+ ms
step 2
  │ there is
  │ milk
so far 2 steps, 1 call, 20 tokens in, 10 tokens out
\\1  completed; 2 steps, 1 call, 20 tokens in, 10 tokens out, \\S+ ms\n$`),
    );
  });

  test("without a policy changes nothing, and its model is told why", async () => {
    const home = new Home();
    const { code, err } = await home.run(running(home, [adding("milk"), saying("I could not")]));
    expect(code).toBe(0);
    expect(err).toContain(
      "notes.add: refused: its side effect is user_write, and the agent's policy allows none\n",
    );
    expect(() => home.read("notes")).toThrow("ENOENT");
  });

  test("gets the bounds that its policy does not have, and no others", async () => {
    const home = new Home();
    const argv = running(home, [saying("yes")], ...withPolicy);
    const boundsIn = async (policy: object) => {
      home.write("policy.json", policy);
      const { code, err } = await home.run(argv);
      return [code, /^bounds .*: (budget.*)$/m.exec(err)?.[1]];
    };
    const { session, budget } = bounded;
    expect(await boundsIn({ session, budget: { maxSteps: 3 } })).toStrictEqual([
      0,
      "budget.maxToolCalls is 40",
    ]);
    expect(await boundsIn({ session, budget })).toStrictEqual([0, undefined]);
  });

  test("is one object with --json: what it has come to", async () => {
    const home = new Home();
    const { code, out, err } = await home.run(
      running(home, [reading, saying("milk")], "--json", "--session", "monday"),
    );
    const { ok, ...result } = JSON.parse(out) as { ok: boolean };
    expect({ code, ok, err }).toStrictEqual({ code: 0, ok: true, err: "" });
    expect(runtimeRunResultSchema.parse(result)).toMatchObject({
      status: "completed",
      sessionId: "monday",
      output: "milk",
      usage: { steps: 2, toolCalls: 1, inputTokens: 20, outputTokens: 10 },
      approvals: [],
    });
  });

  test("is its events with --ndjson, as they come, between the same frames as those of sf agent", async () => {
    const home = new Home();
    const { code, out, err } = await home.run(running(home, [reading, saying("milk")], "--ndjson"));
    expect({ code, err }).toStrictEqual({ code: 0, err: "" });
    const frames = linesOf(out);
    expect(frames.map(({ type }) => type)).toStrictEqual([
      "session.init",
      "tool.catalog.loaded",
      "runtime.started",
      "model.started",
      "model.delta",
      "model.completed",
      "tool.resolved",
      "policy.checked",
      "tool.started",
      "tool.completed",
      "model.started",
      "model.delta",
      "model.completed",
      "runtime.completed",
      "agent.final",
    ]);
    expect(frames.at(1)).toMatchObject({ tools: 4, manifestDigest: expect.stringMatching(/^sha256:/) });
    expect(frames.at(-1)).toStrictEqual({ type: "agent.final", ok: true, output: "milk" });
    for (const event of frames.slice(2, -1)) runtimeEventSchema.parse(event);
  });

  test("goes on from what was said in its session before, in another process", async () => {
    const home = new Home();
    const argv = running(home, [saying("first"), saying("second")], "--session", "monday");
    expect((await home.run(argv)).out).toBe("first\n");
    expect((await home.run(argv)).out).toBe("second\n");
    expect((await home.run(running(home, [saying("another")], "--session", "tuesday"))).out).toBe(
      "another\n",
    );
    expect((await home.run(["runs", "ls"])).out.match(/session monday/g)).toHaveLength(2);
  });

  test("is told what comes first, in words or in a file", async () => {
    const home = new Home();
    home.write("first.txt", "Be brief.\n");
    const objectiveOf = async (...argv: string[]) => {
      const { err } = await home.run(running(home, [saying("yes")], ...argv));
      const { out } = await home.run(["runs", "show", runIdIn(err), "--json"]);
      return (JSON.parse(out) as { objective: unknown }).objective;
    };
    const user = { role: "user", text: "tend my notes" };
    const first = (text: string) => [{ role: "system", text }, user];
    expect(await objectiveOf("--instructions", "Be kind.")).toStrictEqual(first("Be kind."));
    expect(await objectiveOf("--instructions", "@first.txt")).toStrictEqual(first("Be brief.\n"));
  });

  test("answers with what its schema says, or has failed", async () => {
    const home = new Home();
    home.write("schema.json", {
      type: "object",
      properties: { count: { type: "integer" } },
      required: ["count"],
    });
    const argv = (text: string) =>
      running(home, Array(3).fill(saying(text)), "--output-schema", "schema.json");
    expect(await home.run(argv('{"count":2}'))).toMatchObject({ code: 0, out: '{\n  "count": 2\n}\n' });
    expect(await home.run(argv("two"))).toMatchObject({ code: 1, out: "" });
  });

  test("has no more steps than it is given, and is then blocked", async () => {
    const home = new Home();
    const argv = running(home, [reading, reading, saying("milk")], "--max-steps", "2");
    const { code, out, err } = await home.run(argv);
    expect({ code, out }).toStrictEqual({ code: 3, out: "" });
    expect(err).toMatch(/^error budget_exceeded: [^]*  blocked; 2 steps, /m);
    const runId = runIdIn(err);
    const again = await home.run([
      "runs",
      "resume",
      runId,
      "--pack",
      notesPack,
      "--model",
      "scripted:script.json",
    ]);
    expect(again).toMatchObject({
      code: 3,
      err: expect.stringMatching(/^run_\S+ ended as blocked, .*\n {2}budget_exceeded: /),
    });
  });

  test("has failed where its model has, and tells what of it", async () => {
    const home = new Home();
    const busy = { error: { message: "busy", status: 529, times: 1, retryAfterMs: 1 }, text: "at last" };
    const slow = await home.run(running(home, [busy]));
    expect(slow).toMatchObject({ code: 0, out: "at last\n" });
    expect(slow.err).toContain(
      "step 1\nattempt 1 at asking the model came to nothing: provider_failed: scripted refused with status 529 (busy); ask again later\nasking the model again\n  │ at last\n",
    );
    const { code, err } = await home.run(running(home, [{ error: { message: "no", status: 401 } }]));
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining("error provider_failed: ") });
    expect(err).not.toContain("sf runs resume");
  });

  test("that has failed is not resumed: what it ended as, and when, is said, and nobody is asked", async () => {
    const home = new Home();
    const failing = running(home, [{ error: { message: "no", status: 401 } }]);
    const runId = runIdIn((await home.run(failing)).err);
    const driving = ["--pack", notesPack, "--model", "scripted:script.json"];
    const { code, out, err } = await home.run(["runs", "resume", runId, ...driving]);
    expect({ code, out }).toStrictEqual({ code: 1, out: "" });
    expect(err).toMatch(
      new RegExp(
        `^${runId} ended as failed, [-\\d]{10} [:\\d]{8} UTC \\(.* ago\\); nothing was asked or run now\n {2}provider_failed: .*\n$`,
      ),
    );
    const told = await home.run(["runs", "resume", runId, ...driving, "--json"]);
    expect({ code: told.code, answer: JSON.parse(told.out) as object }).toMatchObject({
      code: 1,
      answer: { ok: false, result: { runId, status: "failed", error: { code: "provider_failed" } } },
    });
  });

  test("is kept where sf runs and sf trace find it, and in no other place than the one that is named", async () => {
    const home = new Home();
    const runId = runIdIn((await home.run(running(home, [reading, saying("milk")], "--data", "data"))).err);
    expect((await home.run(["runs", "ls"])).out).toBe("none: no run is kept here\n");
    expect((await home.run(["runs", "show", runId, "--data", "data"])).out).toContain("agent     sf-run\n");
    expect((await home.run(["trace", "verify", "--data", "data"])).code).toBe(0);
  });

  test("may call no other tools than those it is given, and no other name for them", async () => {
    const home = new Home();
    const steps = [reading, saying("no")];
    const { err } = await home.run(running(home, steps, "--tools", "notes.add,notes.login"));
    expect(err).toMatch(/^notes\.read: refused: /m);
    expect(await home.run(running(home, steps, "--tools", "notes.raed"))).toMatchObject({
      code: 3,
      err: expect.stringContaining(
        "error unknown_tool: tools: there is no tool notes.raed; did you mean notes.read",
      ),
    });
    for (const broad of ["get_world_state", "notes_read", "notes.*", "__proto__"])
      expect((await home.run(running(home, steps, "--tools", broad))).code).toBe(3);
    expect((await home.run(["runs", "ls"])).out.match(/^run_/gm)).toHaveLength(1);
  });
});

describe("the trace of a run", () => {
  test("is recorded, is whole, and replays: no tool runs and no model is asked", async () => {
    const home = new Home();
    const steps = [adding("milk"), saying("done")];
    const lifted = { ...writing, approvals: { requireForSideEffectAtOrAbove: "secret" } };
    const argv = running(home, steps, ...withPolicy, "--record-trace", "run.jsonl");
    home.write("policy.json", lifted);
    expect(await home.run(argv)).toMatchObject({ code: 0, out: "done\n" });
    expect((await home.run(["trace", "verify", "run.jsonl"])).code).toBe(0);
    const replay = ["run", "tend my notes", ...withPolicy, "--replay-trace", "run.jsonl"];
    expect(await home.run(replay)).toMatchObject({ code: 0, out: "done\n" });
    expect(home.read("notes").trimEnd().split("\n")).toHaveLength(1);
    const { code, err } = await home.run(["run", "tend something else", ...replay.slice(2)]);
    expect({ code, err }).toMatchObject({ code: 5, err: expect.stringContaining("error replay_miss: ") });
  });

  test("goes to a new file, and over none that is there; where nothing is begun there is none", async () => {
    const home = new Home();
    const record = ["--tools", "notes.none", "--record-trace", "none.jsonl"];
    expect((await home.run(running(home, [saying("x")], ...record))).code).toBe(3);
    expect(() => home.read("none.jsonl")).toThrow("ENOENT");
    home.write("there.jsonl", "mine");
    const { code } = await home.run(running(home, [saying("x")], "--record-trace", "there.jsonl"));
    expect([code, home.read("there.jsonl")]).toStrictEqual([2, "mine"]);
  });
});

describe("what cannot be run is bad usage, and nothing is begun", () => {
  const objective = 'say what is to be done: sf run "<objective>"; or look at sf run --demo';
  const forms = "scripted:<file>, openai:<model>@<address> or anthropic:<model>";

  test.each([
    ["no objective", ["run"], objective],
    ["an empty one", ["run", " \n"], objective],
    [
      "no model",
      ["run", "x", "--pack", notesPack],
      `a run needs a model: give --model ${forms}, or set SF_MODEL`,
    ],
    [
      "a model of no known form",
      ["run", "x", "--model", "gpt-5"],
      '"gpt-5" names no model; write scripted:<file>',
    ],
    [
      "a model's address without its scheme",
      ["run", "x", "--model", "openai:tiny@127.0.0.1:8931"],
      "the address 127.0.0.1:8931 needs http:// or https:// before it: openai:<model>@http://127.0.0.1:8931",
    ],
    [
      "one with a password, which is not repeated",
      ["run", "x", "--model", "openai:tiny@me:hunter2@models.test/v1"],
      "error invalid_input: the address models.test/v1 needs http:// or https:// before it",
    ],
    [
      "a script that is not there",
      ["run", "x", "--model", "scripted:no.json"],
      "the script no.json is not there",
    ],
    ["a script that is none", ["run", "x", "--model", "scripted:policy.json"], "the script policy.json"],
    [
      "an address that is none",
      ["run", "x", "--model", "openai:m@http://"],
      "the model's baseUrl is no address",
    ],
    ["a policy that is not there", ["run", "x", "--policy", "no.json"], "there is no file no.json"],
    ["a policy with an unknown key", ["run", "x", "--policy", "odd.json"], 'did you mean "budget"?'],
    ["a policy that is no JSON", ["run", "x", "--policy", "text.txt"], "no policy: text.txt: "],
    ["a schema that is none", ["run", "x", "--output-schema", "list.json"], "list.json is no JSON Schema"],
    ["instructions that say nothing", ["run", "x", "--instructions", " "], "--instructions says nothing"],
    ["tools without names", ["run", "x", "--tools", "a.b,,c.d"], "expected names with commas between them"],
    ["no steps at all", ["run", "x", "--max-steps", "0"], "expected a whole number"],
    ["a demo with an objective", ["run", "x", "--demo"], "--demo has an objective of its own"],
    [
      "a demo with a model",
      ["run", "--demo", "--model", "scripted:a"],
      "cannot be used with option '--model",
    ],
    [
      "a pack and a platform",
      ["run", "x", "--pack", notesPack, "--url", "http://a"],
      "cannot be used with option",
    ],
  ])("%s", async (_, argv, why) => {
    const home = new Home();
    home.write("policy.json", writing);
    home.write("odd.json", { bugdet: {} });
    home.write("text.txt", "no JSON");
    home.write("list.json", []);
    home.write("script.json", [saying("x")]);
    const isModel = argv.includes("--model") || argv.includes("--demo") || why.includes("needs a model");
    const more = isModel ? [] : ["--model", "scripted:script.json"];
    const { code, out, err } = await home.run([...argv, ...more]);
    expect({ code, out, err }).toStrictEqual({ code: 2, out: "", err: expect.stringContaining(why) });
    expect((await home.run(["runs", "ls"])).out).toBe("none: no run is kept here\n");
  });

  test("a budget of money, for a model whose price nobody knows", async () => {
    const home = new Home();
    const argv = running(home, [saying("x")], ...withPolicy);
    home.write("policy.json", { budget: { budgetUsd: 1 } });
    expect(await home.run(argv)).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        "the policy has budget.budgetUsd, and what scripted costs is not known here",
      ),
    });
  });

  test("a model whose key is not in the environment is refused, and the variable named", async () => {
    const home = new Home();
    const { code, err } = await home.run(["run", "x", "--pack", notesPack], {
      env: { ...home.env, SF_MODEL: "anthropic:claude-haiku-4-5" },
    });
    expect({ code, err }).toMatchObject({
      code: 3,
      err: expect.stringContaining("set ANTHROPIC_API_KEY or SF_MODEL_KEY"),
    });
  });
});

test("the examples of the help do what they say", async () => {
  const home = new Home();
  home.write("notes.ts", `export { tools } from ${JSON.stringify(notesPack)};\n`);
  home.write("script.json", [saying("milk")]);
  home.write("policy.json", writing);
  const ran = await runExamples(home, ["run"]);
  expect(ran.map(({ code }) => code)).toStrictEqual([4, 0]);
});
