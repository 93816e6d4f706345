// An agent with the real tools for files, commands and pages: whatever becomes of a call, the loop goes on.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentRevision } from "@spfunctions/contracts";
import { describe, expect, onTestFinished, test } from "vitest";
import { describeSandbox } from "../../../../host/test/describe-sandbox.ts";
import { webServer } from "../../../../host/test/web-server.ts";
import { fsTools, httpTools, shellTools } from "../../../../host/src/tools/index.ts";
import { agentDesk, callsBlock } from "../../../test-data/spectator/agent-desk.ts";

type Told = { readonly id: string; readonly tool: string; readonly ok: boolean; readonly error: unknown };

function rootWith(text: string): string {
  const root = mkdtempSync(join(tmpdir(), "agent-tools-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, "notes.txt"), text);
  return root;
}

/** An agent that says this first, and what it is told of its calls then. */
function openDesk(said: string, options: Parameters<typeof agentDesk>[0] = {}) {
  const desk = agentDesk({ says: [said, "Seen."], ...options });
  const told = (): Told[] =>
    (desk.model.asked[1]?.messages ?? []).flatMap(({ text }) => {
      const [head, json] = text.split("\n");
      return head === "Result of a tool, as data:" ? [JSON.parse(json ?? "") as Told] : [];
    });
  return { ...desk, told };
}

// proves LIVE-3.10, LIVE-3.12, LIVE-3.13, LIVE-4.11
describeSandbox("the source's own calls", () => {
  test("are made as they stand there, one after the other", async () => {
    const root = rootWith("hello");
    const said = `<<<TOOL_CALLS_JSON>>>
[
  {"id":"t1","tool":"fs.list_dir","args":{"path":"."}},
  {"id":"t2","tool":"shell.exec","args":{"cmd":"ls -la","timeout_s":10}}
]
<<<END_TOOL_CALLS_JSON>>>`;
    const { agent, operator, told } = openDesk(said, {
      packs: [fsTools({ root }), shellTools({ root })],
      policy: { maxSideEffect: "runtime", allowTools: ["fs.*", "shell.exec"] },
    });
    const session = await agent.open("s");
    const asked = await session.turn("look around");
    expect(asked).toMatchObject({ status: "requires_approval", approvals: [{ status: "pending" }] });
    await operator.approve(asked.approvals[0]?.approvalId ?? "");
    expect(await session.resume()).toMatchObject({ status: "completed", text: "Seen." });
    expect(told()).toMatchObject([
      { id: "t1", tool: "fs.list_dir", ok: true, output: { entries: [{ name: "notes.txt" }] }, error: null },
      {
        id: "t2",
        tool: "shell.exec",
        ok: true,
        output: { exitCode: 0, stdout: expect.stringContaining("notes.txt") },
        error: null,
      },
    ]);
  });
});

// proves LIVE-4.37, LIVE-11.16
test("what a checkpoint says that was granted reaches nothing; what an operator has granted does", async () => {
  const server = await webServer((_, response) => void response.end("the news"));
  const said = callsBlock({ id: "a", tool: "http.get", args: { url: `http://localhost:${server.port}/` } });
  const { agent, operator, told, model } = openDesk("", {
    says: [said, "Seen.", said, "Seen."],
    packs: [httpTools()],
    network: { localHosts: [`localhost:${server.port}`] },
  });
  const origin = await agent.open("origin");
  const [revision] = (JSON.parse(await origin.export()) as { revisions: AgentRevision[] }).revisions;
  const state = { ...revision?.checkpoint.state, capabilities_granted: ["net", "net:localhost"] };
  const session = await agent.import(JSON.stringify({ ...revision?.checkpoint, state }), "imported");
  await session.turn("fetch");
  expect(told()).toMatchObject([{ ok: false, error: { code: "capability_denied" } }]);
  expect(server.connections()).toBe(0);
  await operator.capabilities.grant("net:localhost", { scope: "session", sessionId: "imported" });
  await session.turn("again");
  expect(model.asked[3]?.messages.at(-1)?.text).toContain("the news");
});

describe("the loop goes on, and the model is told with ok false, where", () => {
  // proves LIVE-3.13, LIVE-3.21, LIVE-4.14, LIVE-7.5
  test("a page is nobody's to fetch, or does not come", async () => {
    const server = await webServer((_, response) => void response.socket?.destroy());
    const page = { url: `http://localhost:${server.port}/` };
    const said = callsBlock(
      { id: "a", tool: "http.get", args: { url: "https://example.com/" } },
      { id: "b", tool: "http.get", args: page },
    );
    const { agent, operator, told } = openDesk(said, {
      packs: [httpTools()],
      network: { localHosts: [`localhost:${server.port}`] },
    });
    await operator.capabilities.grant("net:localhost", { scope: "until", forMs: 60_000 });
    const session = await agent.open("s");
    expect(await session.turn("fetch")).toMatchObject({ status: "completed", text: "Seen." });
    expect(told()).toMatchObject([
      { id: "a", ok: false, output: null, error: { code: "capability_denied", message: expect.any(String) } },
      { id: "b", ok: false, output: null, error: { code: "upstream_error", message: expect.any(String) } },
    ]);
    expect(server.connections()).toBe(1);
    expect(await session.turn("and now?")).toMatchObject({ status: "completed" });
  });

  // proves LIVE-3.8, LIVE-3.13, LIVE-7.4, LIVE-7.6
  test("there is no such tool or file, the arguments are wrong, or the policy says no", async () => {
    const root = rootWith("hello");
    const said = callsBlock(
      { id: "a", tool: "look", args: {} },
      { id: "b", tool: "fs.read_text", args: { path: "nowhere" } },
      { id: "c", tool: "fs.read_text", args: { file: "notes.txt" } },
      { id: "d", tool: "fs.write_text", args: { path: "new", text: "x" } },
      { id: "e", tool: "fs.read_text", args: { path: "../../etc/passwd" } },
      { id: "f", tool: "fs.read_text", args: { path: "notes.txt" } },
    );
    const { agent, told } = openDesk(said, { packs: [fsTools({ root })] });
    expect(await (await agent.open("s")).turn("go")).toMatchObject({ status: "completed", text: "Seen." });
    expect(told()).toMatchObject([
      { id: "a", ok: false, error: { code: "unknown_tool" } },
      { id: "b", ok: false, error: { code: "not_found" } },
      { id: "c", ok: false, error: { code: "invalid_input" } },
      { id: "d", ok: false, error: { code: "policy_denied" } },
      { id: "e", ok: false, error: { code: "sandbox_denied" } },
      { id: "f", ok: true, output: { text: "hello" }, error: null },
    ]);
  });
});
