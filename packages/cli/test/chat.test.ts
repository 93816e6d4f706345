// `sf chat` as a real process: at a terminal, killed, interrupted.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { adds, asksFor, chatting, says, withPolicy } from "../test-data/chat-home.ts";
import { grantsIn } from "../test-data/reaching-home.ts";
import { approvalIdIn } from "../test-data/run-scripts.ts";
import { Home, type Started, unrulyPack } from "../test-data/run-sf.ts";
import { hasTerminals, startAtTerminal } from "../test-data/terminal-process.ts";

/** Nobody is asked about what belongs to the user alone. */
const lifted = {
  maxSideEffect: "user_write",
  approvals: { requireForSideEffectAtOrAbove: "secret" },
} as const;

const calls = (name: string, args: object = {}) => ({ calls: [[`unruly.${name}`, args]] }) as const;

/** A chat over tools that behave badly. */
function unruly(home: Home, steps: Parameters<typeof chatting>[1], ...more: readonly string[]): string[] {
  const argv = chatting(home, steps, "--pack", unrulyPack, ...withPolicy, ...more);
  home.write("policy.json", lifted);
  return argv;
}

/** A model that says one piece, and the other when it is told to go on. */
async function slowModel(...pieces: readonly [string, string]) {
  const { promise, resolve: goOn } = Promise.withResolvers<void>();
  const event = (data: object) =>
    `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 1, model: "m", ...data })}\n\n`;
  const said = (content: string) =>
    event({ choices: [{ index: 0, delta: { role: "assistant", content }, finish_reason: null }] });
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(said(pieces[0]));
    void promise.then(() => {
      response.write(said(pieces[1]));
      response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }));
      response.end(
        `${event({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } })}data: [DONE]\n\n`,
      );
      return undefined;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, goOn };
}

const types = (started: Started, text: string) => void started.child.stdin.write(text);

describe.skipIf(!hasTerminals)("at a real terminal (needs script)", () => {
  test("it streams, asks and takes answers; what was typed before a question answers nothing", async () => {
    const home = new Home();
    const script = [
      { ...says("One two three.", asksFor("net:a.example")) },
      says("\u001b[2J\u001b[31mred\nnet:a.example: once, session, hour, no (and why), or later? "),
    ];
    const started = startAtTerminal(home, chatting(home, script));
    // Before anything is asked.
    types(started, "/grant net\n");
    await started.says("chat 1> ");
    types(started, "hi\n");
    await started.says("or later? ");
    expect(started.said).toContain("  │ One two three.\r\n");
    expect(await grantsIn(home)).toMatchObject([{ capability: "net:a.example", status: "pending" }]);
    types(started, "session\n");
    await started.says("chat 2> ");
    types(started, "and?\n");
    await started.says("chat 3> ");
    // What looks like the question is the model's, and what follows it is a message or a command.
    expect(started.said).toContain("  │ \\u001b[2J\\u001b[31mred\r\n  │ net:a.example: once, session, ");
    types(started, "/quit\n");
    const { code, out } = await started.ended;
    expect(code).toBe(0);
    expect(out).toContain("to go on: sf chat --model scripted:script.json --pack ");
    expect(await grantsIn(home)).toMatchObject([
      { capability: "net:a.example", status: "granted", scope: "session" },
    ]);
  }, 120_000);

  test("half a line that was typed before a question is no part of its answer", async () => {
    const home = new Home();
    const started = startAtTerminal(home, chatting(home, [says("May I?", asksFor("net:a.example"))]));
    await started.says("chat 1> ");
    types(started, "hi\nsession");
    await started.says("or later? ");
    types(started, "\n");
    await started.says(
      "is kept as the reason\r\nnet:a.example: once, session, hour, no (and why), or later? ",
    );
    expect(await grantsIn(home)).toMatchObject([{ status: "pending" }]);
    types(started, "later\n");
    await started.says("chat 2> ");
    expect(started.said).toContain("a line that was typed before is not taken");
    types(started, "/quit\n");
    expect((await started.ended).code).toBe(0);
  }, 120_000);

  test("what is answered elsewhere takes the question back, and the turn goes on by that", async () => {
    const home = new Home();
    const argv = [...chatting(home, [says("I add.", adds("milk")), says("Added.")]), ...withPolicy];
    const started = startAtTerminal(home, argv);
    await started.says("chat 1> ");
    types(started, "add milk\n");
    await started.says("or later? ");
    expect((await home.run(["approvals", "approve", approvalIdIn(started.said)])).code).toBe(0);
    await started.says("chat 2> ");
    expect(started.said).toContain("  │ Added.\r\n");
    types(started, "/quit\n");
    expect((await started.ended).code).toBe(0);
    expect(home.read("notes")).toMatch(/ milk\n$/);
  }, 120_000);

  test("what the model says is on the screen while it says it", async () => {
    const home = new Home();
    const { url, goOn } = await slowModel(
      `Half of it is said. ${"More of it comes. ".repeat(100)}`,
      "Now all.",
    );
    const started = startAtTerminal(home, ["chat", "--model", `openai:m@${url}`]);
    await started.says("chat 1> ");
    types(started, "hi\n");
    // All but its end, in which a secret could still begin.
    await started.says(`  │ Half of it is said. ${"More of it comes. ".repeat(50)}`);
    expect(started.said).not.toContain("Now all.");
    goOn();
    await started.says("chat 2> ");
    expect(started.said).toMatch(/ {2}│ Half of it is said\. (?:More of it comes\. )+Now all\.\r\n/);
    types(started, "/quit\n");
    expect((await started.ended).code).toBe(0);
  }, 120_000);

  test("Ctrl-C cancels a turn and the chat goes on; at the prompt it leaves", async () => {
    const home = new Home();
    const started = startAtTerminal(home, unruly(home, [says("I wait.", calls("wait")), says("hello")]));
    await started.says("chat 1> ");
    types(started, "wait\n");
    await started.says("waiting");
    types(started, "\u0003");
    await started.says("cancelling: ");
    await started.says("chat 2> ");
    expect(started.said).toContain("cancelled; revision 2; ");
    types(started, "go on\n");
    await started.says("chat 3> ");
    expect(started.said).toContain("  │ hello\r\n");
    types(started, "\u0003");
    expect(await started.ended).toMatchObject({ code: 0 });
  }, 120_000);

  test("a second Ctrl-C in one turn leaves at once", async () => {
    const home = new Home();
    const started = startAtTerminal(home, unruly(home, [says("I wait.", calls("wait"))]));
    await started.says("chat 1> ");
    types(started, "wait\n");
    await started.says("waiting");
    types(started, "\u0003");
    await started.says("cancelling: ");
    types(started, "\u0003");
    expect((await started.ended).code).toBe(130);
  }, 120_000);
});

describe("a chat whose process was killed in the middle of a call", () => {
  test.skipIf(!hasTerminals)(
    "tells so at its next start, and goes on by a word; the call is done once (needs script)",
    async () => {
      const home = new Home();
      const argv = unruly(home, [says("I try.", calls("die_keyed", { text: "milk" })), says("done")]);
      const dying = startAtTerminal(home, argv);
      await dying.says("chat 1> ");
      types(dying, "try it\n");
      await dying.ended;
      const started = startAtTerminal(home, argv);
      await started.says("chat 1> ");
      expect(started.said).toMatch(
        /a turn is not over: run_\S+ {2}calling: makes calls\r\n {2}it began with: try it\r\n/,
      );
      types(started, "/resume\n");
      await started.says("chat 2> ");
      expect(started.said).toContain("  │ done\r\n");
      types(started, "/quit\n");
      expect((await started.ended).code).toBe(0);
      expect(home.read("notes").match(/^done$/gm)?.length).toBe(1);
    },
    120_000,
  );

  test("goes on with --resume", async () => {
    const home = new Home();
    const argv = unruly(home, [says("I try.", calls("die_keyed", { text: "milk" })), says("done")]);
    const dying = home.start([...argv, "--once", "try it"]);
    onTestFinished(() => void dying.child.kill("SIGKILL"));
    expect((await dying.ended).signal).toBe("SIGKILL");
    const { code, out } = await home.run([...argv, "--resume", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ status: "completed", text: "I try.\n\ndone", revision: 2 });
    expect(home.read("notes").match(/^done$/gm)?.length).toBe(1);
  }, 120_000);

  test("that nobody may repeat says who must decide, and how", async () => {
    const home = new Home();
    const argv = unruly(home, [says("I try.", calls("die_unkeyed", { text: "milk" })), says("done")]);
    const dying = home.start([...argv, "--once", "try it"]);
    onTestFinished(() => void dying.child.kill("SIGKILL"));
    await dying.ended;
    const { code, err } = await home.run([...argv, "--resume"]);
    expect(code).toBe(1);
    const [, command = ""] = /: sf (runs resolve .*)$/m.exec(err) ?? [];
    const decided = command.replace("--status …", "--status failed").replace("--note …", "--note seen");
    expect((await home.run(decided.split(" "))).code).toBe(0);
    expect(await home.run([...argv, "--resume"])).toMatchObject({ code: 0, out: "I try.\n\ndone\n" });
  }, 120_000);
});

test("Ctrl-C cancels what --once has begun, with 130, and it is journaled", async () => {
  const home = new Home();
  const argv = unruly(home, [says("I wait.", calls("wait"))], "--once", "wait", "--ndjson");
  const started = home.start(argv);
  onTestFinished(() => void started.child.kill("SIGKILL"));
  await started.says('"type":"tool.started"');
  started.child.kill("SIGINT");
  const { code, out } = await started.ended;
  expect(code).toBe(130);
  expect(out).toContain('{"type":"turn.ended","ok":false,"sessionId":"chat","status":"cancelled",');
  expect(out).toMatch(/\{"type":"agent\.final","ok":false,"error":\{"code":"cancelled",.*\}\}\n$/);
}, 120_000);
