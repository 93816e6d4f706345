// The tool as the judge and a caller see it.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "@spfunctions/contracts";
import { Seat } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { dataFolder } from "../../../test/data-folder.ts";
import { describeSandbox } from "../../../test/describe-sandbox.ts";
import { openSqliteStore } from "../../store/index.ts";
import { type ShellOptions, shellTools } from "./shell-tools.ts";

const allowed = { maxSideEffect: "runtime", allowTools: ["shell.exec"] } as const;

function seatOf(options: ShellOptions, policy: object = allowed) {
  const seat = new Seat({
    packs: [shellTools(options)],
    levels: [{ level: "agent", policy }],
    principal: { accountId: "office", keyId: "anna", scopes: ["admin"], kind: "key" },
    origin: "direct",
    surface: "agent",
  });
  const events: AgentEvent[] = [];
  /** What came out, or the error. */
  const exec = async (input: object): Promise<unknown> => {
    const outcome = await seat.call({ tool: "shell.exec", input }, (event) => events.push(event));
    return outcome.type === "completed" ? outcome.result.output : outcome.error;
  };
  return { events, exec };
}

function rootWith(text: string): string {
  const root = dataFolder();
  writeFileSync(join(root, "x"), text);
  return root;
}

describe("shell.exec", () => {
  test("has this contract, whatever its root", () => {
    const [{ contract }] = shellTools({ root: dataFolder() });
    expect(contract).toMatchObject({
      name: "shell.exec",
      permissions: ["shell:exec"],
      sideEffect: "runtime",
      costEffect: "none",
      idempotency: { type: "none" },
      agent: { callable: true, defaultEnabled: false },
    });
    expect(contract.digest).toBe("sha256:037434a15c68904312807f35ee0f38dd34bdb707764e30a82aeed8098057834f");
  });

  // proves LIVE-4.12, LIVE-4.13
  test("takes a command, and 20 seconds unless it is given others", () => {
    const [{ contract }] = shellTools({ root: dataFolder() });
    expect(contract.input).toMatchObject({
      properties: { cmd: { type: "string" }, timeout_s: { type: "integer", default: 20 } },
      required: ["cmd"],
      additionalProperties: false,
    });
  });

  test("is refused below its class", async () => {
    const { exec } = seatOf({ root: dataFolder() }, { maxSideEffect: "user_write" });
    expect(await exec({ cmd: "ls" })).toMatchObject({ code: "policy_denied" });
  });

  test.each([
    {},
    { cmd: "" },
    { cmd: 7 },
    { cmd: "ls", timeout_s: 0 },
    { cmd: "ls", timeout_s: 121 },
    { cmd: "ls", cwd: "/" },
  ])("does not take %j", async (input) => {
    const { exec } = seatOf({ root: dataFolder() });
    expect(await exec(input)).toMatchObject({ code: "invalid_input" });
  });

  test("tells its caller what was refused, and why", async () => {
    const { exec } = seatOf({ root: dataFolder() });
    expect(await exec({ cmd: "find . -exec id ';'" })).toMatchObject({
      code: "sandbox_denied",
      message: expect.stringContaining('find: "-exec" is refused: it runs another program'),
      details: { reason: "argument_not_allowed", path: "/cmd" },
    });
  });

  // proves LIVE-4.20
  test("runs with fewer commands and less time where it is told to", async () => {
    const root = dataFolder();
    const [{ contract }] = shellTools({ root, commands: ["wc", "ls"], limits: { timeoutS: 5 } });
    expect(contract.description).toContain("Commands: ls wc.");
    expect(contract.input).toMatchObject({ properties: { timeout_s: { maximum: 5, default: 5 } } });
    const { exec } = seatOf({ root, commands: ["ls"] });
    expect(await exec({ cmd: "cat x" })).toMatchObject({ code: "sandbox_denied" });
  });

  test.each([[[]], [["sh"]], [["ls", "bash"]]])("has no commands but its own: %j", (commands) => {
    expect(() => shellTools({ root: dataFolder(), commands: commands as never })).toThrow("can only shorten");
  });

  test("follows mounts or not, and nothing else", () => {
    expect(() => shellTools({ root: dataFolder(), mounts: "sometimes" as never })).toThrow(
      "one of refuse, follow",
    );
  });

  test("has a root apart from what the program keeps", () => {
    const root = dataFolder();
    expect(() => shellTools({ root, apart: [root] })).toThrow("lie in each other");
  });
});

describeSandbox("shell.exec, allowed", () => {
  // proves LIVE-4.11
  test("answers with what the command printed, and says on the way that the sandbox is full", async () => {
    const { events, exec } = seatOf({ root: rootWith("hello\n") });
    expect(await exec({ cmd: "cat x" })).toMatchObject({
      exitCode: 0,
      stdout: "hello\n",
      stderr: "",
      truncated: false,
      timedOut: false,
      durationMs: expect.any(Number),
      sandbox: "full",
    });
    expect(events).toContainEqual(
      expect.objectContaining({ type: "tool.progress", message: "sandbox full" }),
    );
  });

  test("a command that fails is an effect that is complete", async () => {
    const { exec } = seatOf({ root: dataFolder() });
    expect(await exec({ cmd: "cat nothing" })).toMatchObject({
      exitCode: 1,
      stdout: "",
      stderr: "cat: nothing: No such file or directory\n",
    });
  });

  test("runs no more once this process keeps its data in the root", async () => {
    const root = rootWith("x");
    const { exec } = seatOf({ root });
    expect(await exec({ cmd: "cat x" })).toMatchObject({ exitCode: 0 });
    mkdirSync(join(root, "data"));
    const store = await openSqliteStore({ folder: join(root, "data") });
    expect(await exec({ cmd: "cat x" })).toMatchObject({ code: "host_configuration_needed" });
    await store.close();
  });
});
