// The file tools as an agent has them: every call judged, recorded, and after a crash accounted for.
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Seat } from "@spfunctions/kernel";
import { expect, test } from "vitest";
import {
  codeOf,
  openDesk,
  outputOf,
  principalOf,
  reopenDesk,
} from "../../../../kernel/test-data/call-desk.ts";
import { atFirst } from "../../../../kernel/test-data/call-store.ts";
import { dataFolder } from "../../../test/data-folder.ts";
import { stateHere } from "../../../test/file-desk.ts";
import { holdFolder } from "../../files/own-folders.ts";
import { fsTools } from "./fs-tools.ts";

function openSeat(root: string, policy: { readonly maxSideEffect?: "user_write" } = {}): Seat {
  return new Seat({
    packs: [fsTools({ root })],
    levels: [{ level: "agent", policy }],
    principal: principalOf(),
    origin: "direct",
    surface: "agent",
  });
}

// proves LIVE-4.1, LIVE-4.3, LIVE-4.4, LIVE-4.5
test("by default an agent reads and lists, and its arguments have their defaults", async () => {
  const root = dataFolder();
  writeFileSync(join(root, "long"), "x".repeat(20_001));
  const seat = openSeat(root);
  expect(outputOf(await seat.call({ tool: "fs.read_text", input: { path: "long" } }))).toMatchObject({
    bytes: 20_000,
    truncated: true,
    totalBytes: 20_001,
    sandbox: stateHere,
  });
  expect(outputOf(await seat.call({ tool: "fs.list_dir" }))).toStrictEqual({
    path: ".",
    entries: [{ name: "long", type: "file", bytes: 20_001 }],
    truncated: false,
    sandbox: stateHere,
  });
  await seat.close();
});

test("by default it does not write, by no way of saying it (B16)", async () => {
  const root = dataFolder();
  const seat = openSeat(root);
  for (const overwrite of [true, false]) {
    const refused = await seat.call({ tool: "fs.write_text", input: { path: "a", text: "x", overwrite } });
    expect([refused.type, codeOf(refused)]).toStrictEqual(["refused", "policy_denied"]);
  }
  expect(existsSync(join(root, "a"))).toBe(false);
  await seat.close();
});

// proves LIVE-4.7
test("with user_write it does", async () => {
  const seat = openSeat(dataFolder(), { maxSideEffect: "user_write" });
  const input = { path: "notes/today.md", text: "# Today\n" };
  const written = await seat.call({ tool: "fs.write_text", input });
  expect(outputOf(written)).toStrictEqual({ path: "notes/today.md", bytes: 8, sandbox: stateHere });
  const read = await seat.call({ tool: "fs.read_text", input: { path: "notes/today.md" } });
  expect(outputOf(read)).toMatchObject({ text: "# Today\n" });
  await seat.close();
});

test("what the sandbox refuses is a failed call with its code, and says nothing of where the root lies", async () => {
  const root = dataFolder();
  symlinkSync("/etc", join(root, "etc"));
  const seat = openSeat(root);
  const outcome = await seat.call({ tool: "fs.read_text", input: { path: "etc/passwd" } });
  expect(outcome).toMatchObject({ type: "failed", error: { code: "sandbox_denied" } });
  expect(JSON.stringify(outcome)).not.toContain(root);
  await seat.close();
});

test.each([
  ["an argument that nobody knows", { path: "a", encoding: "latin1" }],
  ["more than may be read", { path: "a", max_bytes: 1_048_577 }],
  ["nothing to read", { path: "a", max_bytes: 0 }],
  ["no path", {}],
  ["half a character", { path: "\ud800" }],
])("%s is refused before anything runs", async (_, input) => {
  const seat = openSeat(dataFolder());
  const outcome = await seat.call({ tool: "fs.read_text", input });
  expect([outcome.type, codeOf(outcome)]).toStrictEqual(["refused", "invalid_input"]);
  await seat.close();
});

test("the most that may be read is said where more was asked for", async () => {
  const seat = openSeat(dataFolder());
  const outcome = await seat.call({ tool: "fs.read_text", input: { path: "a", max_bytes: 1_048_577 } });
  expect(outcome).toMatchObject({ error: { message: expect.stringContaining("1048576") } });
  await seat.close();
});

test("a root around what the program keeps is refused in every call, also when that came later", async () => {
  const root = dataFolder();
  const seat = openSeat(root);
  expect(codeOf(await seat.call({ tool: "fs.list_dir" }))).toBe("completed");
  mkdirSync(join(root, "kept"));
  holdFolder(join(root, "kept"));
  expect(codeOf(await seat.call({ tool: "fs.list_dir" }))).toBe("host_configuration_needed");
  await seat.close();
});

test("a write whose end was lost in a crash is found where it is, and counts", async () => {
  const packs = [fsTools({ root: dataFolder() })];
  const desk = openDesk({ packs });
  desk.store.fault = atFirst("call.settled", { type: "die", written: false });
  const write = { tool: "fs.write_text", input: { path: "a", text: "x" }, idempotencyKey: "k" };
  void desk.call(write);
  await desk.store.died.promise;
  const next = reopenDesk(desk, { packs });
  expect(await next.seat.open()).toMatchObject({ settled: [{ outcome: "completed", by: "reconcile" }] });
  expect(outputOf(await next.call(write))).toStrictEqual({ path: "a", bytes: 1, sandbox: stateHere });
  await next.seat.close();
  expect((await next.seat.verify()).status).toBe("ok");
});

test("one that never came to its file has failed, and can be made again", async () => {
  const root = dataFolder();
  const packs = [fsTools({ root })];
  const desk = openDesk({ packs });
  desk.store.fault = atFirst("call.intended", { type: "die", written: true });
  const write = { tool: "fs.write_text", input: { path: "a", text: "x" } };
  void desk.call(write);
  await desk.store.died.promise;
  const next = reopenDesk(desk, { packs });
  expect(await next.seat.open()).toMatchObject({ settled: [{ outcome: "failed", by: "reconcile" }] });
  expect(codeOf(await next.call(write))).toBe("completed");
});
