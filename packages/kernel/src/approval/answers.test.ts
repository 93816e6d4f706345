// B8, B9, B10, B13: the first answer stands, whoever is second is told, and every answer is on record with whose it was.
import { heldSecrets, type JournalRecord } from "@spfunctions/contracts";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  answersIn,
  ask,
  begin,
  boss,
  openAsking,
  operatorOf,
  storyOf,
  write,
} from "../../test-data/call-approvals.ts";
import { codeOf, keptText, otherInstallation, principalOf } from "../../test-data/call-desk.ts";
import { atFirst, FaultyStore } from "../../test-data/call-store.ts";
import { settlement } from "../../test-data/call-waiting.ts";

type Answered = Extract<JournalRecord, { kind: "approval.answered" }>;

async function lastAnswer(desk: { readonly records: () => Promise<JournalRecord[]> }): Promise<Answered> {
  return (await desk.records()).findLast(({ kind }) => kind === "approval.answered") as Answered;
}

describe("an answer that is taken", () => {
  test("is kept with who gave it, when, and what they say", async () => {
    const desk = openAsking();
    const asked = await ask(desk);
    desk.clock.advance(1000);
    const approval = await desk.operator.approve(asked.approvalId, { note: "go ahead" });
    expect(approval).toStrictEqual({
      ...asked,
      status: "approved",
      decidedBy: boss,
      decidedAt: new Date(desk.clock.now()).toISOString(),
      note: "go ahead",
    });
    expect(await desk.operator.get(asked.approvalId)).toStrictEqual(approval);
  });

  test("is one record, which names the question, the call, the answer and the person", async () => {
    const desk = openAsking();
    const { approvalId, runId, callId, tool } = await ask(desk);
    await desk.operator.deny(approvalId, { note: "no" });
    const { v: _v, seq: _s, prev: _p, ts: _t, note, ...record } = await lastAnswer(desk);
    expect(record).toStrictEqual({
      kind: "approval.answered",
      approvalId,
      of: { runId, callId, tool },
      answer: "denied",
      by: boss,
      status: "denied",
    });
    expect(note?.digest).toMatch(/^sha256:/);
  });

  test("B13: that denies tells whoever asked who said no, and why; and they are told again, not asked about again", async () => {
    const desk = openAsking();
    const { approvalId } = await ask(desk);
    await desk.operator.deny(approvalId, { note: "not before Friday" });
    const told = await desk.call(write);
    expect(told).toMatchObject({
      type: "refused",
      error: {
        code: "approval_denied",
        message: expect.stringContaining("boss has denied it, and says: not before Friday"),
      },
    });
    expect(codeOf(await desk.call(write))).toBe("approval_denied");
    expect(await desk.operator.list({ status: "any" })).toHaveLength(1);
    expect(await storyOf(desk)).toStrictEqual([
      "call.refused pending approval_required",
      "call.refused denied approval_denied",
      "call.refused denied approval_denied",
    ]);
  });

  test("B3: that denies runs nothing, also when the approval is named", async () => {
    const desk = openAsking();
    const { approvalId } = await ask(desk);
    await desk.operator.deny(approvalId);
    expect(codeOf(await desk.call({ ...write, approvalId }))).toBe("approval_denied");
    expect(desk.deck.runs).toStrictEqual([]);
  });
});

const chef = { keyId: "chef", kind: "operator", scopes: ["admin"] } as const;

describe("a second answer", () => {
  test.each([
    ["approve", "deny", "approved", "completed"],
    ["deny", "approve", "denied", "approval_denied"],
    ["deny", "approveForSession", "denied", "approval_denied"],
  ] as const)(
    "%s, then %s: the first stands, and the second is told",
    async (first, second, status, then) => {
      const desk = openAsking();
      const { approvalId } = await ask(desk);
      const approval = await operatorOf(desk, { life: 8 })[first](approvalId);
      await expect(desk.operator[second](approvalId)).rejects.toMatchObject({
        code: "invalid_transition",
        message: expect.stringContaining(`${approvalId} was ${status} by boss: the first answer stands`),
      });
      expect(await desk.operator.get(approvalId)).toStrictEqual(approval);
      expect(await lastAnswer(desk)).toMatchObject({ error: { code: "invalid_transition" } });
      expect(await lastAnswer(desk)).not.toHaveProperty("status");
      expect(codeOf(await desk.call(write))).toBe(then);
      expect(await desk.operator.grants()).toStrictEqual([]);
    },
  );

  test.each(["approve", "deny", "approveForSession"] as const)(
    "%s, and the same again by the same operator: they are told what stands, and nothing more is written",
    async (answer) => {
      const desk = openAsking({ sessionId: "one" });
      const { approvalId } = await ask(desk);
      const first = await desk.operator[answer](approvalId, { note: "so be it" });
      const before = await answersIn(desk);
      expect(await desk.operator[answer](approvalId, { note: "as I said" })).toStrictEqual(first);
      expect(await answersIn(desk)).toStrictEqual(before);
      const other = operatorOf(desk, { principal: principalOf("acct_1", chef), life: 8 });
      await expect(other[answer](approvalId)).rejects.toMatchObject({ code: "invalid_transition" });
    },
  );

  test("a yes again after it was used is told so; a no is too late", async () => {
    const desk = openAsking();
    const { approvalId } = await ask(desk);
    await desk.operator.approve(approvalId);
    await desk.call(write);
    expect((await desk.operator.approve(approvalId)).status).toBe("used");
    await expect(desk.operator.deny(approvalId)).rejects.toMatchObject({
      message: `${approvalId} was approved by boss and has been used: the first answer stands; "denied" changes nothing`,
    });
  });

  test("at the same time: one stands, the other is told, both are on record", async () => {
    for (const life of [5, 6, 7]) {
      const desk = openAsking();
      const { approvalId } = await ask(desk);
      const others = [operatorOf(desk, { life }), operatorOf(desk, { life: 8 })] as const;
      const answers = [others[0].approve(approvalId), others[1].deny(approvalId)] as const;
      const told = await Promise.allSettled(answers);
      expect(told.map(({ status }) => status).toSorted()).toStrictEqual(["fulfilled", "rejected"]);
      expect(told.find(({ status }) => status === "rejected")).toMatchObject({
        reason: { code: "invalid_transition" },
      });
      expect((await answersIn(desk)).map((one) => one.split(": ")[1] ?? "").toSorted()).toStrictEqual([
        told[0].status === "fulfilled" ? "approved" : "denied",
        "invalid_transition",
      ]);
      expect(codeOf(await desk.call(write))).toBe(
        told[0].status === "fulfilled" ? "completed" : "approval_denied",
      );
    }
  });

  test("after the call was cancelled is told that, and nothing runs", async () => {
    const desk = openAsking();
    const controller = new AbortController();
    const { outcome, approval } = await begin(desk, { ...write, signal: controller.signal });
    controller.abort();
    expect(codeOf(await outcome)).toBe("cancelled");
    await expect(desk.operator.approve(approval.approvalId)).rejects.toMatchObject({
      code: "invalid_transition",
      message: expect.stringContaining("whoever asked has given the call up"),
    });
    expect(await answersIn(desk)).toStrictEqual(["boss approved: invalid_transition"]);
    expect(desk.deck.runs).toStrictEqual([]);
  });

  test("after it was used is told that", async () => {
    const desk = openAsking();
    const { approvalId } = await ask(desk);
    await desk.operator.approve(approvalId);
    await desk.call(write);
    await expect(desk.operator.deny(approvalId)).rejects.toMatchObject({ code: "invalid_transition" });
    expect((await desk.operator.get(approvalId)).status).toBe("used");
  });
});

describe("an answer about nothing", () => {
  test.each([["appr_00000000-nowhere"], ["anything at all"], [""], ["\ud800"], ["x".repeat(10_000)]])(
    "is refused and on record: %j",
    async (id) => {
      const desk = openAsking();
      await ask(desk);
      await expect(desk.operator.approve(id)).rejects.toMatchObject({ code: "not_found" });
      const record = await lastAnswer(desk);
      expect(record).toMatchObject({ answer: "approved", by: boss, error: { code: "not_found" } });
      expect([record.approvalId.length <= 100, "of" in record]).toStrictEqual([true, false]);
    },
  );

  test("S1: does not keep a secret that was given for an id", async () => {
    const desk = openAsking();
    const secret = `sk-proj-${"Ab1".repeat(14)}`;
    await expect(desk.operator.approve(secret)).rejects.toMatchObject({
      message: expect.not.stringContaining(secret),
    });
    expect(await keptText(desk.store.inner)).not.toContain(secret);
  });
});

describe("S1: what a person says", () => {
  const secret = `sk-proj-${"Ab1".repeat(14)}`;

  test("is kept, shown and told without the secrets in it", async () => {
    const desk = openAsking();
    const { approvalId } = await ask(desk);
    const { note } = await desk.operator.deny(approvalId, { note: `use ${secret} instead` });
    const told = await desk.call(write);
    const all = JSON.stringify([note, told, await desk.operator.get(approvalId), desk.events]);
    expect(all).toContain("use [redacted");
    expect(all).not.toContain(secret);
    expect(await keptText(desk.store.inner)).not.toContain(secret);
    expect(JSON.stringify(await documentsIn(desk))).not.toContain(secret);
  });

  test("is kept without what this process holds secret", async () => {
    const held = "correct horse battery staple";
    heldSecrets.add(held, "password");
    onTestFinished(() => heldSecrets.remove(held));
    const desk = openAsking();
    await desk.operator.approve((await ask(desk)).approvalId, { note: `it is ${held}` });
    expect(JSON.stringify(await documentsIn(desk))).not.toContain(held);
    expect(await keptText(desk.store.inner)).not.toContain(held);
  });

  test("is cut where it is too long, and refused where it is no text", async () => {
    const desk = openAsking();
    const { approvalId } = await ask(desk);
    for (const note of [7, {}, "\ud800", null]) {
      await expect(desk.operator.approve(approvalId, { note: note as string })).rejects.toMatchObject({
        code: "invalid_input",
      });
    }
    expect((await desk.operator.approve(approvalId, { note: "x".repeat(5000) })).note?.length).toBe(2000);
  });

  test("is not what a host's policy has said of the input's secrets either: it sees none", async () => {
    const desk = openAsking({
      evaluatePreTool: ({ input }) => ({ outcome: "ask", reason: `about ${JSON.stringify(input)}` }),
    });
    const approval = await ask(desk, { ...write, input: { apiKey: secret } });
    expect(approval.reason).toContain("about {");
    expect(JSON.stringify(await documentsIn(desk))).not.toContain(secret);
    expect(await keptText(desk.store.inner)).not.toContain(secret);
  });
});

async function documentsIn({ store }: { readonly store: FaultyStore }) {
  const kinds = ["approval", "grant", "asked"];
  const all = kinds.map((kind) => store.inner.documents({ kind, accountId: "acct_1", limit: 100 }));
  return (await Promise.all(all)).flat();
}

describe("an answer that could not be written", () => {
  test("is a fault, decides nothing, and can be given again", async () => {
    const desk = openAsking();
    const { approvalId } = await ask(desk);
    const store = new FaultyStore(desk.store.inner);
    const operator = operatorOf(desk, { store, life: 8 });
    store.fault = atFirst("approval.answered", { type: "throw" });
    await expect(operator.approve(approvalId)).rejects.toMatchObject({ code: "journal_append_failed" });
    expect((await desk.operator.get(approvalId)).status).toBe("pending");
    expect((await operator.approve(approvalId)).status).toBe("approved");
    expect(await answersIn(desk)).toStrictEqual(["boss approved: approved"]);
  });

  test("and was written after all, is taken, once", async () => {
    const desk = openAsking();
    const { approvalId } = await ask(desk);
    const store = new FaultyStore(desk.store.inner);
    store.fault = atFirst("approval.answered", { type: "lost" });
    expect((await operatorOf(desk, { store, life: 8 }).approve(approvalId)).status).toBe("approved");
    expect(await answersIn(desk)).toStrictEqual(["boss approved: approved"]);
  });

  test("by a process that dies right then stands where it was written, and else the question does", async () => {
    for (const written of [true, false]) {
      const desk = openAsking();
      const { approvalId } = await ask(desk);
      const store = new FaultyStore(desk.store.inner);
      store.fault = atFirst("approval.answered", { type: "die", written });
      void operatorOf(desk, { store, life: 8 }).approve(approvalId);
      await store.died.promise;
      expect((await desk.operator.get(approvalId)).status).toBe(written ? "approved" : "pending");
      expect(codeOf(await desk.call(write))).toBe(written ? "completed" : "approval_required");
    }
  });
});

test("an answer whose wake gets lost is found when the store says that some may have been missed", async () => {
  const desk = openAsking();
  let hear: ((key: string | undefined) => void) | undefined;
  desk.store.listen = (heard) => {
    hear = heard;
    return () => {};
  };
  const { outcome, approval } = await begin(desk);
  await desk.operator.approve(approval.approvalId);
  expect(await settlement(outcome)).toStrictEqual({ state: "pending" });
  hear?.(undefined);
  expect(codeOf(await outcome)).toBe("completed");
});

test("with another installation's secret nothing is answered", async () => {
  const desk = openAsking();
  const { approvalId } = await ask(desk);
  const stranger = operatorOf(desk, { installation: otherInstallation, life: 8 });
  await expect(stranger.approve(approvalId)).rejects.toMatchObject({ code: "host_configuration_needed" });
  // Nobody is told that nothing waits where they cannot see what does.
  for (const reads of [stranger.list(), stranger.get(approvalId), stranger.grants()])
    await expect(reads).rejects.toMatchObject({ code: "host_configuration_needed" });
  expect((await desk.operator.get(approvalId)).status).toBe("pending");
});

test("approvals are listed oldest first, by status, and what is over is not open", async () => {
  const desk = openAsking();
  const ids: string[] = [];
  for (const text of ["a", "b", "c"]) {
    ids.push((await ask(desk, { ...write, input: { text } })).approvalId);
    desk.clock.advance(20_000);
  }
  await desk.operator.deny(ids[1] ?? "");
  const listed = async (status?: "pending" | "denied" | "any") =>
    (await desk.operator.list(status && { status })).map(({ approvalId }) => approvalId);
  expect(await listed()).toStrictEqual([ids[2]]);
  expect(await listed("denied")).toStrictEqual([ids[1]]);
  expect(await listed("any")).toStrictEqual(ids);
});

describe("what a person says with an answer is not lost:", () => {
  test.each<[string, unknown, RegExp]>([
    ["a note that stands alone", "go ahead", /^each term of an answer stands in an object: \{ note, /],
    ["a misspelt term", { nota: "go ahead" }, /^unknown term of an answer nota; did you mean note\?/],
  ])("%s is refused, and nothing is decided", async (_, terms, message) => {
    const desk = openAsking();
    const { approvalId } = await ask(desk);
    const before = (await desk.records()).length;
    for (const answer of ["approve", "approveForSession", "deny"] as const)
      await expect(desk.operator[answer](approvalId, terms as object)).rejects.toThrow(message);
    for (const answer of ["grant", "deny", "revoke"] as const)
      await expect(desk.operator.capabilities[answer]("net:a.example", terms as object)).rejects.toThrow(
        /term of a grant/,
      );
    expect((await desk.operator.get(approvalId)).status).toBe("pending");
    expect(await desk.records()).toHaveLength(before);
  });
});

describe("an answer that names nothing is told what an id is, and nothing is on record:", () => {
  test.each<[string, unknown, string]>([
    ["nothing", undefined, "this is nothing"],
    ["null", null, "this is nothing"],
    ["the approval instead of its id", { approvalId: "appr_00000001" }, "this is of type object"],
  ])("%s", async (_, id, was) => {
    const { operator, ...desk } = openAsking();
    await ask({ operator, ...desk });
    const before = (await desk.records()).length;
    const named = id as string;
    const approval = { code: "invalid_input", message: expect.stringContaining(`begins with appr_; `) };
    await expect(operator.approve(named)).rejects.toMatchObject(approval);
    await expect(operator.get(named)).rejects.toMatchObject(approval);
    await expect(operator.deny(named)).rejects.toThrow(was);
    await expect(operator.revoke(named)).rejects.toThrow("begins with grant_; ");
    await expect(operator.capabilities.grant(named)).rejects.toThrow("like net:example.com, ");
    expect(await desk.records()).toHaveLength(before);
  });

  test("an id of another kind is said to be no approval's", async () => {
    const desk = openAsking();
    await expect(desk.operator.approve("")).rejects.toThrow("an approval's id begins with appr_, and ");
    await expect(desk.operator.get("run_00000001")).rejects.toThrow("an approval's id begins with appr_");
  });
});
