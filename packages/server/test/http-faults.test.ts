// What goes wrong here is said to the operator once, and to whoever asked without a word about this machine.
import {
  errorCodes,
  HostConfigurationNeededError,
  httpEnvelopeSchema,
  JournalAppendFailedError,
} from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import type { LogLine } from "../src/log-line.ts";
import { gatedPack } from "../test-data/gated-pack.ts";
import { ask, testPlatform, type Way } from "../test-data/test-platform.ts";
import { watchedStore } from "../test-data/watched-store.ts";

const hidden = "/srv/private/journal.db";

const faults = [
  [
    "of the store",
    () => new JournalAppendFailedError(`nothing was written to ${hidden}`),
    "journal_append_failed",
  ],
  ["of nobody's", () => new Error(`ENOENT ${hidden}`), "internal"],
] as const;

describe.each(["socket", "embedded"] as const)("a fault (%s)", (way) => {
  test.each(faults)("%s is logged once and shows nothing of itself", async (_, made, code) => {
    const logged: LogLine[] = [];
    const state: { fault: unknown } = { fault: undefined };
    const store = watchedStore(() => {
      if (state.fault !== undefined) throw state.fault;
    });
    const platform = await testPlatform(way, { store, log: (line) => void logged.push(line) });
    const key = await platform.key("acct_1");
    await ask(platform, "/api/notes", { key, body: {} });
    state.fault = made();
    const plain = await ask(platform, "/api/notes", { key, body: {} });
    const streamed = await platform.fetch(
      new Request(`${platform.baseUrl}/api/notes`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, accept: "text/event-stream" },
      }),
    );
    const events = await streamed.text();
    state.fault = undefined;
    const { body, status, headers } = plain;
    expect([status, body.ok || body.error.code]).toStrictEqual([errorCodes[code].status, code]);
    expect(httpEnvelopeSchema.parse(body)).not.toHaveProperty("error.details");
    expect(headers.get("x-ratelimit-limit")).not.toBeNull();
    expect(events).toMatch(/event: answer\ndata: \{"ok":false/);
    expect(JSON.stringify(body) + events).not.toContain("private");
    expect(JSON.stringify(body) + events).not.toMatch(/ at .*\.ts/);
    expect(logged.map(({ level, message }) => [level, message])).toStrictEqual([
      ["error", "a request failed"],
      ["error", "a request failed"],
    ]);
    expect(logged[0]?.requestId).toBe(body.meta.requestId);
    expect(events).toContain(String(logged[1]?.requestId));
    expect(await ask(platform, "/api/health")).toMatchObject({ status: 200 });
    expect(await ask(platform, "/api/notes", { key, body: {} })).toMatchObject({ status: 200 });
  });

  test("of a tool is the tool's: nothing of where it was thrown is shown, and nothing else stops", async () => {
    const { pack, visit } = gatedPack();
    const platform = await testPlatform(way, { packs: [pack] });
    const key = await platform.key("acct_1");
    const answering = ask(platform, "/api/gated/write", { key, body: { text: "x" } });
    (await visit(0)).fail(new Error("no"));
    const { status, body } = await answering;
    expect([status, body.ok ? "" : body.error.code]).toStrictEqual([502, "upstream_error"]);
    expect(body.meta.receipt).toBeDefined();
    expect(JSON.stringify(body)).not.toMatch(/ at |\.ts/);
    expect(await ask(platform, "/api/health")).toMatchObject({ status: 200 });
  });

  test("of the store's configuration, met inside a tool, is the operator's alone", async () => {
    const fault = new HostConfigurationNeededError(`${hidden} cannot be written; make room`, {
      details: { path: hidden },
    });
    const { answers, logged } = await failingWith(way, fault);
    const message = expect.stringContaining("its operator");
    for (const answer of answers) {
      expect(answer).toHaveProperty("error", { code: "host_configuration_needed", status: 503, message });
      expect(answer.meta.receipt).toBeDefined();
    }
    expect(JSON.stringify(answers)).not.toContain("private");
    expect(logged).toMatchObject(
      answers.map(({ meta }) => ({
        level: "error",
        event: "request.failed",
        message: "a request failed",
        requestId: meta.requestId,
        error: { code: "host_configuration_needed", message: fault.message },
      })),
    );
  });

  test("that a tool marks as its own want of configuration is said to whoever asks, and to nobody else", async () => {
    const message = "no model is configured; give the host one";
    const details = { reason: "not_configured_here" };
    const { answers, logged } = await failingWith(
      way,
      new HostConfigurationNeededError(message, { details }),
    );
    const error = { code: "host_configuration_needed", status: 503, message, details };
    for (const answer of answers) expect(answer).toHaveProperty("error", error);
    expect(logged).toStrictEqual([]);
  });
});

/** What is answered, at once and as a stream, when a tool's function throws this. */
async function failingWith(way: Way, fault: Error) {
  const logged: LogLine[] = [];
  const { pack, visit } = gatedPack();
  const platform = await testPlatform(way, { packs: [pack], log: (line) => void logged.push(line) });
  const authorization = `Bearer ${await platform.key("acct_1")}`;
  const fail = async (index: number, accept: string) => {
    const headers = { authorization, accept, "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify({ text: "x" }) };
    const answering = platform.fetch(new Request(`${platform.baseUrl}/api/gated/write`, init));
    (await visit(index)).fail(fault);
    return await (await answering).text();
  };
  const plain = await fail(0, "application/json");
  const events = await fail(1, "text/event-stream");
  const last = /^event: answer\ndata: (.*)$/m.exec(events)?.[1] ?? "";
  const answers = [plain, last].map((text) => httpEnvelopeSchema.parse(JSON.parse(text)));
  return { answers, events, logged };
}
