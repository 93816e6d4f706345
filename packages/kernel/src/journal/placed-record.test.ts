import { parseJsonStrict } from "@spfunctions/contracts";
import { expect, test } from "vitest";
import { openRunDesk, put, read, saying, write, levelOf, asking } from "../../test-data/run-desk.ts";
import { foldsOf, storedRun } from "../../test-data/run-desk.ts";
import { draftRecord, fieldsOf, placedRecord } from "./record-draft.ts";
import { genesisOf, sealRecord } from "./seal.ts";

test("a record as it was drafted is the record that is read from its text", () => {
  const shared = fieldsOf({
    tool: "notes.write",
    verdict: { outcome: "allow", gate: undefined },
    sideEffect: "none",
  });
  const draft = draftRecord(
    "call.refused",
    { callId: "call_1" as never, error: { code: "timeout" } as never, approval: undefined },
    { shared },
  );
  const sealed = sealRecord(
    { seq: 4, hash: genesisOf("run_1", "acct_1") },
    draft,
    "2026-01-02T03:04:05.000Z",
  );
  expect(placedRecord(draft, sealed, "2026-01-02T03:04:05.000Z")).toEqual(parseJsonStrict(sealed.text));
});

test("a run that goes on here is the same as one that is read again, after every kind of call", async () => {
  const desk = openRunDesk({
    script: saying([read, { name: "no.such_tool" }], [write("a"), put("b")], "done"),
    levels: levelOf(asking),
  });
  const handle = await desk.start();
  await handle.wait({ for: "rest" });
  for (const { approvalId } of await desk.operator.list()) await desk.operator.approve(approvalId);
  await handle.wait({ for: "rest" });
  for (const { approvalId } of await desk.operator.list()) await desk.operator.deny(approvalId);
  const live = await handle.wait();
  expect(live).toStrictEqual(await handle.result());
  const folds = foldsOf(await storedRun(desk.store.inner, handle.runId));
  expect(folds.at(-1)?.run.steps).toHaveLength(3);
});
