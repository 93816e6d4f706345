// A call that is watched: its events as they happen, then the answer it would have had.
import { agentEventSchema, httpEnvelopeSchema } from "@spfunctions/contracts";
import { mostLiveWaiting } from "@spfunctions/kernel";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { gatedPack } from "../test-data/gated-pack.ts";
import { type TestPlatform, testPlatform } from "../test-data/test-platform.ts";

type Message = { readonly event: string; readonly data: unknown };

async function house(way: "socket" | "embedded") {
  const gated = gatedPack();
  const platform = await testPlatform(way, { packs: [gated.pack] });
  return { ...gated, ...platform, secret: await platform.key("acct_1") };
}

async function watch(
  { fetch, baseUrl, secret }: TestPlatform & { readonly secret: string },
  tool: "read" | "write",
  {
    signal = null,
    key = secret,
    text = "x",
  }: { signal?: AbortSignal | null; key?: string; text?: unknown } = {},
): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, accept: "text/event-stream" };
  const url = `${baseUrl}/api/gated/${tool}`;
  if (tool === "read") return await fetch(new Request(`${url}?text=x`, { headers, signal }));
  const body = JSON.stringify({ text });
  const typed = { ...headers, "content-type": "application/json" };
  return await fetch(new Request(url, { method: "POST", headers: typed, body, signal }));
}

function messagesIn(text: string): Message[] {
  return text
    .split("\n\n")
    .filter((block) => block !== "")
    .map((block) => {
      const [, event = "", data = ""] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      return { event, data: JSON.parse(data) as unknown };
    });
}

describe.each(["socket", "embedded"] as const)("a watched call (%s)", (way) => {
  test("tells what happens while it does, and ends with its answer", async () => {
    const place = await house(way);
    const answer = await watch(place, "write");
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    const visit = await place.visit(0);
    let text = "";
    visit.progress("half of it");
    while (!text.includes("half of it")) text += (await reader?.read())?.value ?? "";
    visit.goOn();
    for (let part = await reader?.read(); part?.value !== undefined; ) {
      text += part.value;
      part = await reader?.read();
    }
    const messages = messagesIn(text);
    for (const { event, data } of messages.slice(0, -1))
      expect(agentEventSchema.parse(data)).toMatchObject({ type: event });
    const last = messages.at(-1);
    expect(last?.event).toBe("answer");
    const envelope = httpEnvelopeSchema.parse(last?.data);
    expect(envelope).toMatchObject({ ok: true, data: { text: "x" } });
    expect(envelope.meta.requestId).toBe(answer.headers.get("x-request-id"));
    expect(envelope.meta.receipt).toBeDefined();
  });

  test("wakes whoever listens to the account while it goes on", async () => {
    const place = await house(way);
    const headers = { authorization: `Bearer ${place.secret}` };
    const events = await place.fetch(new Request(`${place.baseUrl}/api/events`, { headers }));
    const listener = events.body?.pipeThrough(new TextDecoderStream()).getReader();
    // It has caught up, and waits: from here on only a wake makes it look again before its next heartbeat.
    let heard = (await listener?.read())?.value ?? "";
    const answer = await watch(place, "write");
    const visit = await place.visit(0);
    while (!heard.includes("event: tool.started")) {
      const part = await listener?.read();
      if (part?.value === undefined) throw new Error("the stream has ended");
      heard += part.value;
    }
    visit.goOn();
    expect(await answer.text()).toContain("event: answer");
    await listener?.cancel();
  });

  test("that is refused or fails ends with that answer", async () => {
    const place = await house(way);
    const refused = messagesIn(await (await watch(place, "write", { text: 5 })).text());
    expect(refused.at(-1)).toMatchObject({
      event: "answer",
      data: { ok: false, error: { code: "invalid_input", status: 400 } },
    });
    const failing = await watch(place, "write");
    (await place.visit(0)).fail(new Error("no"));
    const failed = messagesIn(await failing.text());
    expect(failed.at(-1)).toMatchObject({ event: "answer", data: { ok: false, error: { status: 502 } } });
  });

  test("that is stopped at the door is answered as any other request", async () => {
    const place = await house(way);
    const answer = await watch(place, "write", { key: `sf_live_${"x".repeat(32)}` });
    expect(answer.status).toBe(401);
    expect(httpEnvelopeSchema.parse(await answer.json())).toMatchObject({ ok: false });
  });

  test("goes on to its end without its watcher, where it changes something", async () => {
    const place = await house(way);
    const leaving = new AbortController();
    const answer = await watch(place, "write", { signal: leaving.signal });
    const visit = await place.visit(0);
    leaving.abort();
    await answer.body?.cancel().catch(() => undefined);
    visit.progress("still at it");
    visit.goOn();
    await place.platform.close();
    expect(visit.signal.aborted).toBe(false);
  });
});

test("a read whose watcher has gone is cancelled", async () => {
  const place = await house("socket");
  const leaving = new AbortController();
  const answer = await watch(place, "read", { signal: leaving.signal });
  const { signal } = await place.visit(0);
  leaving.abort();
  await answer.body?.cancel().catch(() => undefined);
  if (!signal.aborted) await once(signal, "abort");
  expect(signal.aborted).toBe(true);
});

test("a watched call that nobody reads keeps all that is on record, and the newest of what is live", async () => {
  const place = await house("embedded");
  const answer = await watch(place, "write");
  const visit = await place.visit(0);
  for (let at = 0; at < mostLiveWaiting + 5; at++) visit.progress(`step ${at}`);
  visit.goOn();
  const messages = messagesIn(await answer.text());
  const progress = messages.filter(({ event }) => event === "tool.progress");
  expect(progress).toHaveLength(mostLiveWaiting);
  expect(progress[0]?.data).toMatchObject({ message: "step 5" });
  expect(progress.at(-1)?.data).toMatchObject({ message: `step ${mostLiveWaiting + 4}` });
  const others = messages.map(({ event }) => event).filter((event) => event !== "tool.progress");
  expect(others[0]).toBe("run.started");
  expect(others.at(-1)).toBe("answer");
});
