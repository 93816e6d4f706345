// J3: a process that hung for longer than its lease, and whose segment another has settled and sealed, serves its account again.
import { expect, test } from "vitest";
import { codeOf, type Desk, openDesk, reopenDesk } from "../../test-data/call-desk.ts";
import { atFirst } from "../../test-data/call-store.ts";
import { settlement } from "../../test-data/call-waiting.ts";

const write = { tool: "notes.write", input: { text: "a" } };

/** Another process settles and seals what this one has written. */
async function takeOver(desk: Desk): Promise<void> {
  const [stream = ""] = desk.seat.segments;
  await desk.store.inner.release(stream, 1);
  const other = reopenDesk(desk, { clock: desk.clock, deck: desk.deck });
  await other.seat.open();
  await other.seat.close();
}

const codesOf = async (desk: Desk, times: number) => {
  const codes: string[] = [];
  for (let at = 0; at < times; at++) {
    codes.push(await desk.call(write).then(codeOf, ({ code }: { code: string }) => code));
  }
  return codes;
};

test("its first call is refused and has not begun, and the next ones go on in a segment of its own", async () => {
  const desk = openDesk();
  expect(await codesOf(desk, 1)).toStrictEqual(["completed"]);
  await takeOver(desk);
  expect(await codesOf(desk, 3)).toStrictEqual(["lease_lost", "completed", "completed"]);
  expect(desk.deck.runs).toHaveLength(3);
  await desk.seat.close();
  expect((await desk.seat.verify()).status).toBe("ok");
});

test("what it still owed is owed no more: whoever took it over has given it an end", async () => {
  const desk = openDesk();
  desk.store.fault = atFirst("call.settled", { type: "throw" });
  expect(await settlement(desk.call(write))).toMatchObject({ error: { code: "recovery_needed" } });
  await takeOver(desk);
  expect(await codesOf(desk, 3)).toStrictEqual(["lease_lost", "completed", "completed"]);
  expect(await desk.seat.unknown()).toHaveLength(1);
  await desk.seat.close();
  expect((await desk.seat.verify()).status).toBe("ok");
});
