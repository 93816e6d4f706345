import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { createMemoryStore, defineTool, readTrace, Seat } from "@spfunctions/kernel";
import { expect, test } from "vitest";
import { dataFolder } from "../../../test/data-folder.ts";
import { openFileTrace } from "./open-file-trace.ts";

const at = (name = "run.jsonl") => join(dataFolder(), name);

test.each([true, false])(
  "a file trace has its lines in order, and others in their place (fsync %s)",
  async (fsync) => {
    const path = at();
    const trace = await openFileTrace(path, { fsync });
    await trace.replace(["a", "1"]);
    await trace.append(["2"]);
    await trace.replace(["ä", "1", "2"]);
    await trace.append(["3"]);
    expect(await trace.text()).toBe("ä\n1\n2\n3\n");
    await trace.replace(["c", "1"]);
    await trace.end();
    expect(readFileSync(path, "utf8")).toBe("c\n1\n");
    expect([statSync(path).mode & 0o777, readdirSync(join(path, ".."))]).toStrictEqual([
      0o600,
      ["run.jsonl"],
    ]);
  },
);

test("a program that is started again writes beside the trace that it has left", async () => {
  const path = at("trace.jsonl");
  const start = async () => {
    const trace = await openFileTrace(path);
    await trace.replace(["a", "1"]);
    await trace.end();
    return basename(trace.path);
  };
  expect(await start()).toBe("trace.jsonl");
  writeFileSync(path, "the first");
  expect([await start(), await start()]).toStrictEqual(["trace.2.jsonl", "trace.3.jsonl"]);
  // In the order of their starts, and each has its own, whoever else starts.
  const folder = join(path, "..");
  rmSync(join(folder, "trace.2.jsonl"));
  expect((await Promise.all([start(), start(), start()])).toSorted()).toStrictEqual([
    "trace.4.jsonl",
    "trace.5.jsonl",
    "trace.6.jsonl",
  ]);
  expect(readFileSync(path, "utf8")).toBe("the first");
  writeFileSync(join(folder, "plain"), "");
  expect(basename((await openFileTrace(join(folder, "plain"))).path)).toBe("plain.2");
});

test("a trace is never overwritten, and whoever wants exactly this file is told that it is there", async () => {
  const path = at();
  writeFileSync(path, "mine");
  await expect(openFileTrace(path, { ifTaken: "refuse" })).rejects.toMatchObject({
    code: "host_configuration_needed",
    details: { reason: "trace_exists" },
    message: expect.stringContaining("name another file"),
  });
  expect(readFileSync(path, "utf8")).toBe("mine");
});

test("one that cannot be made is told before anything is called", async () => {
  await expect(openFileTrace(at("missing/run.jsonl"))).rejects.toMatchObject({
    details: { reason: "not_writable" },
  });
});

test("where nothing was called there is no file afterwards", async () => {
  const path = at();
  const trace = await openFileTrace(path);
  expect(existsSync(path)).toBe(true);
  await trace.end();
  expect(existsSync(path)).toBe(false);
});

test("lines that cannot be replaced stay as they were", async () => {
  const folder = dataFolder();
  const path = join(folder, "inner", "run.jsonl");
  mkdirSync(join(folder, "inner"));
  const trace = await openFileTrace(path);
  await trace.replace(["a", "1"]);
  renameSync(join(folder, "inner"), join(folder, "away"));
  await expect(trace.replace(["b"])).rejects.toThrow("ENOENT");
  renameSync(join(folder, "away"), join(folder, "inner"));
  expect(await trace.text()).toBe("a\n1\n");
});

const tool = (name: string) =>
  defineTool({
    name,
    description: "x",
    input: {},
    output: {},
    permissions: [],
    sideEffect: "none",
    costEffect: "none",
    run: () => name,
  });

test("what a seat's journal grows by, written there, is a sealed trace that verifies", async () => {
  const seat = new Seat({
    packs: [tool("a.b"), tool("a.c")],
    levels: [{ level: "agent", policy: {} }],
    principal: { accountId: "acct_1", keyId: "k", scopes: ["read"], kind: "local" },
    origin: "direct",
    surface: "agent",
    store: createMemoryStore(),
  });
  const trace = await openFileTrace(at());
  for (const name of ["a.b", "a.b", "a.c"]) {
    await seat.call({ tool: name });
  }
  const follower = seat.followTrace();
  await trace.replace((await follower?.grow())?.lines ?? []);
  expect((await readTrace(await trace.text())).verification).toMatchObject({ status: "open", count: 4 });
  await seat.close();
  await trace.append((await follower?.end())?.lines ?? []);
  await trace.end();
  expect((await readTrace(await trace.text())).verification).toMatchObject({ status: "ok", count: 4 });
});
