// J3: runs and calls on a PostgreSQL server that is restarted, and beside processes that hang or die.
import { expect, onTestFinished, test } from "vitest";
import { asking as askingSeat, write as note } from "../../../../kernel/test-data/call-approvals.ts";
import { codeOf, openDesk } from "../../../../kernel/test-data/call-desk.ts";
import { FaultyStore } from "../../../../kernel/test-data/call-store.ts";
import {
  asking,
  levelOf,
  openRunDesk,
  type RunDeskOptions,
  saying,
  write,
} from "../../../../kernel/test-data/run-desk.ts";
import { describePostgres } from "../../../test/describe-postgres.ts";
import { inTurn } from "../../../test/in-turn.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import type { PostgresStoreOptions } from "./postgres-store.ts";

const asked: RunDeskOptions = { script: saying([write("a")], "done"), levels: levelOf(asking) };

async function open(options: PostgresStoreOptions) {
  const store = await openPostgresStore(options);
  onTestFinished(() => store.close());
  return store;
}

describePostgres("runs and calls on PostgreSQL", (postgres) => {
  test("a server that is restarted ends no waiting, neither of a run nor of a call", async () => {
    const { url } = await postgres().newDatabase();
    const inner = await open({ url });
    const store = new FaultyStore(inner);
    const { start, runs, operator, clock } = openRunDesk({ ...asked, store });
    const handle = await start();
    await handle.wait({ for: "rest" });
    const { seat, call } = openDesk({ ...askingSeat, life: 2, store, clock });
    const outcome = call({ ...note, asking: "wait" });
    await expect.poll(() => operator.list()).toHaveLength(2);
    let unseen = 0;
    const document = inner.document.bind(inner);
    inner.document = async (key) =>
      await document(key).catch((error: unknown) => {
        if (key.kind === "approval") unseen += 1;
        throw error;
      });
    await postgres().stop("immediate");
    // A commit that fails tells whoever waits to look again, and they cannot see.
    const wake = { durability: "power", now: 0, wakes: ["x"] } as const;
    await expect(store.commit(wake)).rejects.toMatchObject({ code: "journal_append_failed" });
    await expect.poll(() => unseen).toBeGreaterThan(1);
    await postgres().start();
    const pending = async () => await operator.list().catch(() => []);
    await expect.poll(pending, { timeout: 20_000 }).toHaveLength(2);
    await inTurn(await pending(), ({ approvalId }) => operator.approve(approvalId));
    const passing = async () => {
      clock.advance(1000);
      return await handle.state();
    };
    await expect.poll(passing, { timeout: 20_000 }).toBe("completed");
    expect(codeOf(await outcome)).toBe("completed");
    await seat.close();
    await runs.close();
  });

  test("a run that a dead process has left is found by one of its package, though one of another package looked first", async () => {
    const { url } = await postgres().newDatabase();
    const died = await openPostgresStore({ url, leaseMs: 60_000 });
    const desk = openRunDesk({ ...asked, store: new FaultyStore(died) });
    const { runId } = await desk.start();
    const beside = async (options: RunDeskOptions) =>
      openRunDesk({ ...asked, clock: desk.clock, store: new FaultyStore(await open({ url })), ...options });
    const [next, other] = [await beside({ life: 2 }), await beside({ life: 3, agentId: "another" })];
    expect(await next.runs.open()).toStrictEqual([]);
    const handle = await next.runs.get(runId);
    const { approvals } = await handle.wait({ for: "rest" });
    // As if killed: nobody ends what it drives.
    await died.close();
    expect(await other.runs.open()).toStrictEqual([]);
    await next.operator.approve(approvals[0]?.approvalId ?? "");
    // Once in a while it looks for what others have left.
    desk.clock.advance(5000);
    await expect.poll(() => handle.state(), { timeout: 10_000 }).toBe("completed");
    await Promise.all([next, other].map(({ runs }) => runs.close()));
  });

  test("a process that hung, and whose segment another has settled, serves its account again", async () => {
    const { url, ask } = await postgres().newDatabase();
    const deskOn = async (life: number) =>
      openDesk({ life, store: new FaultyStore(await open({ url, renewMs: 3_600_000 })) });
    const [hung, next] = [await deskOn(1), await deskOn(2)];
    expect(codeOf(await hung.call(note))).toBe("completed");
    await ask("UPDATE simplefunctions.holders SET expires_at = clock_timestamp()");
    await next.seat.open();
    await next.seat.close();
    await expect(hung.call(note)).rejects.toMatchObject({ code: "lease_lost" });
    expect(codeOf(await hung.call(note))).toBe("completed");
    await hung.seat.close();
    expect((await hung.seat.verify()).status).toBe("ok");
  });
});
