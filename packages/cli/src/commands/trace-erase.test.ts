import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { adds, chatting, says, withPolicy } from "../../test-data/chat-home.ts";
import { callNotes, installationSecret, recordedHome } from "../../test-data/recorded-home.ts";
import { Home, routedPack } from "../../test-data/run-sf.ts";
import { isHeld } from "../../test-data/run-up.ts";

const data = ["--data", "data"];
const words = "the words of somebody";

/** Whether any file of the folder holds them. */
function isKept(home: Home): boolean {
  return readdirSync(home.path("data")).some((name) => home.read(`data/${name}`).includes(words));
}

async function called(): Promise<{ readonly home: Home; readonly callId: string }> {
  const home = await recordedHome();
  await callNotes(home, "notes.add", { text: words }, [...data, "--record-trace", "said.jsonl"]);
  const { out } = await home.run(["trace", "show", "said.jsonl", "--json"]);
  const [entry] = (JSON.parse(out) as { entries: { callId: string }[] }).entries;
  return { home, callId: entry?.callId ?? "" };
}

describe("sf trace erase", () => {
  test("takes what went into a call and came out of it, wherever it is, and leaves a journal that is whole", async () => {
    const { home, callId } = await called();
    expect(isKept(home)).toBe(true);
    const { code, out, err } = await home.run(["trace", "erase", callId, "--yes", ...data]);
    expect({ code, err }).toStrictEqual({ code: 0, err: "" });
    expect(out).toBe(`${callId}: 2 payloads are erased, by your word; its records stay\n`);
    expect(isKept(home)).toBe(false);
    expect((await home.run(["trace", "verify", ...data])).code).toBe(0);
    const again = await home.run(["trace", "erase", callId, "--yes", ...data, "--json"]);
    expect([again.code, JSON.parse(again.out)]).toMatchObject([1, { error: { code: "not_found" } }]);
  });

  test("asks before, and without a terminal wants to be told", async () => {
    const { home, callId } = await called();
    expect(await home.run(["trace", "erase", callId, ...data])).toMatchObject({
      code: 2,
      err: expect.stringContaining("give --yes if you are sure"),
    });
    expect(isKept(home)).toBe(true);
  });

  test("says that there is no such call, or that it is none", async () => {
    const { home } = await called();
    const none = await home.run(["trace", "erase", "call_00000000", "--yes", ...data]);
    expect([none.code, none.err]).toStrictEqual([
      1,
      expect.stringContaining("nothing is journaled here as call_00000000"),
    ]);
    expect((await home.run(["trace", "erase", "run_00000000", "--yes", ...data])).code).toBe(2);
  });

  test("says who drives the folder where another process does, and erases nothing", async () => {
    const { home, callId } = await called();
    home.write("policy.json", { maxSideEffect: "user_write" });
    const input = JSON.stringify({ file: home.path("let-go") });
    const law = ["--pack", routedPack, "--policy", "policy.json", ...data];
    const call = home.start(["call", "routed.hold", ...law, "--input", input]);
    await isHeld(home);
    const { code, err } = await home.run(["trace", "erase", callId, "--yes", ...data, "--wait", "0"]);
    expect([code, err]).toStrictEqual([1, expect.stringContaining(`is driven by process ${call.child.pid}`)]);
    home.write("let-go", "");
    expect((await call.ended).code).toBe(0);
    expect(isKept(home)).toBe(true);
  });

  test("takes what a chat has made of a call: notes, memories, index and logs, and says so by ids", async () => {
    const home = new Home({ SF_INSTALLATION_KEY: installationSecret });
    const said = "the heron of quarry seven counts forty silver keys";
    const steps = [says("Noting.", adds(said)), says(`Noted: ${said}`, { notes: { add_decisions: [said] } })];
    const argv = chatting(home, steps, "--session", "s", ...withPolicy, ...data);
    const lifted = { requireForSideEffectAtOrAbove: "secret" };
    home.write("policy.json", { maxSideEffect: "user_write", approvals: lifted });
    expect((await home.run([...argv, "--once", "note it"])).code).toBe(0);
    const bytes = () => filesIn(home.path("data")).map((file) => readFileSync(file, "latin1"));
    const [callId = ""] = /call_[0-9a-z-]+/.exec(bytes().join("\n")) ?? [];
    expect(bytes().join("\n")).toContain("forty silver");
    const { code, out, err } = await home.run(["trace", "erase", callId, "--yes", ...data]);
    expect({ code, err }).toStrictEqual({ code: 0, err: "" });
    expect(out).toContain("revisions of long-lived agents (1): s/2");
    expect(out).toMatch(/logs of turns \(1\): turn-00000002-run_/);
    expect(out).toContain("note: copies that were made elsewhere stay");
    expect(bytes().join("\n")).not.toContain("forty silver");
    expect((await home.run(["trace", "verify", ...data])).code).toBe(0);
    const again = await home.run(["trace", "erase", callId, "--yes", ...data, "--json"]);
    expect([again.code, JSON.parse(again.out)]).toMatchObject([
      0,
      { payloads: 0, runs: [expect.any(String)] },
    ]);
  });
});

function filesIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name));
}
