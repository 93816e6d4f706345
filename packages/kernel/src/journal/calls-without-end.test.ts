// X1: a seal says that nothing is under way any more. A sealed stream in which a call has no end was cut, or sealed by others.
import { canonicalJson, hashText } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../test-data/call-clock.ts";
import { collected, type Desk, firstTrace, installation, openDesk } from "../../test-data/call-desk.ts";
import { atFirst } from "../../test-data/call-store.ts";
import { settlement } from "../../test-data/call-waiting.ts";
import { openReplay } from "../replay/replay.ts";
import { exportTrace } from "../trace/export-trace.ts";
import { readTrace } from "../trace/read-trace.ts";
import { genesisOf } from "./seal.ts";
import { sealSegment } from "./segment.ts";
import { StreamWriter } from "./stream-writer.ts";
import { problemsOf, segmentsOf, verifyAccount } from "./verify-account.ts";

const { signer } = installation;
const without = "begins a call that has no end, and the stream is sealed all the same";

/** Which tool was called when the process died, at the commit of which record, and the record that began the call. */
const deaths = [
  ["an effect that has begun", "notes.write", "call.settled", 4],
  ["a paid read that has begun", "notes.search", "call.settled", 4],
  ["an output that is held", "notes.write", "call.released", 4],
  ["a read output that is held", "notes.read", "call.released", 4],
] as const;

/** A process that died over its second call, after a first one that has its end. */
async function died(tool: string, kind: string): Promise<Desk> {
  const desk = openDesk({
    evaluatePostTool: kind === "call.released" ? () => ({ outcome: "allow" }) : undefined,
  });
  await desk.call({ tool: "notes.read" });
  if (kind !== "call.released") await desk.call({ tool: "notes.read" });
  desk.store.fault = atFirst(kind, { type: "die", written: false });
  void desk.call({ tool, input: { n: 2 } });
  await desk.store.died.promise;
  return desk;
}

/** Seals a segment as it lies, with the installation's own key: more than anybody else could do. */
async function sealAsItLies({ store: { inner } }: Desk): Promise<string> {
  const [stream = ""] = await collected(segmentsOf(inner, "acct_1"));
  const lease = await inner.lease(stream, "acct_1", genesisOf(stream, "acct_1"));
  if (lease.type === "held") throw new Error("somebody writes it");
  const clock = new ManualClock();
  const writer = new StreamWriter(inner, clock, { stream, accountId: "acct_1", ...lease });
  await sealSegment({ store: inner, clock }, writer, signer);
  return stream;
}

describe("X1: a sealed segment with a call that has no end is broken:", () => {
  test.each(deaths)("%s", async (_, tool, kind, seq) => {
    const desk = await died(tool, kind);
    expect(await verifyAccount(desk.store.inner, "acct_1")).toMatchObject({ status: "open" });
    const stream = await sealAsItLies(desk);
    const verification = await verifyAccount(desk.store.inner, "acct_1", [signer.publicKey]);
    expect(problemsOf(verification)).toStrictEqual([`${stream}: record ${seq} ${without}`]);
    expect(verification).toMatchObject({ status: "broken", missing: [], signed: 1 });
  });

  test.each(deaths)("and no trace is made of it: %s", async (_, tool, kind, seq) => {
    const desk = await died(tool, kind);
    const stream = await sealAsItLies(desk);
    const trace = collected(exportTrace(desk.store.inner, "acct_1", stream, signer));
    expect(await settlement(trace)).toMatchObject({
      error: { code: "journal_corrupt", details: { seq, reason: "unfinished" } },
    });
  });
});

describe("X1: a sealed trace with a call that has no end is broken, and nothing is replayed from it:", () => {
  test.each(deaths)("%s", async (_, tool, kind, seq) => {
    const open = await firstTrace((await died(tool, kind)).store.inner);
    const { verification } = await readTrace(open);
    if (verification.status !== "open") throw new Error(`it is ${verification.status}`);
    const { count, head } = verification;
    const headerDigest = hashText(open.split("\n")[0] ?? "");
    const sealed = `${open}${canonicalJson({ seal: { count, head, headerDigest } })}\n`;
    const broken = { seq, reason: "unfinished", message: without };
    expect((await readTrace(sealed)).verification).toStrictEqual({ status: "broken", count, broken });
    await expect(openReplay([sealed])).rejects.toMatchObject({
      code: "journal_corrupt",
      details: { seq, reason: "unfinished" },
    });
  });
});

test("a call that has its end leaves nothing to say about, whatever the end is", async () => {
  const desk = openDesk({
    evaluatePostTool: ({ tool }) => ({ outcome: tool === "notes.put" ? "deny" : "allow" }),
  });
  for (const tool of ["notes.write", "notes.put", "notes.read", "notes.unheard"]) {
    await desk.call({ tool });
  }
  await desk.store.die();
  await sealAsItLies(desk);
  expect(await verifyAccount(desk.store.inner, "acct_1")).toMatchObject({ status: "ok" });
});
