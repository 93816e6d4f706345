// The contracts are asked for with the first call. Whatever happens meanwhile, what was called is what runs (G4), and what was closed
// stays closed.
import { createMemoryStore, memoryTrace } from "@spfunctions/kernel";
import { SimpleFunctions } from "@spfunctions/sdk";
import { openFileTrace } from "@spfunctions/host/store";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { rejectionOf } from "../../../contracts/test-data/refusal-of.ts";
import { gate, settlement, unhandledDuring, until } from "../../../kernel/test-data/call-waiting.ts";
import { type Between, platformAgent, recordOf, recordsOf } from "../../test-data/platform-agent.ts";
import { SimpleFunctionsAgent } from "./simple-functions-agent.ts";

const writes = { policy: { maxSideEffect: "user_write" } } as const;
/** This platform's takes a text, and the types know another's. */
const reading: string = "world.read";
const isCatalog = (request: Request) => request.url.endsWith("/api/contracts/tools");

/** A platform whose contracts are waited for. */
async function slowly(options: Parameters<typeof platformAgent>[0] = {}) {
  const go = gate();
  let isAsked = false;
  const between: Between = async (request, pass) => {
    if (!isCatalog(request)) return await pass();
    isAsked = true;
    await go.promise;
    return await pass();
  };
  return { ...(await platformAgent({ ...writes, ...options }, { between })), go, asked: () => isAsked };
}

describe("G4: while the contracts are asked for", () => {
  test.each(["call", "stream"] as const)(
    "an input that its owner changes is what it was: %s",
    async (way) => {
      const { agent, go, asked, house } = await slowly();
      const input = { text: "as it was", tags: ["a"] };
      const options = { idempotencyKey: "the-first" };
      const result =
        way === "call"
          ? agent.call("notes.add", input, options)
          : agent.stream("notes.add", input, options).result;
      await until(asked);
      input.text = "something else";
      input.tags.push("b");
      options.idempotencyKey = "another";
      go.resolve();
      expect((await result).output).toStrictEqual({
        tool: "notes.add",
        echo: { text: "as it was", tags: ["a"] },
      });
      expect(house.deeds).toMatchObject([{ input: { text: "as it was", tags: ["a"] }, key: "the-first" }]);
    },
  );

  test.each<[string, boolean, string]>([
    ["as it is", false, "/text"],
    ["whatever it has become", true, ""],
  ])(
    "an input that could not be read is refused, %s, and the refusal is kept",
    async (_, becomesGood, path) => {
      const store = createMemoryStore();
      const { agent, go, asked, house } = await slowly({ store });
      const input: { text: unknown } = { text: () => "a function" };
      const call = rejectionOf(agent.call("notes.add", input));
      await until(asked);
      if (becomesGood) input.text = "good now";
      go.resolve();
      const error = await call;
      expect([error.code, error.details?.path]).toStrictEqual(["invalid_input", path]);
      expect(house.deeds).toStrictEqual([]);
      expect(await recordOf(store, "local", "call.refused")).toMatchObject({ tool: "notes.add" });
    },
  );

  test("a question is about what was asked", async () => {
    const { agent, go, asked } = await slowly();
    const input: { text: unknown } = { text: 5 };
    const verdict = agent.explain("notes.add", input);
    await until(asked);
    input.text = "fits";
    go.resolve();
    expect(await verdict).toMatchObject({ outcome: "deny", gate: "input" });
  });
});

describe("the contracts", () => {
  // proves KEY-13.3
  test("are asked for once, however many call first", async () => {
    const { agent, sent } = await platformAgent(writes);
    const answers = await Promise.all([
      agent.call(reading, { text: "1" }),
      agent.call(reading, { text: "2" }),
      agent.tools.world.read({}),
      agent.stream(reading, { text: "4" }).result,
    ]);
    expect(answers.map(({ tool }) => tool)).toStrictEqual(Array.from({ length: 4 }, () => "world.read"));
    expect(sent.filter(({ what }) => what === "GET /api/contracts/tools")).toHaveLength(1);
  });

  test("that could not be had are asked for again by whoever calls next", async () => {
    let asked = 0;
    const between: Between = (request, pass) => {
      if (isCatalog(request) && ++asked === 1) return Promise.reject(new TypeError("fetch failed"));
      return pass();
    };
    const { agent, house } = await platformAgent(writes, { between });
    const unhandled = await unhandledDuring(async () => {
      const both = [agent.call("world.read", {}), agent.stream("world.read", {}).result];
      const errors = await Promise.all(both.map(rejectionOf));
      expect(errors.map(({ code }) => code)).toStrictEqual(["upstream_error", "upstream_error"]);
    });
    expect([asked, house.deeds, unhandled]).toStrictEqual([1, [], []]);
    await agent.call("world.read", {});
    expect([asked, house.deeds.length]).toStrictEqual([2, 1]);
  });

  test("that were given are not asked for", async () => {
    const first = await platformAgent();
    const manifest = await first.agent.manifest();
    const { agent, sent } = await platformAgent({ manifest }, { house: first.house });
    await agent.call("world.read", {});
    expect(sent.map(({ what }) => what)).toStrictEqual(["GET /api/agent/world"]);
  });
});

const closedWords = "it is closed";

describe("closed", () => {
  test("before anything was called: nothing is called any more, and nothing asked", async () => {
    const { agent, sent, house } = await platformAgent(writes);
    await agent.close();
    const acts = [
      () => agent.call("notes.add", { text: "x" }),
      () => agent.stream("notes.add", { text: "x" }).result,
      () => agent.tools.world.read(),
      () => agent.explain("notes.add"),
      () => agent.recover(),
    ];
    for (const act of acts) {
      const error = await rejectionOf(act());
      expect([error.code, error.message]).toStrictEqual([
        "invalid_transition",
        expect.stringContaining(closedWords),
      ]);
    }
    expect([sent, house.deeds]).toStrictEqual([[], []]);
    await agent.close();
  });

  test("while it opens: what was called before is answered, what comes after is not called", async () => {
    const store = createMemoryStore();
    const { agent, go, asked, house } = await slowly({ store });
    const call = agent.call("notes.add", { text: "before" });
    const stream = agent.stream("notes.add", { text: "too" });
    await until(asked);
    const closing = agent.close();
    const late = rejectionOf(agent.call("notes.add", { text: "after" }));
    go.resolve();
    await closing;
    expect([(await call).tool, (await stream.result).tool, (await late).code]).toStrictEqual([
      "notes.add",
      "notes.add",
      "invalid_transition",
    ]);
    expect(house.deeds.map(({ input }) => input)).toStrictEqual([{ text: "before" }, { text: "too" }]);
    expect((await recordsOf(store, "local")).map(({ kind }) => kind)).not.toContain("call.refused");
    expect(
      await store.documents({ kind: "segment", accountId: "local", status: "open", limit: 9 }),
    ).toStrictEqual([]);
  });

  test("while it opens in vain", async () => {
    const { agent, go, asked } = await slowly();
    const call = rejectionOf(agent.call("notes.add", { text: "x" }));
    await until(asked);
    const closing = agent.close();
    go.reject(new TypeError("fetch failed"));
    await closing;
    expect((await call).code).toBe("upstream_error");
    expect((await rejectionOf(agent.call("notes.add", { text: "x" }))).code).toBe("invalid_transition");
  });

  test("after calls, it says the same", async () => {
    const { agent } = await platformAgent();
    await agent.call("world.read", {});
    await agent.close();
    const error = await rejectionOf(agent.call("world.read", {}));
    expect([error.code, error.message]).toStrictEqual([
      "invalid_transition",
      expect.stringContaining(closedWords),
    ]);
  });
});

const between: Between = () => Promise.reject(new TypeError("fetch failed"));

describe("where nothing was ever called, what was given to keep a trace is let go of", () => {
  test.each(["closed at once", "opened in vain"])("%s", async (how) => {
    const folder = mkdtempSync(join(tmpdir(), "sf-agent-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "run.jsonl");
    const trace = await openFileTrace(path);

    const { agent } = await platformAgent({ trace }, { between });
    if (how === "opened in vain") await rejectionOf(agent.call("world.read", {}));
    expect(existsSync(path)).toBe(true);
    await agent.close();
    expect(existsSync(path)).toBe(false);
  });

  test("and a trace that is only replayed is not ended", async () => {
    const trace = memoryTrace();
    let ended = 0;
    const watched = { ...trace, end: async () => void ended++ };
    const { agent } = await platformAgent({ mode: "replayOnly", trace: watched });
    expect(await settlement(agent.close())).toMatchObject({ state: "kept" });
    expect(ended).toBe(0);
  });
});

test("a signal ends the wait for contracts, and nothing was called", async () => {
  const controller = new AbortController();
  const asked = Promise.withResolvers<void>();
  const client = new SimpleFunctions({
    apiKey: `sf_live_${"Tz7kQ2wV9xL4mN8p".repeat(2)}`,
    fetch: (_, { signal }) => {
      asked.resolve();
      return new Promise((_resolve, reject) =>
        signal?.addEventListener("abort", () => reject(new Error("cut"))),
      );
    },
  });
  const agent = new SimpleFunctionsAgent({ client, signal: controller.signal });
  const recovering = rejectionOf(agent.recover());
  await asked.promise;
  controller.abort();
  expect((await recovering).code).toBe("cancelled");
});
