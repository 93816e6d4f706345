import { existsSync, readdirSync, statSync } from "node:fs";
import { agentEventSchema, outputFrameSchema, toolCallResultSchema } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { Home, notesPack, unrulyPack } from "../../test-data/run-sf.ts";

const pack = ["--pack", notesPack];
const unruly = ["--pack", unrulyPack];
const writing = { maxSideEffect: "user_write" };

describe("sf call", () => {
  test("answers alone on the standard output, and says the five answers beside it", async () => {
    const home = new Home();
    const { code, out, err } = await home.run(["call", "notes.read", ...pack, "--input", '{"id":7}']);
    expect({ code, out }).toStrictEqual({ code: 0, out: '{\n  "id": 7,\n  "text": "milk"\n}\n' });
    const answers = err.trimEnd().split("\n");
    expect(answers.map((line) => line.slice(0, 14).trimEnd())).toStrictEqual([
      "who",
      "what",
      "may it",
      "price and risk",
      "proof",
    ]);
    expect(answers[0]).toBe("who             local cli of account local, scopes read write, direct");
    expect(answers[2]).toMatch(/^may it {10}allow: no gate stopped it; policy sha256:/);
    expect(answers[3]).toMatch(/^price and risk {2}side effect none, cost none; 1 call, [\d.]+ ms$/);
    expect(answers[4]).toMatch(/^proof {11}record 2, sha256:[0-9a-f]{12}…, trace [0-9a-f]{32}, not signed$/);
  });

  test("with --json gives one object: the result of the call", async () => {
    const { code, out } = await new Home().run([
      "call",
      "notes.read",
      ...pack,
      "--input",
      '{"id":7}',
      "--json",
    ]);
    const { ok, ...result } = JSON.parse(out) as Record<string, unknown>;
    expect({ code, ok }).toStrictEqual({ code: 0, ok: true });
    expect(toolCallResultSchema.parse(result)).toStrictEqual(result);
    expect(result).toMatchObject({ tool: "notes.read", output: { id: 7, text: "milk" }, redacted: [] });
  });

  test.each([
    ["completed", ["notes.read", "--input", '{"id":7}'], 0],
    ["failed", ["notes.fail"], 1],
    ["refused", ["notes.add", "--input", '{"text":"x"}'], 3],
    ["of no tool", ["notes.nothing"], 3],
    ["with a wrong input", ["notes.read", "--input", "{}"], 3],
    ["with a wrong output", ["unruly.wrong", ...unruly], 1],
    ["with progress", ["unruly.shout", ...unruly], 0],
  ])(
    "with --ndjson prints only what the schemas say, one object a line: a call %s",
    async (_, argv, exit) => {
      const { code, out } = await new Home().run(["call", ...argv, ...pack, "--ndjson"]);
      const lines = out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as { type: string });
      const frames = lines.filter(
        ({ type }) => outputFrameSchema.safeParse({ type }).error?.issues[0]?.path[0] !== "type",
      );
      for (const line of lines) {
        const schema = frames.includes(line) ? outputFrameSchema : agentEventSchema;
        expect(schema.parse(line)).toStrictEqual(line);
      }
      expect(code).toBe(exit);
      expect(frames.map(({ type }) => type)).toStrictEqual([
        "session.init",
        "tool.catalog.loaded",
        "agent.final",
        "trace.receipt",
      ]);
      expect(lines.slice(0, 2).concat(lines.slice(-2))).toStrictEqual(frames);
    },
  );

  test("with --ndjson has the events in the order in which they happened", async () => {
    const home = new Home();
    const policy = home.write("policy.json", writing);
    const argv = ["call", "notes.add", ...pack, "--input", '{"text":"x"}', "--policy", policy, "--ndjson"];
    const { out } = await home.run(argv);
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => (JSON.parse(line) as { type: string }).type),
    ).toStrictEqual([
      "session.init",
      "tool.catalog.loaded",
      "run.started",
      "tool.resolved",
      "policy.checked",
      "tool.started",
      "tool.completed",
      "run.completed",
      "agent.final",
      "trace.receipt",
    ]);
  });

  test("shows a live secret once, and names where the record hides it (S1)", async () => {
    const home = new Home();
    const { out, err } = await home.run(["call", "notes.login", ...pack, "--record-trace", "t.jsonl"]);
    expect(out).toContain("correct-horse-9f8e7d");
    expect(err).toContain("note: the record hides /password; here it was shown once\n");
    expect(err).not.toContain("correct-horse");
    expect(home.read("t.jsonl")).not.toContain("correct-horse");
  });

  test("S1: never prints the installation's secret, also when a tool answers with it", async () => {
    const secret = "c0ffee".repeat(10) + "beef";
    const home = new Home({ SF_INSTALLATION_KEY: secret });
    const runs = await Promise.all([
      home.run(["call", "unruly.leak", ...unruly]),
      home.run(["call", "unruly.leak", ...unruly, "--data", "other", "--json"]),
    ]);
    for (const { code, out, err } of runs) {
      expect({ code, shown: `${out}${err}`.includes(secret) }).toStrictEqual({ code: 0, shown: false });
      expect(out).toContain('"found": "[redacted:installation]"');
    }
  });

  test("exits by what became of it, and says why in one line with its remedy", async () => {
    const home = new Home();
    const asking = home.write("ask.json", {
      ...writing,
      approvals: { requireForSideEffectAtOrAbove: "user_write" },
    });
    const lines = async (...argv: string[]) => {
      const { code, out, err } = await home.run(["call", ...argv, ...pack]);
      return { code, out, err: err.split("\n").filter((line) => /^(?:error| {2}\w)/.test(line)) };
    };
    expect(await lines("notes.add", "--input", '{"text":"x"}')).toStrictEqual({
      code: 3,
      out: "",
      err: [
        `error policy_denied: notes.add: refused at gate max.sideEffect: its side effect is user_write, and the agent's policy allows none; set maxSideEffect to "user_write"`,
      ],
    });
    expect(await lines("notes.add", "--input", '{"text":"x"}', "--policy", asking)).toMatchObject({
      code: 4,
      err: [
        expect.stringMatching(
          /^error approval_required: notes\.add: a person must approve side effects from user_write up/,
        ),
        expect.stringMatching(/^ {2}what would allow it: /),
        expect.stringMatching(/^ {2}to approve it: sf approvals approve appr_[\w-]+$/),
        expect.stringMatching(/^ {2}to deny it: {4}sf approvals deny appr_[\w-]+ --note "why"$/),
        "  then run the same command again; with --wait-for-approval it waits for the answer",
      ],
    });
    expect(await lines("notes.raed")).toMatchObject({
      code: 3,
      err: [expect.stringMatching(/^error unknown_tool: .*did you mean notes\.read/)],
    });
    expect(await lines("notes.fail")).toStrictEqual({
      code: 1,
      out: "",
      err: [
        "error upstream_error: notes.fail failed: the pencil broke",
        "  what to do: Try again later; the journal and the log of where it runs say why.",
      ],
    });
    expect(existsSync(home.path("notes"))).toBe(false);
  });

  test("acts as the caller with the account and the scopes that were given, and no more", async () => {
    const home = new Home();
    const policy = home.write("policy.json", writing);
    const argv = ["call", "notes.add", ...pack, "--input", '{"text":"x"}', "--policy", policy, "--json"];
    const readOnly = await home.run([...argv, "--scope", "read"]);
    expect(readOnly.code).toBe(3);
    expect(JSON.parse(readOnly.out)).toMatchObject({
      ok: false,
      error: { code: "policy_denied", details: { verdict: { gate: "max.sideEffect" } } },
      receipt: { principal: { accountId: "local", keyId: "cli", scopes: ["read"], kind: "local" } },
    });
    const other = await home.run([...argv, "--scope", "read", "--scope", "write", "--account", "org:1"]);
    expect(JSON.parse(other.out)).toMatchObject({
      ok: true,
      receipt: { principal: { accountId: "org:1", keyId: "cli", scopes: ["read", "write"], kind: "local" } },
    });
  });

  test("keeps the journal in --data, else in $SF_DATA, else in the user's data folder, for its owner alone", async () => {
    const home = new Home();
    const argv = ["call", "notes.read", ...pack, "--input", '{"id":7}'];
    await home.run([...argv, "--data", "a"], { env: { SF_DATA: "b" } });
    await home.run(argv, { env: { SF_DATA: "b" } });
    await home.run(argv, { env: { XDG_DATA_HOME: home.path("c") } });
    await home.run(argv);
    const folders = ["a", "b", "c/simplefunctions", "home/.local/share/simplefunctions"].map((name) =>
      home.path(name),
    );
    expect(folders.map((folder) => readdirSync(folder))).toStrictEqual(
      folders.map(() => ["simplefunctions.db"]),
    );
    expect(folders.map((folder) => statSync(folder).mode & 0o777)).toStrictEqual(folders.map(() => 0o700));
    expect(statSync(home.path("home/.config/simplefunctions/installation.key")).mode & 0o777).toBe(0o600);
  });

  test("refuses a data folder that holds the installation's secret, and one that belongs to another", async () => {
    const home = new Home();
    const argv = ["call", "notes.read", ...pack, "--input", '{"id":7}'];
    for (const folder of ["home", "home/.config", "home/.config/simplefunctions"]) {
      const { code, err } = await home.run([...argv, "--data", folder]);
      expect({ code, err }).toStrictEqual({
        code: 1,
        err: expect.stringMatching(
          /^error host_configuration_needed: the data folder .* holds the installation's secret/,
        ),
      });
    }
    expect((await home.run(argv)).code).toBe(0);
    const other = await home.run(argv, { env: { SF_INSTALLATION_KEY: "ab".repeat(32) } });
    expect(other.code).toBe(1);
    expect(other.err).toMatch(
      /^error host_configuration_needed: this store belongs to an installation with another secret than this one's/,
    );
  });

  test("with the same idempotency key runs once, and says that the answer is an earlier one", async () => {
    const home = new Home();
    const policy = home.write("policy.json", writing);
    const argv = ["call", "notes.add", ...pack, "--policy", policy, "--idempotency-key", "k1"];
    const first = await home.run([...argv, "--input", '{"text":"x"}']);
    const second = await home.run([...argv, "--input", '{"text":"x"}']);
    const other = await home.run([...argv, "--input", '{"text":"y"}']);
    expect([first.code, second.code, other.code]).toStrictEqual([0, 0, 3]);
    expect(second.out).toBe(first.out);
    expect(second.err).toContain("note: an earlier call's answer; nothing ran\n");
    expect(other.err).toMatch(/^error idempotency_conflict: /);
    expect(home.read("notes")).toBe("k1 x\n");
  });

  test.each([
    ["1", "1 ms"],
    ["2ms", "2 ms"],
    ["1s", "1000 ms"],
  ])("ends a tool that takes longer than --timeout %s", async (timeout, told) => {
    const home = new Home();
    const policy = home.write("policy.json", writing);
    const { code, err } = await home.run([
      "call",
      "unruly.wait",
      ...unruly,
      "--policy",
      policy,
      "--timeout",
      timeout,
    ]);
    expect(code).toBe(1);
    expect(err).toContain(`error timeout: unruly.wait: no answer within ${told}`);
  });

  test("never lets others drive the terminal: what cannot be seen is shown as an escape", async () => {
    const home = new Home();
    const shout = await home.run(["call", "unruly.shout", ...unruly], {
      isTerminal: { stdout: true, stderr: true },
      env: { NO_COLOR: "1" },
    });
    const unknown = await home.run(["call", "notes.\u001b[31mred\n\u202e", ...pack]);
    for (const { out, err } of [shout, unknown]) {
      expect(`${out}${err}`.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
    }
    expect(shout.err).toContain("unruly.shout: \\u001b[2Jgone\n");
    expect(JSON.parse(shout.out)).toStrictEqual({
      text: "\u001b[31mred\u009b0m \u202eevil\u2028",
      "\u001b]0;title\u0007": 1,
    });
    expect(unknown.err).toMatch(/^error unknown_tool: notes\.\ufffd\[31mred\ufffd\ufffd: /);
  });
});

describe("a trace that is recorded", () => {
  test("is for its owner alone, and never overwrites anything: nothing is called then", async () => {
    const home = new Home();
    const policy = home.write("policy.json", writing);
    home.write("taken", "precious");
    const argv = [
      "call",
      "notes.add",
      ...pack,
      "--policy",
      policy,
      "--input",
      '{"text":"x"}',
      "--record-trace",
    ];
    const taken = await home.run([...argv, "taken"]);
    const nowhere = await home.run([...argv, "none/t.jsonl"]);
    expect([taken.code, nowhere.code]).toStrictEqual([2, 2]);
    expect(taken.err).toMatch(
      /^error invalid_input: taken is already there, and a trace is never overwritten/,
    );
    expect(nowhere.err).toMatch(/^error invalid_input: none\/t\.jsonl cannot be made \(ENOENT\)/);
    expect([home.read("taken"), existsSync(home.path("notes"))]).toStrictEqual(["precious", false]);
    expect((await home.run([...argv, "t.jsonl"])).code).toBe(0);
    expect(statSync(home.path("t.jsonl")).mode & 0o777).toBe(0o600);
  });

  test("is there for a refusal too, and not there where nothing was journaled", async () => {
    const home = new Home();
    const argv = ["call", "notes.add", ...pack, "--input", '{"text":"x"}', "--record-trace"];
    expect((await home.run([...argv, "t.jsonl"])).code).toBe(3);
    expect(home.read("t.jsonl")).toContain("call.refused");
    expect((await home.run([...argv, "u.jsonl"], { env: { SF_INSTALLATION_KEY: "short" } })).code).toBe(1);
    expect(existsSync(home.path("u.jsonl"))).toBe(false);
  });
});

test("SF_ACCOUNT is the account of a command that is given none", async () => {
  const home = new Home({ SF_ACCOUNT: "acme" });
  const read = ["call", "notes.read", "--pack", notesPack, "--json"];
  const accountOf = async (argv: readonly string[]) => {
    const { out } = await home.run(argv);
    const { receipt } = JSON.parse(out) as { receipt: { principal: { accountId: string } } };
    return receipt.principal.accountId;
  };
  expect(await accountOf(read)).toBe("acme");
  expect(await accountOf([...read, "--account", "local"])).toBe("local");
  // Those that look at everybody's still do.
  const { out } = await home.run(["trace", "verify"]);
  expect(out).toMatch(/the journal of acme/);
  expect(out).toMatch(/the journal of local/);
  const bad = new Home({ SF_ACCOUNT: "no account" });
  expect(await bad.run(read)).toMatchObject({
    code: 2,
    out: expect.stringContaining("SF_ACCOUNT is no account id"),
  });
});
