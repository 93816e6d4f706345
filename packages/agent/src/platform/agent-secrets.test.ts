// S1: no secret that this process holds is ever in a record, event, error, log line or trace: the key of an agent least of all.
import type { AgentEvent } from "@spfunctions/contracts";
import { createMemoryStore, memoryTrace, type Store } from "@spfunctions/kernel";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { type Between, type PlatformAgent, platformAgent } from "../../test-data/platform-agent.ts";

const otherSecret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";

/** Everything that a store keeps of an account, as one text. */
async function keptIn(store: Store, accountId: string): Promise<string> {
  const parts: unknown[] = [];
  for (const kind of ["segment", "journal", "effect", "trace", "trace run"])
    parts.push(await store.documents({ kind, accountId, limit: 1000 }));
  for (const { id } of await store.documents({ kind: "segment", accountId, limit: 1000 }))
    parts.push(await store.readStream({ stream: id, accountId, limit: 10_000 }));
  return JSON.stringify(parts);
}

/** What an agent says and keeps of calls, however they end. */
async function saidOf({ agent }: PlatformAgent, calls: readonly (readonly [string, unknown, object?])[]) {
  const events: AgentEvent[] = [];
  const errors: string[] = [];
  for (const [tool, input, options] of calls) {
    const stream = agent.stream(tool, input, options);
    for await (const event of stream) events.push(event);
    try {
      await stream.result;
    } catch (error) {
      errors.push(
        `${String(error)} ${(error as Error).stack} ${JSON.stringify(error)} ${inspect(error, { depth: 9 })}`,
      );
    }
  }
  return { events: JSON.stringify(events), errors: errors.join("\n"), failed: errors.length };
}

// proves KEY-5.4, KEY-5.5, KEY-16.10, KEY-16.30
test("the key is in no trace, store, event or error, wherever somebody puts it, and in nothing that is made of the agent", async () => {
  const store = createMemoryStore();
  const trace = memoryTrace();
  const opened = await platformAgent({ policy: { maxSideEffect: "user_write" }, store, trace });
  const { agent, key, client } = opened;
  const said = await saidOf(opened, [
    ["notes.add", { text: "a word" }],
    ["notes.add", { text: `my key is ${key}` }],
    ["notes.add", { tags: [key, otherSecret] }],
    ["world.read", { text: key }],
    ["notes.add", { [key]: 1 }],
    [key, {}],
    ["notes.add", { text: "x" }, { idempotencyKey: key }],
    ["notes.add", key],
    ["vault.open", { password: "hunter2-hunter2" }],
  ]);
  expect(said.failed).toBeGreaterThanOrEqual(4);
  await agent.close();
  const made = `${JSON.stringify({ agent })} ${inspect(agent, { depth: 9, showHidden: true })} ${JSON.stringify(client)}`;
  const everything = [said.events, said.errors, await trace.text(), await keptIn(store, "local"), made].join(
    "\n",
  );
  expect(everything).toContain("a word");
  for (const secret of [key.slice("sf_live_".length), otherSecret.slice(4), "hunter2-hunter2"])
    expect(everything).not.toContain(secret);
});

// proves KEY-13.16, KEY-16.12
test("an answer that quotes a secret is given as it is, and kept without it", async () => {
  const trace = memoryTrace();
  const { agent, key } = await platformAgent({ policy: { maxSideEffect: "user_write" }, trace });
  const { output, redacted } = await agent.call("notes.add", { password: key });
  expect([output, redacted]).toStrictEqual([
    { tool: "notes.add", echo: { password: key } },
    ["/echo/password"],
  ]);
  await agent.close();
  expect(await trace.text()).not.toContain(key.slice(8));
});

const between: Between = async (request, pass) => {
  const { pathname } = new URL(request.url);
  const bearer = request.headers.get("authorization") ?? "";
  const meta = { requestId: "r" };
  if (pathname === "/api/notes")
    return Response.json(
      {
        ok: false,
        error: { code: "invalid_input", status: 400, message: `bad ${bearer}`, details: { bearer } },
        meta,
      },
      { status: 400 },
    );
  if (pathname === "/api/agent/world") throw new TypeError(`fetch failed with ${bearer}`);
  return await pass();
};

// proves KEY-15.5
test("what a platform, or whoever stands before it, throws back is not repeated", async () => {
  const store = createMemoryStore();

  const opened = await platformAgent({ policy: { maxSideEffect: "user_write" }, store }, { between });
  const said = await saidOf(opened, [
    ["notes.add", { text: "x" }],
    ["world.read", {}],
  ]);
  expect(said.failed).toBe(2);
  const everything = `${said.events} ${said.errors} ${await keptIn(store, "local")}`;
  expect(everything).not.toContain(opened.key.slice(8));
});
