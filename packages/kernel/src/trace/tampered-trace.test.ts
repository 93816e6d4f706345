// B22: whatever is changed in the file of a sealed trace shows, with the number of the first bad record, and nothing throws.
import { canonicalJson, hashText, type TraceLine } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import {
  collected,
  installation,
  openDesk,
  otherInstallation,
  receiptOf,
  reopenDesk,
  traceOf,
} from "../../test-data/call-desk.ts";
import { bookOfTwelve, edits, type Loose, moves, withoutPayloads } from "../../test-data/call-tamper.ts";
import { isSignedBy } from "../installation/installation.ts";
import { segmentsOf, verifyAccount } from "../journal/verify-account.ts";
import { openReplay } from "../replay/replay.ts";
import { exportTrace, traceSealText } from "./export-trace.ts";
import { readTrace } from "./read-trace.ts";

let header = "";
let records: Loose[] = [];
let seal = "";
/** As many records of another stream. */
let others: Loose[] = [];
const count = 12;
const numbers = Array.from({ length: count }, (_, index) => index + 1);

beforeAll(async () => {
  [header, records, seal] = await sealedTrace(1);
  [, others] = await sealedTrace(2);
});

async function sealedTrace(life: number): Promise<[string, Loose[], string]> {
  // Unsigned: whose signature a seal bears can be checked only with a key, and is tried on its own.
  const book = await bookOfTwelve(life, { installation: undefined });
  await book.seat.close();
  const lines = (await traceOf(book.seat)).trimEnd().split("\n");
  const inner = lines.slice(1, -1).map((line) => JSON.parse(line) as TraceLine);
  return [
    lines[0] ?? "",
    inner.map(({ record, content = [] }) => ({ text: record, content })),
    lines.at(-1) ?? "",
  ];
}

function fileOf(own: readonly Loose[], first = header, last: string | undefined = seal): string {
  const lines = own.map(({ text, content }) =>
    JSON.stringify(content.length === 0 ? { record: text } : { content, record: text }),
  );
  return [first, ...lines, ...(last === undefined ? [] : [last])].map((line) => `${line}\n`).join("");
}

/** What verification says: `ok`, `open`, or the number of the first bad record. */
async function said(file: string): Promise<string | number> {
  const { verification, calls, content } = await readTrace(file);
  if (verification.status !== "broken") return verification.status;
  expect([calls.size, content.size]).toStrictEqual([0, 0]);
  await expect(openReplay([file])).rejects.toMatchObject({ code: "journal_corrupt" });
  return verification.broken.seq;
}

test("the trace that is tampered with here is whole, and has twelve records of many kinds", async () => {
  expect(await readTrace(fileOf(records))).toMatchObject({
    verification: { status: "ok", count, erased: 0, withheld: 0, absent: 0 },
  });
  expect(fileOf(records)).toBe(fileOf(records.map((one) => structuredClone(one))));
  expect(records.map(({ text }) => (JSON.parse(text) as { kind: string }).kind)).toStrictEqual([
    "segment.opened",
    "call.intended",
    "call.settled",
    "call.released",
    "call.refused",
    "call.intended",
    "call.settled",
    "call.intended",
    "call.settled",
    "call.late",
    "call.read",
    "call.released",
  ]);
});

// proves KEY-2.25
describe("B22: a record that was changed is named:", () => {
  test.each(Object.entries(edits))("%s", async (_, edit) => {
    const named: (readonly [number, string | number])[] = [];
    for (const k of numbers) {
      const before = records[k - 1] as Loose;
      const after = edit(before);
      if (after === undefined || canonicalJson(after) === canonicalJson(before)) continue;
      named.push([k, await said(fileOf(records.with(k - 1, after)))]);
    }
    expect(named.length).toBeGreaterThan(0);
    expect(named).toStrictEqual(named.map(([k]) => [k, k]));
  });
});

describe("B22: the first bad record is named where one was", () => {
  test.each(Object.entries(moves))("%s", async (_, move) => {
    for (const k of numbers) {
      const moved = move(records, k);
      if (moved === undefined) continue;
      expect([k, await said(fileOf(moved.to))]).toStrictEqual([k, moved.bad]);
    }
  });

  test("replaced by one of another stream", async () => {
    for (const k of numbers) {
      const file = fileOf(records.with(k - 1, others[k - 1] as Loose));
      expect([k, await said(file)]).toStrictEqual([k, k]);
    }
  });
});

describe("B22: what stands around the records is bound too:", () => {
  test("a seal that counts more or fewer, or names another end or another first line", async () => {
    expect(await said(fileOf(records, header, sealWith({ count: count + 1 })))).toBe(count + 1);
    expect(await said(fileOf(records, header, sealWith({ count: count - 1 })))).toBe(count);
    expect(await said(fileOf(records, header, sealWith({ head: hashText("x") })))).toBe(count);
    expect(await said(fileOf(records, header, sealWith({ headerDigest: hashText("x") })))).toBe(0);
    expect(await said(fileOf(records, header, sealWith({ forged: 1 })))).not.toBe("ok");
  });

  test("without its seal it is open, wherever it ends, and never ok", async () => {
    for (const k of numbers) {
      const text = fileOf(records.slice(0, k), header, "").trimEnd();
      expect([k, await said(text)]).toStrictEqual([k, "open"]);
    }
    expect(await said(fileOf([], header, "").trimEnd())).toBe(1);
  });

  test("what is added after the seal", async () => {
    const lines = fileOf(records).trimEnd().split("\n");
    expect(await said([...lines, lines.at(-2)].join("\n"))).toBe(count + 1);
    expect(await said([...lines, lines.at(-1)].join("\n"))).toBe(count + 1);
    expect(await said([...lines, "{}"].join("\n"))).toBe(count + 1);
  });

  test("a first line that was changed, also where it stays a first line", async () => {
    const change = (changes: object) => canonicalJson({ ...(JSON.parse(header) as object), ...changes });
    expect(await said(fileOf(records, change({ redactionVersion: 7 })))).toBe(0);
    expect(await said(fileOf(records, change({ manifestDigest: hashText("x") })))).toBe(0);
    expect(await said(fileOf(records, change({ tools: [] })))).toBe(0);
    expect(await said(fileOf(records, change({ v: 2 })))).toBe(0);
    expect(await said(fileOf(records, header.replace("Does something", "Does nothing")))).toBe(0);
    expect(await said(fileOf(records, header.replace("{", "{ ")))).toBe(0);
    expect(await said(fileOf(records, "{}"))).toBe(0);
  });

  test("a contract that was changed, also in an open trace", async () => {
    const changed = header.replace("Does something", "Does nothing");
    expect(await said(fileOf(records, changed, "").trimEnd())).toBe(0);
  });

  test("other line ends", async () => {
    expect(await said(fileOf(records).replaceAll("\n", "\r\n"))).toBe(0);
  });

  test.each([
    ["nothing", ""],
    ["an empty line", "\n"],
    ["something binary", "\u0000\u0001\uffff\ud800"],
    ["another JSON file", '{"hello":"world"}\n'],
    ["the seal alone", undefined],
  ])("%s is no trace", async (_, file) => {
    expect(await said(file ?? seal)).toBe(0);
  });
});

describe("B22: payloads that were taken out of a trace are counted,", () => {
  test("and are not taken for erased ones: no record here says so", async () => {
    const payloads = records.reduce((sum, { content }) => sum + content.length, 0);
    expect(payloads).toBeGreaterThan(8);
    expect((await readTrace(withoutPayloads(fileOf(records)))).verification).toMatchObject({
      status: "ok",
      count,
      erased: 0,
      withheld: 0,
      absent: payloads,
    });
    expect((await readTrace(withoutPayloads(fileOf(records), [2]))).verification).toMatchObject({
      status: "ok",
      erased: 0,
      absent: 1,
    });
  });

  test("beside those of whose erasure there is a record, in this very trace or in a later one", async () => {
    const desk = openDesk();
    const callIds: string[] = [];
    for (const n of [1, 2, 3])
      callIds.push(receiptOf(await desk.call({ tool: "notes.write", input: { n } })).callId);
    await desk.seat.erase(callIds[0] ?? "");
    await desk.seat.close();
    const next = reopenDesk(desk);
    await next.seat.erase(callIds[1] ?? "");
    const [stream = ""] = await collected(segmentsOf(desk.store.inner, "acct_1"));
    const text = (await collected(exportTrace(desk.store.inner, "acct_1", stream))).join("\n");
    const { verification } = await readTrace(text);
    expect(verification).toMatchObject({ status: "ok", erased: 2, withheld: 0, absent: 2 });
    expect((await readTrace(withoutPayloads(text, [6, 7]))).verification).toMatchObject({
      erased: 2,
      absent: 4,
    });
    // Who has the journal, too, knows of each.
    const account = await verifyAccount(next.store, "acct_1");
    expect(account.segments[0]?.verification).toMatchObject({ status: "ok", erased: 4, absent: 0 });
  });
});

test("a signed seal is the installation's own, and no other's", async () => {
  const book = await bookOfTwelve(3);
  await book.seat.close();
  const { seal: made } = await readTrace(await traceOf(book.seat));
  if (made?.signature === undefined) throw new Error("it is not signed");
  const { publicKey } = installation.signer;
  expect(isSignedBy(traceSealText(made), made.signature, publicKey)).toBe(true);
  expect(isSignedBy(traceSealText(made), made.signature, otherInstallation.signer.publicKey)).toBe(false);
  const forgeries = [{ count: 13 }, { head: hashText("x") }, { headerDigest: hashText("x") }];
  for (const change of forgeries) {
    expect(isSignedBy(traceSealText({ ...made, ...change }), made.signature, publicKey)).toBe(false);
  }
});

test("the last record of an open trace is not that record in another spelling", async () => {
  for (const name of ["white space", "other key order", "the same key twice"]) {
    const last = edits[name]?.(records.at(-1) as Loose) as Loose;
    const text = fileOf(records.with(count - 1, last), header, "").trimEnd();
    expect([name, await said(text)]).toStrictEqual([name, count]);
  }
});

test("a line that is spelled otherwise is not the line that was written", async () => {
  const [first = "", ...rest] = fileOf(records).split("\n");
  const spaced = [first, ...rest.map((line, index) => (index === 3 ? line.replace("{", "{ ") : line))];
  const reordered = fileOf(records).replace(/^(\{)("content":.*),("record":.*)\}$/m, "$1$3,$2}");
  const blank = fileOf(records).replace("\n", "\n\n");
  expect(reordered).not.toBe(fileOf(records));
  expect(await said(spaced.join("\n"))).not.toBe("ok");
  expect(await said(reordered)).not.toBe("ok");
  expect(await said(blank)).not.toBe("ok");
});

// proves KEY-2.12
test("B22: no cut, and no byte changed, added or taken away, leaves a trace ok, and none makes reading it throw", async () => {
  const whole = fileOf(records);
  const anyChange = fc.record({
    at: fc.nat(whole.length - 2),
    how: fc.constantFrom("change", "add", "take", "cut"),
    with: fc.oneof(
      fc.constantFrom("0", "1", '"', "a", "}", "\u0000", "é"),
      fc.string({ minLength: 1, maxLength: 1 }),
    ),
  });
  await fc.assert(
    fc.asyncProperty(anyChange, async ({ at, how, with: letter }) => {
      const tail = {
        change: letter + whole.slice(at + 1),
        add: letter + whole.slice(at),
        take: whole.slice(at + 1),
        cut: "",
      };
      const file = whole.slice(0, at) + tail[how];
      const { verification } = await readTrace(file);
      const isSame = file.replaceAll(/\s/g, "") === whole.replaceAll(/\s/g, "");
      expect(isSame || verification.status !== "ok").toBe(true);
    }),
    { numRuns: 300 },
  );
});

/** The seal with something else in it. */
function sealWith(changes: object): string {
  const { seal: made } = JSON.parse(seal) as { seal: object };
  return canonicalJson({ seal: { ...made, ...changes } });
}
