import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { LogLine } from "../log-line.ts";
import { listen, type ListenOptions } from "./listen.ts";

/** What listens, as whoever looks at the sockets of this process finds it. */
async function socketOf(options: ListenOptions) {
  const seen = Promise.withResolvers<Server>();
  const look = (message: unknown) =>
    seen.resolve((message as { readonly socket: Socket & { readonly server: Server } }).socket.server);
  subscribe("net.server.socket", look);
  onTestFinished(() => void unsubscribe("net.server.socket", look));
  const { url, close } = await listen({ fetch: () => new Response("here") }, { port: 0, ...options });
  onTestFinished(() => close(0));
  const answer = async () => await (await fetch(url)).text();
  expect(await answer()).toBe("here");
  return { server: await seen.promise, answer };
}

const full = () => Object.assign(new Error("accept EMFILE"), { code: "EMFILE" });

test("what fails once it listens ends nothing, however often, and is told to the log", async () => {
  const logged: LogLine[] = [];
  const { server, answer } = await socketOf({ log: (line) => void logged.push(line) });
  for (let times = 0; times < 3; times++) server.emit("error", full());
  const line = {
    level: "error",
    event: "socket.failed",
    message: "the socket has failed, and listens on",
    error: { message: "Error: accept EMFILE" },
  };
  expect(logged).toStrictEqual([line, line, line]);
  expect(await answer()).toBe("here");
});

test("nor where nobody is told, or who is told throws", async () => {
  const throwing = () => {
    throw new Error("the log is full");
  };
  for (const log of [undefined, throwing]) {
    const { server, answer } = await socketOf({ log });
    for (let times = 0; times < 3; times++) server.emit("error", full());
    expect(await answer()).toBe("here");
  }
});
