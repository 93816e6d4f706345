// B22: rows of a store that were edited, deleted, reordered, added or forged are refused; nothing runs by them.
import { canonicalJson, type JournalRecord, parseJsonStrict } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { atFirst, FaultyStore } from "../../../test-data/call-store.ts";
import { turn, until } from "../../../test-data/call-waiting.ts";
import {
  asking,
  levelOf,
  openRunDesk,
  put,
  reopenRunDesk,
  type RunDesk,
  type RunDeskOptions,
  saying,
  storedRun,
  write,
} from "../../../test-data/run-desk.ts";
import { toEnd } from "../../../test-data/run-stories.ts";
import { draftContent, draftRecord, type RecordDraft } from "../../journal/record-draft.ts";
import { genesisOf } from "../../journal/seal.ts";
import { StreamWriter } from "../../journal/stream-writer.ts";
import { verifyAccount } from "../../journal/verify-account.ts";
import type { StoredRecord } from "../../store/store.ts";
import { contentRef } from "../../time/ids.ts";
import { draftTold } from "../model/conversation.ts";

const options: RunDeskOptions = {
  script: saying([put("a")], [write("b")], "written"),
  levels: levelOf({ ...asking, approvals: { requireForSideEffectAtOrAbove: "user_write" } }),
  evaluatePreTool: () => ({ outcome: "allow" }),
};

/** A run that waits for a person, and whose process is gone. */
async function waiting(): Promise<{ desk: RunDesk; runId: string; stored: StoredRecord[] }> {
  const desk = openRunDesk(options);
  const handle = await desk.start();
  const { approvals } = await handle.wait({ for: "rest" });
  await desk.operator.approve(approvals[0]?.approvalId ?? "");
  await handle.wait({ for: "rest" });
  await desk.store.die();
  return { desk, runId: handle.runId, stored: await storedRun(desk.store.inner, handle.runId) };
}

/** The next process, to which the rows of the run are shown as somebody left them. */
function reading(desk: RunDesk, tamper: (records: StoredRecord[]) => StoredRecord[]): RunDesk {
  const next = reopenRunDesk(desk, options);
  next.store.tamper = (records, { stream, from = 1, limit }) =>
    stream.startsWith("run_") && from === 1 && limit > 1 ? tamper([...records]) : records;
  next.deck.runs.length = 0;
  return next;
}

const edited = (record: StoredRecord, change: (text: string) => string): StoredRecord => ({
  ...record,
  text: change(record.text),
});

type Tampering = readonly [string, (records: StoredRecord[], at: number) => StoredRecord[]];

const tamperings: readonly Tampering[] = [
  [
    "edited",
    (all, at) =>
      all.with(
        at,
        edited(all[at] as StoredRecord, (text) => text.replace(/"ts":"2/, '"ts":"3')),
      ),
  ],
  [
    "spelled otherwise",
    (all, at) =>
      all.with(
        at,
        edited(all[at] as StoredRecord, (text) => ` ${text}`),
      ),
  ],
  [
    "replaced by nonsense",
    (all, at) =>
      all.with(
        at,
        edited(all[at] as StoredRecord, () => "{}"),
      ),
  ],
  ["deleted", (all, at) => all.toSpliced(at, 1)],
  ["there twice", (all, at) => all.toSpliced(at, 0, all[at] as StoredRecord)],
  [
    "swapped with the next",
    (all, at) => all.toSpliced(at, 2, all[at + 1] as StoredRecord, all[at] as StoredRecord),
  ],
];

describe("a run's stream in which a record is", () => {
  test.each(tamperings)("%s is refused, and nothing goes on from it", async (_what, tamper) => {
    const { desk, runId, stored } = await waiting();
    for (const at of stored.keys()) {
      // The last one has no next, and without it the stream is a shorter one; what is listed says that it was longer.
      if (at === stored.length - 1 && tamper === tamperings[5]?.[1]) continue;
      const next = reading(desk, (records) => tamper(records, at));
      expect(await next.runs.open(), `record ${at + 1}`).toStrictEqual([]);
      await expect(next.runs.resume(runId)).rejects.toMatchObject({ code: "journal_corrupt" });
      await expect(next.runs.cancel(runId)).rejects.toMatchObject({ code: "journal_corrupt" });
      const handle = await next.runs.get(runId);
      await expect(handle.result()).rejects.toMatchObject({ code: "journal_corrupt" });
      expect(next.deck.runs).toStrictEqual([]);
      expect(next.model.asked).toStrictEqual([]);
    }
    const whole = reading(desk, (records) => records);
    expect(await whole.runs.open()).toHaveLength(1);
  });

  test("changed in what lies beside it is refused too", async () => {
    const { desk, runId, stored } = await waiting();
    const at = stored.findIndex(({ text }) => text.includes('"kind":"call.waiting"'));
    const next = reading(desk, (records) =>
      records.with(at, {
        ...(records[at] as StoredRecord),
        content: (records[at]?.content ?? []).map((row) => ({ ...row, text: '{"text":"other"}' })),
      }),
    );
    await expect(next.runs.resume(runId)).rejects.toMatchObject({ code: "journal_corrupt" });
  });

  test("edited is not shown to whoever watches", async () => {
    const { desk, runId } = await waiting();
    const next = reading(desk, (records) => tamperings[0]?.[1](records, 1) ?? []);
    const seen: string[] = [];
    const watching = (async () => {
      for await (const { type } of (await next.runs.get(runId)).stream()) seen.push(type);
    })();
    await expect(watching).rejects.toMatchObject({ code: "journal_corrupt" });
    expect(seen).toStrictEqual(["runtime.started"]);
  });

  test("of another run, or of another account, is not this run's", async () => {
    const { desk, runId } = await waiting();
    const other = openRunDesk({ ...options, life: 7 });
    const handle = await other.start();
    await handle.wait({ for: "rest" });
    const foreign = await storedRun(other.store.inner, handle.runId);
    const next = reading(desk, () => foreign);
    await expect(next.runs.resume(runId)).rejects.toMatchObject({ code: "journal_corrupt" });
    const seen: string[] = [];
    const watching = (async () => {
      for await (const { type } of (await next.runs.get(runId)).stream()) seen.push(type);
    })();
    await expect(watching).rejects.toMatchObject({ code: "journal_corrupt" });
    expect(seen).toStrictEqual([]);
  });
});

describe("a record that is well chained, and cannot have happened,", () => {
  /** Writes as somebody would who can write the store, and has not the installation's secret. */
  async function forge({ store }: RunDesk, runId: string, ...records: readonly RecordDraft[]): Promise<void> {
    const { inner } = store;
    const lease = await inner.lease(runId, "acct_1", genesisOf(runId, "acct_1"));
    if (lease.type === "held") throw new Error("it is held");
    const clock = { now: () => Date.UTC(2026, 0, 2, 4), elapsed: () => 0, after: () => () => undefined };
    const terms = { stream: runId, accountId: "acct_1", epoch: lease.epoch, head: lease.head };
    await new StreamWriter(inner, clock, terms).write({ durability: "process", records });
    await inner.release(runId, lease.epoch);
  }
  /** Lists the one run that there is otherwise. */
  async function relist({ store }: RunDesk, status: string, body?: string): Promise<void> {
    const [listed] = await store.inner.documents({ kind: "run", accountId: "acct_1", limit: 1 });
    if (listed === undefined) throw new Error("there is no run");
    const { revision: expects, ...document } = listed;
    const relisted = { ...document, type: "put", expects, status, body: body ?? document.body } as const;
    await store.inner.commit({ durability: "process", now: 0, documents: [relisted] });
  }
  const samples = async (): Promise<JournalRecord[]> => {
    const desk = openRunDesk({ ...options, levels: levelOf({ maxSideEffect: "user_write" }) });
    return await desk.records(await toEnd(desk));
  };

  test("is refused, whatever record it is", async () => {
    const { desk, runId } = await waiting();
    const waitingCall = `call_${runId.slice(4)}-2-1`;
    for (const sample of await samples()) {
      const { v: _v, seq: _s, prev: _p, ts: _t, kind, ...body } = sample;
      if (kind === "call.intended") continue;
      const copy = { inner: await copyOf(desk) };
      const draft = draftRecord(kind, { ...body, runId, callId: waitingCall } as never);
      await forge({ ...desk, store: copy.inner }, runId, draft);
      const next = reopenRunDesk({ ...desk, store: copy.inner }, options);
      await expect(next.runs.resume(runId)).rejects.toMatchObject({ code: "journal_corrupt" });
      expect((await verifyAccount(copy.inner.inner, "acct_1")).status).toBe("broken");
    }
  });

  test("is refused also where it is of a call that no model has proposed", async () => {
    const { desk, runId } = await waiting();
    const refused = (await desk.records(runId)).at(-1) as Extract<JournalRecord, { kind: "call.waiting" }>;
    const { v: _v, seq: _s, prev: _p, ts: _t, kind: _k, input: _i, ...body } = refused;
    const words = draftContent(contentRef("forged-0002", "error"), "salt", "no");
    const error = { code: "policy_denied", message: words.digest } as const;
    const callId = `call_${runId.slice(4)}-9-9` as never;
    const draft = draftRecord("call.refused", { ...body, callId, error }, { content: [words.row] });
    await forge(desk, runId, draft);
    const next = reopenRunDesk(desk, options);
    await expect(next.runs.resume(runId)).rejects.toMatchObject({ code: "journal_corrupt" });
  });

  test("B1: an intent that says it was approved runs nothing: only the approval proves it", async () => {
    for (const name of ["notes.put", "notes.write"]) {
      const desk = openRunDesk({ ...options, script: saying([{ name, args: { text: "a" } }], "written") });
      const handle = await desk.start();
      await handle.wait({ for: "rest" });
      await desk.store.die();
      const { runId } = handle;
      const waitingRecord = (await desk.records(runId)).at(-1) as Extract<
        JournalRecord,
        { kind: "call.waiting" }
      >;
      const { v: _v, seq: _s, prev: _p, ts: _t, kind: _k, ...body } = waitingRecord;
      const content = draftContent(contentRef("forged-0001", "input"), "salt", '{"text":"all of it"}');
      const draft = draftRecord(
        "call.intended",
        {
          ...body,
          input: content.digest,
          waited: true,
          effectId: waitingRecord.callId.replace("call_", "eff_") as never,
          idempotency: { type: "natural" },
          idempotencyKey: "forged",
          approval: { ...waitingRecord.approval, status: "used" },
        },
        { content: [content.row] },
      );
      await forge(desk, runId, draft);
      await relist(desk, "calling");
      const next = reopenRunDesk(desk, options);
      next.deck.runs.length = 0;
      await expect(next.runs.resume(runId)).rejects.toMatchObject({
        code: "journal_corrupt",
        details: { reason: "no_proof" },
      });
      expect(next.deck.runs).toStrictEqual([]);
    }
  });

  test("B22: what somebody writes into an open run who has not the installation's secret is not what a model has proposed", async () => {
    const desk = openRunDesk({ script: saying("nothing to do") });
    desk.store.fault = atFirst("model.intended", { type: "die", written: false });
    const { runId } = await desk.start();
    await desk.store.died.promise;
    const unique = runId.slice(4);
    const names = { runId, stepId: `step_${unique}-1`, attempt: 1 };
    const evil = { text: "", toolCalls: [{ id: "1", name: "notes.write", args: { text: "evil" } }] };
    const answer = draftContent(contentRef(`${unique}-1-m1`, "answer"), "salt", JSON.stringify(evil));
    const told = draftTold(`${unique}-1-m1`, "salt", answer.digest.digest);
    const asked = { step: 1, model: "scripted", messages: 1, told: told.digest, reserved: {} };
    const calls = [{ callId: `call_${unique}-1-1`, tool: "notes.write" }];
    const said = { status: "completed", output: answer.digest, calls, spent: {}, durationMs: 1 };
    await forge(
      desk,
      runId,
      draftRecord("model.intended", { ...names, ...asked } as never, { content: [told.row] }),
      draftRecord("model.settled", { ...names, ...said } as never, { content: [answer.row] }),
    );
    await relist(desk, "calling");
    const next = reopenRunDesk(desk, { script: saying("nothing to do") });
    next.deck.runs.length = 0;
    await expect(next.runs.resume(runId)).rejects.toMatchObject({ details: { reason: "no_proof" } });
    expect(next.deck.runs).toStrictEqual([]);
  });

  test("B22: nor is a run gone on with whose last records were taken away, or that is listed as it was before", async () => {
    const desk = openRunDesk(options);
    const handle = await desk.start();
    await handle.wait({ for: "rest" });
    const before = await desk.store.inner.document({ kind: "run", accountId: "acct_1", id: handle.runId });
    await desk.runs.cancel(handle.runId);
    await until(() => desk.store.units.some((unit) => JSON.stringify(unit).includes("run.cancelling")));
    await desk.store.die();
    const now = await desk.store.inner.document({ kind: "run", accountId: "acct_1", id: handle.runId });
    await relist(desk, before?.status ?? "", before?.body);
    const next = reopenRunDesk(desk, options);
    expect(now?.body).not.toBe(before?.body);
    await expect(next.runs.resume(handle.runId)).rejects.toMatchObject({ code: "journal_corrupt" });
    expect(next.deck.runs).toStrictEqual([]);
  });
});

describe("what is listed of a run", () => {
  const change = async (
    desk: RunDesk,
    to: (listed: { status: string; body: string }) => { status: string; body: string },
  ) => {
    const { inner } = desk.store;
    const [listed] = await inner.documents({ kind: "run", accountId: "acct_1", limit: 1 });
    if (listed === undefined) throw new Error("nothing is listed");
    const documents = [{ ...listed, ...to(listed), type: "put" as const, expects: listed.revision }];
    await inner.commit({ durability: "process", now: 0, documents });
  };
  const bodyWith = (body: string, more: object) =>
    canonicalJson({ ...(parseJsonStrict(body) as object), ...more });

  test.each<[string, (listed: { status: string; body: string }) => { status: string; body: string }]>([
    ["as ended", ({ body }) => ({ status: "completed", body })],
    ["in another state", ({ body }) => ({ status: "calling", body })],
    ["in no state", ({ body }) => ({ status: "idle", body })],
    [
      "as another's",
      ({ status, body }) => ({
        status,
        body: bodyWith(body, {
          starter: { accountId: "acct_1", keyId: "other", kind: "key", scopes: ["admin"] },
        }),
      }),
    ],
    ["as another agent's", ({ status, body }) => ({ status, body: bodyWith(body, { agentId: "other" }) })],
    [
      "under another package",
      ({ status, body }) => ({ status, body: bodyWith(body, { packageFingerprint: "other" }) }),
    ],
    [
      "in another session",
      ({ status, body }) => ({ status, body: bodyWith(body, { sessionId: "session-9" }) }),
    ],
    [
      "with a seal, while it goes on",
      ({ status, body }) => ({
        status,
        body: bodyWith(body, {
          seal: { count: 1, head: `sha256:${"0".repeat(64)}`, sealedAt: "2026-01-02T03:04:05.000Z" },
        }),
      }),
    ],
    ["as nonsense", ({ status }) => ({ status, body: "{}" })],
  ])("%s, and is not, is refused", async (_as, to) => {
    const { desk, runId } = await waiting();
    await change(desk, to);
    const next = reopenRunDesk(desk, options);
    next.deck.runs.length = 0;
    await next.runs.open();
    const said = await Promise.allSettled([
      next.runs.resume(runId).then(async (handle) => await handle.wait({ timeoutMs: 1 })),
      next.runs.get(runId).then(async (handle) => await handle.result()),
    ]);
    expect(said).toMatchObject([
      { reason: { code: "journal_corrupt" } },
      { reason: { code: "journal_corrupt" } },
    ]);
    for (let turns = 0; turns < 5; turns++) await turn();
    expect(next.deck.runs).toStrictEqual([]);
    expect(next.model.asked).toStrictEqual([]);
  });

  test("of one that has ended must have the seal of its end", async () => {
    const desk = openRunDesk();
    const runId = await toEnd(desk);
    const handle = await reopenRunDesk(desk).runs.get(runId);
    await change(desk, ({ status, body }) => {
      const { seal: _, ...rest } = parseJsonStrict(body) as { seal?: unknown };
      return { status, body: canonicalJson(rest) };
    });
    await expect(handle.wait()).rejects.toMatchObject({ code: "journal_corrupt" });
  });

  test("one that nobody can trust does not keep the others from going on", async () => {
    const { desk, runId } = await waiting();
    const second = reopenRunDesk(desk, { ...options, life: 5 });
    const other = await second.start();
    await other.wait({ for: "rest" });
    await second.store.die();
    const next = reopenRunDesk(desk, { ...options, life: 6 });
    next.store.tamper = (records, { stream }) => (stream === runId ? records.slice(1) : records);
    const taken = await next.runs.open();
    expect(taken.map((handle) => handle.runId)).toStrictEqual([other.runId]);
  });
});

/** The same rows in a store of their own. */
async function copyOf({ store }: RunDesk): Promise<FaultyStore> {
  const copy = new FaultyStore();
  for (const unit of store.units) {
    for (const { stream } of unit.appends ?? []) {
      const accountId = "acct_1";
      await copy.inner.lease(stream, accountId, genesisOf(stream, accountId));
    }
    await copy.inner.commit(unit);
  }
  for (const { stream, epoch } of store.units.flatMap(({ appends = [] }) => appends)) {
    await copy.inner.release(stream, epoch);
  }
  return copy;
}
