// Whoever does not read what they have asked for keeps a connection no longer than the limit says.
import { setTimeout as after } from "node:timers/promises";
import type { Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { openSocket } from "../../test-data/raw-request.ts";
import { listen } from "./listen.ts";
import type { FetchApp } from "./request-listener.ts";

/** More than what lies between two processes of one machine. */
const long = "x".repeat(32 * 2 ** 20);
const asking = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

async function listening(answer: () => Response | Promise<Response>, unreadMs = 100) {
  const asked = Promise.withResolvers<Socket>();
  const fetch: FetchApp["fetch"] = async (_, env) => {
    if (env?.incoming !== undefined) asked.resolve(env.incoming.socket);
    return await answer();
  };
  const { url, close } = await listen({ fetch }, { port: 0, unreadMs });
  onTestFinished(() => close(0));
  return { url, asked: asked.promise };
}

const isClosed = async (asked: Promise<Socket>) => (await asked).closed;

describe("an answer of which nothing is read", () => {
  test.each([
    ["whole", () => new Response(long)],
    ["as a stream", () => new Response(new Blob([long]).stream())],
  ])("ends with its connection: %s", async (_, answer) => {
    const { url, asked } = await listening(answer);
    const socket = (await openSocket(url)).pause();
    socket.write(asking);
    await expect.poll(() => isClosed(asked), { timeout: 10_000 }).toBe(true);
  });

  test("ends it also where many were asked for at once", async () => {
    const { url, asked } = await listening(() => new Response(long));
    const socket = (await openSocket(url)).pause();
    socket.write(asking.repeat(20));
    await expect.poll(() => isClosed(asked), { timeout: 10_000 }).toBe(true);
  });
});

test("an answer that is long in coming, and one that is silent between its parts, are given whole", async () => {
  const { url } = await listening(async () => {
    await after(300);
    const parts = ["one ", "two"];
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const part = parts.shift();
      if (part === undefined) return controller.close();
      await after(300);
      controller.enqueue(new TextEncoder().encode(part));
    };
    return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
  });
  expect(await (await fetch(url)).text()).toBe("one two");
});

test("an answer that is read slowly is given whole", async () => {
  const { url } = await listening(() => new Response(long), 2000);
  const { body } = await fetch(url);
  let chars = 0;
  let pauses = 0;
  for await (const part of body ?? []) {
    chars += part.length;
    // Longer than the limit together, and never by itself.
    if (chars > (pauses + 1) * 4 * 2 ** 20) {
      pauses += 1;
      await after(400);
    }
  }
  expect([chars, pauses]).toStrictEqual([long.length, 7]);
});
