// Several processes that record the same, and one that may not write: a fixture is whole or not there.
import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { readTrace, traceEntries } from "@spfunctions/kernel";
import { expect, onTestFinished, test } from "vitest";

const root = resolve(import.meta.dirname, "../../../..");
const count = 12;

/** Opens fixtures, calls, and closes them all when it is told to. */
const recorder = `
import { createInterface } from "node:readline";
import { defineTool } from "@spfunctions/agent";
import { openFixture } from "@spfunctions/agent/testing";

const [name, folder] = process.argv.slice(2);
if (name === "nobody" && process.getuid() === 0) process.setuid(65534);
let runs = 0;
const say = (value) => console.log(JSON.stringify(value));
const who = defineTool({
  name: "who.wins", description: "Says who it is.", input: {}, output: {}, permissions: [],
  sideEffect: "none", costEffect: "none",
  run: () => {
    runs += 1;
    return name.repeat(20_000);
  },
});
const principal = { accountId: "a", keyId: "k", scopes: ["read"], kind: "local" };
const open = (n) =>
  openFixture({ file: folder + "/" + n + ".jsonl", record: true, packs: [who], policy: {}, principal });
try {
  const all = await Promise.all(Array.from({ length: name === "nobody" ? 1 : ${count} }, (_, n) => open(n)));
  await Promise.all(all.map((one) => one.call("who.wins", {})));
  say({ runs });
  await createInterface({ input: process.stdin })[Symbol.asyncIterator]().next();
  await Promise.all(all.map((one) => one.close()));
  say({ runs });
} catch ({ code, message }) {
  say({ code, message, runs });
}
process.exit();
`;

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "simplefunctions-processes-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

type Started = { readonly process: ChildProcess; readonly next: () => Promise<unknown> };

function start(program: string, name: string, folder: string): Started {
  const child = spawn(process.execPath, ["--conditions=source", program, name, folder], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    process: child,
    next: async () => {
      const { value } = await lines.next();
      return JSON.parse(value as string);
    },
  };
}

function newProgram(): string {
  const folder = newFolder();
  chmodSync(folder, 0o755);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const program = join(folder, "recorder.mjs");
  writeFileSync(program, recorder);
  return program;
}

test("of two processes that record the same fixtures at once one wins, and nothing is torn", async () => {
  const [program, folder] = [newProgram(), newFolder()];
  const both = ["a", "b"].map((name) => start(program, name, folder));
  const ran = { runs: count };
  expect(await Promise.all(both.map(({ next }) => next()))).toStrictEqual([ran, ran]);
  expect(readdirSync(folder)).toStrictEqual([]);
  for (const { process: child } of both) child.stdin?.write("go\n");
  expect(await Promise.all(both.map(({ next }) => next()))).toStrictEqual([ran, ran]);
  const files = readdirSync(folder);
  expect(files.toSorted()).toStrictEqual(Array.from({ length: count }, (_, n) => `${n}.jsonl`).toSorted());
  for (const file of files) {
    const trace = await readTrace(readFileSync(join(folder, file), "utf8"));
    expect(trace.verification.status).toBe("ok");
    const answers = traceEntries(trace).map(({ output }) => output);
    expect([["a".repeat(20_000)], ["b".repeat(20_000)]]).toContainEqual(answers);
  }
});

test.skipIf(process.platform === "win32")(
  "where a folder may only be read, recording is refused before anything runs",
  async () => {
    const [program, folder] = [newProgram(), newFolder()];
    chmodSync(folder, 0o555);
    // For the superuser modes mean nothing, so the other process becomes somebody else.
    expect(await start(program, "nobody", folder).next()).toStrictEqual({
      code: "host_configuration_needed",
      message: `the fixture ${join(folder, "0.jsonl")} cannot be written (EACCES); name a file in a folder that can be written to`,
      runs: 0,
    });
    expect(readdirSync(folder)).toStrictEqual([]);
  },
);
