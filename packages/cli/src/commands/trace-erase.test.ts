import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { callNotes, recordedHome } from "../../test-data/recorded-home.ts";
import { type Home, routedPack } from "../../test-data/run-sf.ts";
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
});
