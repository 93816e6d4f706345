// A trace tells the truth also of a program that called nothing.
import { openFileTrace } from "@spfunctions/host/store";
import { createMemoryStore, memoryTrace, readTrace, type Store, type TraceStore } from "@spfunctions/kernel";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { FaultyStore } from "../../../kernel/test-data/call-store.ts";
import { govern } from "../index.ts";

const principal = { accountId: "acct_1", keyId: "key_1", scopes: ["read", "write"], kind: "local" } as const;

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "sf-trace-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "trace.jsonl");
}

async function closedWithoutCalls(trace: TraceStore, store: Store = createMemoryStore()): Promise<string> {
  const desk = govern({ packs: [], policy: {}, principal, store, trace });
  await desk.close();
  return await trace.text();
}

test("a trace of a governed program without calls is whole, and has no call", async () => {
  const file = newFile();
  for (const trace of [memoryTrace(), await openFileTrace(file)]) {
    const { verification, calls, seal } = await readTrace(await closedWithoutCalls(trace));
    expect([verification.status, calls.size, seal?.count]).toStrictEqual(["ok", 0, 1]);
  }
  expect((await readTrace(readFileSync(file, "utf8"))).verification.status).toBe("ok");
});

test("a store that takes nothing leaves no trace, and closing says nothing of it", async () => {
  const file = newFile();
  const store = new FaultyStore();
  store.fault = () => ({ type: "throw" });
  const trace = await openFileTrace(file);
  expect(await closedWithoutCalls(trace, store)).toBe("");
  expect(existsSync(file)).toBe(false);
});

test("a trace that was never closed says that nothing was written", async () => {
  expect((await readTrace("")).verification).toMatchObject({
    broken: { message: "(the first line) is not there: nothing was written" },
  });
});
