// What was called is over: that its trace could not be written is told to whoever calls next, and in the end. Nothing begins in
// between that nobody could be shown.
import { openFileTrace } from "@spfunctions/host/store";
import { createMemoryStore, memoryTrace, readTrace, type TraceStore } from "@spfunctions/kernel";
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { rejectionOf } from "../../../contracts/test-data/refusal-of.ts";
import { unhandledDuring } from "../../../kernel/test-data/call-waiting.ts";
import { watchedStore } from "../../../server/test-data/watched-store.ts";
import { defineTool, govern } from "../index.ts";

const principal = { accountId: "acct_1", keyId: "key_1", scopes: ["read", "write"], kind: "local" } as const;

type Failing = { at: keyof TraceStore | undefined; readonly trace: TraceStore; readonly done: string[] };

const full = new Error("the disk is full");

/** A place for a trace of which one thing fails as soon as it is told to, at once or after a while. */
function failing(how: "throws" | "rejects" = "rejects", what: unknown = full): Failing {
  const kept = memoryTrace();
  const done: string[] = [];
  const state: { at: keyof TraceStore | undefined } = { at: undefined };
  const act =
    <Given extends unknown[], Answer>(name: keyof TraceStore, inner: (...given: Given) => Promise<Answer>) =>
    (...given: Given): Promise<Answer> => {
      done.push(name);
      if (state.at !== name) return inner(...given);
      if (how === "throws") throw what;
      return Promise.reject(what);
    };
  const trace = {
    replace: act("replace", kept.replace),
    append: act("append", kept.append),
    end: act("end", kept.end),
    text: kept.text,
  };
  return Object.assign(state, { trace, done });
}

function open(trace: TraceStore, store = createMemoryStore()) {
  const ran: string[] = [];
  const tool = (name: string, sideEffect: "none" | "user_write") =>
    defineTool({
      name,
      description: "Counts.",
      input: {},
      output: {},
      permissions: [],
      sideEffect,
      costEffect: "none",
      run: () => ran.push(name),
    });
  const packs = [tool("desk.read", "none"), tool("desk.write", "user_write")];
  const governed = govern({ packs, policy: { maxSideEffect: "user_write" }, principal, trace, store });
  return { governed, ran, store };
}

const notWritten = {
  code: "host_configuration_needed",
  details: { reason: "trace_not_written" },
  message: expect.stringMatching(/its trace could not be written \(the disk is full\)/),
};

describe.each(["throws", "rejects"] as const)("where %s", (how) => {
  test.each(["replace", "append"] as const)(
    "%s: the answer is given, the next call is refused before anything begins, and closing says why",
    async (at) => {
      const broken = failing(how);
      const { governed, ran, store } = open(broken.trace);
      // The first call replaces nothing by all there is; a second of the same tool adds to it.
      if (at === "append") await governed.call("desk.write", {});
      broken.at = at;
      const before = ran.length;
      expect((await governed.call("desk.write", {})).output).toBe(before + 1);
      const begun = JSON.stringify(await store.documents({ kind: "segment", accountId: "acct_1", limit: 9 }));
      for (const act of [
        () => governed.call("desk.write", {}),
        () => governed.stream("desk.read", {}).result,
        () =>
          (governed.tools as unknown as Record<"desk", Record<"read", () => Promise<unknown>>>).desk.read(),
      ])
        expect(await rejectionOf(act())).toMatchObject(notWritten);
      expect(ran.length).toBe(before + 1);
      expect(JSON.stringify(await store.documents({ kind: "segment", accountId: "acct_1", limit: 9 }))).toBe(
        begun,
      );
      expect(await rejectionOf(governed.close())).toMatchObject(notWritten);
      expect(await rejectionOf(governed.close())).toMatchObject(notWritten);
      // What is kept is let go of, and nothing is written after what could not be.
      expect(broken.done.filter((done) => done === "end")).toHaveLength(1);
      expect(broken.done.filter((done) => done === at)).toHaveLength(at === "append" ? 2 : 1);
      expect((await governed.verify()).status).toBe("ok");
    },
  );

  test("end: closing says why, and the journal is sealed", async () => {
    const broken = failing(how);
    const { governed } = open(broken.trace);
    await governed.call("desk.read", {});
    broken.at = "end";
    expect(await rejectionOf(governed.close())).toMatchObject(notWritten);
    expect((await readTrace(await broken.trace.text())).verification.status).toBe("ok");
    expect((await governed.verify()).status).toBe("ok");
  });
});

test("a call that is refused or fails is told its own error, and not the trace's", async () => {
  const broken = failing();
  const { governed } = open(broken.trace);
  broken.at = "replace";
  expect((await rejectionOf(governed.call("no.such_tool"))).code).toBe("unknown_tool");
  expect(await rejectionOf(governed.call("no.such_tool"))).toMatchObject(notWritten);
});

test("calls that were made at the same time are all answered, and nothing is left unhandled", async () => {
  const broken = failing();
  const { governed, ran } = open(broken.trace);
  await governed.call("desk.write", {});
  broken.at = "append";
  const unhandled = await unhandledDuring(async () => {
    const answers = await Promise.all([1, 2, 3].map(() => governed.call("desk.write", {})));
    expect(answers.map(({ output }) => output)).toStrictEqual([2, 3, 4]);
    await rejectionOf(governed.close());
  });
  expect([ran.length, unhandled]).toStrictEqual([4, []]);
  expect((await readTrace(await broken.trace.text())).verification).toMatchObject({
    status: "open",
    count: 3,
  });
});

test("what somebody else threw is not repeated as it is: S1", async () => {
  const secret = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH";
  const broken = failing("rejects", new Error(`no connection to postgres://me:${secret}@db/x`));
  const { governed } = open(broken.trace);
  broken.at = "replace";
  await governed.call("desk.read", {});
  const error = await rejectionOf(governed.close());
  expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain(secret);
});

test("what is no error is told, too", async () => {
  const broken = failing("rejects", null);
  const { governed } = open(broken.trace);
  broken.at = "replace";
  await governed.call("desk.read", {});
  expect((await rejectionOf(governed.close())).message).toContain("(it was refused)");
});

test("a journal that cannot be read any more is no trace, and the answer is given all the same", async () => {
  const trace = memoryTrace();
  const store = watchedStore(() => undefined);
  let isDown = false;
  const readStream: typeof store.readStream = async (range) => {
    if (isDown) throw new Error("the disk is full");
    return await store.readStream(range);
  };
  const down = new Proxy(store, {
    get: (target, name) => (name === "readStream" ? readStream : (Reflect.get(target, name) as unknown)),
  });
  const { governed } = open(trace, down);
  await governed.call("desk.read", {});
  isDown = true;
  expect((await governed.call("desk.write", {})).output).toBe(2);
  expect(await rejectionOf(governed.call("desk.write", {}))).toMatchObject(notWritten);
  expect((await readTrace(await trace.text())).verification).toMatchObject({ status: "open", count: 2 });
});

test("a file whose folder is gone: nothing is left open, and the lines that were there are whole", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sf-trace-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "run.jsonl");
  const descriptors = () =>
    readdirSync("/proc/self/fd")
      .flatMap((fd) => linkOf(fd))
      .filter((link) => link.startsWith(folder));
  const { governed } = open(await openFileTrace(path));
  await governed.call("desk.read", {});
  const before = readFileSync(path, "utf8");
  expect(descriptors()).toHaveLength(1);
  rmSync(folder, { recursive: true });
  // The next tool needs another first line, and so another file.
  expect((await governed.call("desk.write", {})).output).toBe(2);
  expect((await rejectionOf(governed.close())).message).toContain("ENOENT");
  expect(descriptors()).toStrictEqual([]);
  expect((await readTrace(before)).verification).toMatchObject({ status: "open", count: 2 });
});

function linkOf(fd: string): string[] {
  try {
    return [readlinkSync(`/proc/self/fd/${fd}`)];
  } catch {
    return [];
  }
}
