// What a direct call leaves behind, kind by kind. The page docs/journal.md shows the same sequences; a change here is a
// change of what people read.
import { readFileSync } from "node:fs";
import { type AgentEvent, RecoveryNeededError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { AskingPlace } from "../../test-data/asking-place.ts";
import { asking, boss, pending, waiting, write } from "../../test-data/call-approvals.ts";
import {
  type Desk,
  type DeskOptions,
  installation,
  openDesk,
  reopenDesk,
  storedIn,
} from "../../test-data/call-desk.ts";
import { changing, overtake } from "../../test-data/call-documents.ts";
import { brokenPromises, shown } from "../../test-data/call-events.ts";
import { page, webDeck } from "../../test-data/call-network.ts";
import { countingIds } from "../../test-data/call-ids.ts";
import { until } from "../../test-data/call-waiting.ts";
import { type Operator, openOperator } from "../approval/open-operator.ts";

const begun = ["run.started 2.0", "tool.resolved 2.1", "policy.checked 2.2"];
const started = [...begun, "tool.started 2.3"];
const asked = [...begun, "approval.required 2.3"];

type Sequence = {
  readonly story: string;
  readonly open?: DeskOptions;
  readonly play: (desk: Desk) => Promise<unknown>;
  /** After the segment's own opening. */
  readonly records: readonly string[];
  readonly events: readonly string[];
};

/** Where a tool runs that asks a person first. */
const place = new AskingPlace();

/** Whether the policy of the host in one of these stories has something against it. */
let isObjecting = false;

const sequences: readonly Sequence[] = [
  {
    story: "an effect that is allowed",
    play: (desk) => desk.call(write),
    records: ["call.intended", "call.settled completed"],
    events: [...started, "tool.completed 3.0", "run.completed 3.1"],
  },
  {
    story: "a free read",
    play: (desk) => desk.call({ tool: "notes.read" }),
    records: ["call.read completed"],
    events: [...started, "tool.completed 2.4", "run.completed 2.5"],
  },
  {
    story: "a read that costs",
    play: (desk) => desk.call({ tool: "notes.search" }),
    records: ["call.intended", "call.settled completed"],
    events: [...started, "tool.completed 3.0", "run.completed 3.1"],
  },
  {
    story: "a read that fails",
    open: { deed: fail },
    play: (desk) => desk.call({ tool: "notes.read" }),
    records: ["call.read failed upstream_error"],
    events: [...started, "tool.failed 2.4", "run.failed 2.5"],
  },
  {
    story: "refused at a gate that needs no input",
    open: { levels: [{ level: "agent", policy: { denyTools: ["notes.*"] } }] },
    play: (desk) => desk.call(write),
    records: ["call.refused policy_denied"],
    events: [...begun, "run.failed 2.3"],
  },
  {
    story: "refused for its input",
    play: (desk) => desk.call({ tool: "notes.strict", input: { text: 1 } }),
    records: ["call.refused invalid_input"],
    events: [...begun, "run.failed 2.3"],
  },
  {
    story: "no such tool",
    play: (desk) => desk.call({ tool: "notes.wirte" }),
    records: ["call.refused unknown_tool"],
    events: ["run.started 2.0", "policy.checked 2.1", "run.failed 2.2"],
  },
  {
    story: "a person must approve, and nobody waits",
    open: asking,
    play: (desk) => desk.call(write),
    records: ["call.refused approval_required"],
    events: [...begun, "approval.required 2.3", "run.failed 2.4"],
  },
  {
    story: "a person has approved, and the call is made again",
    open: asking,
    play: async (desk) => {
      await answering(desk, async (operator) => {
        await desk.call(write);
        await operator.approve((await pending(operator)).approvalId);
      });
      desk.events.length = 0;
      await desk.call(write);
    },
    records: [
      "call.refused approval_required",
      "approval.answered approved",
      "call.intended",
      "call.settled completed",
    ],
    events: [
      "run.started 3.0",
      "tool.resolved 3.1",
      "policy.checked 3.2",
      "tool.started 3.3",
      "tool.completed 4.0",
      "run.completed 4.1",
    ],
  },
  {
    story: "waits for a person, who approves",
    open: waiting,
    play: (desk) => waitFor(desk, (operator, id) => operator.approve(id)),
    records: ["call.waiting", "approval.answered approved", "call.intended", "call.settled completed"],
    events: [
      ...asked,
      "approval.resolved 3.0",
      "policy.checked 3.1",
      "tool.started 3.2",
      "tool.completed 4.0",
      "run.completed 4.1",
    ],
  },
  {
    story: "waits for a person, who denies it",
    open: waiting,
    play: (desk) => waitFor(desk, (operator, id) => operator.deny(id, { note: "not today" })),
    records: ["call.waiting", "approval.answered denied", "call.refused approval_denied"],
    events: [...asked, "approval.resolved 3.0", "run.failed 3.1"],
  },
  {
    story: "waits for a person, and nobody answers in time",
    open: waiting,
    play: (desk) => waitFor(desk, () => desk.clock.advance(60_000)),
    records: ["call.waiting", "call.refused approval_expired"],
    events: [...asked, "approval.resolved 3.0", "run.failed 3.1"],
  },
  {
    story: "cancelled while it waits for a person",
    open: waiting,
    play: async (desk) => {
      const controller = new AbortController();
      await waitFor(desk, () => controller.abort(), controller.signal);
    },
    records: ["call.waiting", "call.refused cancelled"],
    events: [...asked, "approval.resolved 3.0", "run.failed 3.1"],
  },
  {
    story: "approved, and not allowed any more when it goes on",
    open: { ...waiting, evaluatePreTool: () => ({ outcome: isObjecting ? "deny" : "allow" }) },
    play: async (desk) => {
      isObjecting = false;
      await waitFor(desk, (operator, id) => {
        isObjecting = true;
        return operator.approve(id);
      });
    },
    records: ["call.waiting", "approval.answered approved", "call.refused policy_denied"],
    events: [...asked, "approval.resolved 3.0", "policy.checked 3.1", "run.failed 3.2"],
  },
  {
    story: "waits for a person, and its key is used meanwhile",
    open: waiting,
    play: async (desk) => {
      const keyed = { ...write, idempotencyKey: "k" };
      await answering(desk, async (operator) => {
        const first = desk.seat.call(keyed);
        const { approvalId } = await pending(operator);
        const second = desk.call(keyed);
        await until(() => desk.events.length === asked.length);
        await operator.approve(approvalId);
        await first;
        await operator.approve((await pending(operator)).approvalId);
        await second;
      });
    },
    records: [
      "call.waiting",
      "call.waiting",
      "approval.answered approved",
      "call.intended",
      "call.settled completed",
      "approval.answered approved",
      "call.repeated",
    ],
    events: [
      "run.started 3.0",
      "tool.resolved 3.1",
      "policy.checked 3.2",
      "approval.required 3.3",
      "approval.resolved 6.0",
      "policy.checked 6.1",
      "run.completed 6.2",
    ],
  },
  {
    story: "approved for a session, and called once more",
    open: waiting,
    play: async (desk) => {
      await waitFor(desk, (operator, id) => operator.approveForSession(id));
      desk.events.length = 0;
      await desk.call({ ...write, input: { text: "b" } });
    },
    records: [
      "call.waiting",
      "approval.answered approved_for_session",
      "call.intended",
      "call.settled completed",
      "call.intended",
      "call.settled completed",
    ],
    events: [
      "run.started 5.0",
      "tool.resolved 5.1",
      "policy.checked 5.2",
      "tool.started 5.3",
      "tool.completed 6.0",
      "run.completed 6.1",
    ],
  },
  {
    story: "answered twice: the first answer stands",
    open: asking,
    play: async (desk) => {
      await answering(desk, async (operator) => {
        await desk.call(write);
        const { approvalId } = await pending(operator);
        await operator.approve(approvalId);
        await operator.deny(approvalId).catch(() => undefined);
      });
    },
    records: [
      "call.refused approval_required",
      "approval.answered approved",
      "approval.answered invalid_transition",
    ],
    events: [...begun, "approval.required 2.3", "run.failed 2.4"],
  },
  {
    story: "a standing grant is taken back",
    open: asking,
    play: async (desk) => {
      await answering(desk, async (operator) => {
        await desk.call(write);
        const { grantId } = await operator.approveForSession((await pending(operator)).approvalId);
        await operator.revoke(grantId ?? "");
      });
    },
    records: ["call.refused approval_required", "approval.answered approved_for_session", "grant.revoked"],
    events: [...begun, "approval.required 2.3", "run.failed 2.4"],
  },
  {
    story: "a capability is asked for, granted, used up and taken back",
    open: { deck: webDeck() },
    play: async (desk) => {
      await answering(desk, async ({ capabilities }) => {
        await desk.seat.askFor("net:example.com", { reason: "to look it up" });
        const [wish] = await capabilities.list();
        await capabilities.grant(wish?.grantId ?? "");
        await desk.call({ tool: "web.fetch", input: { url: page } });
        const { grantId } = await capabilities.grant("net", { scope: "until", forMs: 1000, note: "today" });
        await desk.seat.call({ tool: "web.fetch", input: { url: page } });
        await capabilities.revoke(grantId);
        await desk.seat.call({ tool: "web.fetch", input: { url: page } });
        await capabilities.deny(grantId).catch(() => undefined);
      });
    },
    records: [
      "capability.requested",
      "capability.answered granted",
      "call.intended",
      "call.settled completed",
      "capability.answered granted",
      "call.read completed",
      "capability.answered revoked",
      "call.refused capability_denied",
      "capability.answered invalid_transition",
    ],
    events: [
      "run.started 3.0",
      "tool.resolved 3.1",
      "policy.checked 3.2",
      "tool.started 3.3",
      "tool.completed 4.0",
      "run.completed 4.1",
    ],
  },
  {
    story: "a person must approve it where its tool runs, and nobody waits",
    open: { packs: [place.tool()] },
    play: async (desk) => {
      place.forget();
      await desk.call(write);
    },
    records: ["call.intended", "call.settled denied_before_execution approval_required"],
    events: [...started, "tool.failed 3.0", "run.failed 3.1"],
  },
  {
    story: "waits for a person where its tool runs, who approves",
    open: { packs: [place.tool()], asking: "wait" },
    play: async (desk) => {
      place.forget();
      const call = desk.call(write);
      await until(() => place.looks.length > 0);
      place.decide("approved");
      await call;
    },
    records: [
      "call.intended",
      "call.settled denied_before_execution approval_required",
      "call.waiting",
      "call.intended",
      "call.settled completed",
    ],
    events: [
      ...started,
      "tool.failed 3.0",
      "approval.required 4.0",
      "approval.resolved 5.0",
      "policy.checked 5.1",
      "tool.started 5.2",
      "tool.completed 6.0",
      "run.completed 6.1",
    ],
  },
  {
    story: "the host's policy objects",
    open: { evaluatePreTool: () => ({ outcome: "deny", reason: "not today" }) },
    play: (desk) => desk.call(write),
    records: ["call.refused policy_denied"],
    events: [...begun, "run.failed 2.3"],
  },
  {
    story: "the tool fails",
    open: { deed: fail },
    play: (desk) => desk.call(write),
    records: ["call.intended", "call.settled failed upstream_error"],
    events: [...started, "tool.failed 3.0", "run.failed 3.1"],
  },
  {
    story: "no answer in time",
    open: { deed: hang },
    play: async (desk) => {
      const call = desk.call(write);
      await until(() => desk.deck.runs.length === 1);
      desk.clock.advance(60_000);
      await call;
    },
    records: ["call.intended", "call.settled timed_out timeout"],
    events: [...started, "tool.failed 3.0", "run.failed 3.1"],
  },
  {
    story: "cancelled before it began",
    play: (desk) => desk.call({ ...write, signal: AbortSignal.abort() }),
    records: ["call.refused cancelled"],
    events: [...begun, "run.failed 2.3"],
  },
  {
    story: "cancelled while it ran",
    open: { deed: hang },
    play: async (desk) => {
      const controller = new AbortController();
      const call = desk.call({ ...write, signal: controller.signal });
      await until(() => desk.deck.runs.length === 1);
      controller.abort();
      await call;
    },
    records: ["call.intended", "call.settled cancelled cancelled"],
    events: [...started, "tool.failed 3.0", "run.failed 3.1"],
  },
  {
    story: "a result after the end",
    play: async (desk) => {
      const late = Promise.withResolvers<unknown>();
      desk.deck.deed = () => late.promise;
      const call = desk.call({ ...write, timeoutMs: 5 });
      await until(() => desk.deck.runs.length === 1);
      desk.clock.advance(5);
      await call;
      late.resolve({ done: "after all" });
      await until(() => desk.store.units.length === 4, "the note");
    },
    records: ["call.intended", "call.settled timed_out timeout", "call.late completed"],
    events: [...started, "tool.failed 3.0", "run.failed 3.1"],
  },
  {
    story: "what it was about to change was changed by somebody else",
    open: { deed: changing() },
    play: async (desk) => {
      await overtake(desk.store.inner);
      await desk.call(write);
    },
    records: ["call.intended", "call.settled failed revision_conflict"],
    events: [...started, "tool.failed 3.0", "run.failed 3.1"],
  },
  {
    story: "an output that does not fit",
    play: (desk) => desk.call({ tool: "notes.strict", input: { text: "a" } }),
    records: ["call.intended", "call.settled completed invalid_output"],
    events: [...started, "tool.failed 3.0", "run.failed 3.1"],
  },
  {
    story: "an output that was held, and released",
    open: { evaluatePostTool: () => ({ outcome: "allow" }) },
    play: (desk) => desk.call(write),
    records: ["call.intended", "call.settled completed held", "call.released"],
    events: [...started, "tool.completed 3.0", "run.completed 4.0"],
  },
  {
    story: "an output that was held, and is withheld",
    open: { evaluatePostTool: () => ({ outcome: "deny" }) },
    play: (desk) => desk.call(write),
    records: ["call.intended", "call.settled completed held", "call.withheld policy_denied"],
    events: [...started, "tool.completed 3.0", "run.failed 4.0"],
  },
  {
    story: "a read that was held, and released",
    open: { evaluatePostTool: () => ({ outcome: "allow" }) },
    play: (desk) => desk.call({ tool: "notes.read" }),
    records: ["call.read completed held", "call.released"],
    events: [...started, "tool.completed 2.4", "run.completed 3.0"],
  },
  {
    story: "the same key again",
    play: async (desk) => {
      await desk.call({ ...write, idempotencyKey: "k" });
      desk.events.length = 0;
      await desk.call({ ...write, idempotencyKey: "k" });
    },
    records: ["call.intended", "call.settled completed", "call.repeated"],
    events: ["run.started 4.0", "tool.resolved 4.1", "policy.checked 4.2", "run.completed 4.3"],
  },
  {
    story: "the tool does not know, and a person does",
    open: {
      deed: () => {
        throw new RecoveryNeededError("the venue hung up");
      },
    },
    play: async (desk) => {
      await desk.call(write);
      const [effect] = await desk.seat.unknown();
      await desk.seat.resolve(effect?.effectId ?? "", { status: "completed", note: "seen at the venue" });
    },
    records: ["call.intended", "call.settled unknown recovery_needed", "call.resolved completed"],
    events: [...started, "tool.failed 3.0", "run.failed 3.1"],
  },
  {
    story: "what was kept of a call is erased",
    play: async (desk) => {
      const outcome = await desk.call({ tool: "notes.read" });
      await desk.seat.erase(outcome.type === "completed" ? outcome.result.callId : "");
    },
    records: ["call.read completed", "content.erased", "content.erased"],
    events: [...started, "tool.completed 2.4", "run.completed 2.5"],
  },
];

// proves PORT-7.6, PORT-13.6, PORT-13.7, PORT-19.1, PORT-19.2, PORT-19.3, PORT-21.2, PORT-21.8, PORT-21.9
describe("a direct call leaves exactly", () => {
  test.each(sequences)("$story", async ({ open, play, records, events }) => {
    const desk = openDesk(open);
    await play(desk);
    expect(await written(desk)).toStrictEqual(records);
    expect(shown(desk.events)).toStrictEqual(events);
    expect(brokenPromises(desk.events)).toStrictEqual([]);
    await desk.seat.close();
    expect((await desk.seat.verify()).status).toBe("ok");
  });
});

type Crash = { readonly story: string; readonly records: readonly string[]; readonly open?: DeskOptions } & {
  readonly tool: string;
  readonly at: "call.waiting" | "call.settled" | "call.released";
  readonly input?: object;
  /** What a person answers before the next process is there. */
  readonly answer?: "approve" | "deny";
};

const withPolicy: DeskOptions = { evaluatePostTool: () => ({ outcome: "allow" }) };
const crashes: readonly Crash[] = [
  {
    story: "repeating it is harmless: it is run again",
    tool: "notes.put",
    at: "call.settled",
    records: ["call.intended", "call.retried", "call.settled completed"],
  },
  {
    story: "its executor honours the key: it is run again",
    tool: "notes.send",
    at: "call.settled",
    records: ["call.intended", "call.retried", "call.settled completed"],
  },
  {
    story: "repeating it could do it twice: unknown",
    tool: "notes.write",
    at: "call.settled",
    records: ["call.intended", "call.settled unknown recovery_needed"],
  },
  {
    story: "its tool can tell: asked",
    tool: "notes.check",
    at: "call.settled",
    records: ["call.intended", "call.settled completed"],
  },
  {
    story: "its output was held: the host's policy is asked again",
    tool: "notes.write",
    at: "call.released",
    open: withPolicy,
    records: ["call.intended", "call.settled completed held", "call.released"],
  },
  {
    story: "it waited for a person, who has approved: it goes on",
    tool: "notes.write",
    at: "call.waiting",
    open: waiting,
    answer: "approve",
    records: ["call.waiting", "approval.answered approved", "call.intended", "call.settled completed"],
  },
  {
    story: "it waited for a person, who has denied it",
    tool: "notes.write",
    at: "call.waiting",
    open: waiting,
    answer: "deny",
    records: ["call.waiting", "approval.answered denied", "call.refused approval_denied"],
  },
  {
    story: "it waited for a person with a secret, which is kept nowhere: to be asked anew",
    tool: "notes.write",
    at: "call.waiting",
    open: waiting,
    answer: "approve",
    input: { apiKey: `sk-proj-${"Ab1".repeat(14)}` },
    records: ["call.waiting", "approval.answered approved", "call.refused approval_required"],
  },
];

describe("a process that died leaves, once the next one has looked after it", () => {
  test.each(crashes)("$story", async ({ tool, at, open, input, answer, records }) => {
    const desk = openDesk(open);
    desk.deck.reconcile = () => ({ status: "completed", output: null });
    desk.store.fault = (unit) =>
      unit.appends?.some(({ records: own }) => own.some(({ text }) => text.includes(`"kind":"${at}"`))) ===
      true
        ? { type: "die", written: at === "call.waiting" }
        : undefined;
    void desk.call({ tool, input });
    await desk.store.died.promise;
    const next = reopenDesk(desk, { ...open, deck: desk.deck });
    if (answer !== undefined)
      await answering(next, async (operator) => await operator[answer]((await pending(operator)).approvalId));
    await next.seat.open();
    expect(await written(desk, next)).toStrictEqual(records);
    expect((await next.seat.verify()).status).toBe("ok");
  });
});

/** Everything a record says besides its place: which facts stand where is part of the promise. */
const placed = new Set(["kind", "prev", "seq", "ts", "v"]);
const decided = ["callId", "origin", "packageFingerprint", "principal", "runId", "traceId", "verdict"];
const resolved = [...decided, "costEffect", "input", "sideEffect", "tool", "toolDigest"];
const intended = [...resolved, "effectId", "idempotency", "idempotencyKey"];
const effect = ["callId", "effectId", "runId"];
const fields: Readonly<Record<string, readonly string[]>> = {
  "segment.opened": ["accountId", "manifestDigest", "redactionVersion", "stream"],
  "call.intended": intended,
  "call.intended used": [...intended, "approval"],
  "call.intended used, waited": [...intended, "approval", "waited"],
  "call.intended approved, waited": [...intended, "approval", "waited"],
  "call.waiting pending": [...resolved, "approval"],
  "call.settled completed": [...effect, "durationMs", "output", "spent", "status"],
  "call.settled completed held": [...effect, "durationMs", "held", "output", "spent", "status"],
  "call.settled completed invalid_output": [...effect, "durationMs", "error", "output", "spent", "status"],
  "call.settled denied_before_execution approval_required": [
    ...effect,
    "durationMs",
    "error",
    "spent",
    "status",
  ],
  "call.settled failed revision_conflict": [...effect, "durationMs", "error", "spent", "status"],
  "call.settled failed upstream_error": [...effect, "durationMs", "error", "spent", "status"],
  "call.settled timed_out timeout": [...effect, "durationMs", "error", "spent", "status"],
  "call.settled cancelled cancelled": [...effect, "durationMs", "error", "spent", "status"],
  "call.settled unknown recovery_needed": [...effect, "durationMs", "error", "spent", "status"],
  "call.read completed": [...resolved, "durationMs", "output", "spent", "status"],
  "call.read completed held": [...resolved, "durationMs", "held", "output", "spent", "status"],
  "call.read failed upstream_error": [...resolved, "durationMs", "error", "spent", "status"],
  "call.refused policy_denied": [...decided, "costEffect", "error", "sideEffect", "tool", "toolDigest"],
  "call.refused invalid_input": [...resolved, "error"],
  "call.refused unknown_tool": [...decided, "error", "tool"],
  "call.refused approval_required pending": [...resolved, "approval", "error"],
  "call.refused approval_denied denied, waited": [...resolved, "approval", "error", "waited"],
  "call.refused approval_expired expired, waited": [...resolved, "approval", "error", "waited"],
  "call.refused cancelled cancelled, waited": [...resolved, "approval", "error", "waited"],
  "call.refused policy_denied superseded, waited": [...resolved, "approval", "error", "waited"],
  "call.refused cancelled": [...resolved, "error"],
  "call.released": ["callId", "runId"],
  "call.withheld policy_denied": ["callId", "error", "runId"],
  "call.repeated": [...resolved, "of"],
  "call.repeated approved, waited": [...resolved, "approval", "of", "waited"],
  "approval.answered approved": ["answer", "approvalId", "by", "of", "status"],
  "approval.answered denied": ["answer", "approvalId", "by", "note", "of", "status"],
  "approval.answered approved_for_session": ["answer", "approvalId", "by", "grantId", "of", "status"],
  "approval.answered invalid_transition": ["answer", "approvalId", "by", "error", "of"],
  "grant.revoked": ["by", "grantId"],
  "call.intended by a grant": [...intended, "grant"],
  "call.read completed by a grant": [...resolved, "durationMs", "grant", "output", "spent", "status"],
  "call.refused capability_denied": [...resolved, "error"],
  "capability.requested": ["by", "capability", "grantId", "holder", "note", "origin"],
  "capability.answered granted": ["answer", "by", "grant", "named", "note"],
  "capability.answered revoked": ["answer", "by", "grant", "named"],
  "capability.answered invalid_transition": ["answer", "by", "error", "named"],
  "call.late completed": [...effect, "output", "status"],
  "call.resolved completed": [...effect, "by", "note", "status", "stream"],
  "content.erased": ["by", "of", "ref", "stream"],
};

// proves PORT-13.6, PORT-20.5, PORT-20.6
test("every record of these sequences has exactly the fields of its kind", async () => {
  const found = new Map<string, string[]>();
  for (const { open, play } of sequences.filter(({ story }) => !story.includes("host's policy objects"))) {
    const desk = openDesk(open);
    await play(desk);
    for (const record of await desk.records()) {
      // What stands beside a call: an answer, or the opening of a segment after the first.
      if (record.kind === "segment.opened" && record.previous !== undefined) continue;
      const own = Object.keys(record).filter((key) => !placed.has(key));
      found.set(labelWithApproval(record), own.toSorted());
    }
  }
  const expected = Object.entries(fields).map(([kind, own]) => [kind, own.toSorted()]);
  expect(Object.fromEntries(found)).toStrictEqual(Object.fromEntries(expected));
});

test("docs/journal.md shows these sequences and no others", () => {
  const journal = readFileSync(new URL("../../../../docs/journal.md", import.meta.url), "utf8");
  const rows = [...journal.matchAll(/^\| (.+) \| (.+) \| (.*) \|$/gm)].map(([, ...cells]) =>
    cells.join(" | "),
  );
  const calls = sequences.map(({ story, records, events }) =>
    [story, cell(records), cell(events.map((event) => event.split(" ")[0] ?? ""))].join(" | "),
  );
  const left = crashes.map(({ story, tool, records }) => [story, `\`${tool}\``, cell(records)].join(" | "));
  expect(rows.filter((row) => row.includes("`"))).toStrictEqual([...calls, ...left]);
});

// proves PORT-9.11
test("what a watcher sees is what is kept: the events come from the records alone", async () => {
  const desk = openDesk();
  await desk.call(write);
  const records = await desk.records();
  const places = desk.events.map((event) => ("seq" in event ? event.seq : 0));
  const times = desk.events.map(({ ts }: AgentEvent) => ts);
  expect(new Set(places)).toStrictEqual(new Set([2, 3]));
  expect(times).toStrictEqual(places.map((seq) => records[seq - 1]?.ts));
});

function cell(items: readonly string[]): string {
  return items.map((item) => `\`${item}\``).join(" ");
}

function labelOf(record: object): string {
  const {
    kind,
    grant,
    status = grant?.status,
    held,
    error,
  } = record as {
    kind: string;
    grant?: { status?: string };
    status?: string;
    held?: boolean;
    error?: { code: string };
  };
  return [kind, status, held === true ? "held" : undefined, error?.code]
    .filter((part) => part !== undefined)
    .join(" ");
}

/** The same, and what is said of an approval. */
function labelWithApproval(record: object): string {
  const { approval, waited, grant } = record as {
    approval?: { status: string };
    waited?: true;
    grant?: { status?: string };
  };
  const isByGrant = grant !== undefined && grant.status === undefined;
  const more = [approval?.status, waited && "waited", isByGrant ? "by a grant" : undefined]
    .filter((part) => part !== undefined)
    .join(", ");
  return more === "" ? labelOf(record) : `${labelOf(record)} ${more}`;
}

/** What was written after the segments' own openings, in the order in which it was. */
async function written(...desks: readonly Desk[]): Promise<string[]> {
  const kept = new Set(
    (await Promise.all(desks.map(({ store }) => storedIn(store.inner)))).flat().map(textOf),
  );
  const tried = desks.flatMap(({ store }) =>
    store.units.flatMap(({ appends = [] }) => appends.flatMap(({ records }) => records.map(textOf))),
  );
  return [...new Set(tried)]
    .filter((text) => kept.has(text))
    .map((text) => labelOf(JSON.parse(text) as object))
    .filter((label) => label !== "segment.opened");
}

function textOf({ text }: { readonly text: string }): string {
  return text;
}

/** Somebody answers, in a process of their own. */
async function answering(
  { store, clock }: Desk,
  act: (operator: Operator) => Promise<unknown>,
): Promise<void> {
  const operator = openOperator({ store, clock, installation, principal: boss, ids: countingIds(9) });
  await act(operator);
  await operator.close();
}

/** A call waits for what somebody does. */
async function waitFor(
  desk: Desk,
  act: (operator: Operator, approvalId: string) => unknown,
  signal?: AbortSignal,
): Promise<void> {
  await answering(desk, async (operator) => {
    const call = desk.call({ ...write, signal });
    const { approvalId } = await pending(operator);
    await until(() => desk.events.length === asked.length);
    await act(operator, approvalId);
    await call;
  });
}

function fail(): never {
  throw new Error("the venue is closed");
}

async function hang(): Promise<never> {
  return await new Promise<never>(() => {});
}
