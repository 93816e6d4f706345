// The real program, in a process of its own and an empty home.
import { closeSync, openSync, readdirSync } from "node:fs";
import { openSqliteStore } from "@spfunctions/host/store";
import { describe, expect, test } from "vitest";
import { Home, notesPack, unrulyPack } from "../test-data/run-sf.ts";

const read = ["call", "notes.read", "--pack", notesPack, "--input", '{"id":7}'];
const milk = '{\n  "id": 7,\n  "text": "milk"\n}\n';

function writingHome(): Home {
  const home = new Home();
  home.write("policy.json", { maxSideEffect: "user_write" });
  return home;
}

const add = (...argv: string[]) => [
  "call",
  "notes.add",
  "--pack",
  notesPack,
  "--policy",
  "policy.json",
  ...argv,
];
const packs = ["--pack", notesPack, "--pack", unrulyPack];
const unruly = (tool: string, ...argv: string[]) => [
  "call",
  `unruly.${tool}`,
  ...packs,
  "--policy",
  "policy.json",
  ...argv,
];

describe("sf", () => {
  test("calls a tool, and says nothing that was not asked for", async () => {
    const home = new Home();
    const { code, out, err } = await home.runBinary(read);
    expect({ code, out }).toStrictEqual({ code: 0, out: milk });
    const words = err.split("\n").map((line) => line.split(" ", 1)[0]);
    expect(words).toStrictEqual(["who", "what", "may", "price", "proof", ""]);
    expect(readdirSync(home.path("home/.config/simplefunctions"))).toStrictEqual(["installation.key"]);
  });

  test("exits as its command ended: refused, not understood, verified and found broken", async () => {
    const home = writingHome();
    home.write("bad.jsonl", "no trace");
    const runs = await Promise.all([
      home.runBinary(["call", "notes.add", "--pack", notesPack]),
      home.runBinary(["trace", "verify", "bad.jsonl", "--polcy"]),
      home.runBinary(["trace", "verify", "bad.jsonl"]),
    ]);
    expect(runs.map(({ code }) => code)).toStrictEqual([3, 2, 6]);
  });

  test("reads a large input from a pipe", async () => {
    const home = writingHome();
    const large = JSON.stringify({ text: "x".repeat(1_000_000) });
    const { code, out } = await home.runBinary(add("--input", "-"), large);
    expect({ code, out }).toStrictEqual({ code: 0, out: '{\n  "count": 1\n}\n' });
  });

  test("waits while another process drives the data folder, and goes on when it is free", async () => {
    const home = new Home();
    const store = await openSqliteStore({ folder: home.path("data") });
    const waiting = home.start([...read, "--data", "data", "--wait", "60000"]);
    await waiting.says(`data is driven by process ${process.pid}`);
    await store.close();
    expect(await waiting.ended).toMatchObject({ code: 0, out: milk });
  });
});

test("Ctrl-C cancels the call, which is journaled, and exits with 130", async () => {
  const home = writingHome();
  const running = home.start(unruly("wait", "--record-trace", "t.jsonl"));
  await running.says("waiting");
  running.child.kill("SIGINT");
  const { code, err } = await running.ended;
  expect(code).toBe(130);
  expect(err).toContain(
    "error cancelled: unruly.wait: cancelled while it ran; what it had begun may have happened\n",
  );
  const shown = await home.run(["trace", "show", "t.jsonl", "--json"]);
  expect(JSON.parse(shown.out)).toMatchObject({
    verification: { status: "ok" },
    entries: [{ tool: "unruly.wait", status: "cancelled", error: { code: "cancelled" } }],
  });
});

test("a reader that goes away changes nothing about the call: it is run, journaled and sealed, without a stack", async () => {
  const home = writingHome();
  const running = home.start(add("--input", '{"text":"x"}', "--record-trace", "t.jsonl", "--ndjson"));
  running.child.stdout.destroy();
  const { code, err } = await running.ended;
  expect({ code, err }).toStrictEqual({ code: 0, err: "" });
  expect(home.read("notes").split("\n")).toHaveLength(2);
  expect((await home.run(["trace", "verify", "t.jsonl"])).out).toMatch(/^ok: /);
});

test("an answer that cannot be written is told of, once, and exits with 1", async () => {
  const home = new Home();
  const full = openSync("/dev/full", "w");
  const running = home.start([...read, "--ndjson"], {}, full);
  closeSync(full);
  expect(await running.ended).toMatchObject({
    code: 1,
    err: "error host_configuration_needed: the standard output cannot be written to (ENOSPC): the answer is lost, what was done is not; make room, or write elsewhere\n",
  });
});
