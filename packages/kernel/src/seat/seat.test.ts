// One seat: it opens by settling what was left, closes by sealing what it wrote, and shares nothing across accounts (I1).
import { type JournalRecord, RecoveryNeededError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import {
  codeOf,
  collected,
  type Desk,
  installation,
  keptText,
  kindsOf,
  openDesk,
  otherInstallation,
  outputOf,
  principalOf,
  reopenDesk,
  traceOf,
} from "../../test-data/call-desk.ts";
import { atFirst, FaultyStore, kindsIn } from "../../test-data/call-store.ts";
import { gate, settlement, turn, until } from "../../test-data/call-waiting.ts";
import { genesisOf } from "../journal/seal.ts";
import { segmentsOf } from "../journal/verify-account.ts";
import { readTrace } from "../trace/read-trace.ts";
import { traceEntries } from "../trace/trace-entries.ts";
import { Seat } from "./seat.ts";

const write = { tool: "notes.write", input: { text: "a" } };

describe("closing a seat", () => {
  test("waits for the calls that are under way, and seals after them", async () => {
    const end = Promise.withResolvers<unknown>();
    const desk = openDesk({ deed: () => end.promise });
    const call = desk.call(write);
    await until(() => desk.deck.runs.length === 1);
    const closing = desk.seat.close();
    expect((await settlement(closing)).state).toBe("pending");
    end.resolve({ done: true });
    await closing;
    expect(outputOf(await call)).toStrictEqual({ done: true });
    expect((await readTrace(await traceOf(desk.seat))).verification).toMatchObject({
      status: "ok",
      count: 3,
    });
  });

  test("refuses later calls, also while it closes", async () => {
    const end = Promise.withResolvers<unknown>();
    const desk = openDesk({ deed: () => end.promise });
    const call = desk.call(write);
    await until(() => desk.deck.runs.length === 1);
    const closing = desk.seat.close();
    expect(await settlement(desk.call(write))).toMatchObject({ error: { code: "invalid_transition" } });
    end.resolve(null);
    await Promise.all([call, closing]);
    expect(await settlement(desk.call(write))).toMatchObject({ error: { code: "invalid_transition" } });
    expect(desk.deck.runs).toHaveLength(1);
  });

  test("twice is once", async () => {
    const desk = openDesk();
    await desk.call(write);
    await Promise.all([desk.seat.close(), desk.seat.close()]);
    await desk.seat.close();
    const seals = desk.store.units.filter((unit) => unit.documents?.some(({ kind }) => kind === "segment"));
    expect(seals).toHaveLength(2);
  });

  test("that was never used leaves nothing", async () => {
    const desk = openDesk();
    await desk.seat.close();
    expect(await desk.records()).toStrictEqual([]);
    expect((await desk.seat.verify()).status).toBe("ok");
  });

  test("that was never used has a trace of nothing, and asking for it opens nothing", async () => {
    const desk = openDesk();
    await desk.seat.close();
    await settlement(traceOf(desk.seat));
    expect(await desk.records()).toStrictEqual([]);
    expect(await collected(segmentsOf(desk.store.inner, "acct_1"))).toStrictEqual([]);
  });

  test("is the end of what may be written: a person's word and erasing, too", async () => {
    const desk = openDesk({
      deed: () => {
        throw new RecoveryNeededError("nobody saw it");
      },
    });
    await desk.call(write);
    const [effect] = await desk.seat.unknown();
    await desk.seat.close();
    const late = [
      desk.seat.resolve(effect?.effectId ?? "", { status: "failed", note: "no" }),
      desk.seat.erase(effect?.callId ?? ""),
    ];
    for (const told of await Promise.all(late.map(settlement))) expect(told.state).toBe("broken");
    expect((await desk.seat.verify()).status).toBe("ok");
    expect(await desk.seat.unknown()).toHaveLength(1);
  });

  test("that could not seal leaves its segment to whoever comes next", async () => {
    const desk = openDesk();
    await desk.call(write);
    desk.store.fault = (unit) => (kindsIn(unit).length === 0 ? { type: "throw" } : undefined);
    expect((await settlement(desk.seat.close())).state).toBe("broken");
    const next = openDesk({ store: new FaultyStore(desk.store.inner), life: 2 });
    expect(await next.seat.open()).toStrictEqual({ segments: 1, settled: [], living: 0 });
    expect((await next.seat.verify()).status).toBe("ok");
  });

  test("seals what it has written and no less, though the store lost an answer meanwhile", async () => {
    const desk = openDesk();
    let isDown = false;
    desk.store.beforeRead = () => {
      if (isDown) throw new Error("the disk does not answer");
    };
    await desk.call(write);
    desk.store.fault = atFirst("call.read", { type: "lost" });
    isDown = true;
    await settlement(desk.call({ tool: "notes.read" }));
    isDown = false;
    await desk.seat.close();
    expect((await desk.seat.verify()).status).not.toBe("broken");
  });
});

describe("the segments of an account", () => {
  test("are chained, each to the one before", async () => {
    const desk = openDesk();
    await desk.call(write);
    await desk.seat.close();
    const next = reopenDesk(desk);
    await next.call(write);
    await next.seat.close();
    const third = reopenDesk(desk, { life: 3 });
    await third.call(write);
    const opened = (await third.records()).filter((record) => record.kind === "segment.opened");
    const [first, second] = opened;
    expect(opened.map(({ previous }) => previous?.stream)).toStrictEqual([
      undefined,
      first?.stream,
      second?.stream,
    ]);
    const { verification } = await readTrace(await traceOf(desk.seat));
    expect(second?.previous).toStrictEqual({
      stream: first?.stream,
      seq: 3,
      hash: verification.status === "ok" ? verification.head : "",
    });
    expect((await third.seat.verify()).status).toBe("open");
    await third.seat.close();
    expect((await third.seat.verify()).status).toBe("ok");
  });

  test("of two seats at once name each other and do not mix", async () => {
    const desk = openDesk();
    const beside = openDesk({ store: new FaultyStore(desk.store.inner), life: 2, deck: desk.deck });
    await Promise.all(
      [1, 2, 3].flatMap((n) => [desk, beside].map(async (one) => await one.call({ ...write, input: { n } }))),
    );
    const openings = (await desk.records()).filter((record) => record.kind === "segment.opened");
    const [first, second] = openings.toSorted((a, b) => Number("previous" in a) - Number("previous" in b));
    expect(first).not.toHaveProperty("previous");
    expect(second?.previous).toStrictEqual({
      stream: first?.stream,
      seq: 0,
      hash: genesisOf(first?.stream ?? "", "acct_1"),
    });
    await Promise.all([desk.seat.close(), beside.seat.close()]);
    expect(await desk.seat.verify()).toMatchObject({ status: "ok", missing: [] });
    for (const { seat } of [desk, beside]) {
      expect((await readTrace(await traceOf(seat))).verification).toMatchObject({ status: "ok", count: 7 });
    }
  });

  test("a segment that is gone is missed", async () => {
    const desk = openDesk();
    await desk.call(write);
    await desk.seat.close();
    const next = reopenDesk(desk);
    await next.call(write);
    await next.seat.close();
    const [first = ""] = await collected(segmentsOf(desk.store.inner, "acct_1"));
    const key = { kind: "segment", accountId: "acct_1", id: first };
    const document = await desk.store.inner.document(key);
    const remove = { ...key, type: "remove", expects: document?.revision ?? 0 } as const;
    await desk.store.inner.commit({ durability: "power", now: 0, documents: [remove] });
    expect(await next.seat.verify()).toMatchObject({ status: "broken", missing: [first] });
  });

  test("a trace that is exported while its segment is being closed is whole, or open, never broken", async () => {
    const desk = openDesk();
    await desk.call(write);
    const lines: string[] = [];
    let isFirst = true;
    for await (const line of desk.seat.trace()) {
      lines.push(line);
      if (!isFirst) continue;
      isFirst = false;
      await desk.call({ tool: "notes.read" });
    }
    expect((await readTrace(lines.join("\n"))).verification.status).toBe("open");
    const again: string[] = [];
    for await (const line of desk.seat.trace()) {
      again.push(line);
      if (again.length === 2) {
        await desk.call({ tool: "notes.search" });
        await desk.seat.close();
      }
    }
    expect((await readTrace(again.join("\n"))).verification.status).not.toBe("broken");
  });
});

describe("I1: two accounts on one store", () => {
  const request = { ...write, idempotencyKey: "the-same" };
  async function twoAccounts(): Promise<{ mine: Desk; theirs: Desk }> {
    const mine = openDesk({ deed: unsure });
    const theirs = openDesk({
      store: new FaultyStore(mine.store.inner),
      life: 2,
      principal: principalOf("acct_2"),
      deck: mine.deck,
    });
    await mine.call(request);
    return { mine, theirs };
  }

  test("never see each other's records", async () => {
    const { mine, theirs } = await twoAccounts();
    await theirs.call({ tool: "notes.read" });
    expect(await kindsOf(theirs)).toStrictEqual(["segment.opened", "call.read"]);
    expect(await keptText(mine.store.inner, "acct_2")).not.toContain("acct_1");
    expect(await keptText(mine.store.inner, "acct_1")).not.toContain("acct_2");
    expect((await theirs.seat.verify()).segments).toHaveLength(1);
    expect(traceEntries(await readTrace(await traceOf(theirs.seat)))).toMatchObject([{ tool: "notes.read" }]);
  });

  test("never see each other's unknown effects, nor decide about them, and cannot tell them from missing ones", async () => {
    const { mine, theirs } = await twoAccounts();
    const [effect] = await mine.seat.unknown();
    expect(await theirs.seat.unknown()).toStrictEqual([]);
    const resolution = { status: "failed", note: "no" } as const;
    const foreign = await settlement(theirs.seat.resolve(effect?.effectId ?? "", resolution));
    const missing = await settlement(theirs.seat.resolve("eff_00000000", resolution));
    expect(words(foreign, effect?.effectId)).toStrictEqual(words(missing, "eff_00000000"));
    expect(await mine.seat.unknown()).toHaveLength(1);
  });

  test("never erase each other's payloads", async () => {
    const { mine, theirs } = await twoAccounts();
    const [effect] = await mine.seat.unknown();
    const before = await keptText(mine.store.inner);
    const foreign = await settlement(theirs.seat.erase(effect?.callId ?? ""));
    const missing = await settlement(theirs.seat.erase("call_00000000"));
    expect(words(foreign, effect?.callId)).toStrictEqual(words(missing, "call_00000000"));
    expect(await keptText(mine.store.inner)).toBe(before);
  });

  test("never answer for each other's keys", async () => {
    const { theirs } = await twoAccounts();
    theirs.deck.deed = () => ({ mine: false });
    expect(outputOf(await theirs.call({ ...request, input: { text: "another" } }))).toStrictEqual({
      mine: false,
    });
  });
});

describe("a seat opens", () => {
  test("once, however many calls come first", async () => {
    const desk = openDesk();
    await Promise.all([1, 2, 3].map(async () => await desk.call({ tool: "notes.read" })));
    expect((await kindsOf(desk)).filter((kind) => kind === "segment.opened")).toHaveLength(1);
  });

  test("again after it could not", async () => {
    const desk = openDesk();
    desk.store.failNext({ type: "throw" });
    expect((await settlement(desk.seat.open())).state).toBe("broken");
    expect(codeOf(await desk.call(write))).toBe("completed");
  });

  test("not on a store of another installation", async () => {
    const desk = openDesk();
    await desk.call(write);
    const other = reopenDesk(desk, { installation: otherInstallation });
    expect(await settlement(other.call(write))).toMatchObject({
      error: { code: "host_configuration_needed" },
    });
    expect(codeOf(await reopenDesk(desk, { life: 3, installation }).call(write))).toBe("completed");
  });

  test("with names of any form that the port allows: what it writes is a journal", async () => {
    let made = 0;
    const ids = {
      unique: () => `Letter-${String((made += 1)).padStart(8, "x")}`,
      salt: () => "salt",
    };
    const desk = openDesk({ ids });
    expect(codeOf(await desk.call(write))).toBe("completed");
    await desk.seat.close();
    expect((await desk.seat.verify()).status).toBe("ok");
  });

  test.each([Number.NaN, 0, -1, 2 ** 31, Number.POSITIVE_INFINITY, "5" as never])(
    "not with %s as a limit: no clock can keep it",
    (limit) => {
      for (const name of ["callMs", "policyMs"]) {
        expect(() => openDesk({ limits: { [name]: limit } })).toThrow(new RegExp(name));
      }
    },
  );

  // proves PORT-19.1, PORT-21.4
  test("not without a policy, and not for somebody who is nobody", () => {
    const base = { packs: [], origin: "direct", surface: "agent" } as const;
    expect(() => new Seat({ ...base, levels: [], principal: principalOf() })).toThrow(
      /without one nothing is allowed/,
    );
    const levels = [{ level: "agent", policy: {} }] as const;
    const nobody = { accountId: "", keyId: "k", scopes: [], kind: "local" } as const;
    expect(() => new Seat({ ...base, levels, principal: nobody })).toThrow(/principal/);
  });
});

describe("A2: what is on record is a person's to decide about, and not", () => {
  test.each([
    [{ kind: "run", runId: "run_0123456789abcdef" }, "no run"],
    [{ kind: "token" }, "no token"],
    [{ kind: "anonymous" }, "nobody without a key"],
  ] as const)("%o", async (other, nobody) => {
    const desk = openDesk({
      deed: () => {
        throw new RecoveryNeededError("unclear");
      },
    });
    await desk.call(write);
    const [effect] = await desk.seat.unknown();
    const { effectId = "", callId = "" } = effect ?? {};
    await desk.seat.close();
    const { seat } = reopenDesk(desk, { principal: { ...principalOf(), ...other } });
    const resolution = { status: "completed", note: "seen" } as const;
    const forbidden = (what: string) => ({
      code: "forbidden",
      message: `${nobody} ${what}: a person does, with a key of theirs`,
    });
    await expect(seat.erase(callId)).rejects.toMatchObject(forbidden("erases anything"));
    await expect(seat.giveUp(effectId)).rejects.toMatchObject(forbidden("gives an effect up"));
    await expect(seat.resolve(effectId, resolution)).rejects.toMatchObject(
      forbidden("decides what became of an effect"),
    );
    const person = reopenDesk(desk, { life: 3 }).seat;
    expect(await person.unknown()).toHaveLength(1);
    await person.resolve(effectId, resolution);
    expect(await person.unknown()).toHaveLength(0);
    expect(await person.erase(callId)).toBeGreaterThan(0);
  });
});

describe("erasing a call", () => {
  test("takes every payload that was kept of it, wherever it lies, and leaves the proof", async () => {
    const desk = openDesk({
      deed: () => {
        throw new RecoveryNeededError("a private reason");
      },
    });
    await desk.call({ ...write, input: { text: "a private input" } });
    const [effect] = await desk.seat.unknown();
    await desk.seat.close();
    const next = reopenDesk(desk);
    await next.seat.resolve(effect?.effectId ?? "", { status: "failed", note: "a private note" });
    await next.seat.erase(effect?.callId ?? "");
    const key = { kind: "effect", accountId: "acct_1", id: effect?.effectId ?? "" };
    const listed = await desk.store.inner.document(key);
    const kept = `${await keptText(desk.store.inner)} ${listed?.body}`;
    expect(
      ["a private reason", "a private input", "a private note"].filter((one) => kept.includes(one)),
    ).toStrictEqual([]);
    expect((await next.seat.verify()).status).toBe("open");
    const kinds = (await next.records()).map(({ kind }: JournalRecord) => kind);
    expect(kinds.filter((kind) => kind === "content.erased")).toHaveLength(3);
  });

  test("shows as erased, and is not found twice", async () => {
    const desk = openDesk();
    const outcome = await desk.call(write);
    const callId = outcome.type === "completed" ? outcome.result.callId : "";
    expect(await desk.seat.erase(callId)).toBe(2);
    expect(await settlement(desk.seat.erase(callId))).toMatchObject({ error: { code: "not_found" } });
    const [entry] = traceEntries(await readTrace(await traceOf(desk.seat)));
    expect(entry).toMatchObject({
      input: null,
      output: null,
      erased: ["input", "output"],
      status: "completed",
    });
  });

  test("is said to be done only when it is", async () => {
    const desk = openDesk();
    const outcome = await desk.call(write);
    const callId = outcome.type === "completed" ? outcome.result.callId : "";
    const erasure = { stream: "seg_x", accountId: "acct_1", seq: 2, ref: "content_x" };
    const conflict = { type: "conflict", on: "content", erasure } as const;
    desk.store.fault = atFirst("content.erased", { type: "conflict", conflict });
    const told = await settlement(desk.seat.erase(callId));
    expect(told.state).toBe("broken");
  });
});

test("a call that is being made is not lost to a close that comes in the same moment", async () => {
  const held = gate();
  const desk = openDesk();
  desk.store.fault = atFirst("call.intended", { type: "wait", for: held.promise });
  const call = desk.call(write);
  await turn();
  const closing = desk.seat.close();
  held.resolve();
  expect(codeOf(await call)).toBe("completed");
  await closing;
  expect((await desk.seat.verify()).status).toBe("ok");
});

/** What somebody is told, without the name they asked about. */
function words(told: unknown, name = ""): string {
  const { error } = told as { error: Error & { code: string } };
  return `${error.code} ${error.message.replaceAll(name, "…")}`;
}

function unsure(): never {
  throw new RecoveryNeededError("nobody saw it");
}
