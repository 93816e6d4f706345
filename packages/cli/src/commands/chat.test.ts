// `sf chat`, with a model that follows a script.
import { runtimeEventSchema } from "@spfunctions/contracts";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { adds, asksFor, chatting, says, typedChat, withPolicy } from "../../test-data/chat-home.ts";
import { runExamples } from "../../test-data/run-examples.ts";
import { adding, approvalIdIn, reading, runIdIn, saying } from "../../test-data/run-scripts.ts";
import { Home, notesPack } from "../../test-data/run-sf.ts";

const usual = "home/.local/share/simplefunctions";
const reads = { calls: [["notes.read", { id: 7 }]] } as const;

type Told = Readonly<Record<string, unknown>> & { readonly runId: string };

describe("sf chat --once", () => {
  test("answers on the standard output, and everything else stands beside it", async () => {
    const home = new Home();
    const script = [
      says("I look.", { ...reads, notes: { set_goals: ["be brief"] } }),
      says("there is\nmilk"),
    ];
    const { code, out, err } = await home.run(chatting(home, script, "--once", "hi"));
    expect({ code, out }).toStrictEqual({ code: 0, out: "I look.\n\nthere is\nmilk\n" });
    expect(err).toMatch(
      new RegExp(`^session      chat, which begins
model        scripted; no network, no key, no cost
tools        4 of ${notesPack}
policy       none was given: it may read, and change nothing
  │ I look.
notes.read 7 … completed in \\S+ ms
  │ there is
  │ milk
noted   goals: be brief
completed; revision 2; 2 steps, 1 call, 20 tokens in, 10 tokens out, \\S+ ms\n$`),
    );
  });

  test("goes on from what was said and noted before, in another process", async () => {
    const home = new Home();
    const argv = chatting(
      home,
      [says("first", { notes: { set_goals: ["g"] } }), says("second")],
      "--once",
      "-",
    );
    expect((await home.run(argv, { input: "hi\n" })).out).toBe("first\n");
    const { out, err } = await home.run(argv, { input: "and now?\n" });
    expect(out).toBe("second\n");
    expect(err).toContain("session      chat, revision 2, 2 messages\n");
    const other = await home.run([...argv, "--session", "other"], { input: "hi" });
    expect(other.out).toBe("first\n");
  });

  test("is one object with --json: what the turn has come to", async () => {
    const home = new Home();
    const notes = {
      add_open_loops: ["who pays"],
      actions: ["request_permission:net:a.example", "grant_permission:net"],
    };
    mkdirSync(home.path("papers"));
    const argv = chatting(
      home,
      [says("hm [mem:none]", { notes })],
      "--once",
      "hi",
      "--json",
      "--pack",
      "fs:papers",
    );
    const { code, out } = await home.run(argv);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      sessionId: "chat",
      status: "completed",
      text: "hm [mem:none]",
      runId: expect.stringMatching(/^run_/) as string,
      revision: 2,
      notes: [{ changes: [{ key: "add_open_loops", added: ["who pays"] }], refused: [] }],
      refusedActions: [{ action: "grant_permission:net", reason: "model_cannot_grant" }],
      wishes: [
        { capability: "net:a.example", type: "asked", grantId: expect.stringMatching(/^cap_/) as string },
      ],
      approvals: [],
      usage: { steps: 1, inputTokens: 10, outputTokens: 5 },
      trace: expect.stringMatching(/^turn-00000002-run_.*\.jsonl$/) as string,
      sandbox: { files: process.platform === "linux" ? "full" : "reduced" },
    });
  });

  test("is its events with --ndjson, between frames, and nothing of a block is among them", async () => {
    const home = new Home();
    const script = [says("I look.", { ...reads, ...asksFor("net:a.example") }), says("milk")];
    const { code, out } = await home.run(chatting(home, script, "--once", "hi", "--ndjson"));
    expect(code).toBe(0);
    const frames = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly type: string });
    const types = frames.map(({ type }) => type);
    expect(types.slice(0, 2)).toStrictEqual(["session.init", "tool.catalog.loaded"]);
    expect(types.slice(-2)).toStrictEqual(["turn.ended", "agent.final"]);
    expect(types).toEqual(expect.arrayContaining(["text", "wish", "tool.completed", "runtime.completed"]));
    expect(frames.at(-1)).toStrictEqual({ type: "agent.final", ok: true, output: "I look.\n\nmilk" });
    for (const frame of frames.filter(({ type }) => /^(?:tool|model|runtime|policy)\.(?!catalog)/.test(type)))
      runtimeEventSchema.parse(frame);
    expect(out).not.toContain("NOTES_JSON");
  });

  test("changes nothing without a policy, and its model is told why", async () => {
    const home = new Home();
    const { code, err } = await home.run(
      chatting(home, [says("", adds("milk")), says("no")], "--once", "add"),
    );
    expect(code).toBe(0);
    expect(err).toContain("notes.add milk … refused: its side effect is user_write, and");
    expect(() => home.read("notes")).toThrow("ENOENT");
  });

  test("that waits for a person exits with 4, takes no other, and what it tells to do completes it", async () => {
    const home = new Home();
    const argv = chatting(home, [says("I add.", adds("milk")), says("Added.")], ...withPolicy);
    const { code, out, err } = await home.run([...argv, "--once", "add milk"]);
    expect({ code, out }).toStrictEqual({ code: 4, out: "" });
    const resume = `sf chat --resume --model scripted:script.json --pack ${notesPack} --policy policy.json`;
    expect(err).toContain(`  then it goes on:  ${resume}\n`);
    const other = await home.run([...argv, "--once", "hello?"]);
    expect(other).toMatchObject({ code: 3, out: "" });
    expect(other.err).toContain(`is waiting. `);
    expect(other.err).toContain(`  to go on with it: ${resume}\n`);
    expect((await home.run(["approvals", "approve", approvalIdIn(err)])).code).toBe(0);
    const words = resume.split(" ").slice(1);
    expect(await home.run(words)).toMatchObject({ code: 0, out: "I add.\n\nAdded.\n" });
    expect(home.read("notes")).toMatch(/ milk\n$/);
    const none = await home.run(words);
    expect(none).toMatchObject({ code: 3, out: "" });
  });

  test("that waits can be given up, also with other tools than it was begun with", async () => {
    const home = new Home();
    const argv = chatting(home, [says("", adds("milk")), says("next")], ...withPolicy);
    await home.run([...argv, "--once", "add milk"]);
    const bare = ["chat", "--model", "scripted:script.json"];
    const refused = await home.run([...bare, "--resume"]);
    expect(refused.code).toBe(3);
    expect(refused.err).toContain("was started under another package");
    expect(refused.err).toContain("  to give it up:    sf chat --cancel --model scripted:script.json\n");
    expect((await home.run([...bare, "--cancel"])).code).toBe(0);
    expect(await home.run([...bare, "--once", "and now?"])).toMatchObject({ code: 0, out: "next\n" });
  });

  test("that waits is not taken on by sf runs resume, which says who does", async () => {
    const home = new Home();
    const argv = chatting(home, [says("", adds("milk")), says("next")], ...withPolicy, "--session", "house");
    await home.run([...argv, "--once", "add milk", "--data", "there"]);
    const { out } = await home.run(["runs", "ls", "--json", "--data", "there"]);
    const there = ` --data ${home.path("there")}`;
    expect((await home.run(["runs", "show", runIdIn(out), "--data", "there"])).out).toContain(
      `sf chat --resume --session house --pack … --model …${there}\n`,
    );
    const resume = ["runs", "resume", runIdIn(out), "--pack", notesPack, "--model", "scripted:script.json"];
    const { code, err } = await home.run([...resume, "--data", "there"]);
    expect(code).toBe(3);
    expect(err).toContain(
      `is a turn of a chat, and goes on there: sf chat --resume --session house --pack … --model … --data ${home.path("there")}, with`,
    );
  });

  test("whose model calls tools in its own way is understood with --tool-calling native, and under the same law", async () => {
    const home = new Home();
    const script = [reading, adding("milk"), saying("there is milk")];
    const argv = chatting(home, script, "--once", "hi", "--tool-calling", "native");
    const { code, out, err } = await home.run(argv);
    expect({ code, out }).toStrictEqual({ code: 0, out: "I look.\n\nI add milk.\n\nthere is milk\n" });
    expect(err).toMatch(
      /notes\.read 7 … completed in \S+ ms\n {2}│ I add milk\.\nnotes\.add milk … refused: /,
    );
  });

  test("gives its model the instructions first, and has the examples of its help", async () => {
    const home = new Home();
    home.write("who.txt", "You are a gardener.");
    chatting(home, [says("roses")]);
    const { code } = await home.run([
      "chat",
      "--model",
      "scripted:script.json",
      "--instructions",
      "@who.txt",
      "--once",
      "hi",
    ]);
    expect(code).toBe(0);
    home.write("script.json", [says("roses"), says("we decided")]);
    const runs = await runExamples(home, ["chat"]);
    // Nobody sits at a terminal for the first.
    expect(runs.map((run) => run.code)).toStrictEqual([2, 0]);
  });

  test("that a bound has stopped exits with 3, and says which", async () => {
    const home = new Home();
    const argv = chatting(home, [says("I look.", reads), says("never")], "--once", "hi", ...withPolicy);
    home.write("policy.json", { budget: { maxSteps: 1, maxToolCalls: 1 } });
    const { code, out, err } = await home.run(argv);
    expect({ code, out }).toStrictEqual({ code: 3, out: "I look.\n" });
    expect(err).toContain("blocked; revision 2; ");
  });

  test("whose model fails exits with 1, and the next turn goes on", async () => {
    const home = new Home();
    const broken = { error: { message: "no such model", status: 404 } };
    const argv = chatting(home, [broken], "--once", "hi");
    expect(await home.run(argv)).toMatchObject({ code: 1, out: "" });
    home.write("script.json", [says("hello")]);
    expect(await home.run(argv)).toMatchObject({ code: 0, out: "hello\n" });
  });

  test("says what is wrong with what was given before anything is opened", async () => {
    const home = new Home();
    const argv = chatting(home, [says("x")]);
    home.write("sessions.json", { session: { persist: true, ttlMs: 1000, maxHistoryTokens: 10 } });
    home.write("dear.json", { budget: { budgetUsd: 1 } });
    const wrong: readonly (readonly [string[], string])[] = [
      [argv, "nobody sits at a terminal here"],
      [["chat", "--once", "hi"], "a chat needs a model"],
      [[...argv, "--once", " "], "--once says nothing"],
      [[...argv, "--once", "hi", "--constraint", ""], "--constraint says nothing"],
      [[...argv, "--once", "hi", "--instructions", ""], "--instructions says nothing"],
      [[...argv, "--once", "hi", "--resume"], "cannot be used with option '--resume'"],
      [[...argv, "--once", "hi", "--tool-calling", "json"], "Allowed choices are text, native"],
      [[...argv, "--once", "hi", "--session", "a b"], "expected a SessionId"],
      [[...argv, "--once", "hi", "--policy", "dear.json"], "is not known here"],
      [[...argv, "--once", "x".repeat(64_001)], "a text of 1 to 64000 characters"],
      [[...argv, "--once", "hi", "--policy", "sessions.json"], "leave session out of its policy"],
    ];
    for (const [words, why] of wrong) {
      const { code, out, err } = await home.run(words);
      expect({ code, out, isSaid: err.includes(why) ? why : err }).toStrictEqual({
        code: 2,
        out: "",
        isSaid: why,
      });
    }
  });

  test("holds the operator's constraints first, whatever its model says", async () => {
    const home = new Home();
    const notes = { add_constraints: ["swear often"], set_goals: ["be rude"] };
    const argv = chatting(
      home,
      [says("ok", { notes })],
      "--constraint",
      "never swear",
      "--constraint",
      "be kind",
    );
    const { err } = await home.run([...argv, "--once", "hi"]);
    expect(err).toContain("constraints  2 of the operator's, which no model takes away\n");
    const chat = typedChat(["/state"]);
    expect((await home.run(argv, chat)).code).toBe(0);
    expect(chat.screen()).toContain("constraints\n  - never swear\n  - be kind\n  - swear often\n");
  });

  test("keeps the log of each turn beside the journal, for its owner alone", async () => {
    const home = new Home();
    const argv = chatting(
      home,
      [says("I look.", reads), says("milk")],
      "--once",
      "hi",
      "--session",
      "a:b",
      "--json",
    );
    const { trace } = JSON.parse((await home.run(argv)).out) as { trace: string };
    const folder = home.path(`${usual}/turns/a=3ab`);
    expect(readdirSync(folder)).toStrictEqual([trace]);
    expect(statSync(`${folder}/${trace}`).mode & 0o777).toBe(0o600);
    const kinds = home
      .read(`${usual}/turns/a=3ab/${trace}`)
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as Told)["kind"]);
    expect(kinds).toEqual(
      expect.arrayContaining(["llm_req", "tool_plan", "tool_start", "tool_done", "llm_done"]),
    );
  });

  test("tells what it has asked for, and what grants it lets the same go through later", async () => {
    const home = new Home();
    const { err } = await home.run(
      chatting(home, [says("May I?", asksFor("net:a.example")), says("ok")], "--once", "hi"),
    );
    const [, grantId = ""] = /sf grants grant (cap_\S+)/.exec(err) ?? [];
    expect(err).toContain("net:a.example was asked for, and waits for an answer until ");
    expect((await home.run(["grants", "grant", grantId, "--for", "1h"])).code).toBe(0);
    const next = await home.run(chatting(home, [says(""), says("thanks")], "--once", "granted"));
    expect(next).toMatchObject({ code: 0, out: "thanks\n" });
    expect(next.err).not.toContain("asked for");
  });
});
