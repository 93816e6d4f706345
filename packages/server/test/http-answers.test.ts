// Every answer is an envelope with its request's id; what a governed call says of itself can be checked by somebody else.
import { httpEnvelopeSchema, type Receipt } from "@spfunctions/contracts";
import {
  exportTrace,
  readTrace,
  segmentsOf,
  startOfEvents,
  readAccountEvents,
  type Store,
  type Trace,
  verifyReceipt,
} from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { ask, installation, testPlatform } from "../test-data/test-platform.ts";

const guardrails = { allowedVenues: ["kalshi"], maxOrderCostCents: 1000, maxQuantity: 10 };

async function tracesOf(store: Store, accountId: string): Promise<Trace[]> {
  const traces: Trace[] = [];
  for await (const stream of segmentsOf(store, accountId)) {
    const lines: string[] = [];
    for await (const line of exportTrace(store, accountId, stream, installation.signer)) lines.push(line);
    traces.push(await readTrace(lines.join("\n")));
  }
  return traces;
}

async function eventTypes(store: Store, accountId: string): Promise<string[]> {
  const { events } = await readAccountEvents(store, accountId, startOfEvents, { limit: 1000 });
  return events.map(({ event }) => event.type);
}

describe.each(["socket", "embedded"] as const)("answers (%s)", (way) => {
  test("of every kind are envelopes, and x-request-id is the id in them", async () => {
    const platform = await testPlatform(way);
    const key = await platform.key("acct_1");
    const answers = await Promise.all([
      ask(platform, "/api/health"),
      ask(platform, "/api/agent/world", { key }),
      ask(platform, "/api/agent/world"),
      ask(platform, "/api/agent/world", { key: `sf_live_${"x".repeat(32)}` }),
      ask(platform, "/api/agent/world", { method: "PATCH", key }),
      ask(platform, "/api/nothing", { key }),
      ask(platform, "/api/notes", { key, body: "{" }),
      ask(platform, "/api/notes", { key, body: { nothing: 1 } }),
      ask(platform, "/api/vault", { key, body: {} }),
      ask(platform, "/api/contracts/tools/nothing"),
      ask(platform, "/api/contracts/tools?mode=all"),
      ask(platform, "/api/events"),
      ask(platform, "/api/events", { key, headers: { "last-event-id": "nonsense" } }),
      ask(platform, "/api/runs/nonsense/events", { key }),
    ]);
    const seen = answers.map(({ status, headers, body }) => {
      const envelope = httpEnvelopeSchema.parse(body);
      expect(headers.get("x-request-id")).toBe(envelope.meta.requestId);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(envelope.ok || envelope.error.status === status).toBe(true);
      return `${status} ${envelope.ok ? "ok" : envelope.error.code}`;
    });
    expect(seen).toStrictEqual([
      "200 ok",
      "200 ok",
      "401 missing_api_key",
      "401 invalid_api_key",
      "405 not_found",
      "404 not_found",
      "400 invalid_input",
      "400 invalid_input",
      "403 policy_denied",
      "404 unknown_tool",
      "400 invalid_input",
      "401 missing_api_key",
      "400 invalid_input",
      "404 not_found",
    ]);
    expect(new Set(answers.map(({ body }) => body.meta.requestId)).size).toBe(answers.length);
  });

  test("can be asked for without their receipt, and the call is on record all the same", async () => {
    const platform = await testPlatform(way);
    const key = await platform.key("acct_1", { scopes: ["read", "write"] });
    const headers = { "x-sf-receipt": "none" };
    const answers = await Promise.all([
      ask(platform, "/api/notes", { key, headers, body: { text: "hi" } }),
      ask(platform, "/api/vault", { key, headers, body: {} }),
    ]);
    expect(answers.map(({ status, body }) => [status, Object.keys(body.meta)])).toStrictEqual([
      [200, ["requestId"]],
      [403, ["requestId"]],
    ]);
    const streamed = new Request(`${platform.baseUrl}/api/notes`, {
      method: "POST",
      headers: {
        ...headers,
        accept: "text/event-stream",
        "content-type": "application/json",
        authorization: `Bearer ${key}`,
      },
      body: '{"text":"hi"}',
    });
    const stream = await (await platform.fetch(streamed)).text();
    expect(stream).toContain("event: answer");
    expect(stream).not.toContain('"receipt"');
    const calls = (await tracesOf(platform.store, "acct_1")).flatMap((trace) => [...trace.calls.values()]);
    const recorded = calls.map(({ opening }) => `${opening.tool} ${opening.kind}`);
    expect(recorded.filter((one) => /^notes\.\S+ call\.intended$/.test(one))).toHaveLength(2);
    expect(recorded.filter((one) => one.endsWith("call.refused"))).toHaveLength(1);
    const other = { key, headers: { "x-sf-receipt": "short" }, body: {} };
    expect((await ask(platform, "/api/notes", other)).body).toMatchObject({
      error: { code: "invalid_input", message: "x-sf-receipt is none, or left out" },
    });
  });

  test("of governed calls carry a receipt that the account's own record bears out", async () => {
    const platform = await testPlatform(way);
    const { store } = platform;
    const key = await platform.key("acct_1", { scopes: ["read", "write", "trade"], trade: guardrails });
    const headers = { "x-sf-sign-receipt": "true" };
    const answers = await Promise.all([
      ask(platform, "/api/agent/world?text=hi", { key, headers }),
      ask(platform, "/api/notes", { key, headers, body: { text: "hi", password: "hunter22" } }),
      ask(platform, "/api/vault", { key, headers, body: {} }),
      ask(platform, "/api/execution", {
        key,
        headers,
        body: { venue: "x", side: "yes", quantity: 1, dryRun: true },
      }),
    ]);
    expect(answers.map(({ status }) => status)).toStrictEqual([200, 200, 403, 403]);
    const traces = await tracesOf(store, "acct_1");
    for (const { body } of answers) {
      const receipt = body.meta.receipt as Receipt;
      const trace = traces.find(({ calls }) => calls.has(receipt.callId));
      const evidence = { trace, publicKeys: [installation.signer.publicKey] };
      expect(trace).toBeDefined();
      expect(verifyReceipt(receipt, evidence)).toMatchObject({ status: "authentic" });
      expect(verifyReceipt({ ...receipt, tool: "keys.list" }, evidence).status).toBe("invalid");
    }
  });

  test("a refusal of somebody known is in the journal; one at the door is counted, and nowhere else", async () => {
    const platform = await testPlatform(way);
    const key = await platform.key("acct_1");
    const before = await eventTypes(platform.store, "acct_1");
    await ask(platform, "/api/vault", { key, body: {} });
    const after = await eventTypes(platform.store, "acct_1");
    expect(after.length).toBeGreaterThan(before.length);
    await ask(platform, "/api/agent/world");
    await ask(platform, "/api/agent/world", { key: `sf_live_${"x".repeat(32)}` });
    await ask(platform, "/api/nothing", { key });
    await ask(platform, "/api/notes", { key, body: "{" });
    expect(await eventTypes(platform.store, "acct_1")).toStrictEqual(after);
    expect(await eventTypes(platform.store, "anonymous")).toStrictEqual([]);
    expect(platform.platform.refused()).toStrictEqual({
      missing_api_key: 1,
      invalid_api_key: 1,
      no_route: 1,
      bad_request: 1,
    });
  });

  test("a traceparent joins the call to its trace; one that is none is as if there were none", async () => {
    const platform = await testPlatform(way);
    const key = await platform.key("acct_1");
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const joined = await ask(platform, "/api/agent/world", {
      key,
      headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
    });
    const alone = await ask(platform, "/api/agent/world", {
      key,
      headers: { traceparent: `00-${"0".repeat(32)}-00f067aa0ba902b7-01` },
    });
    expect([joined.status, alone.status]).toStrictEqual([200, 200]);
    const [first, second] = platform.deeds.map((deed) => deed.traceId);
    expect(first).toBe(traceId);
    expect(second).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
    expect(second).not.toBe(traceId);
    const { runId } = joined.body.meta.receipt as Receipt;
    const { events } = await readAccountEvents(platform.store, "acct_1", startOfEvents, { limit: 9, runId });
    expect(events[0]?.event).toMatchObject({ type: "run.started", runId, traceId });
  });

  test("a claimed origin only makes the law stricter, and one that is none is refused", async () => {
    const platform = await testPlatform(way);
    const key = await platform.key("acct_1");
    const odd = await ask(platform, "/api/agent/world", { key, headers: { "x-sf-origin": "operator" } });
    expect(odd).toMatchObject({ status: 400, body: { error: { code: "invalid_input" } } });
    const driven = await ask(platform, "/api/agent/world", { key, headers: { "x-sf-origin": "model" } });
    expect(driven).toMatchObject({ status: 200, body: { meta: { receipt: { origin: "model" } } } });
  });

  test("G4: what its caller has judged by another contract is not run", async () => {
    const platform = await testPlatform(way);
    const key = await platform.key("acct_1");
    const { digest = "" } = platform.platform.manifest.tools.find(({ name }) => name === "notes.add") ?? {};
    const add = (toolDigest: string) =>
      ask(platform, "/api/notes", { key, headers: { "x-sf-tool-digest": toolDigest }, body: { text: "x" } });
    expect(await add(digest.replace(/.$/, (last) => (last === "0" ? "1" : "0")))).toMatchObject({
      status: 409,
      body: { error: { code: "revision_conflict", details: { reason: "other_contract" } } },
    });
    expect(platform.deeds).toStrictEqual([]);
    expect((await add(digest)).status).toBe(200);
    expect(platform.deeds.length).toBe(1);
  });
});
