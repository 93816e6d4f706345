// J2, J3: a server that is stopped hard forgets what it has committed in the last moments and not promised to keep through a power
// cut. Whoever wrote it writes it again: nothing is taken for a journal that somebody has cut, and no run stops by it.
import { expect, onTestFinished, test } from "vitest";
import { Deck } from "../../../../kernel/test-data/call-deck.ts";
import { ManualClock } from "../../../../kernel/test-data/call-clock.ts";
import { kindsOf, openDesk } from "../../../../kernel/test-data/call-desk.ts";
import { FaultyStore } from "../../../../kernel/test-data/call-store.ts";
import { openRunDesk, read, type RunDeskOptions, write } from "../../../../kernel/test-data/run-desk.ts";
import { describePostgres } from "../../../test/describe-postgres.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

describePostgres(
  "what PostgreSQL has forgotten after a hard stop",
  (postgres) => {
    /** A run that stands before its third step when the server has forgotten what came after the first; its model thinks meanwhile. */
    async function forgotten(options: RunDeskOptions = {}) {
      const { url, ask } = await postgres().newDatabase();
      const store = await openPostgresStore({ url });
      onTestFinished(() => store.close());
      const thinking = Promise.withResolvers<void>();
      const desk = openRunDesk({
        deck: new Deck(),
        clock: new ManualClock(),
        store: new FaultyStore(store),
        script: async (_input, step) => {
          if (step === 1) return [write("a")];
          if (step === 2) return [read];
          if (step === 3) await thinking.promise;
          return step === 3 ? [write("b")] : "done";
        },
        ...options,
      });
      onTestFinished(() => desk.runs.close());
      const handle = await desk.start();
      await expect.poll(() => desk.model.asked.length, { timeout: 20_000 }).toBe(3);
      const kept = async () => (await ask("SELECT FROM simplefunctions.records")).length;
      await expect.poll(async () => (await desk.kinds(handle.runId)).at(-1)).toBe("model.intended");
      const before = await kept();
      await postgres().stop("immediate");
      await postgres().start();
      expect(await kept()).toBeLessThan(before);
      return { desk, handle, thinking };
    }

    test("is written again, and the run goes on by itself", async () => {
      const { desk, handle, thinking } = await forgotten();
      const ended = handle.wait();
      thinking.resolve();
      const states = async () => {
        desk.clock.advance(1000);
        return await handle.state().catch(() => "unread");
      };
      await expect.poll(states, { timeout: 20_000 }).toBe("completed");
      expect(await ended).toMatchObject({ status: "completed", output: "done" });
      expect(desk.deck.runs.map(({ tool }) => tool)).toStrictEqual([
        "notes.write",
        "notes.read",
        "notes.write",
      ]);
      expect(desk.model.asked).toHaveLength(4);
      expect((await desk.kinds(handle.runId)).filter((kind) => kind === "call.read")).toHaveLength(1);
    });

    test("is written again of direct calls, too", async () => {
      const { url, ask } = await postgres().newDatabase();
      const store = await openPostgresStore({ url });
      onTestFinished(() => store.close());
      const desk = openDesk({ store: new FaultyStore(store), deck: new Deck() });
      expect(await desk.call({ tool: "notes.read" })).toMatchObject({ type: "completed" });
      const kept = async () => (await ask("SELECT FROM simplefunctions.records")).length;
      expect(await kept()).toBe(2);
      await postgres().stop("immediate");
      await postgres().start();
      expect(await kept()).toBeLessThan(2);
      // What asks a connection that is lost, and does not know it yet, is refused.
      const called = async () => (await desk.call({ tool: "notes.write" }).catch(() => undefined))?.type;
      await expect.poll(called, { timeout: 20_000 }).toBe("completed");
      expect(await kindsOf(desk)).toStrictEqual([
        "segment.opened",
        "call.read",
        "call.intended",
        "call.settled",
      ]);
      expect((await desk.seat.verify()).status).toBe("open");
    });

    test("is no journal that somebody has cut: what was kept for good and is gone stays missing", async () => {
      const { url, ask } = await postgres().newDatabase();
      const store = await openPostgresStore({ url });
      onTestFinished(() => store.close());
      const desk = openDesk({ store: new FaultyStore(store), deck: new Deck() });
      await desk.call({ tool: "notes.write" });
      await ask("DELETE FROM simplefunctions.records WHERE seq = 3");
      await expect(desk.call({ tool: "notes.write" })).rejects.toMatchObject({ code: "journal_corrupt" });
      expect(desk.deck.runs).toHaveLength(1);
    });
  },
  { wal_writer_delay: "10s" },
);
