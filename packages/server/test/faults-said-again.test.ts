// What of a tool's fault may not be shown in its answer is shown nowhere: not when it is answered again, and not among the events.
import {
  type AgentEvent,
  agentEventSchema,
  HostConfigurationNeededError,
  UpstreamError,
} from "@spfunctions/contracts";
import { readAccountEvents, startOfEvents } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import type { LogLine } from "../src/log-line.ts";
import { textUntil } from "../test-data/answer-words.ts";
import { gatedPack } from "../test-data/gated-pack.ts";
import { ask, testPlatform, type Way } from "../test-data/test-platform.ts";

const place = "/srv/private/journal.db";
const ofTheMachine = expect.stringContaining("its operator") as string;
const ofTheTool = (name: string) => `${name} failed; why is for the operator of this platform to find out`;

const operators: [string, Error, string][] = [
  ["a stranger's error", new Error(`ENOENT ${place}`), ofTheTool("gated.write")],
  [
    "the store's want of configuration",
    new HostConfigurationNeededError(`${place} is full; make room`),
    ofTheMachine,
  ],
];

/** Said with errors of ours, and so to whoever asks. */
const tools: [string, Error][] = [
  [
    "its own want of configuration",
    new HostConfigurationNeededError("no model is configured", {
      details: { reason: "not_configured_here" },
    }),
  ],
  ["what another service said", new UpstreamError("the exchange is shut", { details: { reason: "shut" } })],
];

const failures = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => ("error" in event ? [[event.type, event.error.message]] : []));

const eventsIn = (text: string) =>
  [...text.matchAll(/^data: (\{"type".*)$/gm)].map(([, data = ""]) =>
    agentEventSchema.parse(JSON.parse(data)),
  );

async function openGated(way: Way) {
  const logged: LogLine[] = [];
  const { pack, visit, visits } = gatedPack();
  const platform = await testPlatform(way, { packs: [pack], log: (line) => void logged.push(line) });
  return { platform, key: await platform.key("acct_1"), visit, visits, logged };
}

/** A call that a tool failed with this, the same call again, and what was heard of both. */
async function failed(way: Way, fault: Error) {
  const { platform, key, visit, visits, logged } = await openGated(way);
  const call = () =>
    ask(platform, "/api/gated/write", { key, headers: { "idempotency-key": "once" }, body: { text: "x" } });
  const answering = call();
  (await visit(0)).fail(fault);
  const answers = [await answering, await call()];
  expect([visits.length, answers[1]?.body.meta.replayed]).toStrictEqual([1, true]);
  const headers = { authorization: `Bearer ${key}`, "last-event-id": startOfEvents };
  const stream = await platform.fetch(new Request(`${platform.baseUrl}/api/events`, { headers }));
  const heard = await textUntil(stream, (text) => text.split("event: run.failed").length > 2);
  const kept = await readAccountEvents(platform.store, "acct_1", startOfEvents, { limit: 100 });
  const said = answers.map(({ body }) => body.ok || body.error.message);
  return { answers, said, heard, kept: kept.events.map(({ event }) => event), logged };
}

/** The events of the first call and of the second, with what was said in each. */
const told = (inToolFailed: string, inRunFailed: string) => [
  ["tool.failed", inToolFailed],
  ["run.failed", inRunFailed],
  ["run.failed", inRunFailed],
];

const withoutTool = (words: string) => (words === ofTheMachine ? words : ofTheTool("the tool"));

describe.each(["socket", "embedded"] as const)("what a tool failed with (%s)", (way) => {
  test.each(operators)(
    "is the operator's wherever it is said, and logged once: %s",
    async (_, fault, words) => {
      const { answers, said, heard, logged } = await failed(way, fault);
      const [line] = logged;
      const { requestId } = answers[0]?.body.meta ?? {};
      expect(line).toMatchObject({ event: "request.failed", requestId });
      expect(said[0]).toMatch(new RegExp(` find out: in its log, under ${requestId}$`));
      expect(said[1]).toStrictEqual(words);
      expect(failures(eventsIn(heard))).toStrictEqual(told(words, withoutTool(words)));
      expect(JSON.stringify(answers) + heard).not.toContain("private");
      expect(logged).toHaveLength(1);
    },
  );

  test.each(tools)("is said wherever it is said at all, where a tool says why: %s", async (_, fault) => {
    const { said, heard, logged } = await failed(way, fault);
    expect(said).toStrictEqual([fault.message, fault.message]);
    expect(failures(eventsIn(heard))).toStrictEqual(told(fault.message, fault.message));
    expect(logged).toStrictEqual([]);
  });

  test.each(operators)("is hidden among the events of the call itself: %s", async (_, fault, words) => {
    const { platform, key, visit } = await openGated(way);
    const headers = {
      authorization: `Bearer ${key}`,
      accept: "text/event-stream",
      "content-type": "application/json",
    };
    const init = { method: "POST", headers, body: JSON.stringify({ text: "x" }) };
    const answering = platform.fetch(new Request(`${platform.baseUrl}/api/gated/write`, init));
    (await visit(0)).fail(fault);
    const heard = await (await answering).text();
    expect(failures(eventsIn(heard))).toStrictEqual(told(words, withoutTool(words)).slice(0, 2));
    expect(heard).toMatch(/event: answer\ndata: \{"ok":false/);
    expect(heard).not.toContain("private");
  });

  test.each([...operators.map(([name, fault]) => [name, fault] as const), ...tools])(
    "is whole in the journal, for the operator: %s",
    async (_, fault) => {
      const { kept } = await failed(way, fault);
      const whole = expect.stringContaining(fault.message);
      expect(failures(kept)).toStrictEqual(told(whole as string, whole as string));
    },
  );
});
