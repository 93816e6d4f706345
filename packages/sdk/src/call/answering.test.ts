import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Answer, Answering } from "./answering.ts";
import { Listing } from "./listing.ts";

const answered: Answer<number> = { data: 7, requestId: "r", replayed: false, redacted: [] };
const failed = () => Promise.reject<Answer<number>>(new Error("refused"));

const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);
let others: NodeJS.UnhandledRejectionListener[] = [];
beforeEach(() => {
  unhandled.length = 0;
  others = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", note);
});
afterEach(() => {
  process.removeAllListeners("unhandledRejection");
  for (const listener of others) process.on("unhandledRejection", listener);
});

/** After everything that was pending has happened, twice over. */
async function settled(): Promise<unknown[]> {
  await setImmediate();
  await setImmediate();
  return unhandled;
}

test("is a promise like any other", async () => {
  const call = new Answering(Promise.resolve(answered));
  expect(call).toBeInstanceOf(Promise);
  expect(await call).toBe(7);
  expect(await Promise.all([call, call.then((data) => data + 1), call.finally(() => {})])).toStrictEqual([
    7, 8, 7,
  ]);
  expect(call.then().constructor).toBe(Promise);
  expect(await call.withReceipt()).toBe(answered);
});

test.each<[string, () => Promise<unknown>]>([
  ["awaited", () => new Answering(failed())],
  ["asked for its receipt", () => new Answering(failed()).withReceipt()],
  [
    "asked for its receipt again and again",
    () => {
      const call = new Answering(failed());
      return Promise.all([call.withReceipt(), call.withReceipt()]);
    },
  ],
  ["read as a list", () => new Listing("x", failed(), failed)[Symbol.asyncIterator]().next()],
])("a failure that is %s is told there, and nowhere else", async (_, ask) => {
  await expect(ask()).rejects.toThrow("refused");
  expect(await settled()).toStrictEqual([]);
});

test("a failure that nobody asks about is not kept quiet", async () => {
  void new Answering(failed());
  expect(await settled()).toStrictEqual([new Error("refused")]);
});

test("a list that is not iterated yet does not hide its failure, and one that is begun later still tells it", async () => {
  const iterator = new Listing("x", failed(), failed)[Symbol.asyncIterator]();
  expect(await settled()).toStrictEqual([]);
  await expect(iterator.next()).rejects.toThrow("refused");
});

test.each([
  ["no object", 7],
  ["an object without items", {}],
  ["items that are no list", { items: {} }],
  ["a next that is no text", { items: [], next: 7 }],
])("an answer that is %s is no page", async (_, data) => {
  const list = new Listing(
    "notes.list",
    Promise.resolve({ ...answered, data: data as never }),
    failed as never,
  );
  await expect(list[Symbol.asyncIterator]().next()).rejects.toThrow("notes.list cannot be read as a list");
});
