import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { parsePolicy } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { preparedHome } from "../../test-data/recorded-home.ts";
import { runExamples } from "../../test-data/run-examples.ts";
import { sfProgram, withPackages } from "../../../../tests/installed/start-installed.ts";
import { bareEnv, notesPack } from "../../test-data/run-sf.ts";

describe("sf policy check", () => {
  test("says ok of a policy, and what it means", async () => {
    const home = preparedHome();
    expect(await home.run(["policy", "check", "none.json"])).toStrictEqual({
      code: 0,
      out: `ok: none.json is a policy
  Any tool may be called that the rest lets pass.
  Nothing may be changed (maxSideEffect none).
  May be used: what is free, paid requests, searches; not: language models (the default of maxCostEffect).
`,
      err: "",
    });
    const { out } = await home.run(["policy", "check", "-", "--json"], { input: '{"allowTools":[]}' });
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      policy: { allowTools: [], maxSideEffect: "none", maxCostEffect: "venue_request_cost" },
      sentences: expect.arrayContaining(["No tool may be called: allowTools names none."]),
    });
  });

  test.each([
    ["an unknown key", { maxSideEfect: "none" }, 'unknown key "maxSideEfect"; did you mean "maxSideEffect"?'],
    ["a class that is none", { maxSideEffect: "all" }, "/maxSideEffect: expected a sideEffect: one of none"],
    ["half guardrails", { trade: { allowedVenues: ["x"] } }, "/trade/maxOrderCostCents: missing"],
    ["a list", [], "expected"],
  ])("G1: says of %s what is wrong and where, and exits with 2", async (_, policy, message) => {
    const home = preparedHome();
    home.write("policy.json", policy);
    const { code, out, err } = await home.run(["policy", "check", "policy.json"]);
    expect({ code, out }).toStrictEqual({ code: 2, out: "" });
    expect(err).toMatch(/^error invalid_policy: policy\.json: invalid policy: /);
    expect(err).toContain(message);
    const json = await home.run(["policy", "check", "policy.json", "--json"]);
    expect({ code: json.code, ...(JSON.parse(json.out) as object) }).toMatchObject({
      code: 2,
      ok: false,
      error: { code: "invalid_policy" },
    });
  });

  test("G1: held against tools, names what it allows or denies and none of them is, and exits with 1", async () => {
    const home = preparedHome();
    const checked = (policy: object) => {
      home.write("policy.json", policy);
      return home.run(["policy", "check", "policy.json", "--pack", notesPack]);
    };
    expect((await checked({ allowTools: ["notes.*"], denyTools: ["notes.add"] })).code).toBe(0);
    const { code, out } = await checked({ allowTools: ["notes.*"], denyTools: ["notes.addd", "mail.*"] });
    expect(code).toBe(1);
    expect(out).toMatch(
      /^not ok: policy\.json names what no tool has\n[^]*\n {2}denyTools: no tool is called notes\.addd; did you mean notes\.add\?\n {2}denyTools: no tool matches mail\.\*\n$/,
    );
    const json = await home.run(["policy", "check", "policy.json", "--pack", notesPack, "--json"]);
    expect(JSON.parse(json.out)).toMatchObject({
      ok: false,
      unmatched: [{ where: "denyTools", name: "notes.addd", suggestions: ["notes.add"] }, { name: "mail.*" }],
    });
  });

  test("G1: held against tools, also names permissions that none of them needs", async () => {
    const home = preparedHome();
    home.write("policy.json", { allow: ["notes"], deny: ["ntes", "mail"], denyTools: ["ntes.*"] });
    const { code, out } = await home.run(["policy", "check", "policy.json", "--pack", notesPack]);
    expect(code).toBe(1);
    expect(out.split("\n").slice(-4)).toStrictEqual([
      "  denyTools: no tool matches ntes.*; did you mean notes.*?",
      "  deny: no tool needs the permission ntes; did you mean notes?",
      "  deny: no tool needs the permission mail",
      "",
    ]);
  });

  test("exits with 2 for what is no JSON, not there, or a folder", async () => {
    const home = preparedHome();
    home.write("policy.json", "{");
    const runs = ["policy.json", "nowhere.json", "home"].map((file) => home.run(["policy", "check", file]));
    expect((await Promise.all(runs)).map(({ code }) => code)).toStrictEqual([2, 2, 2]);
  });

  test("S1: shows a confirm token to nobody", async () => {
    const home = preparedHome();
    const confirmToken = "xylophone-under-the-rainbow";
    const trade = { allowedVenues: ["kalshi"], maxOrderCostCents: 1, maxQuantity: 1, confirmToken };
    home.write("policy.json", { maxSideEffect: "live_trade", trade });
    home.write("other.json", { maxSideEffect: "live_trade", trade: { ...trade, maxQuantity: 2 } });
    const runs = [
      await home.run(["policy", "check", "policy.json"]),
      await home.run(["policy", "check", "policy.json", "--json"]),
      await home.run(["policy", "diff", "policy.json", "other.json"]),
      await home.run(["policy", "diff", "policy.json", "none.json", "--json"]),
    ];
    expect(runs[0]?.out).toContain("  Only with the confirm token.\n");
    expect(runs.some(({ out, err }) => `${out}${err}`.includes(confirmToken))).toBe(false);
  });

  test("has examples that work", async () => {
    const home = preparedHome();
    home.write("policy.json", {});
    expect((await runExamples(home, ["policy", "check"])).map(({ code }) => code)).toStrictEqual([0, 0]);
  });
});

describe("sf policy init", () => {
  test("leaves no half of a file where there is no room for it", () => {
    const home = preparedHome();
    // As on a full disk: the file can be made, and nothing written into it.
    const limited = `ulimit -f 0; exec "$0" "$@" policy init new.json --preset writer`;
    const { status, stderr } = spawnSync(
      "bash",
      ["-c", limited, process.execPath, ...withPackages, sfProgram],
      {
        cwd: home.folder,
        env: { ...bareEnv, ...home.env, NODE_COMPILE_CACHE: "" },
        encoding: "utf8",
      },
    );
    expect([status, existsSync(home.path("new.json"))]).toStrictEqual([2, false]);
    expect(stderr).toContain("new.json cannot be made (EFBIG)");
  });

  test.each(["read-only", "writer", "paper", "live"])(
    "writes %s, which is a policy and says what it does",
    async (preset) => {
      const home = preparedHome();
      const { code, out } = await home.run(["policy", "init", "new.json", "--preset", preset]);
      const usual = ["read-only", "writer"];
      const told = usual.includes(preset) ? usual : [...usual, "paper", "live"];
      const others = told.filter((one) => one !== preset);
      expect(code).toBe(0);
      expect(() => parsePolicy(JSON.parse(home.read("new.json")))).not.toThrow();
      const checked = await home.run(["policy", "check", "new.json"]);
      const [, ...sentences] = checked.out.trimEnd().split("\n");
      expect(sentences.length).toBeGreaterThan(2);
      expect(out).toBe(
        [
          `new.json written from the preset ${preset}; others: ${others.join(", ")}`,
          ...sentences,
          "to see what it does to a call: sf explain <tool> --policy new.json",
          "",
        ].join("\n"),
      );
    },
  );

  test("begins with what changes nothing, and a live one places no order before somebody says so", async () => {
    const home = preparedHome();
    await home.run(["policy", "init"]);
    expect(JSON.parse(home.read("policy.json"))).toStrictEqual({ maxSideEffect: "none" });
    const live = await home.run(["policy", "init", "live.json", "--preset", "live", "--json"]);
    expect(JSON.parse(live.out)).toMatchObject({
      ok: true,
      file: "live.json",
      preset: "live",
      policy: { trade: { dryRunOnly: true } },
    });
  });

  test("overwrites nothing, and knows only its presets", async () => {
    const home = preparedHome();
    home.write("policy.json", "mine");
    const runs = [
      await home.run(["policy", "init"]),
      await home.run(["policy", "init", "no/such/folder.json"]),
      await home.run(["policy", "init", "new.json", "--preset", "everything"]),
    ];
    expect(runs.map(({ code }) => code)).toStrictEqual([2, 2, 2]);
    expect(home.read("policy.json")).toBe("mine");
    expect(runs[0]?.err).toBe(
      "error invalid_input: policy.json is already there, and nothing is overwritten; name another file\n",
    );
  });

  test("has examples that work", async () => {
    const home = preparedHome();
    rmSync(home.path("writer.json"));
    const runs = await runExamples(home, ["policy", "init"]);
    expect(runs.map(({ code }) => code)).toStrictEqual([0, 0]);
  });
});

describe("sf policy diff", () => {
  test("says what changes, and whether more or less is allowed; 1 where they differ, 0 where they mean the same", async () => {
    const home = preparedHome();
    home.write("less.json", { maxSideEffect: "user_write", denyTools: ["notes.add"] });
    expect(await home.run(["policy", "diff", "none.json", "less.json"])).toStrictEqual({
      code: 1,
      out: `narrows denyTools appears with notes.add: less is allowed.
widens  maxSideEffect goes from none to user_write: more is allowed.
different: less.json is not what none.json is
`,
      err: "",
    });
    home.write("same.json", { maxSideEffect: "none", denyTools: [] });
    expect(await home.run(["policy", "diff", "none.json", "same.json"])).toStrictEqual({
      code: 0,
      out: "equal: none.json and same.json mean the same\n",
      err: "",
    });
    const { out } = await home.run(["policy", "diff", "none.json", "less.json", "--json"]);
    expect(JSON.parse(out)).toMatchObject({ ok: false, equal: false, changes: [{}, {}], tools: [] });
  });

  test("says for which tools of a pack the answer becomes another", async () => {
    const home = preparedHome();
    const { code, out } = await home.run(["policy", "diff", "none.json", "writer.json", "--pack", notesPack]);
    expect(code).toBe(1);
    expect(out).toContain(
      "tool    notes.add was refused at gate max.sideEffect (policy_denied) and is allowed.\n",
    );
    expect(out).not.toContain("notes.read");
  });

  test("exits with 2 where one of them is no policy, or both are the standard input", async () => {
    const home = preparedHome();
    home.write("bad.json", { nope: 1 });
    const runs = [
      await home.run(["policy", "diff", "none.json", "bad.json"]),
      await home.run(["policy", "diff", "-", "-"], { input: "{}" }),
      await home.run([
        "policy",
        "diff",
        "none.json",
        "writer.json",
        "--pack",
        notesPack,
        "--url",
        "http://x",
      ]),
    ];
    expect(runs.map(({ code }) => code)).toStrictEqual([2, 2, 2]);
  });

  test("has examples that work", async () => {
    const home = preparedHome();
    home.write("policy.json", {});
    expect((await runExamples(home, ["policy", "diff"])).map(({ code }) => code)).toStrictEqual([1, 1]);
  });
});
