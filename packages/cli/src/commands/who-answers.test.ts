// Who sat at the terminal is on record with their answer.
import { userInfo } from "node:os";
import { describe, expect, test } from "vitest";
import { adding as call, asked, askingHome, listed } from "../../test-data/asking-home.ts";
import { leftRun } from "../../test-data/run-home.ts";
import { adding, running, saying, withPolicy } from "../../test-data/run-scripts.ts";
import { Home } from "../../test-data/run-sf.ts";
import { startUp } from "../../test-data/run-up.ts";
import { typedTerminal } from "../../test-data/typed-terminal.ts";

const ana = { user: "ana" };
const operator = (keyId: string) => ({ accountId: "local", keyId, scopes: ["admin"], kind: "operator" });

async function decidedBy(home: Home) {
  const [approval] = await listed(home, "--status", "any");
  return approval?.decidedBy;
}

describe("whoever answers at a terminal is on record", () => {
  test("as the user of the operating system, by the real program", async () => {
    const home = askingHome();
    const id = await asked(home);
    expect((await home.runBinary(["approvals", "deny", id])).code).toBe(0);
    expect(await decidedBy(home)).toStrictEqual(operator(`operator:${userInfo().username}`));
  });

  test("by the name that --as says", async () => {
    const home = askingHome();
    const id = await asked(home);
    const { out } = await home.run(["approvals", "approve", id, "--as", "bo@desk"], ana);
    expect(out).toContain(`${id} (notes.add) is approved by operator bo@desk of account local, `);
    expect(await decidedBy(home)).toStrictEqual(operator("operator:bo@desk"));
  });

  test("also where a run asks them, with --as or without", async () => {
    for (const [more, name] of [
      [[], "ana"],
      [["--as", "bo"], "bo"],
    ] as const) {
      const home = new Home();
      const { screen: _, out: __, ...terminal } = typedTerminal(["approve"]);
      const argv = running(home, [adding("milk"), saying("done")], ...withPolicy, ...more);
      expect((await home.run(argv, { ...terminal, ...ana })).code).toBe(0);
      expect(await decidedBy(home)).toStrictEqual(operator(`operator:${name}`));
    }
  });

  test("also with what calls may reach, and with a standing grant", async () => {
    const home = askingHome();
    const id = await asked(home, "--session", "desk");
    const granted = await home.run(["grants", "grant", "net:example.com", "--json"], ana);
    expect(JSON.parse(granted.out)).toMatchObject({ grant: { decidedBy: operator("operator:ana") } });
    await home.run(["approvals", "approve", id, "--for-session", "--as", "bo"], ana);
    const { out } = await home.run(["approvals", "grants"]);
    expect(out).toContain("granted by operator bo of account local, in ");
  });
});

test("whoever cancels a run at a terminal is on record, too", async () => {
  const home = new Home();
  const runId = await leftRun(home);
  expect((await home.run(["runs", "cancel", runId], ana)).code).toBe(0);
  const { out } = await home.run(["runs", "show", runId, "--json"]);
  expect(JSON.parse(out)).toMatchObject({ cancelledBy: operator("operator:ana") });
});

describe("S1: a name that is kept", () => {
  test.each([
    ["a secret", `sf_live_${"a".repeat(32)}`, "holds what looks like a secret"],
    ["words", "ana of the desk", "expected a name: 1 to 64 letters, digits or . _ @ -"],
    ["a prefix", "key:ana", "expected a name"],
    ["nothing", "", "expected a name"],
  ])("is refused if it is %s, and nothing is answered", async (_, name, says) => {
    const home = askingHome();
    const id = await asked(home);
    const { code, out, err } = await home.run(["approvals", "approve", id, "--as", name]);
    expect({ code, out }).toStrictEqual({ code: 2, out: "" });
    expect(err).toContain(says);
    expect(err).not.toMatch(/sf_live_/);
    expect(await decidedBy(home)).toBeUndefined();
  });

  test("is not there for a platform that is named, which records the key", async () => {
    const home = askingHome();
    const { url } = await startUp(home, ["--port", "0", "--no-markets"]);
    const id = "appr_0198f3c2-7a51-7c3e-9b1d-4f6a2e8c0d57";
    expect(await home.run(["approvals", "deny", id, "--as", "ana", "--url", url])).toMatchObject({
      code: 2,
      err: expect.stringContaining("option '--as <name>' cannot be used with option '--url <address>'"),
    });
  });
});

describe("the name gives no authority, and takes none", () => {
  // "cli" is what the caller is called who has asked.
  test.each(["cli", "operator", "local", "nobody"])("--as %s answers as any other does", async (name) => {
    const home = askingHome();
    const id = await asked(home);
    expect((await home.run(["approvals", "approve", id, "--as", name])).code).toBe(0);
    expect(await decidedBy(home)).toStrictEqual(operator(`operator:${name}`));
    expect((await home.run(call())).code).toBe(0);
  });

  test("what an operator without a name has answered before stands, is shown, and is ended by one with a name", async () => {
    const home = askingHome();
    const id = await asked(home, "--session", "desk");
    await home.run(["approvals", "approve", id, "--for-session"]);
    const { out } = await home.run(["approvals", "ls", "--status", "any"]);
    expect(out).toMatch(/\n {2}decided by operator of account local, .* UTC \(.* ago\)\n/);
    const grants = await home.run(["approvals", "grants", "--json"]);
    const { grantId } = (JSON.parse(grants.out) as { grants: [{ grantId: string }] }).grants[0];
    expect((await home.run(["approvals", "revoke", grantId], ana)).code).toBe(0);
  });
});

describe("who answered, and when, is shown", () => {
  const when = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC \\(.* ago\\)";

  test("by sf approvals ls", async () => {
    const home = askingHome();
    const id = await asked(home);
    await home.run(["approvals", "deny", id], ana);
    const { out } = await home.run(["approvals", "ls", "--status", "any"]);
    expect(out).toMatch(new RegExp(`\n  decided by operator ana of account local, ${when}\n`));
  });

  test("by sf runs show, also in its JSON", async () => {
    const home = new Home();
    const runId = await leftRun(home);
    const [question] = await listed(home);
    const id = question?.approvalId ?? "";
    await home.run(["approvals", "approve", id], ana);
    const { out } = await home.run(["runs", "show", runId]);
    expect(out).toMatch(
      new RegExp(`\n    approval  ${id} approved\n    decided   ${when} by operator ana of account local\n`),
    );
    const json = await home.run(["runs", "show", runId, "--json"]);
    const [decided] = await listed(home, "--status", "any");
    expect(json.out).toContain(`"decidedAt": "${decided?.decidedAt}"`);
  });

  test("by sf approvals ls --csv, in which no cell is a formula", async () => {
    const home = askingHome();
    const id = await asked(home);
    const note = '=HYPERLINK("x"), no';
    await home.run(["approvals", "deny", id, "--note", note], ana);
    const [approval] = await listed(home, "--status", "any");
    const { code, out } = await home.run(["approvals", "ls", "--status", "any", "--csv"]);
    expect([code, out.split("\n")]).toStrictEqual([
      0,
      [
        "approval,tool,status,account,asked_by,asked_at,decided_by,decided_at,note,where",
        [
          `${id},notes.add,denied,local,local cli,${approval?.createdAt}`,
          `operator ana,${approval?.decidedAt},"'=HYPERLINK(""x""), no",${approval?.where}`,
        ].join(","),
        "",
      ],
    ]);
  });
});
