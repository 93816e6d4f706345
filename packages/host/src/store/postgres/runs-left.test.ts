// J3: what a process leaves that ends while others live goes on in one of them, whatever else lies in the store.
import { expect, onTestFinished, test } from "vitest";
import { FaultyStore } from "../../../../kernel/test-data/call-store.ts";
import { Deck } from "../../../../kernel/test-data/call-deck.ts";
import { ManualClock } from "../../../../kernel/test-data/call-clock.ts";
import {
  asking,
  generous,
  levelOf,
  openRunDesk,
  type RunDesk,
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

describePostgres("runs that a process leaves on PostgreSQL", (postgres) => {
  /** Processes on one database, each with a store of its own. */
  async function processesOn(url: string) {
    const clock = new ManualClock();
    let life = 0;
    return async (options: RunDeskOptions = {}): Promise<RunDesk> => {
      life += 1;
      const desk = openRunDesk({
        ...asked,
        ...options,
        clock,
        life,
        store: new FaultyStore(await open({ url })),
      });
      onTestFinished(() => desk.runs.close());
      return desk;
    };
  }

  /** Ten of them, each at a question to a person. */
  async function startTen(desk: RunDesk): Promise<string[]> {
    const handles = await Promise.all(Array.from({ length: 10 }, () => desk.start()));
    await Promise.all(handles.map((handle) => handle.wait({ for: "rest" })));
    return handles.map(({ runId }) => runId);
  }

  const resumedIn = async (desk: RunDesk, runIds: readonly string[]) => {
    const kinds = await Promise.all(runIds.map((runId) => desk.kinds(runId)));
    return kinds.filter((one) => one.includes("run.resumed")).length;
  };

  const approveAll = async ({ operator }: RunDesk) =>
    await inTurn(await operator.list(), ({ approvalId }) => operator.approve(approvalId));

  test("a process that ends well leaves its runs to another that lives, which takes them on at once", async () => {
    const { url } = await postgres().newDatabase();
    const begin = await processesOn(url);
    const [ending, living] = [await begin(), await begin()];
    await living.runs.open();
    const runIds = await startTen(ending);
    await ending.runs.close();
    // No time passes on the clock: nobody looks by himself.
    await expect.poll(() => resumedIn(living, runIds), { timeout: 20_000 }).toBe(10);
    await approveAll(living);
    const handles = await Promise.all(runIds.map((runId) => living.runs.get(runId)));
    const ends = await Promise.all(handles.map((handle) => handle.wait()));
    expect(ends.map(({ status }) => status)).toStrictEqual(runIds.map(() => "completed"));
    expect(living.deck.runs).toHaveLength(10);
  });

  test("a run that a closing process has given up goes on at once, also while a tool of another run there takes long", async () => {
    const { url } = await postgres().newDatabase();
    const begin = await processesOn(url);
    const tools: { readonly runId: string; readonly end: (done: unknown) => void }[] = [];
    const deck = new Deck();
    deck.deed = (_input, { runId }) =>
      new Promise((end) => {
        tools.push({ runId, end });
      });
    const allowing = levelOf(generous);
    const [ending, living] = [await begin({ deck, levels: allowing }), await begin({ levels: allowing })];
    await living.runs.open();
    await Promise.all([ending.start(), ending.start()]);
    await expect.poll(() => tools.length, { timeout: 20_000 }).toBe(2);
    const closed = ending.runs.close();
    const [short, long] = tools as [(typeof tools)[number], (typeof tools)[number]];
    short.end({ done: true });
    // No time passes on the clock: nobody looks by himself.
    await expect.poll(() => resumedIn(living, [short.runId]), { timeout: 20_000 }).toBe(1);
    expect(await resumedIn(living, [long.runId])).toBe(0);
    long.end({ done: true });
    await closed;
    await expect.poll(() => resumedIn(living, [long.runId]), { timeout: 20_000 }).toBe(1);
  });

  test("where nobody hears that a process has ended, its runs are found with the next look", async () => {
    const { url } = await postgres().newDatabase();
    const begin = await processesOn(url);
    const [ending, living] = [await begin(), await begin()];
    await living.runs.open();
    const runIds = await startTen(ending);
    ending.store.fault = ({ wakes = [], appends }) =>
      appends === undefined && wakes.some((wake) => wake.startsWith("runs left"))
        ? { type: "throw" }
        : undefined;
    await ending.runs.close();
    expect(await resumedIn(living, runIds)).toBe(0);
    living.clock.advance(5000);
    await expect.poll(() => resumedIn(living, runIds), { timeout: 20_000 }).toBe(10);
  });

  test("a process of another package, and one that closes itself, take nothing on", async () => {
    const { url } = await postgres().newDatabase();
    const begin = await processesOn(url);
    const [ending, closing, other] = [await begin(), await begin(), await begin({ agentId: "another" })];
    await Promise.all([closing, other].map(({ runs }) => runs.open()));
    const runIds = await startTen(ending);
    await closing.runs.close();
    await ending.runs.close();
    other.clock.advance(5000);
    expect(await other.runs.open()).toStrictEqual([]);
    expect(await resumedIn(other, runIds)).toBe(0);
    const next = await begin();
    expect(await next.runs.open()).toHaveLength(10);
  });

  test("leftovers of another package, however many there are, block none of ours", async () => {
    const { url, ask } = await postgres().newDatabase();
    const begin = await processesOn(url);
    const [dead, living, other] = [await begin(), await begin(), await begin({ agentId: "another" })];
    await living.runs.open();
    const [theirs = ""] = await startTen(other);
    const ours = await startTen(dead);
    await Promise.all([dead, other].map(({ store }) => store.inner.close()));
    // As many again and again, all left by a process that is dead.
    await ask(
      `INSERT INTO simplefunctions.streams (name, account, genesis, epoch, holder)
      SELECT 'run_0' || n, account, genesis, 1, holder FROM simplefunctions.streams, generate_series(1, 1100) n WHERE name = $1`,
      [theirs],
    );
    await ask(
      `INSERT INTO simplefunctions.documents (account, kind, id, status, revision, body)
      SELECT account, kind, 'run_0' || n, status, 1, body FROM simplefunctions.documents, generate_series(1, 1100) n WHERE id = $1 AND kind = 'run'`,
      [theirs],
    );
    living.clock.advance(5000);
    await expect.poll(() => resumedIn(living, ours), { timeout: 20_000 }).toBe(10);
  });
});
