// B24: a stream always ends, whatever the tool, the store, a policy or whoever reads it does, and nothing is left unhandled.
import { type AgentEvent, JournalAppendFailedError } from "@spfunctions/contracts";
import { type Clock, createMemoryStore, mostLiveWaiting, type Store } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { type EventStream, eventStream } from "./event-stream.ts";
import { defineTool, govern } from "./index.ts";

const principal = { accountId: "acct_1", keyId: "key_1", scopes: ["read", "write"], kind: "local" } as const;
const started = {
  type: "run.completed",
  runId: "run_00000000",
  ts: "2026-01-02T03:04:05Z",
  seq: 1,
  index: 0,
} as AgentEvent;

async function turns(count = 20): Promise<void> {
  for (let at = 0; at < count; at++) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}

/** What an iteration has seen, and whether it has come to its end. */
function reading(stream: AsyncIterable<AgentEvent>) {
  const state = { types: [] as string[], hasEnded: false };
  void (async () => {
    for await (const { type } of stream) state.types.push(type);
    state.hasEnded = true;
  })();
  return state;
}

/** Rejections that nobody handled meanwhile. */
async function unhandledDuring(act: () => Promise<unknown>): Promise<unknown[]> {
  const seen: unknown[] = [];
  const listen = (reason: unknown) => void seen.push(reason);
  process.on("unhandledRejection", listen);
  try {
    await act();
    await turns(5);
  } finally {
    process.off("unhandledRejection", listen);
  }
  return seen;
}

describe("an iteration over a stream", () => {
  test("sees all that is journaled, and of what is live as much as is kept for whoever looks later", async () => {
    const live = { ...started, seq: undefined, live: true } as unknown as AgentEvent;
    const stream = eventStream(async (watch) => {
      watch(started);
      for (let at = 0; at < mostLiveWaiting + 5; at++) watch(live);
      watch(started);
      return await Promise.resolve("done");
    });
    await stream.result;
    const seen: AgentEvent[] = [];
    for await (const event of stream) seen.push(event);
    expect(seen.filter((event) => event === live)).toHaveLength(mostLiveWaiting);
    expect(seen.filter((event) => event === started)).toHaveLength(2);
    expect([seen[0], seen.at(-1)]).toStrictEqual([started, started]);
  });

  test("sees what came before it began, and ends with the call", async () => {
    const end = Promise.withResolvers<string>();
    const stream = eventStream(async (watch) => {
      watch(started);
      return await end.promise;
    });
    await turns();
    const state = reading(stream);
    await turns();
    expect(state).toStrictEqual({ types: ["run.completed"], hasEnded: false });
    end.resolve("done");
    await turns();
    expect(state.hasEnded).toBe(true);
    expect(await stream.result).toBe("done");
  });

  test("ends when the call is broken, and nobody has to look at the result", async () => {
    const unhandled = await unhandledDuring(async () => {
      const stream = eventStream(async (watch) => {
        watch(started);
        return await Promise.reject(new Error("broken"));
      });
      const state = reading(stream);
      await turns();
      expect(state).toStrictEqual({ types: ["run.completed"], hasEnded: true });
    });
    expect(unhandled).toStrictEqual([]);
  });

  test("that is broken off does not stop the call", async () => {
    const end = Promise.withResolvers<string>();
    const stream = eventStream(async (watch) => {
      watch(started);
      watch(started);
      return await end.promise;
    });
    for await (const _ of stream) break;
    end.resolve("done");
    expect(await stream.result).toBe("done");
  });

  test("ends for each of two who read at once", async () => {
    const end = Promise.withResolvers<string>();
    const stream = eventStream(async () => await end.promise);
    const both = [reading(stream), reading(stream)];
    await turns();
    end.resolve("done");
    await turns();
    expect(both.map(({ hasEnded }) => hasEnded)).toStrictEqual([true, true]);
  });

  test("ends at once where the call has ended long ago", async () => {
    const stream = eventStream(async () => await Promise.resolve(1));
    await stream.result;
    const state = reading(stream);
    await turns();
    expect(state.hasEnded).toBe(true);
  });
});

/** A clock that is moved by hand. */
function handClock(): Clock & { readonly ring: () => void } {
  const timers = new Set<() => void>();
  return {
    now: () => 1_000_000,
    elapsed: () => 0,
    after: (_ms, act) => {
      timers.add(act);
      return () => timers.delete(act);
    },
    ring: () => {
      for (const act of timers) act();
    },
  };
}

/** A store in which every commit with records fails. */
function failingStore(): Store {
  const inner = createMemoryStore();
  return new Proxy(inner, {
    get: (target, key: keyof Store) => {
      if (key === "commit") {
        return async (unit: Parameters<Store["commit"]>[0]) => {
          if (unit.appends !== undefined) throw new JournalAppendFailedError("the disk does not answer");
          return await target.commit(unit);
        };
      }
      return target[key].bind(target);
    },
  });
}

const forever = async () => await new Promise<never>(() => {});
const closed = () => {
  throw new Error("closed");
};

type Governed = Parameters<typeof govern>[0];
const stories: readonly (readonly [string, () => unknown, Partial<Governed>, string])[] = [
  ["the tool throws", closed, {}, "upstream_error"],
  ["the tool never answers, and its time is over", forever, {}, "timeout"],
  ["the host's policy throws before", () => null, { evaluatePreTool: closed }, "policy_denied"],
  ["the host's policy throws after", () => null, { evaluatePostTool: closed }, "policy_denied"],
  ["the host's policy never answers", () => null, { evaluatePostTool: forever }, "policy_denied"],
  ["the store fails", () => null, { store: failingStore() }, "journal_append_failed"],
];

describe("B24: the stream of a governed call ends though", () => {
  test.each(stories)("%s", async (_, run, options, code) => {
    const clock = handClock();
    const tool = defineTool({
      name: "notes.write",
      description: "Writes a note.",
      input: {},
      output: {},
      permissions: [],
      sideEffect: "user_write",
      costEffect: "none",
      run,
    });
    const unhandled = await unhandledDuring(async () => {
      const governed = govern({
        packs: [tool],
        policy: { maxSideEffect: "user_write" },
        principal,
        clock,
        ...options,
      });
      const stream: EventStream<unknown> = governed.stream("notes.write", {});
      const state = reading(stream);
      await turns();
      clock.ring();
      await turns();
      expect(state.hasEnded).toBe(true);
      const ends = state.types.filter((type) => type === "run.failed" || type === "run.completed");
      expect(ends).toStrictEqual(code === "journal_append_failed" ? [] : ["run.failed"]);
      expect(state.types.at(-1)).toBe(ends[0]);
      await expect(stream.result).rejects.toMatchObject({ code });
    });
    expect(unhandled).toStrictEqual([]);
  });
});
