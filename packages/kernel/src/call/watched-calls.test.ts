// B24: whoever watches a call, and a store that fails under it, cannot keep it from ending, and nothing is left unhandled.
import { describe, expect, test } from "vitest";
import { kindsOf, openDesk, outputOf } from "../../test-data/call-desk.ts";
import { settlement, turn, unhandledDuring } from "../../test-data/call-waiting.ts";

const write = { tool: "notes.write", input: { text: "a" } };

describe("B24: whoever watches a call cannot keep it from ending:", () => {
  test.each([
    [
      "a watcher that throws",
      () => {
        throw new Error("not my day");
      },
    ],
    [
      "a watcher whose promise is broken",
      async () => {
        await turn();
        throw new Error("not my day");
      },
    ],
  ])("%s", async (_, watch) => {
    const desk = openDesk();
    const unhandled = await unhandledDuring(async () => {
      expect(outputOf(await desk.seat.call(write, watch as () => void))).toStrictEqual({ done: true });
    });
    expect(unhandled).toStrictEqual([]);
    expect(await kindsOf(desk)).toStrictEqual(["segment.opened", "call.intended", "call.settled"]);
  });

  test("a watcher that works on an event changes nothing that is kept or shown later", async () => {
    const desk = openDesk();
    await desk.seat.call(write, (event) => {
      for (const key of Object.keys(event)) Reflect.deleteProperty(event, key);
    });
    expect((await desk.seat.verify()).status).toBe("open");
    expect(await kindsOf(desk)).toStrictEqual(["segment.opened", "call.intended", "call.settled"]);
  });

  test("a store that fails breaks the call, and nothing is left unhandled", async () => {
    const desk = openDesk();
    const unhandled = await unhandledDuring(async () => {
      desk.store.fault = () => ({ type: "throw" });
      expect((await settlement(desk.call(write))).state).toBe("broken");
      expect((await settlement(desk.call({ ...write, tool: 7 as never }))).state).toBe("broken");
    });
    expect(unhandled).toStrictEqual([]);
  });
});
