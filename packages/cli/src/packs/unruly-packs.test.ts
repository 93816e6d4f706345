// The real program, with packs that behave badly in every way a pack can.
import { describe, expect, test } from "vitest";
import { Home, notesPack, unrulyPack } from "../../test-data/run-sf.ts";

function writingHome(): Home {
  const home = new Home();
  home.write("policy.json", { maxSideEffect: "user_write" });
  return home;
}

const unruly = (tool: string, ...argv: string[]) => [
  "call",
  `unruly.${tool}`,
  "--pack",
  unrulyPack,
  "--policy",
  "policy.json",
  ...argv,
];

describe("a pack that", () => {
  test("leaves a failing promise behind ends its call, journaled, and is told of in one line", async () => {
    const home = writingHome();
    const { code, err } = await home.runBinary(unruly("stray", "--record-trace", "t.jsonl"));
    expect(code).toBe(1);
    expect(err).toMatch(
      /^error internal: something failed that should not: nobody waits for me\nerror cancelled: unruly\.stray: /,
    );
    expect((await home.run(["trace", "verify", "t.jsonl"])).out).toMatch(/^ok: /);
  });

  test("keeps something running keeps nobody waiting", async () => {
    const home = new Home();
    home.write("p.ts", `setInterval(() => {}, 1000); export { tools } from ${JSON.stringify(notesPack)};`);
    const { code } = await home.runBinary(["call", "notes.read", "--pack", "./p.ts", "--input", '{"id":7}']);
    expect(code).toBe(0);
  });

  test("never ends loading is told of, and not waited for", async () => {
    const home = new Home();
    home.write("p.ts", "await new Promise(() => {})");
    const message = "pack ./p.ts never comes to an end: there is nothing left to wait for";
    const err = `error internal: ${message}\n`;
    const [human, json] = await Promise.all([
      home.runBinary(["call", "x.y", "--pack", "./p.ts"]),
      home.runBinary(["explain", "x.y", "--pack", "./p.ts", "--json"]),
    ]);
    expect(human).toMatchObject({ code: 1, out: "", err });
    expect(json).toMatchObject({ code: 1, err });
    expect(JSON.parse(json.out)).toMatchObject({ ok: false, error: { code: "internal", message } });
  });

  test("ends the process while it is loaded does not pass for an answer", async () => {
    const home = new Home();
    home.write("p.ts", "process.exit(0)");
    const { code, out, err } = await home.runBinary(["call", "x.y", "--pack", "./p.ts", "--json"]);
    const message = "code of pack ./p.ts has ended this process before there was an answer";
    expect({ code, err }).toStrictEqual({ code: 1, err: `error internal: ${message}\n` });
    expect(JSON.parse(out)).toMatchObject({ ok: false, error: { code: "internal", message } });
  });

  test("ends the process in a call does not pass for an answer either, and is settled by the next", async () => {
    const home = writingHome();
    const { code, out, err } = await home.runBinary(unruly("exit"));
    expect({ code, out, err }).toStrictEqual({
      code: 1,
      out: "",
      err: "error internal: code of unruly.exit has ended this process before there was an answer; what it had begun is settled when this data folder is opened next with its pack\n",
    });
    const frames = (await home.runBinary(unruly("exit", "--ndjson"))).out.trimEnd().split("\n");
    expect(JSON.parse(frames.at(-1) ?? "")).toMatchObject({ type: "agent.final", ok: false });
    expect((await home.run(unruly("shout"))).err).toMatch(/unruly\.exit \(call_[^)]+\): unknown; /);
  });

  test("prints something prints it beside the answer, never into it", async () => {
    const home = new Home();
    home.write(
      "p.ts",
      `import { log } from "node:console";
      log("loading"); console.table([1]); process.stdout.write("raw\\n");
      export { tools } from ${JSON.stringify(unrulyPack)};`,
    );
    const chat = ["call", "unruly.chat", "--pack", "./p.ts"];
    const [human, json, ndjson] = await Promise.all([
      home.runBinary(chat),
      home.runBinary([...chat, "--json"]),
      home.runBinary([...chat, "--ndjson"]),
    ]);
    expect(human.out).toBe('{\n  "said": true\n}\n');
    expect(JSON.parse(json.out)).toMatchObject({ ok: true, output: { said: true } });
    for (const said of ["loading\n", "(index)", "raw\n", "chatting\n"]) expect(json.err).toContain(said);
    const lines = ndjson.out.trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toContain("agent.final");
  });
});
